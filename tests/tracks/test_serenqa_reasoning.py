"""SerenCov of SerenQA's reasoning track against hand cases and a slow oracle."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.tracks.registry import load_tracks
from backend.tracks.serenqa_reasoning.track import (
    GroundTruthPath,
    PathsAnswer,
    SummariesPrediction,
)
from backend.tracks.serenqa_roots import RootItem, has_token, text_spellings
from tests.tracks.releases import Release, as_rows, json_lines
from tests.tracks.serenqa_files import partitions, question, read, split

TRACK = load_tracks()["serenqa-reasoning"]


def item(root: str = "P1", qid: str = "1") -> RootItem:
    return RootItem(qid, "expert", root, "Which proteins?")


def answer(*ends: tuple[str, str]) -> PathsAnswer:
    return PathsAnswer(tuple(GroundTruthPath(f"{a}--r--{b}", (a,), (b,)) for a, b in ends))


def predict(*texts: str, of: RootItem | None = None) -> SummariesPrediction:
    one = of or item()
    return SummariesPrediction(one.qid, one.partition, one.root, (*texts, "", "", "")[:3])


def cover(gold: PathsAnswer, *texts: str) -> float:
    release = Release(TRACK, [item()], [gold])
    return release.score(as_rows([predict(*texts)]))["seren_cov"]


def test_a_hand_case() -> None:
    gold = answer(("P1", "P3"), ("P1", "P4"))
    assert cover(gold, "P1 acts on P3.") == 0.5
    assert cover(gold, "P1 acts on P3.", "", "P4 is close to P1.") == 1


def test_both_ends_must_be_in_one_text() -> None:
    assert cover(answer(("P1", "P3")), "P1 acts on something", "that is P3") == 0
    assert cover(answer(("P1", "P3")), "", "from P1 to P3") == 1


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("P29474", True),
        ("(P29474)", True),
        ("P07900--ACTS_ON--P29474", True),
        ("Protein:P29474.", True),
        ("NOS3/P29474/HSP90", True),
        ("ends in P29474. And 2 more", True),
        ("P294741", False),
        ("XP29474", False),
        ("P29474_HUMAN", False),
        ("P29474-2", False),
        ("P29474.3", False),
        ("p29474", False),
        ("", False),
        ("P294741 and then P29474", True),
    ],
)
def test_an_identifier_is_named_as_a_whole_token(text: str, is_named: bool) -> None:
    assert has_token(text, "P29474") == is_named


def test_digits_alone_count_only_with_the_type_or_as_a_curie() -> None:
    names = text_spellings(("5716", "COMPLEX.PORTAL:5716"), ("Complex",))
    assert set(names) == {"COMPLEX.PORTAL:5716", "Complex:5716"}
    gold = PathsAnswer((GroundTruthPath("a", ("P1",), names),))
    assert cover(gold, "P1 has 5716 neighbours") == 0
    assert cover(gold, "P1 is in Complex:5716") == 1
    assert cover(gold, "P1 is in COMPLEX.PORTAL:5716") == 1
    assert cover(gold, "P1 is in Complex:57160") == 0


def test_missing_and_empty_predictions_are_worth_zero_and_left_out_of_valid_outputs() -> None:
    items = [item("P1"), item("P2"), item("P6")]
    release = Release(TRACK, items, [answer((one.root, "P3")) for one in items])
    given_ = [predict("P1 and P3", of=items[0]), predict(" ", "\n", of=items[1])]
    result = release.score(as_rows(given_))
    assert result["seren_cov"] == pytest.approx(1 / 3)
    assert result["seren_cov_valid"] == 1


def test_no_prediction_scores_zero_everywhere() -> None:
    components = TRACK.score([item()], [answer(("P1", "P3"))], [None])
    assert set(TRACK.metric_values(components, np.ones(1, np.bool_)).values()) == {0.0}


def test_a_constant_text_scores_only_where_it_names_a_path() -> None:
    items = [item(f"P{number}") for number in range(10)]
    release = Release(TRACK, items, [answer((one.root, "Q1")) for one in items])
    rows = as_rows([predict("P3 leads to Q1", of=one) for one in items])
    assert release.score(rows)["seren_cov"] == pytest.approx(0.1)


def test_a_repeated_prediction_and_a_wrong_number_of_texts_are_faults() -> None:
    release = Release(TRACK, [item()], [answer(("P1", "P3"))])
    twice = release.check(json_lines(as_rows([predict("P1"), predict("P1")])))
    assert [one.code for one in twice.faults.listed] == ["duplicate_item"]
    rows = [{"qid": 1, "partition": "expert", "root": "P1", "summaries": ["a", "b"]}]
    (fault,) = release.check(json_lines(rows)).faults.listed
    assert fault.field == "summaries"


def test_a_table_has_texts_as_json() -> None:
    release = Release(TRACK, [item()], [answer(("P1", "P3"))])
    content = b'qid,partition,root,summaries\n1,expert,P1,"[""P1 to P3"", """", """"]"\n'
    checked = release.check(content, "predictions.csv")
    assert checked.components is not None, checked.faults.listed
    assert checked.components.tolist() == [[1, 1, 1]]


NAMES = ("P1", "P12", "DOID:1", "DOID:12", "A-1")
WORDS = st.sampled_from([*NAMES, "P1.", "P1,", "-P1", "_P1", "DOID:1-2", "x", " ", "\n", "--", "."])
TEXTS = st.lists(WORDS, max_size=8).map("".join)
ENDS = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))


def slow_coverage(ends: Sequence[tuple[str, str]], texts: Sequence[str]) -> float:
    """By regular expressions, path by path and text by text."""

    def is_in(name: str, text: str) -> bool:
        return bool(re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_]|[-.]\d)", text))

    covered = [any(is_in(a, text) and is_in(b, text) for text in texts) for a, b in ends]
    return sum(covered) / len(covered)


@given(st.lists(ENDS, min_size=1, max_size=4), st.tuples(TEXTS, TEXTS, TEXTS))
def test_coverage_is_that_of_the_slow_implementation(
    ends: list[tuple[str, str]], texts: tuple[str, str, str]
) -> None:
    components = TRACK.score([item()], [answer(*ends)], [predict(*texts)])
    assert components[0, 0] == pytest.approx(slow_coverage(ends, texts))


def test_paths_belong_to_the_root_where_they_begin_and_other_roots_are_no_items() -> None:
    paths = ["P1--R--P3", "P1--R--X--R--P33", "P2--R--P33", "P9--R--P3"]
    splits = {"expert": split(["P3", "P33"], ["P1", "P2", "P4"], paths)}
    files = [question(1, ["P1", "P2", "P3", "P33", "P4"])], [partitions(1, **splits)]
    source = read(TRACK, *files)
    assert [one.root for one in source.items] == ["P1", "P2"]
    assert [[path.last for path in one.paths] for one in source.answers] == [
        [("P3",), ("P33",)],
        [("P33",)],
    ]


def test_files_without_paths_make_no_items_and_say_so() -> None:
    files = [question(1, ["P1", "P2"])], [partitions(1, expert=split(["P2"], ["P1"]))]
    assert [one.code for one in read(TRACK, *files).faults.listed] == ["no_paths"]
