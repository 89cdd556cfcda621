"""The embedding that R reads, with the AUCs that say how far it is to be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from backend.benchmarks.serendipity.artefacts import (
    Progress,
    folder_of,
    opened,
    opened_or_raise,
    require_small,
    silent,
)
from backend.benchmarks.serendipity.options import Method, Options
from backend.graphs.snapshots.opening import Snapshot
from backend.science.artefact import writing
from backend.science.embeddings.evaluation import as_facts, evaluate, trial_of
from backend.science.embeddings.propagation import propagate
from backend.science.embeddings.splitting import split_edges
from backend.science.embeddings.undirected import undirected
from backend.science.embeddings.vectors import KIND, Embedding, Kept, Sink
from backend.science.folders import workspace
from backend.science.stopping import Stop

DIMENSIONS = 64
SEED = 0


def parameters_of(method: Method) -> dict[str, Any]:
    return {"method": method, "dimensions": DIMENSIONS, "seed": SEED}


def vectors_folder(snapshot: Snapshot, method: Method) -> Path:
    return folder_of(snapshot, KIND, parameters_of(method))


def open_vectors(snapshot: Snapshot, options: Options, stop: Stop | None = None) -> Embedding:
    """From the disk; else computed now if the graph is small. Raises NotComputed."""
    folder = vectors_folder(snapshot, options.method)
    found = opened(folder, KIND, snapshot)
    if found is None:
        require_small(snapshot, "embedding")
        compute_vectors(snapshot, options.method, stop=stop)
        found = opened_or_raise(folder, KIND, snapshot)
    facts = {**found.parameters, **found.facts}
    return Embedding(found.arrays["vectors"], found.arrays["has"], facts)


def compute_vectors(
    snapshot: Snapshot, method: Method, *, progress: Progress = silent, stop: Stop | None = None
) -> Path:
    """The same bytes for the same graph and method; what is there and whole is left alone."""
    folder = vectors_folder(snapshot, method)
    if opened(folder, KIND, snapshot) is not None:
        return folder
    forward, reverse = snapshot.forward, snapshot.reverse
    held = split_edges(forward, reverse, seed=SEED)
    without = undirected(forward, reverse, without=held)
    trial = trial_of(forward, reverse, snapshot.type_of, without, held, seed=SEED)
    wanted = trial.entities()
    with workspace(folder.parent) as space:
        kept = Sink(Kept(), snapshot.entity_count, DIMENSIONS, wanted)
        propagate(without, kept, scratch=space, stop=stop)
        aucs = as_facts(evaluate(trial, wanted, kept.rows))
        with writing(folder, KIND, snapshot.id, parameters_of(method)) as writer:
            stream = writer.stream("vectors", (snapshot.entity_count, DIMENSIONS), "<f4")
            sink = Sink(stream, snapshot.entity_count, DIMENSIONS, wanted[:0])
            facts = propagate(undirected(forward, reverse), sink, scratch=space, stop=stop)
            writer.array("has", sink.has)
            writer.facts.update(facts, aucs=aucs)
    return folder
