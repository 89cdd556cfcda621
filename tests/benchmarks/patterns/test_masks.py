"""A masked graph hides every answer of A_s and shows every one of A_e, or says which not."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from backend.benchmarks.leakage_masks.question import (
    Mask,
    MaskSetsInvalid,
    choose_cut,
    edges_between,
    support_edges,
)
from backend.benchmarks.leakage_masks.release import MaskInput, ReleaseMask, mask_release
from backend.benchmarks.patterns.binding import bind_pattern
from backend.benchmarks.patterns.joins import WorkBudget
from backend.benchmarks.patterns.matching import (
    MAX_WORK,
    find_matches,
    find_matches_within,
    run_pattern,
)
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.snapshot import Snapshot
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, PatternNode
from tests.benchmarks.patterns.factories import SHAPES, random_graph, random_pattern, tried_out
from tests.benchmarks.patterns.oracles import mask_question
from tests.graphs.snapshots.sources import SYMMETRIC_RELATION, SourceRows, build_snapshot_of

PATTERNS_A_GRAPH = 60


def halves(answers: frozenset[int], chance: random.Random) -> tuple[set[int], set[int]]:
    """A_s and A_e, neither empty."""
    order = chance.sample(sorted(answers), len(answers))
    size = chance.randint(1, len(order) - 1)
    return {*order[:size]}, {*order[size:]}


@pytest.mark.parametrize(
    ("shape", "query_nodes"), [*((one, (0,)) for one in SHAPES), ("4.3", (0, 3))]
)
def test_hidden_answers_are_not_found_and_known_ones_are_or_are_told(
    shape: str, query_nodes: tuple[int, ...]
) -> None:
    locked, masked = 0, 0
    for seed in range(4):
        with random_graph(seed, entities=6, edges=40) as (snapshot, chance):
            for _ in range(PATTERNS_A_GRAPH):
                pattern = random_pattern(snapshot, chance, SHAPES[shape], query=query_nodes)
                answers = run_pattern(snapshot, pattern)
                if len(answers) < 2:
                    continue
                hidden, known = halves(answers, chance)
                mask = mask_question(snapshot, pattern, serendipity=hidden, existing=known)
                result = tried_out(Overlay(snapshot, mask.removed), pattern)
                assert not result & hidden
                assert (mask.leaked, mask.unanswered) == (frozenset(), frozenset())
                assert mask.lost == known - result
                assert mask.holds == (known <= result)
                masked, locked = masked + 1, locked + mask.holds
    assert masked >= 5
    assert locked > 0


@pytest.mark.parametrize("shape", [one for one in SHAPES if one != "4.3"])
def test_where_answers_are_of_another_type_than_what_they_are_asked_by_nothing_is_lost(
    shape: str,
) -> None:
    """A cut at one answer touches no other one, so that both parts of the proof hold."""
    masked = 0
    for seed in range(6):
        with random_graph(seed, entities=7, edges=220) as (snapshot, chance):
            for _ in range(PATTERNS_A_GRAPH):
                pattern = random_pattern(snapshot, chance, SHAPES[shape], named=1)
                query, *others = pattern.nodes
                answers = run_pattern(snapshot, pattern)
                if len(answers) < 2 or any(node.type == query.type for node in others):
                    continue
                hidden, known = halves(answers, chance)
                mask = mask_question(snapshot, pattern, serendipity=hidden, existing=known)
                assert mask.holds
                masked += 1
    assert masked >= 3


def some_cut_holds(
    snapshot: Snapshot, pattern: Pattern, hidden: set[int], known: set[int]
) -> bool | None:
    """Whether any set of links could be removed, tried out one by one; None where they are many."""
    links = sorted(support_edges(snapshot, find_matches(snapshot, pattern)))
    if len(links) > 8:
        return None
    for size in range(1, len(links) + 1):
        for removed in combinations(links, size):
            result = run_pattern(Overlay(snapshot, frozenset(removed)), pattern)
            if known <= result and not result & hidden:
                return True
    return False


def test_of_two_asked_nodes_what_is_lost_could_not_have_been_kept() -> None:
    """They answer together, so that hiding all answers of the one hides those of the other."""
    tried = 0
    for seed in range(6):
        with random_graph(seed, entities=6, edges=26) as (snapshot, chance):
            for _ in range(40):
                pattern = random_pattern(snapshot, chance, SHAPES["4.3"], query=(0, 3))
                answers = run_pattern(snapshot, pattern)
                if len(answers) < 2:
                    continue
                hidden, known = halves(answers, chance)
                mask = mask_question(snapshot, pattern, serendipity=hidden, existing=known)
                if not mask.holds:
                    holds = some_cut_holds(snapshot, pattern, hidden, known)
                    assert not holds
                    tried += holds is False
    assert tried >= 15


def test_where_the_branch_with_fewest_links_takes_a_known_answer_along_another_is_cut() -> None:
    """drug:1 is not to be found. Its one link to drug:2 is what drug:2 is found by as well."""
    drugs = [NodeRow(f"drug:{n}", "Drug", f"d{n}") for n in (1, 2)]
    diseases = [NodeRow(f"disease:{n}", "Disease", f"s{n}") for n in (1, 2)]
    edges: list[EdgeRow | MalformedRow] = [EdgeRow("drug:1", SYMMETRIC_RELATION, "drug:2")]
    edges += [EdgeRow(f"drug:{n}", "treats", f"disease:{m}") for n in (1, 2) for m in (1, 2)]
    pattern = Pattern(
        (
            PatternNode(0, "class", "Drug", "Drug", is_target=True),
            PatternNode(1, "class", "Drug", "Drug"),
            PatternNode(2, "class", "Disease", "Disease"),
        ),
        (PatternEdge(0, 1, SYMMETRIC_RELATION), PatternEdge(0, 2, "treats")),
    )
    with build_snapshot_of(SourceRows([*drugs, *diseases], edges)) as snapshot:
        assert {one for *_, one, _ in removed(snapshot, pattern)} == {"disease:1", "disease:2"}


def hub(answers: int) -> SourceRows:
    """drug:1 and drug:2 answer by one link between them; every other one by a link of its own."""
    names = ["drug:1", "drug:2"]
    names += [f"drug:{kind}{n}" for n in range(answers) for kind in ("hidden", "partner")]
    links = [("drug:1", "drug:2")]
    links += [(f"drug:hidden{n}", f"drug:partner{n}") for n in range(answers)]
    treating = [one for one in names if "partner" not in one]
    edges = [EdgeRow(one, SYMMETRIC_RELATION, other) for one, other in links]
    edges += [EdgeRow(one, "treats", f"disease:{n}") for one in treating for n in (1, 2)]
    diseases = [NodeRow(f"disease:{n}", "Disease", f"s{n}") for n in (1, 2)]
    return SourceRows([*(NodeRow(one, "Drug", one) for one in names), *diseases], [*edges])


HUB_PATTERN = Pattern(
    (
        PatternNode(0, "class", "Drug", "Drug", is_target=True),
        PatternNode(1, "class", "Drug", "Drug"),
        PatternNode(2, "class", "Disease", "Disease"),
    ),
    (PatternEdge(0, 1, SYMMETRIC_RELATION), PatternEdge(0, 2, "treats")),
)


def test_the_mask_of_a_hub_takes_few_searches_and_one_that_takes_too_many_is_left_out() -> None:
    with build_snapshot_of(hub(100)) as snapshot:
        known = snapshot.find_number("drug:2")
        assert known is not None
        one = WorkBudget(MAX_WORK)
        matches = find_matches_within(snapshot, bind_pattern(snapshot, HUB_PATTERN), one)
        search = MAX_WORK - one.remaining
        hidden = matches.answers - {known}
        assert len(hidden) == 101
        every = WorkBudget(MAX_WORK)
        assert len(choose_cut(snapshot, matches, hidden, {known}, every)) == 102
        assert MAX_WORK - every.remaining < 25 * search
        question = MaskInput("1", HUB_PATTERN, hidden, frozenset({known}))
        assert mask_release(snapshot, [question]).included == ("1",)
        (left,) = mask_release(snapshot, [question], search_work=5 * search).excluded
    assert left.reason == "too_costly"


def pain(*edges: tuple[str, str, str, str]) -> SourceRows:
    nodes = [NodeRow(name, "Drug", name) for name in ("drug:1", "drug:2")]
    nodes += [NodeRow(name, "Disease", name) for name in ("disease:1", "disease:2", "disease:3")]
    known = [EdgeRow("drug:2", one, "disease:1") for one in ("treats", "relieves")]
    known += [EdgeRow("drug:2", "treats", f"disease:{n}") for n in (2, 3)]
    return SourceRows([*nodes], [*known, *(EdgeRow(*edge[:3], evidence=edge[3]) for edge in edges)])


def node(nid: int, name: str) -> PatternNode:
    kind = "Drug" if name.startswith("drug") else "Disease"
    if ":" in name:
        return PatternNode(nid, "entity", name, kind)
    return PatternNode(nid, "class", kind, kind, is_target=nid == 0)


def asking(*relations: tuple[str, str]) -> Pattern:
    """Which drugs have these relations to these diseases?"""
    nodes = [node(place, name) for place, (_, name) in enumerate(relations, start=1)]
    edges = [PatternEdge(0, place, name) for place, (name, _) in enumerate(relations, start=1)]
    return Pattern((node(0, "drug"), *nodes), tuple(edges))


def removed(snapshot: Snapshot, pattern: Pattern) -> list[tuple[str, str, str, str]]:
    """What is cut to hide the first drug and show the second, as the edges' own words."""
    hidden, known = (snapshot.find_number(f"drug:{n}") for n in (1, 2))
    assert hidden is not None and known is not None
    mask = mask_question(snapshot, pattern, serendipity=[hidden], existing=[known])
    assert mask.holds
    records = [snapshot.edge(edge) for edge in mask.removed]
    ends = [(snapshot.entity(it.source).id, snapshot.entity(it.target).id) for it in records]
    return sorted(
        (source, snapshot.relations[it.relation].name, target, it.evidence)
        for it, (source, target) in zip(records, ends, strict=True)
    )


