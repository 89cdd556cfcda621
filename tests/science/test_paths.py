"""Paths, compared with exhaustive search in networkx."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.runtime.cancellation import CancellationToken
from backend.science import path_kernels
from backend.science.path_answers import Metapath, Path, PathSearchResult
from backend.science.paths import PathOrder, PathQuery, find_paths
from tests.science.multigraphs import (
    Multigraph,
    brute_paths,
    is_hidden,
    kind_of,
    kinds_of,
    multigraphs,
)


def find(
    graph: Multigraph, question: PathQuery, stop: CancellationToken | None = None
) -> PathSearchResult:
    return find_paths(graph.links(), graph.types_of(), graph.is_symmetric(), question, stop)


@st.composite
def graph_and_query(draw: st.DrawFn) -> tuple[Multigraph, PathQuery]:
    graph = draw(multigraphs())
    some = st.lists(st.integers(0, len(graph.types) - 1), max_size=3)
    relation = st.integers(0, len(graph.symmetric) - 1)
    question = PathQuery(
        draw(some),
        draw(some),
        hops=draw(st.integers(1, 3)),
        relations=draw(st.none() | st.frozensets(relation)),
        max_degree=draw(st.none() | st.integers(0, 12)),
        order=draw(st.sampled_from(["probability", "degree"])),
        limit=draw(st.sampled_from([0, 1, 3, 10_000])),
    )
    return graph, question


UNTIL = 5


def draw_dates(graph: Multigraph, data: st.DataObject) -> list[int]:
    return [data.draw(st.sampled_from([0, 3, UNTIL, 6])) for _ in graph.edges]


@settings(deadline=None)
@given(graph_and_query(), st.data())
def test_paths_under_a_cutoff_are_those_in_the_graph_without_the_other_edges(
    both: tuple[Multigraph, PathQuery], data: st.DataObject
) -> None:
    graph, question = both
    if graph.edges:  # without a date there is no cut-off
        assert_paths_until(graph, draw_dates(graph, data), question)


@pytest.mark.parametrize("order", ["probability", "degree"])
@pytest.mark.parametrize("max_degree", [None, 12])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_a_cutoff_leaves_out_each_step_of_a_dense_graph(
    order: PathOrder, max_degree: int | None, hops: int
) -> None:
    for seed in range(20):
        graph, dates = draw_dense(seed)
        query = PathQuery([0], [1, 2], hops, max_degree=max_degree, order=order, limit=10_000)
        assert assert_paths_until(graph, dates, query)


def draw_dense(seed: int) -> tuple[Multigraph, list[int]]:
    """60 edges between nine entities, with their dates."""
    random = np.random.default_rng(seed)
    edges = sorted(map(tuple, random.integers([9, 2, 9], size=(60, 3)).tolist()))
    types = tuple(random.integers(3, size=9).tolist())
    dates = random.choice([0, 3, UNTIL, 6], size=len(edges)).tolist()
    return Multigraph(types, (False, True), tuple(edges)), dates


def assert_paths_until(graph: Multigraph, dates: list[int], question: PathQuery) -> int:
    """How many edges were left out."""
    admitted = [at for at, date in enumerate(dates) if 0 < date <= UNTIL]
    expected = find(graph.selected(admitted), question)
    known = graph.types_of(), graph.is_symmetric()
    result = find_paths(graph.links(dates, UNTIL), *known, question)
    paths = [renumbered(path, admitted) for path in expected.paths]
    assert replace(result, entries_read=0) == replace(expected, paths=paths, entries_read=0)
    return len(dates) - len(admitted)


def renumbered(path: Path, edges: Sequence[int]) -> Path:
    return replace(path, steps=tuple(replace(step, edge=edges[step.edge]) for step in path.steps))


def place(path: Path) -> tuple[float, int, tuple[int, ...], int]:
    """Weights that differ by rounding alone are equal."""
    edges = tuple(step.edge for step in path.steps)
    order = (edges[0], edges[1] if len(edges) == 3 else -1, edges[-1] if len(edges) > 1 else -1)
    return -round(path.weight, 12), len(edges), order, path.entities[0]


def same(result: list[Path], expected: list[Path]) -> None:
    assert [(one.entities, one.steps) for one in result] == [
        (one.entities, one.steps) for one in expected
    ]
    assert [one.weight for one in result] == pytest.approx([one.weight for one in expected])


@settings(deadline=None)
@given(graph_and_query())
def test_every_path_is_found_once_counted_and_ordered(case: tuple[Multigraph, PathQuery]) -> None:
    graph, question = case
    every = list(brute_paths(graph, question))
    shown = [path for path in every if not is_hidden(graph, question, path)]
    answer = find(graph, question)
    assert (answer.path_count, answer.hidden_count) == (len(shown), len(every) - len(shown))
    assert answer.is_complete
    same(sorted(answer.paths, key=place), sorted(shown, key=place)[: question.limit])
    weights = [path.weight for path in answer.paths]
    assert weights == sorted(weights, reverse=True)


@settings(deadline=None)
@given(graph_and_query())
def test_paths_are_counted_by_metapath(case: tuple[Multigraph, PathQuery]) -> None:
    graph, question = case
    every = list(brute_paths(graph, question))
    shown = [path for path in every if not is_hidden(graph, question, path)]
    hidden = [path for path in every if is_hidden(graph, question, path)]
    answer = find(graph, question)
    plain = {replace(one, path_count=0, hidden_count=0): one for one in answer.metapaths}
    assert {
        one: reported.path_count for one, reported in plain.items() if reported.path_count
    } == kinds_of(graph, shown)
    assert {
        one: reported.hidden_count for one, reported in plain.items() if reported.hidden_count
    } == kinds_of(graph, hidden)
    assert answer.other_count == 0


@settings(deadline=None)
@given(graph_and_query())
def test_a_metapath_query_finds_only_its_paths(
    case: tuple[Multigraph, PathQuery],
) -> None:
    graph, question = case
    every = list(brute_paths(graph, replace(question, relations=None)))
    for kind, count in kinds_of(graph, every).items():
        only = replace(question, relations=None, metapath=kind, hops=len(kind.steps), limit=10_000)
        answer = find(graph, only)
        assert answer.path_count + answer.hidden_count == count
        assert {kind_of(graph, path) for path in answer.paths} <= {kind}


@settings(deadline=None)
@given(graph_and_query())
def test_the_shortest_paths_are_those_of_the_fewest_steps(
    case: tuple[Multigraph, PathQuery],
) -> None:
    graph, question = case
    shown = [path for path in brute_paths(graph, question) if not is_hidden(graph, question, path)]
    fewest = min((len(path.steps) for path in shown), default=0)
    answer = find(graph, replace(question, shortest_only=True, limit=10_000))
    assert answer.path_count == sum(len(path.steps) == fewest for path in shown)
    assert {len(path.steps) for path in answer.paths} <= {fewest}


@contextmanager
def searching_above(entries: int) -> Iterator[None]:
    """Rows of more are searched. The compiled constant cannot be changed, so the uncompiled
    functions are used."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("join_rows", "scan_row", "search_row", "meet"):
            plain = getattr(path_kernels, name).py_func
            patch.setattr(path_kernels, name, plain)
        patch.setattr(path_kernels, "SEARCH_RATIO", entries)
        patch.setattr("backend.science.paths.join_rows", path_kernels.join_rows)
        yield


