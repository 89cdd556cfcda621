"""The metapath test beside listed paths, and its draws beside what they must keep."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest

from backend.science.edge_exchange import EMPTY, TRIES, RelationEdges, find_slot
from backend.science.edge_kinds import count_edge_kinds
from backend.science.metapath_test import (
    MetapathResult,
    PathCounter,
    PermutedGraph,
    count_metapaths,
    permute_metapaths,
)
from backend.science.path_answers import Metapath
from backend.science.paths import PathQuery, find_paths
from tests.science.multigraphs import Multigraph

DAMPING = 0.4


def permuted(graph: Multigraph, relations: list[int], seed: int = 0) -> PermutedGraph:
    forward, types = graph.sides()[0], graph.types_of()
    return PermutedGraph(forward, types, graph.is_symmetric(), relations, seed)


def world(seed: int, count: int = 24, edges: int = 150) -> Multigraph:
    """Three types; relation 0 has directions, relation 1 is symmetric; loops and parallel edges."""
    rng = np.random.default_rng(seed)
    triples = []
    for source, relation, target in rng.integers(0, (count, 2, count), (edges, 3)).tolist():
        pair = (source, target) if relation == 0 else (min(source, target), max(source, target))
        triples.append((pair[0], relation, pair[1]))
    types = tuple(rng.integers(0, 3, count).tolist())
    return Multigraph(types, (False, True), tuple(sorted(triples)))


METAPATHS = [
    ((True, 0),),
    ((True, 1),),
    ((True, 0), (False, 0)),
    ((False, 0), (True, 1)),
    ((True, 1), (True, 1), (True, 1)),
    ((False, 0), (True, 0), (True, 1)),
]


@pytest.mark.parametrize("walked", METAPATHS)
def test_a_weighted_count_is_the_sum_over_all_listed_paths(
    walked: tuple[tuple[bool, int], ...],
) -> None:
    steps, joined = tuple((relation, along) for along, relation in walked), 0
    for seed in range(4):
        graph = world(seed)
        tested, types = permuted(graph, [0, 1]), graph.types_of()
        rng = np.random.default_rng(seed)
        for source, target in rng.choice(24, (30, 2)).tolist():
            if source == target:
                continue
            between = tuple(rng.integers(0, 3, len(steps) - 1).tolist())
            kind = Metapath((graph.types[source], *between, graph.types[target]), steps)
            query = PathQuery([source], [target], len(steps), metapath=kind, order="degree")
            paths = find_paths(
                graph.links(), types, graph.is_symmetric(), replace(query, limit=10_000)
            ).paths
            expected = sum(one.weight for one in paths)
            counted = PathCounter(tested, kind, (source, target), DAMPING).count()
            assert counted == pytest.approx(expected, rel=1e-9)
            joined += bool(paths)
    assert joined > 2


def degrees_by_type(tested: PermutedGraph) -> Counter[tuple[int, ...]]:
    """Edges of each relation, entity, direction and type of the other end."""
    types, result = tested.types.tolist(), Counter[tuple[int, ...]]()
    for relation, edges in tested.edges.items():
        for source, target in zip(edges.sources.tolist(), edges.targets.tolist(), strict=True):
            way = not edges.is_symmetric
            result[relation, source, 0, types[target]] += 1
            result[relation, target, int(way), types[source]] += 1
    return result


def doubles_of(tested: PermutedGraph) -> int:
    """Loops, and edges that are parallel to an earlier one."""
    excess = 0
    for edges in tested.edges.values():
        pairs = Counter[tuple[int, int]]()
        for pair in zip(edges.sources.tolist(), edges.targets.tolist(), strict=True):
            pairs[min(pair), max(pair)] += edges.is_symmetric
            pairs[pair] += not edges.is_symmetric
        excess += sum(n - 1 for n in pairs.values() if n > 1)
        excess += sum(n for (one, other), n in pairs.items() if one == other)
    return excess


def test_draws_keep_the_degrees_by_relation_and_type_and_add_no_loop_or_parallel_edge() -> None:
    graph = world(9, 40, 400)
    tested = permuted(graph, [0, 1])
    before, doubles = degrees_by_type(tested), doubles_of(tested)
    old = {relation: one.targets.copy() for relation, one in tested.edges.items()}
    tested.exchange()
    assert sum(tested.exchanges.values()) > 400
    assert degrees_by_type(tested) == before
    assert doubles_of(tested) <= doubles
    for relation, one in tested.edges.items():
        assert (old[relation] != one.targets).mean() > 0.5


def dense(seed: int, linked: int) -> Multigraph:
    """20 drugs and 20 diseases joined by chance with 60 genes; the first drug and disease share
    `linked` of their ten genes."""
    rng = np.random.default_rng(seed)
    genes, triples = np.arange(40, 100), set[tuple[int, int, int]]()
    for end in range(40):
        chosen = rng.choice(genes, 10, replace=False).tolist()
        if end in (0, 20):
            start = 40 if end == 0 else 50 - linked
            chosen = list(range(start, start + 10))
        triples |= {(end, int(end >= 20), gene) for gene in chosen}
    return Multigraph((0,) * 20 + (1,) * 20 + (2,) * 60, (False, False), tuple(sorted(triples)))


def p_value(graph: Multigraph, seed: int = 0) -> float:
    kind = Metapath((0, 2, 1), ((0, True), (1, False)))
    sides = graph.sides()[0], graph.types_of(), graph.is_symmetric()
    (result,) = permute_metapaths(*sides, [kind], (0, 20), draws=99, seed=seed)
    assert result.exchanged > 0.3
    assert result.p_value == (1 + result.as_high) / 100
    assert [result] == permute_metapaths(*sides, [kind], (0, 20), draws=99, seed=seed)
    return result.p_value


def test_a_planted_pair_stands_out_and_one_without_paths_does_not() -> None:
    assert p_value(dense(1, linked=9)) == 0.01
    assert p_value(dense(1, linked=0)) == 1


def test_pairs_that_a_metapath_does_not_join_are_rejected() -> None:
    graph, kind = dense(1, 3), Metapath((0, 2, 1), ((0, True), (1, False)))
    sides = graph.sides()[0], graph.types_of(), graph.is_symmetric()
    for ends in ((0, 0), (20, 0), (0, 50)):
        with pytest.raises(ValueError, match="types of its ends"):
            permute_metapaths(*sides, [kind], ends)
    with pytest.raises(ValueError, match="draws"):
        permute_metapaths(*sides, [kind], (0, 20), draws=0)
    with pytest.raises(IndexError):
        permute_metapaths(*sides, [kind], (0, 100))


def test_a_metapath_has_the_same_draws_alone_and_among_others() -> None:
    graph = world(4, 24, 400)
    sides = graph.sides()[0], graph.types_of(), graph.is_symmetric()
    first, middle, last = graph.types[3], 0, graph.types[11]
    kinds = [
        Metapath((first, middle, last), ((0, True), (0, False))),
        Metapath((first, middle, last), ((1, True), (1, True))),
        Metapath((first, middle, last), ((1, True), (0, True))),
    ]
    together = permute_metapaths(*sides, kinds, (3, 11), draws=20, seed=2)
    assert [one.mean > 0 for one in together] == [True] * 3
    alone = [permute_metapaths(*sides, [one], (3, 11), draws=20, seed=2)[0] for one in kinds]
    assert together == alone
    assert together[0] != permute_metapaths(*sides, kinds[:1], (3, 11), draws=20, seed=3)[0]


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_possible_metapaths_are_those_of_trying_every_step(hops: int) -> None:
    graph = world(7, 12, 25)
    steps = set[tuple[int, tuple[int, bool], int]]()
    for source, relation, target in graph.edges:
        first, last = graph.types[source], graph.types[target]
        steps |= {(first, (relation, True), last)}
        steps |= {(last, (relation, graph.symmetric[relation]), first)}
    for ends in product(range(3), range(3)):
        walks = {
            walk
            for length in range(1, hops + 1)
            for walk in product(steps, repeat=length)
            if (walk[0][0], walk[-1][2]) == ends
            and all(one[2] == other[0] for one, other in pairwise(walk))
        }
        kinds = count_edge_kinds(graph.sides()[0], graph.types_of())
        assert count_metapaths(kinds, graph.is_symmetric(), ends, hops) == len(walks)


@pytest.mark.parametrize("count", [0.1234, 0.0173, 1.0, 0.0])
def test_counts_that_differ_by_rounding_have_no_z_score(count: float) -> None:
    counts = count * (1 + np.array([0, 1e-16, -1e-16] * 67))
    assert MetapathResult.of(count, counts, 0.5).z_score is None
    assert MetapathResult.of(count + 1, counts + [0, 0.1, 0.2] * 67, 0.5).z_score is not None


def exchange_slowly(edges: RelationEdges, rng: np.random.Generator) -> list[list[int]]:
    """What one draw makes of the edges, by counting the pairs that are there."""
    pairs: list[list[int]] = np.column_stack([edges.sources, edges.targets]).tolist()

    def key_of(a: int, b: int) -> tuple[int, int]:
        return (min(a, b), max(a, b)) if edges.is_symmetric else (a, b)

    first = 0
    for block in edges.blocks:
        part = pairs[first : first + len(block.sources)]
        there = Counter(key_of(*one) for one in part)
        drawn = rng.integers(0, len(part), (TRIES * len(part), 2))
        turned = (rng.random(len(drawn)) < 0.5) & block.is_turnable
        for (one, other), is_turned in zip(drawn.tolist(), turned.tolist(), strict=True):
            (a, b), (c, d) = part[one], part[other]
            if is_turned:
                c, d = d, c
            new = key_of(a, d), key_of(c, b)
            if (
                a == d
                or c == b
                or one == other
                or new[0] == new[1]
                or there[new[0]]
                or there[new[1]]
            ):
                continue
            there.subtract([key_of(a, b), key_of(c, d)])
            there.update(new)
            part[one], part[other] = [a, d], [c, b]
        pairs[first : first + len(part)] = part
        first += len(part)
    return pairs


@pytest.mark.parametrize("seed", range(20))
def test_a_draw_makes_the_exchanges_of_a_slow_one_and_its_table_has_the_edges(seed: int) -> None:
    graph = world(seed, 12, 200)
    for relation, is_symmetric in enumerate(graph.symmetric):
        edges = RelationEdges.of(
            graph.sides()[0], relation, graph.types_of(), is_symmetric=is_symmetric
        )
        fast, slow = np.random.default_rng(seed), np.random.default_rng(seed)
        for _ in range(3):
            expected = exchange_slowly(edges, slow)
            edges.exchange(fast)
            assert np.column_stack([edges.sources, edges.targets]).tolist() == expected
        for block in edges.blocks:
            keys = Counter[int]()
            for a, b in zip(block.sources.tolist(), block.targets.tolist(), strict=True):
                a, b = (min(a, b), max(a, b)) if is_symmetric else (a, b)
                keys[a * edges.count + b] += 1
            table = {key: block.copies[find_slot(block.keys, key)] for key in keys}
            assert table == keys
            assert np.count_nonzero(block.keys != EMPTY) == len(keys)
