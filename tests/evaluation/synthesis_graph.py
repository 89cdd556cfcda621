"""Graphs of STaRK's vocabularies whose entities have marks, as versions in the database."""

from backend.graphs.models import Version
from tests.benchmarks.stark_queries.factories import PrimekgRows, RandomRows, VocabularyRows
from tests.evaluation.synthesis_worlds import marked
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows


def make_primekg() -> Version:
    return make_marked("Prime", PrimekgRows(1))


def make_shop() -> Version:
    """Products with brands, categories and colours."""
    return make_marked("Shop", VocabularyRows("amazon", 1))


def make_marked(name: str, rows: RandomRows) -> Version:
    source = SourceRows([marked(one) for one in rows.nodes()], [*rows.edges()])
    return Version.objects.select_related("graph").get(graph=make_graph(name, rows=source))