@settings(deadline=None)
@given(graph_and_query(), st.sampled_from([-1, 10**9]))
def test_searching_and_scanning_rows_give_the_same_paths(
    case: tuple[Multigraph, PathQuery], entries: int
) -> None:
    graph, question = case
    expected = find(graph, replace(question, hops=3))
    with searching_above(entries):
        answer = find(graph, replace(question, hops=3))
    assert replace(answer, entries_read=0) == replace(expected, entries_read=0)


@pytest.mark.parametrize("entries", [-1, 10**9])
def test_searching_and_scanning_rows_observe_a_cutoff(entries: int) -> None:
    for seed in range(4):
        graph, dates = draw_dense(seed)
        with searching_above(entries):
            assert assert_paths_until(graph, dates, PathQuery([0], [1, 2], limit=10_000))


@given(graph_and_query())
@settings(deadline=None)
def test_filtering_a_long_list_of_steps_loses_no_path(
    case: tuple[Multigraph, PathQuery],
) -> None:
    graph, question = case
    expected = find(graph, question)
    with pytest.MonkeyPatch.context() as patch:
        # Thresholds between two ways of computing, which small graphs do not reach.
        patch.setattr("backend.science.paths.MIN_FILTERED_ENTRIES", -1)
        patch.setattr("backend.science.paths.ENTRIES_PER_SORTED", 10**9)
        answer = find(graph, question)
    assert replace(answer, entries_read=0) == replace(expected, entries_read=0)


