"""The transition model, compared with its definition by matrices and with networkx."""

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

from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.runtime.parallel import thread_pool
from backend.science.transition.krylov import MAX_DIMENSION
from backend.science.transition.marginal import solve_marginal
from backend.science.transition.pairwise import pairwise_transitions
from backend.science.transition.parameters import (
    BadParameters,
    Dangling,
    Direction,
    NotConverged,
    Parameters,
    Precision,
    UnknownEntity,
)
from backend.science.transition.rows import row_error_bound, transition_rows
from backend.science.transition.transition_model import TransitionModel
from tests.runtime.guard_pages import guarded, guarded_side
from tests.science.dense_walks import Dense, random_graph, rows_of
from tests.science.multigraphs import Multigraph, multigraphs

EXACT = 1e-10
SHARE = 1e-11  # of an entry itself: those of large graphs are small
ROUNDING = 1e-13  # of the oracle itself
DIRECTIONS: tuple[Direction, ...] = ("both", "out")
DANGLINGS: tuple[Dangling, ...] = ("self", "uniform")


@st.composite
def transition_models(draw: st.DrawFn) -> Dense:
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
    """Every result of a model, compared with matrices."""
    model, many = dense.model(), dense.many()
    count = len(many)
    x = np.random.default_rng(count).random(count)
    np.testing.assert_allclose(model.step(x), x @ dense.one(), atol=EXACT, rtol=0)
    rows = rows_of(model, range(count))
    np.testing.assert_allclose(rows, many, atol=1e-18, rtol=SHARE)
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-12)
    some = np.random.default_rng(count).permutation(count)[:7]
    np.testing.assert_allclose(
        pairwise_transitions(model, some), many[np.ix_(some, some)], atol=1e-18, rtol=SHARE
    )
    tolerance = 1e-12 if dense.parameters.damping < 0.9 else 1e-11
    result = solve_marginal(model, tolerance=tolerance)
    wrong = np.abs(result.values - dense.marginal()).sum()
    assert wrong <= result.error + ROUNDING and result.error <= tolerance


@given(transition_models())
@settings(max_examples=60)
def test_transitions_of_any_graph_match_dense_matrices(dense: Dense) -> None:
    check(dense)


@pytest.mark.parametrize("seed", range(200))
def test_transitions_of_seeded_graphs_match_dense_matrices(seed: int) -> None:
    for dense in every_option(seed):
        check(dense)


@given(transition_models())
@settings(max_examples=40)
def test_every_row_sums_to_one(dense: Dense) -> None:
    rows = rows_of(dense.model(), range(len(dense.graph.types)))
    assert (rows >= 0).all()
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-12)


@given(transition_models())
@settings(max_examples=40)
def test_float32_entries_are_within_the_error_bound(dense: Dense) -> None:
    parameters = replace(dense.parameters, precision="float32")
    model = replace(dense, parameters=parameters).model()
    many = dense.many()
    rows = rows_of(model, range(len(many)))
    bound = row_error_bound(model, "float32")
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
        result = solve_marginal(Dense(graph, parameters).model(), tolerance=1e-12)
        np.testing.assert_allclose(result.values, expected, atol=EXACT, rtol=0)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-8, 1e-12])
def test_the_error_of_a_marginal_is_a_bound(tolerance: float) -> None:
    for seed in range(40):
        dense = Dense(random_graph(seed), Parameters("out"))
        result = solve_marginal(dense.model(), tolerance=tolerance)
        assert np.abs(result.values - dense.marginal()).sum() <= result.error + ROUNDING
        assert result.error <= tolerance
        assert (result.values > 0).all()


@pytest.mark.parametrize("count", [1, 2, 300])
def test_without_links_every_entity_stays_or_teleports(count: int) -> None:
    for direction, dangling in product(DIRECTIONS, DANGLINGS):
        dense = Dense(Multigraph((0,) * count, (False,), ()), Parameters(direction, dangling))
        model = dense.model()
        expected = np.eye(count) if dangling == "self" else np.full((count, count), 1 / count)
        np.testing.assert_allclose(rows_of(model, range(count)), expected, rtol=1e-14)
        result = solve_marginal(model, tolerance=1e-12)
        np.testing.assert_allclose(result.values, 1 / count, rtol=1e-13)
        assert result.method == "iteration"


