"""The transition model, held against its definition with matrices and against networkx."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.science import threads
from backend.science.stopping import Stop, Stopped
from backend.science.transition.krylov import MOST
from backend.science.transition.model import TransitionModel
from backend.science.transition.parameters import (
    BadParameters,
    Dangling,
    Direction,
    NotConverged,
    Parameters,
    Precision,
    UnknownEntity,
)
from backend.science.transition.rows import row_error
from tests.science.dense_walks import Dense, random_graph, rows_of
from tests.science.guarded import guarded, guarded_side
from tests.science.multigraphs import Multigraph, multigraphs

EXACT = 1e-10
SHARE = 1e-11  # of an entry itself: those of large graphs are small
ROUNDING = 1e-13  # of the oracle itself
DIRECTIONS: tuple[Direction, ...] = ("both", "out")
DANGLINGS: tuple[Dangling, ...] = ("self", "uniform")


@st.composite
def asked(draw: st.DrawFn) -> Dense:
    graph = draw(multigraphs(entities=9, edges=30))
    weighted = draw(st.booleans())
    parameters = Parameters(
        direction=draw(st.sampled_from(DIRECTIONS)),
        dangling=draw(st.sampled_from(DANGLINGS)),
        hops=draw(st.integers(1, 5)),
        damping=draw(st.sampled_from([0.0, 0.5, 0.85, 0.99])),
        weighted=weighted,
    )
    size = len(graph.edges)
    weight = st.floats(0.01, 1.0)
    weights = draw(st.lists(weight, min_size=size, max_size=size)) if weighted else None
    return Dense(graph, parameters, weights)


def every_option(seed: int) -> list[Dense]:
    """One seeded graph under each option."""
    graph = random_graph(seed)
    weights = np.random.default_rng(seed).uniform(0.01, 1, len(graph.edges)).tolist()
    return [
        Dense(graph, Parameters(direction, dangling, 1 + seed % 4, weighted=weighted), given)
        for direction, dangling, (weighted, given) in product(
            DIRECTIONS, DANGLINGS, [(False, None), (True, weights)]
        )
    ]


def check(dense: Dense) -> None:
    """Everything that a model gives, against the matrices."""
    model, many = dense.model(), dense.many()
    count = len(many)
    x = np.random.default_rng(count).random(count)
    np.testing.assert_allclose(model.step(x), x @ dense.one(), atol=EXACT, rtol=0)
    rows = rows_of(model, range(count))
    np.testing.assert_allclose(rows, many, atol=1e-18, rtol=SHARE)
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-12)
    some = np.random.default_rng(count).permutation(count)[:7]
    np.testing.assert_allclose(model.block(some), many[np.ix_(some, some)], atol=1e-18, rtol=SHARE)
    tolerance = 1e-12 if dense.parameters.damping < 0.9 else 1e-11
    found = model.marginal(tolerance=tolerance)
    wrong = np.abs(found.values - dense.marginal()).sum()
    assert wrong <= found.error + ROUNDING and found.error <= tolerance


@given(asked())
@settings(max_examples=60)
def test_any_graph_is_walked_as_its_matrices_say(dense: Dense) -> None:
    check(dense)


@pytest.mark.parametrize("seed", range(200))
def test_seeded_graphs_are_walked_as_their_matrices_say(seed: int) -> None:
    for dense in every_option(seed):
        check(dense)


@given(asked())
@settings(max_examples=40)
def test_every_row_sums_to_one(dense: Dense) -> None:
    rows = rows_of(dense.model(), range(len(dense.graph.types)))
    assert (rows >= 0).all()
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-12)


@given(asked())
@settings(max_examples=40)
def test_in_half_the_precision_every_entry_is_right_within_the_bound(dense: Dense) -> None:
    parameters = replace(dense.parameters, precision="float32")
    model = replace(dense, parameters=parameters).model()
    many = dense.many()
    rows = rows_of(model, range(len(many)))
    bound = row_error(model, "float32")
    assert bound < 3e-6
    assert (np.abs(rows - many) <= bound * many + 1e-15).all()


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_one_hop_is_the_pagerank_of_networkx(direction: Direction) -> None:
    parameters = Parameters(direction, "uniform", hops=1)
    for seed in range(20):
        graph = random_graph(seed)
        whole: nx.MultiDiGraph = nx.MultiDiGraph()
        whole.add_nodes_from(range(len(graph.types)))
        for source, _, target in graph.edges:
            whole.add_edge(source, target)
            if direction == "both" and source != target:
                whole.add_edge(target, source)
        ranks = nx.pagerank(whole, alpha=0.85, tol=1e-14, max_iter=1000)
        expected = [ranks[entity] for entity in range(len(graph.types))]
        found = Dense(graph, parameters).model().marginal(tolerance=1e-12)
        np.testing.assert_allclose(found.values, expected, atol=EXACT, rtol=0)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-8, 1e-12])
def test_the_error_of_a_marginal_is_a_bound(tolerance: float) -> None:
    for seed in range(40):
        dense = Dense(random_graph(seed), Parameters("out"))
        found = dense.model().marginal(tolerance=tolerance)
        assert np.abs(found.values - dense.marginal()).sum() <= found.error + ROUNDING
        assert found.error <= tolerance
        assert (found.values > 0).all()


@pytest.mark.parametrize("count", [1, 2, 300])
def test_where_nobody_has_links_each_stays_or_goes_anywhere(count: int) -> None:
    for direction, dangling in product(DIRECTIONS, DANGLINGS):
        dense = Dense(Multigraph((0,) * count, (False,), ()), Parameters(direction, dangling))
        model = dense.model()
        expected = np.eye(count) if dangling == "self" else np.full((count, count), 1 / count)
        np.testing.assert_allclose(rows_of(model, range(count)), expected, rtol=1e-14)
        found = model.marginal(tolerance=1e-12)
        np.testing.assert_allclose(found.values, 1 / count, rtol=1e-13)
        assert found.method == "iteration"


@pytest.mark.parametrize("leaves", [1, 7, 3000])
def test_a_graph_that_is_one_hub_is_walked_as_its_formula_says(leaves: int) -> None:
    """An odd number of hops from the hub ends on a leaf, an even one on the hub again."""
    star = Multigraph((0,) * (leaves + 1), (False,), tuple((0, 0, n + 1) for n in range(leaves)))
    model = Dense(star, Parameters()).model()
    (hub, leaf) = rows_of(model, [0, 1])
    np.testing.assert_allclose(hub, [2 / 6, *[4 / 6 / leaves] * leaves], rtol=1e-13)
    np.testing.assert_allclose(leaf, [4 / 6, *[2 / 6 / leaves] * leaves], rtol=1e-13)
    expected = [[2 / 6, 4 / 6 / leaves], [4 / 6, 2 / 6 / leaves]]
    np.testing.assert_allclose(model.block([0, 1]), expected, rtol=1e-13)
    found = model.marginal(tolerance=1e-11).values
    # p = l (p 2/6 + (1 - p) 4/6) + (1 - l) / V, of the hub
    at_hub = (0.85 * 4 / 6 + 0.15 / (leaves + 1)) / (1 + 0.85 * 2 / 6)
    np.testing.assert_allclose(found, [at_hub, *[(1 - at_hub) / leaves] * leaves], atol=1e-11)


@pytest.mark.parametrize("damping", [0.99, 0.999])
def test_with_little_damping_the_error_is_still_a_bound(damping: float) -> None:
    for seed in (2, 3, 8):
        dense = Dense(random_graph(seed), Parameters(damping=damping))
        found = dense.model().marginal(tolerance=1e-9)
        off = np.abs(found.values - dense.marginal()).sum()
        assert off <= found.error + ROUNDING / (1 - damping) and found.error <= 1e-9


def test_with_hardly_any_damping_nothing_is_claimed_that_rounding_forbids() -> None:
    model = Dense(random_graph(3), Parameters(damping=1 - 1e-9)).model()
    with pytest.raises(NotConverged):
        model.marginal(tolerance=1e-9)


def test_entities_whose_chance_goes_anywhere_count_in_the_errors() -> None:
    """All of them are added up, one part after another."""
    count = 200_000
    graph = Multigraph((0,) * count, (False,), ((0, 0, 1), (0, 0, 2)))
    lost, stays = (Dense(graph, Parameters("out", one)).model() for one in ("uniform", "self"))
    assert count / 12 < lost.lost_additions < count / 4 and stays.lost_additions == 0
    assert row_error(lost, "float64") > lost.lost_additions * 2.0**-53
    found, expected = lost.marginal(tolerance=1e-9), np.full(count, 1 / count)
    assert found.error > 2.0**-53 * lost.lost_additions
    expected[1:3] *= 1 + 0.85 / 2  # whichever hop it is, the first is there with 1 / V before it
    np.testing.assert_allclose(found.values, expected, rtol=1e-4)


@pytest.mark.parametrize("scale", [1e-40, 1.0, 1e40])
def test_only_the_ratios_of_weights_count(scale: float) -> None:
    graph = random_graph(12)
    weights = np.random.default_rng(1).uniform(1e-6, 1, len(graph.edges))
    parameters = Parameters(weighted=True)
    found = Dense(graph, parameters, (weights * scale).tolist()).model()
    many = Dense(graph, parameters, weights.tolist()).many()
    np.testing.assert_allclose(rows_of(found, range(len(many))), many, rtol=1e-10, atol=1e-30)
    np.testing.assert_allclose(found.block(range(len(many))), many, rtol=1e-10, atol=1e-30)


@pytest.mark.parametrize("weight", [1e308, 1e-310])
def test_weights_whose_shares_are_no_numbers_are_refused(weight: float) -> None:
    graph = Multigraph((0, 0), (False,), ((0, 0, 1), (1, 0, 0)))
    with pytest.raises(BadParameters, match="weights of an entity"):
        Dense(graph, Parameters(weighted=True), [weight, weight]).model()


def ring(count: int) -> Multigraph:
    """A slow one to walk: chance takes long to come round."""
    edges = [(one, 0, (one + 1) % count) for one in range(count)] + [(0, 0, 0)]
    return Multigraph((0,) * count, (False,), tuple(sorted(edges)))


def test_a_marginal_that_is_quickly_found_needs_no_basis() -> None:
    edges = [(a, 0, b) for a in range(30) for b in range(30) if a != b]
    model = Dense(Multigraph((0,) * 30, (False,), tuple(sorted(edges))), Parameters()).model()
    assert model.marginal().method == "iteration"


def test_a_slow_one_is_found_in_few_products() -> None:
    dense = Dense(ring(400), Parameters())
    found = dense.model().marginal(tolerance=1e-10)
    assert found.method == "arnoldi"
    assert found.products < 80  # the iteration alone takes 3 for each factor of 0.85: 430
    assert np.abs(found.values - dense.marginal()).sum() <= 1e-10


def test_where_the_basis_is_too_short_it_starts_again() -> None:
    dense = Dense(ring(400), Parameters("out"))  # as slow as can be
    found = dense.model().marginal(tolerance=1e-10)
    assert MOST < found.products < 430
    assert np.abs(found.values - dense.marginal()).sum() <= 1e-10


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-9])
def test_where_a_basis_misleads_the_iteration_ends_it(tolerance: float) -> None:
    """Rings with two short cuts: the answers of a basis settle before they are near."""
    for seed in range(6):
        chance = np.random.default_rng(seed)
        cuts = [(one, 0, other) for one, other in chance.integers(0, 100, (2, 2)).tolist()]
        around = [(one, 0, (one + 1) % 100) for one in range(100)]
        graph = Multigraph((0,) * 100, (False,), tuple(sorted([*around, *cuts])))
        dense = Dense(graph, Parameters("out"))
        found = dense.model().marginal(tolerance=tolerance)
        off = np.abs(found.values - dense.marginal()).sum()
        assert off <= found.error + ROUNDING and found.error <= tolerance


def test_an_error_that_rounding_forbids_is_not_claimed() -> None:
    model = Dense(random_graph(7), Parameters()).model()
    with pytest.raises(NotConverged, match="1e-17 is asked for") as fault:
        model.marginal(tolerance=1e-17)
    assert 1e-17 < fault.value.error < 1e-12
    assert fault.value.code == "not_converged"


def test_progress_is_told_and_ends_at_all() -> None:
    told: list[float] = []
    Dense(ring(100), Parameters("out")).model().marginal(progress=told.append)
    assert all(0 <= share <= 1 for share in told)
    assert told[-1] == 1


def first_rows(model: TransitionModel, stop: Stop) -> object:
    return next(model.rows([0], stop=stop))


def marginal(model: TransitionModel, stop: Stop) -> object:
    return model.marginal(stop=stop)


def block(model: TransitionModel, stop: Stop) -> object:
    return model.block([0, 1], stop=stop)


@pytest.mark.parametrize("work", [first_rows, marginal, block])
def test_it_ends_when_it_is_told_to(work: Callable[[TransitionModel, Stop], object]) -> None:
    stop = Stop()
    stop.pull()
    with pytest.raises(Stopped):
        work(Dense(random_graph(3), Parameters()).model(), stop)


@pytest.mark.parametrize("entity", [-1, 60])
def test_an_unknown_entity_is_refused(entity: int) -> None:
    model = Dense(ring(60), Parameters()).model()
    for work in (model.rows, model.block):
        with pytest.raises(UnknownEntity, match=f"no entity {entity}"):
            work([0, entity])


@pytest.mark.parametrize(
    "wrong",
    [{"hops": 0}, {"hops": 1.5}, {"damping": 1.0}, {"direction": "in"}, {"precision": "float16"}],
)
def test_parameters_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadParameters, match=next(iter(wrong))):
        Parameters(**wrong)


@pytest.mark.parametrize("weights", [None, [1.0, 0.0], [1.0, np.inf], [1.0, -1.0], [1.0]])
def test_weights_that_make_no_sense_are_refused(weights: list[float] | None) -> None:
    graph = Multigraph((0, 0), (False,), ((0, 0, 1), (1, 0, 0)))
    array = None if weights is None else np.array(weights)
    with pytest.raises(BadParameters, match="weight"):
        TransitionModel.of(*graph.sides(), Parameters(weighted=True), weights=array)


def test_weights_that_nobody_asked_for_are_refused() -> None:
    with pytest.raises(BadParameters, match="weighted"):
        TransitionModel.of(*ring(3).sides(), Parameters(), weights=np.ones(4))


def test_a_graph_without_entities_is_refused() -> None:
    with pytest.raises(BadParameters, match="without entities"):
        TransitionModel.of(*Multigraph((), (False,), ()).sides())


def test_of_no_sources_there_are_no_rows_and_no_entries() -> None:
    model = Dense(ring(5), Parameters()).model()
    assert not list(model.rows([]))
    assert model.block([]).shape == (0, 0)


def test_a_candidate_may_come_twice() -> None:
    dense = Dense(random_graph(11), Parameters())
    found = dense.model().block([2, 0, 2])
    np.testing.assert_allclose(found, dense.many()[np.ix_([2, 0, 2], [2, 0, 2])], atol=EXACT)


@pytest.mark.parametrize(("precision", "most"), [("float64", 8), ("float32", 16)])
def test_rows_come_in_blocks_that_fill_a_line_of_the_cache(precision: Precision, most: int) -> None:
    parameters = Parameters(precision=precision)
    model = Dense(random_graph(20), parameters).model()
    sources = np.arange(model.entity_count)[::-1]
    sizes, seen = [], []
    for some, block in model.rows(sources):
        assert block.dtype == precision and block.shape == (model.entity_count, len(some))
        assert block.strides[0] == 64 and block.ctypes.data % 64 == 0
        sizes.append(len(some))
        seen += some.tolist()
    assert seen == sources.tolist()
    assert max(sizes) == most


def large(seed: int = 0) -> Multigraph:
    """Enough links that the work is done in several parts."""
    chance = np.random.default_rng(seed)
    ends = np.minimum((20_000 * chance.random((150_000, 2)) ** 2).astype(int), 19_999)
    triples = sorted((int(s), 0, int(t)) for s, t in ends)
    return Multigraph((0,) * 20_000, (False,), tuple(triples))


@pytest.fixture(scope="module")
def large_graph() -> Multigraph:
    return large()


def one_hop_of(graph: Multigraph) -> Any:
    """P1 of both ways, as scipy's sparse matrix."""
    scipy = pytest.importorskip("scipy.sparse")
    count = len(graph.types)
    source, _, target = np.array(graph.edges).T
    links = scipy.coo_array((np.ones(len(source)), (source, target)), (count, count)).tocsr()
    links = links + links.T - scipy.diags_array(links.diagonal())
    degrees = links.sum(axis=1)
    one = scipy.diags_array(1 / np.where(degrees, degrees, 1)) @ links
    return (one + scipy.diags_array((degrees == 0).astype(float))).tocsr()


