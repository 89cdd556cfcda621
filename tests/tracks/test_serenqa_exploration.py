"""Scores of SerenQA's exploration track against hand cases and a slow oracle."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.tracks.item_table import Source
from backend.tracks.registry import load_tracks
from backend.tracks.serenqa_exploration.track import Leaf, LeavesPrediction, SetAnswer
from backend.tracks.serenqa_roots import RootItem
from tests.tracks.releases import Release, as_rows, csv_file, json_lines
from tests.tracks.serenqa_files import partitions, question, read, split

TRACK = load_tracks()["serenqa-exploration"]
PATH = "P1--ACTS_ON--NOS2:Protein--ACTS_ON--P3"


def item(qid: str = "1", partition: Any = "expert", root: str = "P1") -> RootItem:
    return RootItem(qid, partition, root, "Which proteins?")


def leaf(id_: str, type_: str = "Protein", root: str = "P1") -> Leaf:
    return Leaf(id_, type_, (root, "ACTS_ON", id_))


def answer(*entities: str, types: tuple[str, ...] = ("Protein",)) -> SetAnswer:
    return SetAnswer(tuple((one,) for one in entities), types)


def one_root(*entities: str) -> Release:
    return Release(TRACK, [item()], [answer(*entities)])


def predict(*leaves: Leaf, of: RootItem | None = None) -> LeavesPrediction:
    one = of or item()
    return LeavesPrediction(one.qid, one.partition, one.root, leaves)


def values(release: Release, *predictions: LeavesPrediction) -> dict[str, float]:
    return release.score(as_rows(predictions))


def codes(release: Release, *predictions: LeavesPrediction) -> list[tuple[str, str]]:
    faults = release.check(json_lines(as_rows(predictions))).faults.listed
    return [(fault.field, fault.code) for fault in faults]


def test_a_hand_case() -> None:
    # Of three members one is a leaf; of four leaves three are proteins.
    release = one_root("P3", "P4", "P5")
    leaves = [leaf("P3"), leaf("P8"), leaf("P9"), leaf("D1", "Drug")]
    assert values(release, predict(*leaves)) == {
        "seren_hit": 1,
        "type_match": 1,
        "seren_hit_share": pytest.approx(1 / 3),
        "type_match_share": 0.75,
        "seren_hit_valid": 1,
        "type_match_valid": 1,
    }


def test_a_leaf_of_the_right_type_alone_matches_the_type_alone() -> None:
    result = values(one_root("P3"), predict(leaf("P4")))
    assert (result["seren_hit"], result["type_match"]) == (0, 1)


def test_a_member_is_found_by_each_of_its_spellings() -> None:
    gold = SetAnswer((("5716", "COMPLEX:5716"),), ("Complex",))
    for name in ("5716", "COMPLEX:5716"):
        release = Release(TRACK, [item()], [gold])
        assert values(release, predict(leaf(name, "Complex")))["seren_hit_share"] == 1


def test_a_leaf_is_a_member_in_every_spelling_that_the_graph_knows() -> None:
    """The check of a file takes `doid:9`, so its score must as well."""

    def find(identifiers: Collection[str], types: Collection[str]) -> dict[str, str]:
        own = {"doid:9": "DOID:9", "DOID_9": "DOID:9", "S9": "DOID:9"}
        known = own if [*types] == ["Disease"] else {}
        return {one: known.get(one, one) for one in identifiers}

    gold = SetAnswer((("S9", "DOID:9"),), ("Disease",))
    for text, hit in (("doid:9", 1), ("DOID_9", 1), ("S9", 1), ("DOID:9", 1), ("DOID:8", 0)):
        scored = TRACK.merge_spellings(predict(leaf(text, "Disease")), gold, find)
        components = TRACK.score([item()], [gold], [scored])
        assert components[0, TRACK.components.index("hit")] == hit, text
    other = predict(leaf("doid:9", "Drug"))
    assert TRACK.merge_spellings(other, gold, find) == other


def test_two_spellings_of_one_member_count_once() -> None:
    gold = SetAnswer((("5716", "COMPLEX:5716"), ("5717",)), ("Complex",))
    leaves = leaf("5716", "Complex"), leaf("COMPLEX:5716", "Complex")
    result = values(Release(TRACK, [item()], [gold]), predict(*leaves))
    assert result["seren_hit_share"] == 0.5


def test_types_compare_without_case_and_underscores() -> None:
    gold = answer("G1", types=("Biological_process",))
    result = values(Release(TRACK, [item()], [gold]), predict(leaf("G2", "biological process")))
    assert result["type_match"] == 1


def test_missing_and_empty_predictions_are_worth_zero_and_left_out_of_valid_outputs() -> None:
    items = [item(root=root) for root in ("P1", "P2", "P6", "P7")]
    release = Release(TRACK, items, [answer("P3")] * 4)
    hit = predict(leaf("P3"), of=items[0])
    miss = predict(leaf("D1", "Drug", root="P2"), of=items[1])
    result = values(release, hit, miss, predict(of=items[2]))
    assert (result["seren_hit"], result["type_match"]) == (0.25, 0.25)
    assert (result["seren_hit_valid"], result["type_match_valid"]) == (0.5, 0.5)


def test_no_prediction_scores_zero_everywhere() -> None:
    components = TRACK.score([item()], [answer("P3")], [None])
    assert set(TRACK.metric_values(components, np.ones(1, np.bool_)).values()) == {0.0}


def test_a_constant_list_of_leaves_hits_only_where_it_is_right() -> None:
    items = [item(str(number)) for number in range(10)]
    release = Release(TRACK, items, [answer(f"P{number + 100}") for number in range(10)])
    result = values(release, *(predict(leaf("P103"), of=one) for one in items))
    assert result["seren_hit"] == pytest.approx(0.1)


def test_a_repeated_prediction_is_a_fault() -> None:
    assert codes(one_root("P3"), predict(leaf("P3")), predict(leaf("P3"))) == [
        ("qid+partition+root", "duplicate_item")
    ]


def test_the_order_of_leaves_does_not_change_the_digest() -> None:
    release, leaves = one_root("P3"), [leaf("P3"), leaf("P4"), leaf("P5")]
    digests = {
        release.check(json_lines(as_rows([predict(*order)]))).digest
        for order in (leaves, leaves[::-1])
    }
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("leaves", "expected"),
    [
        ([leaf("P3"), leaf("P3")], [("leaves[0].id", "repeated_leaf")] * 1),
        ([Leaf("P3", "Protein", ("P1", "r", "P2", "P3"))], [("leaves[0].path", "not_a_path")]),
        ([Leaf("P3", "Protein", ("P2", "r", "P3"))], [("leaves[0].path", "other_ends")]),
        ([Leaf("P3", "Protein", ("P1", "r", "P2"))], [("leaves[0].path", "other_ends")]),
        ([Leaf("P1", "Protein", ("P1", "r", "P1"))], [("leaves[0].path", "repeated_entity")]),
        ([leaf(f"X{number}") for number in range(31)], [("leaves[30]", "too_many_leaves")]),
    ],
)
def test_a_path_or_set_of_the_wrong_form_is_a_fault_with_its_place(
    leaves: Sequence[Leaf], expected: list[tuple[str, str]]
) -> None:
    faults = codes(one_root("P3"), predict(*leaves))
    assert faults[:1] == expected
    assert all(code == expected[0][1] for _, code in faults)


@pytest.mark.parametrize("length", [1, 2, 9])
def test_a_path_has_one_to_three_relations(length: int) -> None:
    row = {"qid": "1", "partition": "expert", "root": "P1"}
    path = [f"P{number}" for number in range(length)]
    rows = [{**row, "leaves": [{"id": path[-1], "type": "Protein", "path": path}]}]
    (fault,) = one_root("P3").check(json_lines(rows)).faults.listed
    assert fault.field == "leaves[0]"


def test_with_a_graph_unknown_entities_and_wrong_types_are_faults() -> None:
    known = {"P1": "Protein", "P2": "Protein", "D1": "Drug"}
    release = one_root("P2")
    release.table = TRACK.index_items(
        release.items, None, lambda name: {known[name]: name} if name in known else {}
    )
    assert codes(release, predict(leaf("P2"), Leaf("D1", "drug", ("P1", "r", "D1")))) == []
    assert codes(release, predict(leaf("P9"))) == [("leaves[0].path[2]", "unknown_id")]
    assert codes(release, predict(leaf("D1"))) == [("leaves[0].type", "other_type")]


def test_a_table_has_leaves_as_json() -> None:
    leaves = json.dumps([{"id": "P3", "type": "Protein", "path": ["P1", "r", "P3"]}])
    row = {"qid": "1", "partition": "expert", "root": "P1", "leaves": leaves}
    content = csv_file([row])
    checked = one_root("P3").check(content, "predictions.csv")
    assert checked.components is not None, checked.faults.listed
    assert checked.components[0, 0] == 1


def slow_values(
    answers: Sequence[SetAnswer], given_: Sequence[LeavesPrediction | None]
) -> dict[str, float]:
    """Another implementation: member by member and leaf by leaf."""
    rows: list[tuple[float, float, float, float, bool]] = []
    for gold, one in zip(answers, given_, strict=True):
        leaves = [] if one is None else list(one.leaves)
        members = [names for names in gold.entities if any(got.id in names for got in leaves)]
        typed = [got for got in leaves if got.type in gold.types]
        rows.append(
            (
                1.0 if members else 0.0,
                1.0 if typed else 0.0,
                len(members) / len(gold.entities),
                len(typed) / len(leaves) if leaves else 0.0,
                bool(leaves),
            )
        )
    valid = [row for row in rows if row[4]]

    def mean(of: Sequence[tuple[Any, ...]], column: int) -> float:
        return float(sum(row[column] for row in of) / len(of)) if of else 0.0

    return {
        "seren_hit": mean(rows, 0),
        "type_match": mean(rows, 1),
        "seren_hit_share": mean(rows, 2),
        "type_match_share": mean(rows, 3),
        "seren_hit_valid": mean(valid, 0),
        "type_match_valid": mean(valid, 1),
    }


IDS = st.sampled_from([f"P{number}" for number in range(2, 12)])
TYPES = st.sampled_from(["Protein", "Drug", "Disease"])
ANSWERS = st.builds(
    lambda ids, types: SetAnswer(tuple((one,) for one in sorted(ids)), tuple(sorted(types))),
    st.sets(IDS, min_size=1, max_size=5),
    st.sets(TYPES, min_size=1, max_size=2),
)
LEAVES = st.dictionaries(IDS, TYPES, max_size=6).map(
    lambda members: tuple(leaf(id_, type_) for id_, type_ in members.items())
)


@given(st.lists(st.tuples(ANSWERS, st.none() | LEAVES), min_size=1, max_size=6))
def test_values_are_those_of_the_slow_implementation(
    rows: list[tuple[SetAnswer, tuple[Leaf, ...] | None]],
) -> None:
    items = [item(str(number)) for number in range(len(rows))]
    answers = [gold for gold, _ in rows]
    pairs = zip(items, rows, strict=True)
    predictions = [None if got is None else predict(*got, of=one) for one, (_, got) in pairs]
    components = TRACK.score(items, answers, predictions)
    result = TRACK.metric_values(components, np.ones(len(rows), np.bool_))
    assert result == pytest.approx(slow_values(answers, predictions))
    assert all(0 <= value <= 1 for value in result.values())


@given(ANSWERS, LEAVES, IDS, TYPES)
def test_another_leaf_never_lowers_a_hit_or_match(
    gold: SetAnswer, leaves: tuple[Leaf, ...], more: str, type_: str
) -> None:
    if more in {one.id for one in leaves}:
        return
    before, after = (
        TRACK.score([item()], [gold], [predict(*some)])[0]
        for some in (leaves, (*leaves, leaf(more, type_)))
    )
    assert (after[:3] >= before[:3]).all()


def test_the_partitions_of_an_older_release_are_slices_and_one_partition_is_none() -> None:
    items = [item(partition=one) for one in ("llm", "expert", "rns", "expert")]
    masks = TRACK.slices(items, [])
    assert {name: mask.sum() for name, mask in masks.items()} == {
        "all": 4,
        "llm": 1,
        "expert": 2,
        "rns": 1,
    }
    assert [*TRACK.slices([item(), item("2")], [])] == ["all"]


def test_a_release_is_of_the_chosen_partition_else_of_the_experts_llm_or_rns() -> None:
    for present, chosen, expected in (
        (("rns", "llm", "expert"), "", "expert"),
        (("rns", "llm"), "", "llm"),
        (("rns",), "", "rns"),
        (("rns", "expert"), "rns", "rns"),
    ):
        items = [item(str(at), method) for at, method in enumerate(present)]
        source: Source[RootItem, SetAnswer] = Source(
            items, [answer(f"P{at}") for at in range(len(items))]
        )
        TRACK.choose_partition(source, chosen)
        assert [one.partition for one in source.items] == [expected]
        assert source.answers == [answer(f"P{present.index(expected)}")]


def test_all_roots_and_partitions_of_a_question_are_one_cluster() -> None:
    items = [item("1"), item("1", "rns", "P9"), item("2")]
    assert TRACK.cluster_ids(items).tolist() == [0, 0, 1]


def test_the_published_files_make_an_item_of_each_partition_and_root() -> None:
    splits = {
        "expert": split(["P3"], ["P1", "P2"], [PATH, "P2--R--P3"], ["Which?"]),
        "sscore": split(["P1"], ["P2", "P3"]),
        "llm": split(["P3"], []),
    }
    for files in (
        ([question(800, ["P1", "P2", "P3"])], [partitions(800, **splits)]),
        ([partitions(800, **splits)], [question("800", ["P1", "P2", "P3"])]),
    ):
        source = read(TRACK, *files)
        assert source.faults.listed == []
        assert [(one.partition, one.root) for one in source.items] == [
            ("expert", "P1"),
            ("expert", "P2"),
            ("rns", "P2"),
            ("rns", "P3"),
        ]
        assert source.items[0].root_name == "Name of P1"
        first, second, *_ = source.answers
        assert (first.entities, first.types) == ((("P3",),), ("Protein",))
        assert (first.paths, second.paths) == ((PATH,), ("P2--R--P3",))
        assert first.questions == ("Which?",)


def test_partitions_without_their_question_are_a_fault() -> None:
    files = [question(1, ["P1", "P2"])], [partitions(2, expert=split(["P2"], ["P1"]))]
    assert [one.code for one in read(TRACK, *files).faults.listed] == ["no_question"]


def test_questions_without_partitions_are_a_fault() -> None:
    assert [one.code for one in read(TRACK, [question(1, ["P1"])]).faults.listed] == [
        "no_partitions"
    ]


def test_what_the_graph_lacks_is_reported_and_what_it_has_gains_its_spellings() -> None:
    files = [question(1, ["P1", "P2", "P3"])], [partitions(1, expert=split(["P3"], ["P1", "P2"]))]

    def spell(identifier: str, type_: str) -> list[str] | None:
        return None if identifier == "P2" else [f"UNIPROT:{identifier}"]

    source = read(TRACK, *files, spell=spell)
    assert [one.code for one in source.faults.listed] == ["unknown_id"]
    assert "'P2'" in source.faults.listed[0].message
    assert source.answers[0].entities == (("P3", "UNIPROT:P3"),)
