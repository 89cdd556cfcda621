"""RNS on a masked graph is RNS on a graph that never had the cut edges."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.entity_linking import resolve_question_set
from backend.benchmarks.models import QuestionSet
from backend.benchmarks.rns.lookup import get_linked_version_or_raise
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.masked_versions import SnapshotRows, create_masked_graph
from backend.graphs.models import Graph, Version
from backend.graphs.source_records import EdgeRow
from tests.benchmarks.rns.factories import drug, gene
from tests.graphs.served_graph import make_graph

pytestmark = pytest.mark.django_db
EXISTING, SERENDIPITY = [drug(1), drug(2)], [drug(3), gene(5)]
SCORES = ("relevance", "novelty", "surprise", "total")


@dataclass(frozen=True)
class OtherEdges(SnapshotRows):
    """The rows of a file that never had some edges."""

    without: frozenset[int]

    def edges(self) -> Iterator[EdgeRow]:
        numbered = zip(self.snapshot.edges(), super().edges(), strict=True)
        return (row for edge, row in numbered if edge.edge not in self.without)


def score(version: Version) -> dict[str, Any]:
    out = StringIO()
    sets = ["--existing", *EXISTING, "--serendipity", *SERENDIPITY]
    call_command("rns", version.graph.slug, *sets, "--json", stdout=out)
    result: dict[str, Any] = json.loads(out.getvalue())
    return result


@pytest.mark.parametrize("visibility", [Graph.Visibility.PUBLIC, Graph.Visibility.PRIVATE])
def test_vectors_walks_and_marginals_have_no_cut_edge(version: Version, visibility: str) -> None:
    Graph.objects.filter(pk=version.graph_id).update(visibility=visibility)
    version = Version.objects.get(pk=version.pk)
    base = open_version_snapshot(version)
    at = base.find_numbers(EXISTING)
    cut = [edge for number in at for edge in base.row(int(number)).edge_ids().tolist()[::2]]
    masked = create_masked_graph(version, cut, name="Masked", owner=None)
    anew = make_graph("Anew", rows=OtherEdges(base, frozenset(cut)))
    plain, hidden = score(version), score(masked)
    expected = score(Version.objects.get(graph=anew))
    for name in SCORES[1:3]:
        assert hidden[name] == pytest.approx(expected[name], abs=1e-9)
    if visibility == Graph.Visibility.PRIVATE:  # entities have the numbers, so the seeds, of `anew`
        assert hidden["relevance"] == pytest.approx(expected["relevance"], abs=1e-9)
    assert all(abs(hidden[one] - plain[one]) > 1e-6 for one in SCORES)


@pytest.mark.parametrize("visibility", [Graph.Visibility.PUBLIC, Graph.Visibility.PRIVATE])
def test_a_set_that_was_looked_up_in_a_masked_graph_belongs_to_the_whole_one(
    questions: QuestionSet, version: Version, visibility: str
) -> None:
    Graph.objects.filter(pk=version.graph_id).update(visibility=visibility)
    version = Version.objects.get(pk=version.pk)
    masked = create_masked_graph(version, [0, 1], name="Masked", owner=None)
    resolve_question_set(question_set=questions, version=masked)
    assert get_linked_version_or_raise(questions) == version
