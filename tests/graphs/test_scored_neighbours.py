"""The strongest edges of an entity, against a slow reading of every edge record."""

import math
import random
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.graphs.scored_neighbours import ScoredNeighbour, find_best_neighbours, sign_of
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from tests.graphs.snapshots.sources import RELATIONS, SourceRows

EVIDENCE = ("", "HPA (favourable prognosis)", "HPA (unfavourable prognosis)", "DrugBank")
LEVELS = ("", "not detected", "low", "Medium", "high", "unheard of")
STRENGTHS = {"not detected": 0.0, "low": 1.0, "medium": 2.0, "high": 3.0}


def random_graph(seed: int, folder: Path) -> Snapshot:
    chance = random.Random(seed)  # noqa: S311  the same graph each time
    nodes = [NodeRow(f"N:{number}", "Thing", f"node {number}") for number in range(7)]
    has_measures = chance.random() < 0.7
    edges = []
    for _ in range(chance.randrange(1, 60)):
        ends = [f"N:{chance.randrange(7)}" for _ in range(2)]
        row = EdgeRow(
            ends[0],
            chance.choice(RELATIONS),
            ends[1],
            score=chance.choice([None, 0.0, 0.5, 0.5, 3.0]) if has_measures else None,
            evidence=chance.choice(EVIDENCE),
            level=chance.choice(LEVELS) if has_measures else "",
            p_value=chance.choice([None, 0.0, 1e-8, 0.05, 1.0]) if has_measures else None,
        )
        edges.append(row)
    return open_snapshot(build_snapshot(SourceRows([*nodes], [*edges]), folder).path)


def measures(snapshot: Snapshot, edge: int) -> list[float | None]:
    record = snapshot.edge(edge)
    p = None if record.p_value is None else -math.log10(max(record.p_value, 1e-300))
    return [record.score, p, STRENGTHS.get(record.level.strip().lower())]


def slow_weight(snapshot: Snapshot, edge: int) -> float | None:
    """The mean of the measures, each scaled within the relation of the edge."""
    relation = snapshot.edge(edge).relation
    same = [one for one in range(snapshot.edge_count) if snapshot.edge(one).relation == relation]
    scaled = []
    for number, value in enumerate(measures(snapshot, edge)):
        if value is None:
            continue
        known = [one for other in same if (one := measures(snapshot, other)[number]) is not None]
        low, high = min(known), max(known)
        scaled.append((value - low) / (high - low) if high > low else 1.0)
    return 0.01 + 0.99 * sum(scaled) / len(scaled) if scaled else None


def slow_best(
    snapshot: Snapshot, number: int, relations: set[int], most: int, excluded: set[int]
) -> list[tuple[int, int, bool, float | None]]:
    """Edge, neighbour, direction and weight of all candidates, best first."""
    candidates = []
    for forward in (True, False):
        side = []
        for edge in range(snapshot.edge_count):
            record = snapshot.edge(edge)
            start, end = (
                (record.source, record.target) if forward else (record.target, record.source)
            )
            if start == number and record.relation in relations and end not in excluded:
                side.append((record.relation, end, edge, forward))
        candidates += sorted(side)
    weighed = [(edge, end, way, slow_weight(snapshot, edge)) for _, end, edge, way in candidates]
    if weighed and all(one[3] is None for one in weighed):
        return weighed
    return sorted(weighed, key=lambda one: (one[3] is None, -np.float32(one[3] or 0)))[:most]


@given(st.integers(0, 10**6), st.integers(1, 9), st.data())
def test_the_best_edges_are_those_of_a_slow_reading(
    seed: int, most: int, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        snapshot = random_graph(seed, Path(folder))
        relations = data.draw(st.sets(st.sampled_from([r.number for r in snapshot.relations])))
        excluded = data.draw(st.sets(st.integers(0, 6), max_size=3))
        for number in range(7):
            expected = slow_best(snapshot, number, relations, most, excluded)
            best = find_best_neighbours(
                snapshot, number, relations, most=most, excluded=excluded, seed=[seed]
            )
            if expected and expected[0][3] is None:
                require_draw(best, expected, most, seed)
                continue
            assert [(b.edge, b.neighbour, b.forward) for b in best] == [e[:3] for e in expected]
            for one, (*_, weight) in zip(best, expected, strict=True):
                assert one.weight == (None if weight is None else pytest.approx(weight, abs=1e-6))
                assert one.prognosis == sign_of(snapshot.edge(one.edge).evidence)


def require_draw(
    best: list[ScoredNeighbour],
    expected: list[tuple[int, int, bool, float | None]],
    most: int,
    seed: int,
) -> None:
    """As many as may be chosen, of the candidates, in their order."""
    given_edges = [(one.edge, one.neighbour, one.forward) for one in best]
    order = [one[:3] for one in expected]
    assert len(best) == min(most, len(order))
    assert given_edges == [one for one in order if one in given_edges]
    draws = np.random.default_rng([seed])
    drawn = draws.choice(len(order), len(best), replace=False, shuffle=False)
    assert given_edges == [order[at] for at in sorted(drawn.tolist())]


@given(st.integers(0, 10**6), st.integers(1, 9))
def test_without_scores_every_graph_is_as_one_without_measures(seed: int, most: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        snapshot = random_graph(seed, Path(folder))
        relations = {one.number for one in snapshot.relations}
        every = snapshot.edge_count * 2
        for number in range(7):
            best = find_best_neighbours(
                snapshot, number, relations, most=most, seed=[seed], is_scored=False
            )
            candidates = slow_best(snapshot, number, relations, every, set())
            unweighed = sorted(candidates, key=lambda one: place_of(snapshot, one))
            require_draw(best, unweighed, most, seed)
            assert all(one.weight is None for one in best)


def place_of(
    snapshot: Snapshot, candidate: tuple[int, int, bool, float | None]
) -> tuple[bool, int, int, int]:
    edge, end, forward, _ = candidate
    return not forward, snapshot.edge(edge).relation, end, edge


def test_draws_differ_by_seed_and_reach_every_edge(tmp_path: Path) -> None:
    nodes = [NodeRow(f"N:{number}", "Thing", "") for number in range(9)]
    edges = [EdgeRow("N:0", "treats", f"N:{number}") for number in range(1, 9)]
    snapshot = open_snapshot(build_snapshot(SourceRows([*nodes], [*edges]), tmp_path).path)
    hub = snapshot.find_number("N:0")
    assert hub is not None
    draws = [
        tuple(one.edge for one in find_best_neighbours(snapshot, hub, [0], most=3, seed=[seed]))
        for seed in range(60)
    ]
    assert len({*draws}) > 20 and {edge for one in draws for edge in one} == {*range(8)}


@pytest.mark.parametrize(
    ("evidence", "sign"),
    [
        ("HPA (favourable prognosis)", 1),
        ("HPA (Unfavourable prognosis)", -1),
        ("favourable prognosis, unfavourable prognosis", 0),
        ("DrugBank", 0),
        ("", 0),
    ],
)
def test_the_sign_of_a_prognosis_is_read_from_its_evidence(evidence: str, sign: int) -> None:
    assert sign_of(evidence) == sign


@pytest.mark.parametrize("most", [0, 101])
def test_too_many_neighbours_are_refused(most: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="from 1 to 100"):
        find_best_neighbours(random_graph(1, tmp_path), 0, [0], most=most)