def test_the_branch_with_fewest_links_is_cut_with_its_parallels_both_ways() -> None:
    rows = pain(
        ("drug:1", "treats", "disease:1", "a"),
        ("drug:1", "treats", "disease:1", "b"),
        ("disease:1", "treats", "drug:1", "odd"),
        ("drug:1", "treats", "disease:2", "a"),
        ("drug:1", "treats", "disease:2", "b"),
        ("drug:1", "treats", "disease:2", "c"),
        ("disease:2", "treats", "drug:1", "odd"),
        ("drug:1", "relieves", "disease:1", "another relation"),
    )
    query = asking(("treats", "disease:1"), ("treats", "disease:2"))
    with build_snapshot_of(rows) as snapshot:
        assert removed(snapshot, query) == [
            ("disease:1", "treats", "drug:1", "odd"),
            ("drug:1", "treats", "disease:1", "a"),
            ("drug:1", "treats", "disease:1", "b"),
        ]


def test_of_equal_branches_the_relation_and_then_the_identifier_that_comes_first_is_cut() -> None:
    rows = pain(
        ("drug:1", "treats", "disease:1", ""),
        ("drug:1", "relieves", "disease:1", ""),
        ("drug:1", "treats", "disease:2", ""),
        ("drug:1", "treats", "disease:3", ""),
    )
    with build_snapshot_of(rows) as snapshot:
        relation_first = asking(("treats", "disease:2"), ("relieves", "disease:1"))
        assert removed(snapshot, relation_first) == [("drug:1", "relieves", "disease:1", "")]
        name_first = asking(("treats", "disease:3"), ("treats", "disease:2"))
        assert removed(snapshot, name_first) == [("drug:1", "treats", "disease:2", "")]