def layered(width: int) -> Multigraph:
    """Source 0, target 1, and two full layers between them."""
    first, second = range(2, 2 + width), range(2 + width, 2 + 2 * width)
    edges = [(0, 0, a) for a in first] + [(b, 0, 1) for b in second]
    edges += [(a, 0, b) for a in first for b in second]
    return Multigraph((0,) * (2 + 2 * width), (False,), tuple(sorted(edges)))


def test_a_search_at_its_work_limit_reports_lower_bounds() -> None:
    graph = layered(30)
    whole, part = find(graph, PathQuery([0], [1])), find(graph, PathQuery([0], [1], max_work=500))
    assert (whole.path_count, whole.is_complete) == (900, True)
    assert 0 < part.path_count < 900 and not part.is_complete
    assert part == find(graph, PathQuery([0], [1], max_work=500))


def test_a_cancelled_search_is_incomplete() -> None:
    """Ten thousand parallel edges on each of three steps are 10^12 paths: hours."""
    many = 10_000
    edges = [(0, 0, 2)] * many + [(2, 0, 3)] * many + [(3, 0, 1)] * many
    graph = Multigraph((0,) * 4, (False,), tuple(sorted(edges)))
    stop = CancellationToken()
    find(graph, PathQuery([0], [1], max_work=10**6))
    began = time.monotonic()
    with stop.cancel_after(0.2):
        answer = find(graph, PathQuery([0], [1], max_work=10**15), stop)
    assert stop.is_cancelled and not answer.is_complete and answer.path_count > 0
    assert time.monotonic() - began < 60


def test_hubs_between_the_ends_are_hidden_but_never_the_ends() -> None:
    """Entities 0 and 1 are hubs themselves; they meet in hub 2 and in the modest 3."""
    edges = [(0, 0, 2), (2, 0, 1), (0, 0, 3), (3, 0, 1)]
    edges += [(hub, 0, leaf) for hub in (0, 1, 2) for leaf in range(4 + 10 * hub, 14 + 10 * hub)]
    graph = Multigraph((0,) * 34, (False,), tuple(sorted(edges)))
    answer = find(graph, PathQuery([0], [1], max_degree=5))
    assert (answer.path_count, answer.hidden_count) == (1, 1)
    assert answer.paths[0].entities == (0, 3, 1)
    assert find(graph, PathQuery([0], [1])).path_count == 2


def test_metapaths_beyond_the_table_are_counted_together() -> None:
    relations = 100
    edges = [(0, one, 2) for one in range(relations)] + [(2, one, 1) for one in range(relations)]
    graph = Multigraph((0,) * 3, (False,) * relations, tuple(sorted(edges)))
    answer = find(graph, PathQuery([0], [1], hops=2, limit=0, max_metapaths=10**6))
    assert answer.path_count == relations**2
    assert answer.other_count == relations**2 - len(answer.metapaths) > 0
    few = find(graph, PathQuery([0], [1], hops=2, limit=0, max_metapaths=5))
    assert few.metapaths == answer.metapaths[:5] and few.other_count == relations**2 - 5


def test_invalid_queries_are_rejected() -> None:
    graph = layered(2)
    for hops in (0, 4):
        with pytest.raises(ValueError, match="1 to 3 steps"):
            find(graph, PathQuery([0], [1], hops=hops))
    for wrong in (-1, 6):
        with pytest.raises(IndexError, match="no entity"):
            find(graph, PathQuery([0], [wrong]))
    with pytest.raises(ValueError, match="as many steps"):
        find(graph, PathQuery([0], [1], metapath=Metapath((0, 0), ((0, True),))))
    with pytest.raises(ValueError, match="types are expected"):
        find_paths(graph.links(), np.zeros(3, np.uint8), graph.is_symmetric(), PathQuery([0], [1]))


def test_there_are_no_paths_from_an_entity_to_itself() -> None:
    assert replace(find(layered(3), PathQuery([0], [0])), entries_read=0) == PathSearchResult()
    assert find(layered(3), PathQuery([], [1])).path_count == 0
