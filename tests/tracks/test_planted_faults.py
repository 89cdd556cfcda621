"""Every fault of a file is reported at once, with its line, field and code."""

from __future__ import annotations

import pytest

from tests.tracks.planted_faults import plant_faults
from tests.tracks.releases import Release, Row, json_lines, labels_of, ranks, stark, truthhypo


def release_with_rows(slug: str) -> tuple[Release, list[Row]]:
    if slug == "truthhypo":
        release = truthhypo()
        return release, labels_of(release, [answer.label for answer in release.answers])
    release = stark([[number] for number in range(200)], candidates=1_000)
    return release, ranks(*([number, number + 1] for number in range(200)))


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
@pytest.mark.parametrize("slug", ["truthhypo", "stark-prime"])
def test_fifty_planted_faults_of_twelve_kinds_come_back(slug: str, suffix: str) -> None:
    release, rows = release_with_rows(slug)
    planted = plant_faults(release, rows, suffix=suffix)
    checked = release.check(planted.content, planted.name)
    assert len(planted.kinds) >= 12
    assert len(planted.faults) == 50
    assert {(one.line, one.field, one.code) for one in checked.faults.listed} == planted.faults
    assert checked.faults.total == 50
    assert all(one.message.endswith(".") and one.expected for one in checked.faults.listed)
    assert (checked.digest, checked.components) == ("", None)


def test_two_hundred_faults_are_listed_and_all_are_counted() -> None:
    release = truthhypo()
    checked = release.check(json_lines(labels_of(release, ["cures"] * 2024)))
    assert (len(checked.faults.listed), checked.faults.total) == (200, 2024)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_faults_are_listed_by_line(suffix: str) -> None:
    release, rows = release_with_rows("truthhypo")
    planted = plant_faults(release, rows, suffix=suffix)
    lines = [one.line for one in release.check(planted.content, planted.name).faults.listed]
    assert lines == sorted(lines)


def test_the_first_lines_with_a_fault_are_listed_of_more() -> None:
    """Rows with an unknown field are seen before those of unknown items."""
    release, rows = release_with_rows("truthhypo")
    unknown = [{**row, "x_id": "Chemical|none"} for row in rows[:150]]
    content = json_lines([*unknown, *({**row, "more": 1} for row in rows[150:400])])
    faults = release.check(content).faults
    assert [one.line for one in faults.listed] == list(range(1, 201))
    assert faults.total == 400


def test_a_fault_names_the_item_what_was_expected_and_what_was_given() -> None:
    release = truthhypo()
    rows = labels_of(release, ["cures"] * 2024)[:1]
    (fault,) = release.check(json_lines(rows)).faults.listed
    assert fault.item == "Chemical|0, Gene|0b"
    assert fault.expected == "negative_correlate, no_relation, positive_correlate"
    assert fault.given == "cures"
    assert fault.as_fault().place == "line 1, label"


def test_what_was_given_is_shortened_and_printable() -> None:
    release = truthhypo()
    row = labels_of(release, ["\x1b[31m" + "a" * 400] * 2024)[0]
    (fault,) = release.check(json_lines([row])).faults.listed
    assert len(fault.given) < 70
    assert fault.given.isprintable()


def test_what_was_given_is_named_as_in_json() -> None:
    row = {"query_id": 0, "pred_rank": [True, None]}
    faults = stark([[1]]).check(json_lines([row])).faults.listed
    assert [(one.field, one.given) for one in faults] == [
        ("pred_rank[0]", "true"),
        ("pred_rank[1]", "null"),
    ]


def test_a_second_prediction_of_an_item_names_the_line_of_the_first() -> None:
    release = stark([[1], [2]])
    (fault,) = release.check(json_lines([*ranks([1], [2]), *ranks([1])])).faults.listed
    assert (fault.line, fault.code) == (3, "duplicate_item")
    assert fault.message.startswith("Line 1 has")


def test_missing_items_are_a_notice_with_coverage_and_no_fault() -> None:
    release = stark([[1], [2], [3], [4]])
    checked = release.check(json_lines(ranks([1])))
    (notice,) = checked.notices
    assert checked.is_valid
    assert (notice.code, notice.given) == ("missing_item", "none for 1; 2; 3")
    assert notice.message == "3 of 4 items have no prediction."
    assert checked.coverage() == 0.25