def test_in_a_ring_the_edges_between_the_two_unknown_nodes_are_cut() -> None:
    """Though the answer's other branch has fewer links."""
    rows = pain(
        ("drug:1", "relieves", "disease:1", ""),
        ("drug:1", "treats", "disease:2", ""),
        ("drug:1", "treats", "disease:3", ""),
        ("disease:2", "leads to", "disease:3", ""),
        ("disease:3", "leads to", "disease:3", ""),
        ("disease:1", "leads to", "disease:3", ""),
    )
    edges = (
        PatternEdge(0, 1, "relieves"),
        PatternEdge(0, 2, "treats"),
        PatternEdge(2, 3, "leads to"),
        PatternEdge(1, 3, "leads to"),
    )
    nodes = (node(0, "drug"), node(1, "disease:1"), node(2, "disease"), node(3, "disease:3"))
    ring = Pattern(nodes, edges)
    assert ring.type == "4.3"
    with build_snapshot_of(rows) as snapshot:
        assert removed(snapshot, ring) == [
            ("drug:1", "treats", "disease:2", ""),
            ("drug:1", "treats", "disease:3", ""),
        ]


def test_links_are_found_both_ways_and_a_loop_once() -> None:
    rows = SourceRows(
        [NodeRow("X:1", "Drug", "a"), NodeRow("X:2", "Drug", "b")],
        [
            EdgeRow("X:1", "treats", "X:2"),
            EdgeRow("X:2", "treats", "X:1"),
            EdgeRow("X:1", "treats", "X:1"),
            EdgeRow("X:1", SYMMETRIC_RELATION, "X:2"),
        ],
    )
    with build_snapshot_of(rows) as snapshot:
        one, other = snapshot.find_number("X:1"), snapshot.find_number("X:2")
        assert one is not None and other is not None
        relation = [result.name for result in snapshot.relations].index("treats")
        assert len(edges_between(snapshot, one, other, relation)) == 2
        assert len(edges_between(snapshot, one, one, relation)) == 1


