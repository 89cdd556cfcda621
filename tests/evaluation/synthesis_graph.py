"""The graph of PrimeKG's vocabulary whose entities have marks, as a version in the database."""

from backend.graphs.models import Version
from tests.benchmarks.stark_queries.factories import PrimekgRows
from tests.evaluation.synthesis_worlds import marked
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows


def make_primekg() -> Version:
    rows = PrimekgRows(1)
    nodes = [marked(one) for one in rows.nodes()]
    source = SourceRows([*nodes], [*rows.edges()])
    return Version.objects.select_related("graph").get(graph=make_graph("Prime", rows=source))
