"""Partition sensitivity: SerenQA's Figure 3 from its printed table, and r against scipy's."""

from typing import Any

import numpy as np
import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.leaderboard.slice_correlations import board_correlations, correlate_pair

FIGURE_3 = {("llm", "expert"): 0.8978, ("llm", "rns"): 0.8705, ("expert", "rns"): 0.9903}


@pytest.fixture
def visitor() -> Client:
    return Client()


def read_printed(visitor: Client, track: str) -> dict[str, Any]:
    answer = visitor.get(f"/api/v1/leaderboards/{track}/correlations").json()
    assert answer["track"] == track
    return {one["metric"]["id"]: one for one in answer["metrics"]}


@pytest.mark.parametrize("pair", FIGURE_3)
def test_seren_hit_of_the_printed_table_gives_figure_3(
    visitor: Client, pair: tuple[str, str]
) -> None:
    metric = read_printed(visitor, "serenqa-exploration")["seren_hit"]
    (result,) = [one for one in metric["pairs"] if {one["first"], one["second"]} == {*pair}]
    assert round(result["correlation"], 4) == FIGURE_3[pair]
    assert (result["n"], result["reason"], len(metric["entries"])) == (18, "", 18)


@pytest.mark.parametrize(
    ("track", "metric", "least", "rows"),
    [
        ("serenqa-exploration", "type_match", 0.9965, 18),
        ("serenqa-reasoning", "seren_cov", 0.9995, 9),
    ],
)
def test_the_other_metrics_of_figure_3_hardly_depend_on_the_partition(
    visitor: Client, track: str, metric: str, least: float, rows: int
) -> None:
    pairs = read_printed(visitor, track)[metric]["pairs"]
    assert len(pairs) == 3
    assert all(one["correlation"] >= least and one["n"] == rows for one in pairs)


def test_the_data_beside_the_chart_are_the_printed_values(visitor: Client) -> None:
    metric = read_printed(visitor, "serenqa-exploration")["seren_hit"]
    assert metric["slices"] == ["llm", "expert", "rns"]
    assert metric["entries"][0] == {
        "submission": None,
        "name": "DeepSeek-V3",
        "setting": "with-summary",
        "values": [0.048, 0.061, 0.077],
    }


def test_a_track_without_slices_has_no_correlations(visitor: Client) -> None:
    assert read_printed(visitor, "stark-prime") == {}
    assert visitor.get("/api/v1/leaderboards/serenqa/correlations").status_code == 404


def test_a_slice_and_a_part_of_it_have_no_correlation() -> None:
    track = get_track_or_raise("serenqa-exploration")
    rows = [row("a", 0.1, 0.2), row("b", 0.2, 0.3), row("c", 0.4, 0.5)]
    part = np.arange(10) < 5
    for masks in ({"expert": part, "rns": np.arange(10) < 8}, {"expert": part, "rns": part}):
        (result,) = board_correlations(track, rows, masks)
        (pair,) = result.pairs
        assert (pair.correlation, pair.reason) == (None, "contained")
    overlapping = {"expert": part, "rns": np.arange(10) >= 3}
    (result,) = board_correlations(track, rows, overlapping)
    assert result.pairs[0].correlation == pytest.approx(1)


VALUES = st.integers(0, 100).map(lambda value: value / 100)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=3, max_size=20))
def test_r_is_scipys(values: list[tuple[float, float]]) -> None:
    result = correlate_pair("a", "b", values)
    x, y = zip(*values, strict=True)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert (result.correlation, result.reason) == (None, "constant")
    else:
        assert result.correlation == pytest.approx(pearsonr(x, y).statistic, abs=1e-9)


def test_few_entries_and_missing_scores_have_a_reason() -> None:
    result = correlate_pair("a", "b", [(0.1, 0.2), (0.3, None), (0.5, 0.6), (None, None)])
    assert (result.correlation, result.n, result.reason) == (None, 2, "too_few_entries")


def row(name: str | None, expert: float, rns: float, *, is_ranked: bool = True) -> dict[str, Any]:
    scores = {"all": (expert + rns) / 2, "expert": expert, "rns": rns}
    return {
        "submission": f"id of {name}",
        "model": {"name": name} if name else None,
        "rank": {"best": 1, "worst": 1} if is_ranked else None,
        "scores": {f"seren_hit {slice_}": [value, 0, 1, 9] for slice_, value in scores.items()},
    }


def test_a_boards_samples_and_slice_of_all_items_are_left_out() -> None:
    rows = [row("a", 0.1, 0.2), row("b", 0.2, 0.3), row(None, 0.4, 0.5)]
    rows.append(row("sample", 0.9, 0.0, is_ranked=False))
    (result,) = board_correlations(get_track_or_raise("serenqa-exploration"), rows)
    assert (result.metric.id, result.slices) == ("seren_hit", ("expert", "rns"))
    assert [one.name for one in result.entries] == ["a", "b", None]
    (pair,) = result.pairs
    assert pair.correlation == pytest.approx(1)