@pytest.mark.parametrize(("hidden", "known"), [([], [1]), ([1], []), ([1], [1]), ([1, 1], [2])])
def test_sets_that_are_no_partition_are_refused(hidden: list[int], known: list[int]) -> None:
    with random_graph(1) as (snapshot, chance):
        pattern = random_pattern(snapshot, chance, SHAPES["1.1"])
        with pytest.raises(MaskSetsInvalid):
            mask_question(snapshot, pattern, serendipity=hidden, existing=known)


def test_an_answer_that_the_graph_does_not_give_is_told() -> None:
    rows = pain(("drug:1", "treats", "disease:1", ""))
    with build_snapshot_of(rows) as snapshot:
        numbers = [snapshot.find_number(name) for name in ("drug:1", "drug:2", "disease:3")]
        one, other, odd = (number for number in numbers if number is not None)
        pattern = asking(("treats", "disease:1"))
        mask = mask_question(snapshot, pattern, serendipity=[one], existing=[other, odd])
        assert mask == Mask(mask.removed, frozenset(), frozenset({odd}), frozenset({odd}))
        assert not mask.holds


def drawn(snapshot: Snapshot, chance: random.Random, count: int) -> list[MaskInput]:
    created: list[MaskInput] = []
    while len(created) < count:
        shape = chance.choice(list(SHAPES))
        pattern = random_pattern(snapshot, chance, SHAPES[shape], named=0.8)
        answers = run_pattern(snapshot, pattern)
        if len(answers) >= 2:
            hidden, known = halves(answers, chance)
            created.append(
                MaskInput(str(len(created)), pattern, frozenset(hidden), frozenset(known))
            )
    return created


