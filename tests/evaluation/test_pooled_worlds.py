"""A board of known truth, pooled by the product, against the world that it was drawn from."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.pool_computation import ComputedPool, compute_pool
from backend.evaluation.scoring import ScoredSplit
from backend.science.answer_pools import AnswerPool
from tests.evaluation.pooled_boards import submit
from tests.science.pooling_worlds import DEPTH, PoolingWorld

pytestmark = pytest.mark.django_db

ENTRIES, ITEMS, VERDICTS, DRAWS = 8, 60, 60, 50
Pair = tuple[int, int]


@pytest.fixture(scope="module")
def world() -> PoolingWorld:
    """Each item has one more true answer, which is labelled and in no list: some have no other."""
    drawn = PoolingWorld.draw(5, entries=ENTRIES, items=ITEMS)
    known, unknown = np.ones((ITEMS, 1), dtype=np.bool_), np.zeros((ITEMS, 1), dtype=np.bool_)
    return replace(
        drawn,
        truth=np.hstack([drawn.truth, known]),
        labels=np.hstack([drawn.labels, known]),
        refuted=np.hstack([drawn.refuted, unknown]),
    )


@pytest.fixture
def computed(world: PoolingWorld, tmp_path: Path) -> ComputedPool:
    release = open_world(world, tmp_path)
    entries = [
        submit(release, f"entry {entry}", lists_of(world, entry)) for entry in range(ENTRIES)
    ]
    return compute_pool(ScoredSplit.load(release, ReleaseSplit.TEST), entries, DEPTH)


def open_world(world: PoolingWorld, folder: Path) -> Release:
    path = folder / "queries.csv"
    lines = [
        f'{item},What is number {item}?,"{np.flatnonzero(labels).tolist()}"'
        for item, labels in enumerate(world.labels)
    ]
    path.write_text("\n".join(["id,query,answer_ids", *lines]) + "\n")
    request = ReleaseRequest(track="stark-prime", name="World")
    release = make_release(actor=None, request=request, files=[path])
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)


def lists_of(world: PoolingWorld, entry: int) -> dict[int, list[int]]:
    return dict(enumerate(world.lists[entry].tolist()))


def pairs_of(pool: AnswerPool) -> list[Pair]:
    return list(zip(pool.items.tolist(), pool.answers.tolist(), strict=True))


def judged_pairs(computed: ComputedPool) -> list[Pair]:
    """Item and answer in the order of judging."""
    (release,) = Release.objects.all()
    keys = dict(release.items.values_list("pk", "key"))
    return [(json.loads(keys[row.item_id])[0], int(row.answer)) for row in computed.rows]


def test_values_and_bounds_of_the_board_are_those_of_the_world(
    world: PoolingWorld, computed: ComputedPool
) -> None:
    pool = world.pool()
    settled = world.settle(pool)
    assert settled == pytest.approx(world.true_board())
    assert computed.unjudged == len(pool.items)
    assert [one.value for one in computed.entries] == pytest.approx(world.board().tolist())
    for entry, one in enumerate(computed.entries):
        assert (one.low, one.high) == pytest.approx(world.bounds(pool, entry))
        assert one.low <= settled[entry] <= one.high


def test_the_order_of_judging_is_that_of_the_worlds_effects(
    world: PoolingWorld, computed: ComputedPool
) -> None:
    pool = world.pool()
    judging = world.order(pool)
    expected = dict(zip(pairs_of(pool), judging.effects, strict=True))
    pairs = judged_pairs(computed)
    assert {*pairs} == {*expected}
    in_order = pytest.approx(judging.effects[judging.order].tolist(), rel=1e-4)
    assert [one.effect for one in computed.rows] == in_order
    assert [expected[one] for one in pairs] == in_order


def test_the_first_verdicts_of_the_board_bring_it_nearer_to_the_truth_than_random_ones(
    world: PoolingWorld, computed: ComputedPool
) -> None:
    pool = world.pool()
    place = {pair: at for at, pair in enumerate(pairs_of(pool))}
    first = np.array([place[pair] for pair in judged_pairs(computed)[:VERDICTS]])
    random = np.random.default_rng(0)
    draws = [random.permutation(len(place))[:VERDICTS] for _ in range(DRAWS)]
    at_random = [world.judge(pool, drawn).tau() for drawn in draws]
    assert world.judge(pool, first).tau() > np.quantile(at_random, 0.95)
