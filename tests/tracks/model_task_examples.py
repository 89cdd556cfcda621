"""Items and contexts that the tests of model tasks share; the answers of a real model are of them.

The candidates are of common knowledge: aspirin, ibuprofen, paracetamol, caffeine.
"""

from functools import cache
from typing import Any

from backend.tracks.base import AnyTrack
from backend.tracks.model_tasks import (
    AnyModelTask,
    CandidateText,
    ContextKind,
    ModelTask,
    Passage,
    TaskContext,
)
from backend.tracks.prompt_text import RelationKind, describe_schema, link_chain
from backend.tracks.registry import load_model_tasks, load_tracks
from backend.tracks.serenqa_ensemble import ENSEMBLE_TASK, EnsembleQuestion

QUESTION = EnsembleQuestion("1", "Which drugs relieve headache?")
CANDIDATES = (
    CandidateText("17", "aspirin", "Drug", "Relieves pain and fever and thins the blood."),
    CandidateText("4", "ibuprofen", "Drug", "Relieves pain, fever and inflammation."),
    CandidateText("202", "paracetamol", "Drug", "Relieves pain and fever."),
    CandidateText("31", "caffeine", "Drug", "A stimulant that adds to the effect of others."),
)
CONTEXT = TaskContext(
    link_chains=(
        link_chain(
            [("Chemical one", "Chemical"), ("Gene 7", "Gene"), ("Gene 1", "Gene")],
            ["inhibits", "binds"],
        ),
    ),
    papers=(Passage("SYN:1", "Chemical one in cells", "Chemical one lowered Gene one in cells."),),
    candidates=CANDIDATES,
    definitions=(Passage("DRUGBANK:DB00001", "Drug one", "Summary: Drug one lowers fever."),),
    graph_schema=describe_schema(
        ["Drug", "Disease"],
        [RelationKind("treats", "Drug", "Disease", "treats")],
        ["id", "name", "type", "synonyms"],
        ["score", "first_seen"],
    ),
)
FIELDS = {
    ContextKind.LINK_CHAINS: "link_chains",
    ContextKind.PAPERS: "papers",
    ContextKind.CANDIDATES: "candidates",
    ContextKind.GRAPH_SCHEMA: "graph_schema",
    ContextKind.DEFINITIONS: "definitions",
}


def context_of(task: AnyModelTask) -> TaskContext:
    """What the task needs, and nothing else."""
    fields: dict[str, Any] = {FIELDS[kind]: getattr(CONTEXT, FIELDS[kind]) for kind in task.needs}
    return TaskContext(**fields)


@cache
def example_items(track: AnyTrack) -> tuple[Any, ...]:
    with track.example_items_file.open("rb") as file:
        items, faults = track.read_items(file, "example_items.jsonl")
    assert faults.total == 0
    return tuple(items)


def every_task() -> dict[str, AnyModelTask]:
    """Those of the built-in tracks with one request for each item, and the ensemble's."""
    tasks = {
        name: task
        for track in load_tracks().values()
        if type(track).__module__.startswith("backend.")
        for name, task in load_model_tasks(track).items()
        if isinstance(task, ModelTask)
    }
    return {**tasks, ENSEMBLE_TASK.name: ENSEMBLE_TASK}


def covered_items(task: AnyModelTask) -> list[Any]:
    if task is ENSEMBLE_TASK:
        return [QUESTION]
    return [one for one in example_items(load_tracks()[task.track]) if task.covers(one)]