@pytest.mark.parametrize("seed", range(5))
def test_what_a_release_keeps_holds_on_the_whole_union(seed: int) -> None:
    reasons: Counter[str] = Counter()
    with random_graph(seed, entities=12, edges=120) as (snapshot, chance):
        questions = drawn(snapshot, chance, 30)
        release = mask_release(snapshot, chance.sample(questions, len(questions)))
        by_id = {one.id: one for one in questions}
        masked = Overlay(snapshot, release.removed)
        for name in release.included:
            result = tried_out(masked, by_id[name].pattern)
            assert not result & by_id[name].serendipity
            assert by_id[name].existing <= result
        assert {*release.included} | {one.id for one in release.excluded} == {*by_id}
        assert release.excluded_share == len(release.excluded) / 30
        for left in release.excluded:
            check_reason(snapshot, by_id, release, left.id)
            reasons[left.reason] += 1
    assert release.included and reasons == release.reasons


def check_reason(
    snapshot: Snapshot, by_id: dict[str, MaskInput], release: ReleaseMask, name: str
) -> None:
    """It does not go together with those that were kept before it, taken by itself."""
    earlier = [by_id[one] for one in release.included if int(one) < int(name)]
    again = mask_release(snapshot, [*earlier, by_id[name]])
    assert again.included == tuple(one.id for one in earlier)
    cuts = set(again.removed)
    own = by_id[name]
    mask = mask_question(snapshot, own.pattern, serendipity=own.serendipity, existing=own.existing)
    masked = Overlay(snapshot, cuts | mask.removed)
    assert any(one.existing - run_pattern(masked, one.pattern) for one in [*earlier, own])


def test_of_two_questions_that_exclude_each_other_the_later_identifier_is_left_out() -> None:
    """9 comes before 10: whole numbers are compared by value."""
    rows = pain(("drug:1", "treats", "disease:1", ""), ("drug:1", "treats", "disease:2", ""))
    with build_snapshot_of(rows) as snapshot:
        names = ("drug:1", "drug:2", "disease:1", "disease:2")
        numbers = {name: snapshot.find_number(name) for name in names}
        one, other, first, second = (number for number in numbers.values() if number is not None)
        drugs = MaskInput(
            "9", asking(("treats", "disease:1")), frozenset({one}), frozenset({other})
        )
        diseases = Pattern(
            (PatternNode(0, "class", "Disease", "Disease", is_target=True), node(1, "drug:1")),
            (PatternEdge(1, 0, "treats"),),
        )
        back = MaskInput("10", diseases, frozenset({second}), frozenset({first}))
        release = mask_release(snapshot, [back, drugs])
        assert release.included == ("9",)
        (left,) = release.excluded
        assert (left.id, left.reason, left.conflicts) == ("10", "broken_by_earlier", ("9",))
        turned = mask_release(snapshot, [MaskInput("8", *_rest(back)), drugs])
        assert turned.included == ("8",)
        assert [(it.id, it.reason, it.conflicts) for it in turned.excluded] == [
            ("9", "breaks_earlier", ("8",))
        ]


def _rest(one: MaskInput) -> tuple[Pattern, frozenset[int], frozenset[int]]:
    return one.pattern, one.serendipity, one.existing


def test_a_question_that_the_graph_cannot_answer_is_left_out_with_its_faults() -> None:
    rows = pain(("drug:1", "treats", "disease:1", ""))
    with build_snapshot_of(rows) as snapshot:
        answers = find_matches(snapshot, asking(("treats", "disease:1"))).answers
        one, other = (snapshot.find_number(name) for name in ("drug:1", "drug:2"))
        assert one is not None and other is not None and answers == {one, other}
        unknown = MaskInput(
            "1", asking(("eats", "disease:1")), frozenset({one}), frozenset({other})
        )
        overlap = MaskInput("2", asking(("treats", "disease:1")), answers, answers)
        odd = MaskInput(
            "3", asking(("relieves", "disease:1")), frozenset({other}), frozenset({one})
        )
        release = mask_release(snapshot, [unknown, overlap, odd])
    assert [(it.id, it.reason) for it in release.excluded] == [
        ("1", "refused"),
        ("2", "refused"),
        ("3", "unanswered"),
    ]
    assert [fault.code for fault in release.excluded[0].faults] == ["no_relation"]
    assert release.excluded_share == 1.0