def test_in_several_parts_the_numbers_are_those_of_the_matrices(large_graph: Multigraph) -> None:
    model = Dense(large_graph, Parameters()).model()
    assert len(model.parts) > 1
    one = one_hop_of(large_graph)
    some = [0, 1, 5, 100, 5_000, 19_999, 12_345, 3, 777, 18_000]
    hop = one[some].todense()
    expected, at = hop / 6, hop
    for alpha in (2 / 6, 3 / 6):
        at = (one.T @ at.T).T
        expected = expected + alpha * at
    np.testing.assert_allclose(rows_of(model, some), expected, atol=1e-12)
    np.testing.assert_allclose(model.block(some), expected[:, some], atol=1e-12)


def test_a_column_of_chances_goes_where_its_matrix_says(large_graph: Multigraph) -> None:
    chances = np.random.default_rng(0).random(20_000)
    found = Dense(large_graph, Parameters()).model().step(chances)
    np.testing.assert_allclose(found, one_hop_of(large_graph).T @ chances, rtol=1e-12)


@pytest.mark.parametrize("links", [1, 95, 96, 97, 193, 2_000])
def test_nothing_beyond_the_links_is_read(links: int) -> None:
    ends = np.random.default_rng(links).integers(0, 50, (links, 2))
    graph = Multigraph((0,) * 50, (False,), tuple(sorted((int(s), 0, int(t)) for s, t in ends)))
    shares = np.random.default_rng(0).random(50)
    forward, reverse = (guarded_side(side) for side in graph.sides())
    model = TransitionModel.of(forward, reverse)
    expected = one_hop_of(graph).T @ shares
    np.testing.assert_allclose(model.step(guarded(shares)), expected, rtol=1e-12)


def test_the_same_bytes_come_out_whatever_the_number_of_threads(
    large_graph: Multigraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for cores in (1, 2, 5):
        monkeypatch.setattr(threads, "core_count", lambda cores=cores: cores)
        threads.pool.cache_clear()
        model = Dense(large_graph, Parameters("out", "uniform", precision="float32")).model()
        (block,) = [block.tobytes() for _, block in model.rows(range(5))]
        found.append((block, model.marginal(tolerance=1e-7).values.tobytes()))
    threads.pool.cache_clear()
    assert found[0] == found[1] == found[2]


def test_two_askers_at_once_get_the_same(large_graph: Multigraph) -> None:
    model = Dense(large_graph, Parameters()).model()
    expected = model.block(range(12)).tobytes()
    found: list[bytes] = []

    def ask() -> None:
        found.append(model.block(range(12)).tobytes())

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert found == [expected] * 4
