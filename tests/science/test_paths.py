"""Paths, held against trying everything in networkx."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.science import path_kernels
from backend.science.path_answers import Answer, Metapath, Path
from backend.science.paths import Question, find_paths
from backend.science.stopping import Stop
from tests.science.multigraphs import (
    Multigraph,
    brute_paths,
    is_hidden,
    kind_of,
    kinds_of,
    multigraphs,
)


def ask(graph: Multigraph, question: Question, stop: Stop | None = None) -> Answer:
    return find_paths(graph.links(), graph.types_of(), graph.is_symmetric(), question, stop)


@st.composite
def asked(draw: st.DrawFn) -> tuple[Multigraph, Question]:
    graph = draw(multigraphs())
    some = st.lists(st.integers(0, len(graph.types) - 1), max_size=3)
    relation = st.integers(0, len(graph.symmetric) - 1)
    question = Question(
        draw(some),
        draw(some),
        hops=draw(st.integers(1, 3)),
        relations=draw(st.none() | st.frozensets(relation)),
        hub=draw(st.none() | st.integers(0, 12)),
        order=draw(st.sampled_from(["probability", "degree"])),
        limit=draw(st.sampled_from([0, 1, 3, 10_000])),
    )
    return graph, question


def place(path: Path) -> tuple[float, int, tuple[int, ...], int]:
    """Weights that differ by rounding alone are equal."""
    edges = tuple(step.edge for step in path.steps)
    order = (edges[0], edges[1] if len(edges) == 3 else -1, edges[-1] if len(edges) > 1 else -1)
    return -round(path.weight, 12), len(edges), order, path.entities[0]


def same(found: list[Path], wanted: list[Path]) -> None:
    assert [(one.entities, one.steps) for one in found] == [
        (one.entities, one.steps) for one in wanted
    ]
    assert [one.weight for one in found] == pytest.approx([one.weight for one in wanted])


@settings(deadline=None)
@given(asked())
def test_every_path_is_found_once_counted_and_in_order(case: tuple[Multigraph, Question]) -> None:
    graph, question = case
    every = list(brute_paths(graph, question))
    shown = [path for path in every if not is_hidden(graph, question, path)]
    answer = ask(graph, question)
    assert (answer.found, answer.hidden) == (len(shown), len(every) - len(shown))
    assert answer.complete
    same(sorted(answer.paths, key=place), sorted(shown, key=place)[: question.limit])
    weights = [path.weight for path in answer.paths]
    assert weights == sorted(weights, reverse=True)


@settings(deadline=None)
@given(asked())
def test_paths_are_counted_by_their_kind(case: tuple[Multigraph, Question]) -> None:
    graph, question = case
    every = list(brute_paths(graph, question))
    shown = [path for path in every if not is_hidden(graph, question, path)]
    hidden = [path for path in every if is_hidden(graph, question, path)]
    answer = ask(graph, question)
    plain = {replace(one, found=0, hidden=0): one for one in answer.metapaths}
    assert {one: told.found for one, told in plain.items() if told.found} == kinds_of(graph, shown)
    assert {one: told.hidden for one, told in plain.items() if told.hidden} == kinds_of(
        graph, hidden
    )
    assert answer.others == 0


@settings(deadline=None)
@given(asked())
def test_a_kind_of_path_finds_its_own_paths_and_no_others(
    case: tuple[Multigraph, Question],
) -> None:
    graph, question = case
    every = list(brute_paths(graph, replace(question, relations=None)))
    for kind, count in kinds_of(graph, every).items():
        only = replace(question, relations=None, metapath=kind, hops=len(kind.steps), limit=10_000)
        answer = ask(graph, only)
        assert answer.found + answer.hidden == count
        assert {kind_of(graph, path) for path in answer.paths} <= {kind}


@settings(deadline=None)
@given(asked())
def test_the_shortest_paths_are_those_of_the_fewest_steps(
    case: tuple[Multigraph, Question],
) -> None:
    graph, question = case
    shown = [path for path in brute_paths(graph, question) if not is_hidden(graph, question, path)]
    fewest = min((len(path.steps) for path in shown), default=0)
    answer = ask(graph, replace(question, shortest=True, limit=10_000))
    assert answer.found == sum(len(path.steps) == fewest for path in shown)
    assert {len(path.steps) for path in answer.paths} <= {fewest}


@settings(deadline=None)
@given(asked(), st.sampled_from([0, 10**9]))
def test_long_rows_may_be_searched_or_looked_through(
    case: tuple[Multigraph, Question], entries: int
) -> None:
    """The compiled constant cannot be changed, so the uncompiled functions are asked."""
    graph, question = case
    wanted = ask(graph, replace(question, hops=3))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("join_rows", "scan_row", "search_row", "meet"):
            plain = getattr(path_kernels, name).py_func
            patch.setattr(path_kernels, name, plain)
        patch.setattr(path_kernels, "SEARCHES", entries - 1)
        patch.setattr("backend.science.paths.join_rows", path_kernels.join_rows)
        answer = ask(graph, replace(question, hops=3))
    assert replace(answer, looked_at=0) == replace(wanted, looked_at=0)


@given(asked())
@settings(deadline=None)
def test_a_long_list_of_steps_is_made_shorter_without_losing_a_path(
    case: tuple[Multigraph, Question],
) -> None:
    graph, question = case
    wanted = ask(graph, question)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("backend.science.paths.LONG", -1)
        patch.setattr("backend.science.paths.PER_SORTED", 10**9)
        answer = ask(graph, question)
    assert replace(answer, looked_at=0) == replace(wanted, looked_at=0)


def layered(width: int) -> Multigraph:
    """Source 0, target 1, and two full layers between them."""
    first, second = range(2, 2 + width), range(2 + width, 2 + 2 * width)
    edges = [(0, 0, a) for a in first] + [(b, 0, 1) for b in second]
    edges += [(a, 0, b) for a in first for b in second]
    return Multigraph((0,) * (2 + 2 * width), (False,), tuple(sorted(edges)))


def test_a_search_that_has_worked_enough_says_that_its_counts_are_lower_bounds() -> None:
    graph = layered(30)
    whole, part = ask(graph, Question([0], [1])), ask(graph, Question([0], [1], work=500))
    assert (whole.found, whole.complete) == (900, True)
    assert 0 < part.found < 900 and not part.complete
    assert part == ask(graph, Question([0], [1], work=500))


def test_a_search_that_is_told_to_stop_ends_where_it_is() -> None:
    """Ten thousand parallel edges on each of three steps are 10^12 paths: hours."""
    many = 10_000
    edges = [(0, 0, 2)] * many + [(2, 0, 3)] * many + [(3, 0, 1)] * many
    graph = Multigraph((0,) * 4, (False,), tuple(sorted(edges)))
    stop = Stop()
    ask(graph, Question([0], [1], work=10**6))
    began = time.monotonic()
    with stop.after(0.2):
        answer = ask(graph, Question([0], [1], work=10**15), stop)
    assert stop.pulled and not answer.complete and answer.found > 0
    assert time.monotonic() - began < 60


def test_hubs_between_the_ends_are_hidden_and_the_ends_are_never() -> None:
    """Entities 0 and 1 are hubs themselves; they meet in hub 2 and in the modest 3."""
    edges = [(0, 0, 2), (2, 0, 1), (0, 0, 3), (3, 0, 1)]
    edges += [(hub, 0, leaf) for hub in (0, 1, 2) for leaf in range(4 + 10 * hub, 14 + 10 * hub)]
    graph = Multigraph((0,) * 34, (False,), tuple(sorted(edges)))
    answer = ask(graph, Question([0], [1], hub=5))
    assert (answer.found, answer.hidden) == (1, 1)
    assert answer.paths[0].entities == (0, 3, 1)
    assert ask(graph, Question([0], [1])).found == 2


def test_more_kinds_than_there_is_room_for_are_counted_together() -> None:
    relations = 100
    edges = [(0, one, 2) for one in range(relations)] + [(2, one, 1) for one in range(relations)]
    graph = Multigraph((0,) * 3, (False,) * relations, tuple(sorted(edges)))
    answer = ask(graph, Question([0], [1], hops=2, limit=0, kinds=10**6))
    assert answer.found == relations**2
    assert answer.others == relations**2 - len(answer.metapaths) > 0
    few = ask(graph, Question([0], [1], hops=2, limit=0, kinds=5))
    assert few.metapaths == answer.metapaths[:5] and few.others == relations**2 - 5


def test_what_cannot_be_asked_is_refused() -> None:
    graph = layered(2)
    for hops in (0, 4):
        with pytest.raises(ValueError, match="1 to 3 steps"):
            ask(graph, Question([0], [1], hops=hops))
    for wrong in (-1, 6):
        with pytest.raises(IndexError, match="no entity"):
            ask(graph, Question([0], [wrong]))
    with pytest.raises(ValueError, match="as many steps"):
        ask(graph, Question([0], [1], metapath=Metapath((0, 0), ((0, True),))))
    with pytest.raises(ValueError, match="types are expected"):
        find_paths(graph.links(), np.zeros(3, np.uint8), graph.is_symmetric(), Question([0], [1]))


def test_there_are_no_paths_from_an_entity_to_itself() -> None:
    assert replace(ask(layered(3), Question([0], [0])), looked_at=0) == Answer()
    assert ask(layered(3), Question([], [1])).found == 0
