"""A made-up world about which every task has a release.

Item n is about the entities of number n alone: alpha n inhibits gamma n, which controls beta n. A
prompt that has another number shows what belongs to another item. Entity 0 has an order as its
name. Links over delta n, and one paper of each pair, are of a later date. Each alpha has a
document, and documents have no dates.
"""

from pathlib import Path

from backend.benchmarks.models import Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.graphs.models import Version
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section
from tests.evaluation.world_tasks import (
    DOCUMENT,
    EARLY,
    HIDDEN,
    ITEMS,
    LATE,
    LATER,
    name_of,
    write_hops,
    write_pairs,
    write_queries,
)
from tests.graphs.literature.paper_files import make_collection, paper
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows


def make_world_graph() -> Version:
    nodes: list[NodeRow | MalformedRow] = []
    edges: list[EdgeRow | MalformedRow] = []
    for n in range(ITEMS):
        a, b, c, d = (f"X:{kind}{n}" for kind in "ABCD")
        document = (Section("About", DOCUMENT, ""),)
        nodes.append(NodeRow(a, "Chemical", name_of(n), document=document))
        nodes.append(NodeRow(b, "Gene", f"beta{n}"))
        nodes += [NodeRow(c, "Protein", f"gamma{n}"), NodeRow(d, "Protein", f"delta{n}")]
        edges += [
            EdgeRow(a, "inhibits", c, first_pmid=EARLY),
            EdgeRow(c, "controls", b, first_pmid=EARLY),
            EdgeRow(a, HIDDEN, b, first_pmid=EARLY),
            EdgeRow(a, "later binds", d, first_pmid=LATE),
            EdgeRow(d, "later binds", b, first_pmid=LATE),
            EdgeRow(a, "undated link", d),
            EdgeRow(d, "undated link", b),
        ]
    graph = make_graph("World", rows=SourceRows(nodes, edges))
    return Version.objects.get(graph=graph)


def make_world_papers(folder: Path) -> None:
    early = (
        paper(str(n + 1), f"{name_of(n)} acts on beta{n}", "2001", "As it was known.")
        for n in range(ITEMS)
    )
    late = (
        paper(str(1_000 + n), f"{name_of(n)} acts on beta{n}", "2020", LATER[-1])
        for n in range(ITEMS)
    )
    make_collection(folder, [*early, *late], "World papers")


def make_world_release(folder: Path, track: str, graph: Version) -> Release:
    """Open, with test items alone."""
    write = {"truthhypo": write_pairs, "biohopr": write_hops}.get(track, write_queries)
    request = ReleaseRequest(track=track, name=track, slug=f"world-{track}", graph_version=graph)
    release = make_release(actor=None, request=request, files=[write(folder)])
    Release.objects.filter(pk=release.pk).update(state=Release.State.OPEN)
    release.refresh_from_db()
    return release
