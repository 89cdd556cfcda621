"""Compile the numba kernels of graph queries ahead of the first request.

It compiles for the dtypes of ordinary snapshots; a graph with more types or relations than fit
into a byte is still compiled for at its first request.
"""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from backend.graphs.path_queries import search_paths
from backend.graphs.scored_neighbours import find_best_neighbours
from backend.graphs.search.index_cache import get_term_index
from backend.graphs.search.name_search import NameSearch
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow, RelationInfo
from backend.graphs.subgraph_queries import find_subgraph
from backend.graphs.walk_queries import walk_randomly
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery

CHAIN_LENGTH = 4


class ChainGraph:
    """A chain of entities, each linked to the next: one path of three steps."""

    relations: Mapping[str, RelationInfo] = {}

    def nodes(self) -> Iterator[NodeRow]:
        return (NodeRow(f"EX:{number}", "Link", f"link {number}") for number in range(CHAIN_LENGTH))

    def edges(self) -> Iterator[EdgeRow]:
        pairs = range(CHAIN_LENGTH - 1)
        return (EdgeRow(f"EX:{one}", "precedes", f"EX:{one + 1}") for one in pairs)


def compile_kernels() -> None:
    with tempfile.TemporaryDirectory(prefix="serendib-") as folder:
        built = build_snapshot(ChainGraph(), Path(folder))
        run_every_query(open_snapshot(built.path))


def run_every_query(snapshot: Snapshot) -> None:
    first, last = snapshot.find_number("EX:0"), snapshot.find_number(f"EX:{CHAIN_LENGTH - 1}")
    if first is None or last is None:
        raise AssertionError("the snapshot lacks entities of its source")
    search_paths(snapshot, PathQuery([first], [last]), CancellationToken())
    walk_randomly(snapshot, first, 2, seed=0, restart=0.1, stop=CancellationToken())
    find_best_neighbours(snapshot, first, [0], most=1)
    find_subgraph(snapshot, [first, last], CancellationToken())
    for typed in ("link 1", "lnik 1", "lnik lixk"):
        NameSearch(snapshot, get_term_index(snapshot), 2).execute(typed)
