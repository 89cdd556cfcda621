"""Baselines of a release with a cut-off read the graph as it was known then, and nothing later."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from numpy.typing import NDArray

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.baselines import BaselineRuns, open_baselines
from backend.graphs.models import Version
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows
from tests.tracks.serenqa_files import partitions, question, split

pytestmark = pytest.mark.django_db
EARLY, CUTOFF, LATE = 10, 50, 90
DRUGS, PROTEINS = ("X:d1", "X:d2"), ("X:p1", "X:p2", "X:p3")
PATTERN = {
    "nodes": [
        {"nid": 0, "node_type": "class", "id": "Protein", "class": "Protein", "question_node": 1},
        {"nid": 1, "node_type": "entity", "id": "X:d1", "class": "Drug", "question_node": 0},
    ],
    "edges": [{"start": 1, "end": 0, "friendly_name": "inhibits"}],
}


@pytest.fixture
def version() -> Version:
    """A disease, two drugs and their proteins; one protein has a single link, a late one."""
    types = {
        "Disease": ("X:e1",),
        "Drug": DRUGS,
        "Protein": (*PROTEINS, "X:late"),
    }
    nodes: list[NodeRow | MalformedRow] = [
        NodeRow(one, type_, one, document=(Section("About", f"Text of {one}.", ""),))
        for type_, ids in types.items()
        for one in ids
    ]
    edges: list[EdgeRow | MalformedRow] = [
        *(EdgeRow(one, "treats", "X:e1", first_pmid=EARLY) for one in DRUGS),
        *(
            EdgeRow(drug, "inhibits", protein, first_pmid=EARLY)
            for drug in DRUGS
            for protein in PROTEINS
        ),
        *(EdgeRow(drug, "inhibits", "X:late", first_pmid=LATE) for drug in DRUGS),
    ]
    graph = make_graph("Dated", rows=SourceRows(nodes, edges))
    return Version.objects.get(graph=graph)


def predict_all(release: Release) -> dict[str, str]:
    """The lines of each baseline, of both splits."""
    with open_baselines(release) as runs:
        return {name: predict(runs, name) for name in runs.track.baselines}


def predict(runs: BaselineRuns, name: str) -> str:
    rows = (row for one in ReleaseSplit for row in runs.predict(name, one, seed=1))
    return b"".join(rows).decode()


def require_nothing_late(release: Release) -> None:
    """A cut-off takes the end of the late edges out of all predictions, and leaves others there."""
    for name, lines in predict_all(release).items():
        assert "X:late" in lines, name
    release.cutoff = CUTOFF
    for name, lines in predict_all(release).items():
        assert "X:late" not in lines, name
        assert "X:p2" in lines, name


def test_names_are_looked_up_in_the_graph_at_the_cut_off(version: Version) -> None:
    path = "Disease/treats/Drug/inhibits/Protein"
    options = ("--name", "hops", "--metapath", path, "--form", "multiple", "--test-share", "1")
    call_command("make_biohopr", "dated", *options, "--json", stdout=io.StringIO())
    require_nothing_late(Release.objects.get(slug="hops"))


def test_explorations_walk_the_graph_at_the_cut_off(version: Version, tmp_path: Path) -> None:
    require_nothing_late(make_exploration(version, tmp_path))


def make_exploration(version: Version, folder: Path) -> Release:
    files = []
    records = {
        "questions": {**question(1, PROTEINS[:2]), "graph_query": PATTERN},
        "partitions": partitions(1, expert=split(PROTEINS[1:2], PROTEINS[:1])),
    }
    for name, record in records.items():
        files.append(folder / f"{name}.json")
        files[-1].write_text(json.dumps([record]))
    request = ReleaseRequest(track="serenqa-exploration", name="Walks", graph_version=version)
    release = make_release(actor=None, request=request, files=files)
    call_command("release_graph", release.slug, "--json", stdout=io.StringIO())
    return release


class RecordingEmbedder:
    """Remembers what it embeds."""

    name = "recorder"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return np.array([[len(text), 1] for text in texts], np.float32)


@pytest.mark.parametrize("is_chunked", [False, True])
def test_vectors_are_of_texts_at_the_cut_off_also_where_others_are_stored(
    version: Version, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_chunked: bool
) -> None:
    release = make_exploration(version, tmp_path)
    texts: list[str] = []
    for cutoff in (None, CUTOFF, None):
        embedder, release.cutoff = RecordingEmbedder(), cutoff
        monkeypatch.setattr(
            "backend.evaluation.baseline_graph.load_embedder", lambda _, one=embedder: one
        )
        with open_baselines(release) as runs:
            (scores,) = graph_of(runs).meaning_scores(["X:p1"], is_chunked=is_chunked)
        assert len(scores) == version.entities
        texts.append("\n".join(embedder.texts))
    whole, known, again = texts
    assert "Text of X:p1" in whole and "inhibits: X:late; X:p1; X:p2" in whole
    assert "inhibits: X:p1; X:p2" in known
    assert "Text of" not in known and "X:late;" not in known
    assert again == "X:p1"  # the stored ones serve the whole graph


def graph_of(runs: BaselineRuns) -> Any:
    assert runs.graph is not None
    return runs.graph
