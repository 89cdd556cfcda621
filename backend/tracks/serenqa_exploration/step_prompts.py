"""From a request of the search to the texts of its prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.tracks.model_tasks import AnyModelTask
from backend.tracks.prompt_text import data_block, data_lines, to_json
from backend.tracks.serenqa_exploration.guided_search import GuidedSearch, StepRequest
from backend.tracks.serenqa_exploration.guided_state import (
    GraphNode,
    GuidedEdge,
    NodePath,
    Phase,
    RelationOffer,
)
from backend.tracks.serenqa_exploration.step_tasks import (
    ContinuationDecision,
    LevelDescription,
    LevelSummary,
    NodeChoice,
    RelationChoice,
    StepItem,
)

TASKS: Mapping[Phase, AnyModelTask] = {
    Phase.RELATIONS: RelationChoice(),
    Phase.NODES: NodeChoice(),
    Phase.DESCRIPTION: LevelDescription(),
    Phase.DECISION: ContinuationDecision(),
    Phase.SUMMARIES: LevelSummary(),
}
PROGNOSES = {1: "favourable", -1: "unfavourable"}


@dataclass(frozen=True, slots=True)
class ExamplePath:
    """nodes: as in a prompt. relations: between them."""

    nodes: tuple[GraphNode, ...]
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A dev question with ground-truth paths: from a known answer to an unexpected one."""

    question: str
    paths: tuple[ExamplePath, ...]


def make_item(search: GuidedSearch, request: StepRequest, example: Example | None) -> StepItem:
    values = {
        "question": data_block(search.item.question),
        "root": data_block(describe_node(search.nodes[search.state.visited[0]])),
        "level": str(request.level),
    }
    if request.phase in (Phase.RELATIONS, Phase.NODES):
        values["depth"] = str(search.settings.depth)
        values["notes"] = notes_of(search)
        values["example"] = "" if example is None else describe_example(example)
    match request.phase:
        case Phase.RELATIONS:
            values["node"] = data_block(describe_node(search.nodes[request.node]))
            values["relations"] = data_lines(map(describe_relation, request.relations))
            values["most"] = str(search.settings.relations)
            return StepItem(values, {one.name: one.phrases for one in request.relations})
        case Phase.NODES:
            values["edges"] = data_lines(describe_edge(search, one) for one in request.edges)
            values["most"] = str(search.settings.width)
            targets = [search.nodes[one.target] for one in request.edges]
            return StepItem(values, {one.id: spellings(one) for one in targets})
        case _:
            values["paths"] = data_lines(describe_path(search, one) for one in request.paths)
            return StepItem(values)


def spellings(node: GraphNode) -> Sequence[str]:
    forms = [node.name, f"{node.id} ({node.name})", f"{node.name} ({node.id})"]
    return forms if node.name else [f"{node.id} ({node.type})"]


def describe_node(node: GraphNode) -> dict[str, str]:
    return {"id": node.id, "name": node.name, "type": node.type}


def describe_relation(offer: RelationOffer) -> dict[str, object]:
    return {"name": offer.name, "phrases": offer.phrases, "edges": offer.edges}


def describe_edge(search: GuidedSearch, edge: GuidedEdge) -> dict[str, object]:
    source, target = search.nodes[edge.source], search.nodes[edge.target]
    described: dict[str, object] = {
        "id": target.id,
        "name": target.name,
        "type": target.type,
        "from": source.name or source.id,
        "phrase": edge.phrase,
    }
    if edge.weight is not None:
        described["weight"] = float(f"{edge.weight:.3g}")
    if edge.prognosis:
        described["prognosis"] = PROGNOSES[edge.prognosis]
    return described


def describe_path(search: GuidedSearch, path: NodePath) -> list[object]:
    """Entities and the phrases between them, from the root on."""
    steps: list[object] = [describe_node(search.nodes[search.state.visited[0]])]
    for edge in path.edges:
        steps += [edge.phrase, describe_node(search.nodes[edge.target])]
    return steps


def notes_of(search: GuidedSearch) -> str:
    """With summary: the descriptions of earlier levels."""
    texts = [
        {"level": level, "description": record.description}
        for level, record in enumerate(search.state.levels[: search.state.level - 1], start=1)
        if record.description
    ]
    if not search.settings.summaries or not texts:
        return ""
    return f"Notes on the earlier levels:\n{data_lines(texts)}\n\n"


def describe_example(example: Example) -> str:
    lines = [[to_node_text(one) for one in interleave(path)] for path in example.paths]
    return (
        "An example of another question, with paths from a known answer to an unexpected one:\n"
        f"<data>\n{to_json(example.question)}\n"
        + "".join(f"{to_json(line)}\n" for line in lines)
        + "</data>\n\n"
    )


def interleave(path: ExamplePath) -> list[GraphNode | str]:
    steps: list[GraphNode | str] = [path.nodes[0]]
    for phrase, node in zip(path.phrases, path.nodes[1:], strict=True):
        steps += [phrase, node]
    return steps


def to_node_text(value: GraphNode | str) -> object:
    return value if isinstance(value, str) else describe_node(value)