@pytest.mark.parametrize("leaves", [1, 7, 3000])
def test_a_star_graph_matches_its_formula(leaves: int) -> None:
    """An odd number of hops from the hub ends on a leaf, an even one on the hub again."""
    star = Multigraph((0,) * (leaves + 1), (False,), tuple((0, 0, n + 1) for n in range(leaves)))
    model = Dense(star, Parameters()).model()
    (hub, leaf) = rows_of(model, [0, 1])
    np.testing.assert_allclose(hub, [2 / 6, *[4 / 6 / leaves] * leaves], rtol=1e-13)
    np.testing.assert_allclose(leaf, [4 / 6, *[2 / 6 / leaves] * leaves], rtol=1e-13)
    expected = [[2 / 6, 4 / 6 / leaves], [4 / 6, 2 / 6 / leaves]]
    np.testing.assert_allclose(pairwise_transitions(model, [0, 1]), expected, rtol=1e-13)
    result = solve_marginal(model, tolerance=1e-11).values
    # p = l (p 2/6 + (1 - p) 4/6) + (1 - l) / V, of the hub
    at_hub = (0.85 * 4 / 6 + 0.15 / (leaves + 1)) / (1 + 0.85 * 2 / 6)
    np.testing.assert_allclose(result, [at_hub, *[(1 - at_hub) / leaves] * leaves], atol=1e-11)


@pytest.mark.parametrize("damping", [0.99, 0.999])
def test_with_little_damping_the_error_is_still_a_bound(damping: float) -> None:
    for seed in (2, 3, 8):
        dense = Dense(random_graph(seed), Parameters(damping=damping))
        result = solve_marginal(dense.model(), tolerance=1e-9)
        off = np.abs(result.values - dense.marginal()).sum()
        assert off <= result.error + ROUNDING / (1 - damping) and result.error <= 1e-9


def test_a_tolerance_below_rounding_is_not_claimed() -> None:
    model = Dense(random_graph(3), Parameters(damping=1 - 1e-9)).model()
    with pytest.raises(NotConverged):
        solve_marginal(model, tolerance=1e-9)


def test_teleporting_entities_count_in_the_error_bounds() -> None:
    """All of them are added up, one part after another."""
    count = 200_000
    graph = Multigraph((0,) * count, (False,), ((0, 0, 1), (0, 0, 2)))
    lost, stays = (Dense(graph, Parameters("out", one)).model() for one in ("uniform", "self"))
    assert count / 12 < lost.teleport_additions < count / 4 and stays.teleport_additions == 0
    assert row_error_bound(lost, "float64") > lost.teleport_additions * 2.0**-53
    result, expected = solve_marginal(lost, tolerance=1e-9), np.full(count, 1 / count)
    assert result.error > 2.0**-53 * lost.teleport_additions
    expected[1:3] *= 1 + 0.85 / 2  # whichever hop it is, the first is there with 1 / V before it
    np.testing.assert_allclose(result.values, expected, rtol=1e-4)


@pytest.mark.parametrize("scale", [1e-40, 1.0, 1e40])
def test_only_the_ratios_of_weights_count(scale: float) -> None:
    graph = random_graph(12)
    weights = np.random.default_rng(1).uniform(1e-6, 1, len(graph.edges))
    parameters = Parameters(weighted=True)
    result = Dense(graph, parameters, (weights * scale).tolist()).model()
    many = Dense(graph, parameters, weights.tolist()).many()
    np.testing.assert_allclose(rows_of(result, range(len(many))), many, rtol=1e-10, atol=1e-30)
    np.testing.assert_allclose(
        pairwise_transitions(result, range(len(many))), many, rtol=1e-10, atol=1e-30
    )


@pytest.mark.parametrize("weight", [1e308, 1e-310])
def test_weights_that_overflow_are_rejected(weight: float) -> None:
    graph = Multigraph((0, 0), (False,), ((0, 0, 1), (1, 0, 0)))
    with pytest.raises(BadParameters, match="weights of an entity"):
        Dense(graph, Parameters(weighted=True), [weight, weight]).model()


def ring(count: int) -> Multigraph:
    """A slowly mixing graph."""
    edges = [(one, 0, (one + 1) % count) for one in range(count)] + [(0, 0, 0)]
    return Multigraph((0,) * count, (False,), tuple(sorted(edges)))


