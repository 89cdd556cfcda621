"""Files built to TruthHypo's Table 6 score as its Tables 2 and 6 print them.

The items have the counts of Table 1. The numbers of true and false links of each relation type
follow from precision and recall, the number of exact labels from the accuracy of Table 2.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from backend.tracks.truthhypo.track import NO_RELATION, slice_name
from tests.tracks.releases import TABLE_1, Release, json_lines, labels_of, truthhypo

RESULTS = Path(__file__).resolve().parents[2] / "fixtures" / "published" / "results.csv"
Printed = dict[tuple[str, str], float]
ROUNDING = 0.0101  # printed with two decimals, each count being a whole number


@cache
def printed_rows() -> dict[tuple[str, str], Printed]:
    """Values by (slice, metric) of each model and setting."""
    rows: dict[tuple[str, str], Printed] = {}
    with RESULTS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["track"] == "truthhypo" and row["table"] in {"2", "6"}:
                values = rows.setdefault((row["model"], row["setting"]), {})
                values[row["slice"], row["metric"]] = float(row["value"])
    return rows


def built_labels(printed: Printed) -> Iterator[str]:
    """A label for each item of Table 1 that reproduces the printed values of one row."""
    for type_, counts in TABLE_1.items():
        name = slice_name(type_)
        links = {label: count for label, count in counts.items() if label != NO_RELATION}
        unlinked = counts[NO_RELATION]
        hits = round(printed[name, "link_recall"] * sum(links.values()) / 100)
        false_links = round(hits * (100 / printed[name, "link_precision"] - 1))
        right = round(printed[name, "relation_accuracy"] * sum(counts.values()) / 100)
        exact = right - (unlinked - false_links)
        assert 0 <= exact <= hits
        for at, label in enumerate(Counter(links).elements()):
            other = next(one for one in links if one != label)
            yield label if at < exact else other if at < hits else NO_RELATION
        for at in range(unlinked):
            yield next(iter(links)) if at < false_links else NO_RELATION


@cache
def release() -> Release:
    return truthhypo()


def scores(printed: Printed) -> dict[tuple[str, str], float]:
    checked = release().check(json_lines(labels_of(release(), list(built_labels(printed)))))
    assert checked.components is not None
    track = release().track
    return {
        (name, metric): value
        for name, mask in track.slices(release().items, release().answers).items()
        for metric, value in track.metric_values(checked.components, mask).items()
    }


def test_the_tables_have_sixteen_rows() -> None:
    assert len(printed_rows()) == 16
    assert Counter(map(len, printed_rows().values())) == {16: 16}


@pytest.mark.parametrize("row", printed_rows(), ids=" ".join)
def test_predictions_built_to_table_6_score_as_tables_2_and_6(row: tuple[str, str]) -> None:
    printed = printed_rows()[row]
    values = scores(printed)
    average_f1 = printed["average", "link_f1"]
    expected = {key: value for key, value in printed.items() if key != ("average", "link_f1")}
    assert {key: values[key] for key in expected} == pytest.approx(expected, abs=ROUNDING)
    assert values["average", "link_accuracy"] == pytest.approx(average_f1, abs=ROUNDING)


def test_the_printed_average_is_no_f1() -> None:
    differences = [
        abs(scores(printed)["average", "link_f1"] - printed["average", "link_f1"])
        for printed in printed_rows().values()
    ]
    assert max(differences) > 12