def test_a_fast_marginal_uses_iteration() -> None:
    edges = [(a, 0, b) for a in range(30) for b in range(30) if a != b]
    model = Dense(Multigraph((0,) * 30, (False,), tuple(sorted(edges))), Parameters()).model()
    assert solve_marginal(model).method == "iteration"


def test_a_slow_marginal_needs_few_products() -> None:
    dense = Dense(ring(400), Parameters())
    result = solve_marginal(dense.model(), tolerance=1e-10)
    assert result.method == "arnoldi"
    assert result.products < 80  # the iteration alone takes 3 for each factor of 0.85: 430
    assert np.abs(result.values - dense.marginal()).sum() <= 1e-10


def test_a_full_krylov_space_is_restarted() -> None:
    dense = Dense(ring(400), Parameters("out"))  # as slow as can be
    result = solve_marginal(dense.model(), tolerance=1e-10)
    assert MAX_DIMENSION < result.products < 430
    assert np.abs(result.values - dense.marginal()).sum() <= 1e-10


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-9])
def test_the_iteration_completes_where_a_krylov_space_misleads(tolerance: float) -> None:
    """Rings with two shortcuts: the Krylov solution stagnates before it is accurate."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        cuts = [(one, 0, other) for one, other in rng.integers(0, 100, (2, 2)).tolist()]
        around = [(one, 0, (one + 1) % 100) for one in range(100)]
        graph = Multigraph((0,) * 100, (False,), tuple(sorted([*around, *cuts])))
        dense = Dense(graph, Parameters("out"))
        result = solve_marginal(dense.model(), tolerance=tolerance)
        off = np.abs(result.values - dense.marginal()).sum()
        assert off <= result.error + ROUNDING and result.error <= tolerance


def test_an_error_below_rounding_is_not_claimed() -> None:
    model = Dense(random_graph(7), Parameters()).model()
    with pytest.raises(NotConverged, match="1e-17 was requested") as fault:
        solve_marginal(model, tolerance=1e-17)
    assert 1e-17 < fault.value.error < 1e-12
    assert fault.value.code == "not_converged"


def test_progress_is_reported_up_to_completion() -> None:
    reported: list[float] = []
    solve_marginal(Dense(ring(100), Parameters("out")).model(), progress=reported.append)
    assert all(0 <= share <= 1 for share in reported)
    assert reported[-1] == 1


def first_rows(model: TransitionModel, stop: CancellationToken) -> object:
    return next(transition_rows(model, [0], stop=stop))


def marginal(model: TransitionModel, stop: CancellationToken) -> object:
    return solve_marginal(model, stop=stop)


def block(model: TransitionModel, stop: CancellationToken) -> object:
    return pairwise_transitions(model, [0, 1], stop=stop)


@pytest.mark.parametrize("work", [first_rows, marginal, block])
def test_computations_can_be_cancelled(
    work: Callable[[TransitionModel, CancellationToken], object],
) -> None:
    stop = CancellationToken()
    stop.cancel()
    with pytest.raises(Cancelled):
        work(Dense(random_graph(3), Parameters()).model(), stop)


@pytest.mark.parametrize("entity", [-1, 60])
def test_an_unknown_entity_is_rejected(entity: int) -> None:
    model = Dense(ring(60), Parameters()).model()
    with pytest.raises(UnknownEntity, match=f"no entity {entity}"):
        next(transition_rows(model, [0, entity]))
    with pytest.raises(UnknownEntity, match=f"no entity {entity}"):
        pairwise_transitions(model, [0, entity])


@pytest.mark.parametrize(
    "wrong",
    [{"hops": 0}, {"hops": 1.5}, {"damping": 1.0}, {"direction": "in"}, {"precision": "float16"}],
)
def test_invalid_parameters_are_rejected(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadParameters, match=next(iter(wrong))):
        Parameters(**wrong)


@pytest.mark.parametrize("weights", [None, [1.0, 0.0], [1.0, np.inf], [1.0, -1.0], [1.0]])
def test_invalid_weights_are_rejected(weights: list[float] | None) -> None:
    graph = Multigraph((0, 0), (False,), ((0, 0, 1), (1, 0, 0)))
    array = None if weights is None else np.array(weights)
    with pytest.raises(BadParameters, match="weight"):
        TransitionModel.of(*graph.sides(), Parameters(weighted=True), weights=array)


def test_unrequested_weights_are_rejected() -> None:
    with pytest.raises(BadParameters, match="weighted"):
        TransitionModel.of(*ring(3).sides(), Parameters(), weights=np.ones(4))


def test_a_graph_without_entities_is_rejected() -> None:
    with pytest.raises(BadParameters, match="without entities"):
        TransitionModel.of(*Multigraph((), (False,), ()).sides())


def test_no_sources_give_no_rows() -> None:
    model = Dense(ring(5), Parameters()).model()
    assert not list(transition_rows(model, []))
    assert pairwise_transitions(model, []).shape == (0, 0)


def test_a_candidate_may_come_twice() -> None:
    dense = Dense(random_graph(11), Parameters())
    result = pairwise_transitions(dense.model(), [2, 0, 2])
    np.testing.assert_allclose(result, dense.many()[np.ix_([2, 0, 2], [2, 0, 2])], atol=EXACT)


@pytest.mark.parametrize(("precision", "most"), [("float64", 8), ("float32", 16)])
def test_rows_come_in_blocks_of_one_cache_line(precision: Precision, most: int) -> None:
    parameters = Parameters(precision=precision)
    model = Dense(random_graph(20), parameters).model()
    sources = np.arange(model.entity_count)[::-1]
    sizes, observed = [], []
    for some, block in transition_rows(model, sources):
        assert block.dtype == precision and block.shape == (model.entity_count, len(some))
        assert block.strides[0] == 64 and block.ctypes.data % 64 == 0
        sizes.append(len(some))
        observed += some.tolist()
    assert observed == sources.tolist()
    assert max(sizes) == most


def large(seed: int = 0) -> Multigraph:
    """Enough links for several parts."""
    rng = np.random.default_rng(seed)
    ends = np.minimum((20_000 * rng.random((150_000, 2)) ** 2).astype(int), 19_999)
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


def test_results_in_several_parts_match_dense_matrices(large_graph: Multigraph) -> None:
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
    np.testing.assert_allclose(pairwise_transitions(model, some), expected[:, some], atol=1e-12)


def test_a_step_of_a_column_matches_its_matrix(large_graph: Multigraph) -> None:
    chances = np.random.default_rng(0).random(20_000)
    result = Dense(large_graph, Parameters()).model().step(chances)
    np.testing.assert_allclose(result, one_hop_of(large_graph).T @ chances, rtol=1e-12)


@pytest.mark.parametrize("links", [1, 95, 96, 97, 193, 2_000])
def test_kernels_do_not_read_beyond_their_arrays(links: int) -> None:
    ends = np.random.default_rng(links).integers(0, 50, (links, 2))
    graph = Multigraph((0,) * 50, (False,), tuple(sorted((int(s), 0, int(t)) for s, t in ends)))
    shares = np.random.default_rng(0).random(50)
    forward, reverse = (guarded_side(side) for side in graph.sides())
    model = TransitionModel.of(forward, reverse)
    expected = one_hop_of(graph).T @ shares
    np.testing.assert_allclose(model.step(guarded(shares)), expected, rtol=1e-12)


def test_results_do_not_depend_on_the_number_of_threads(
    large_graph: Multigraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = []
    for cores in (1, 2, 5):
        monkeypatch.setenv("PYTHON_CPU_COUNT", str(cores))
        thread_pool.cache_clear()
        model = Dense(large_graph, Parameters("out", "uniform", precision="float32")).model()
        (block,) = [block.tobytes() for _, block in transition_rows(model, range(5))]
        result.append((block, solve_marginal(model, tolerance=1e-7).values.tobytes()))
    thread_pool.cache_clear()
    assert result[0] == result[1] == result[2]


def test_concurrent_calls_give_the_same_result(large_graph: Multigraph) -> None:
    model = Dense(large_graph, Parameters()).model()
    expected = pairwise_transitions(model, range(12)).tobytes()
    result: list[bytes] = []

    def compute() -> None:
        result.append(pairwise_transitions(model, range(12)).tobytes())

    askers = [threading.Thread(target=compute) for _ in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert result == [expected] * 4
