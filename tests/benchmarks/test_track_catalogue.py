"""The catalogue knows every track and metric that is shown, and which way is better."""

import csv
from pathlib import Path

import pytest
from django.conf import settings

from backend.benchmarks import track_catalogue
from backend.benchmarks.track_catalogue import METRICS, TRACKS
from backend.tracks.metrics import Metric
from backend.tracks.registry import load_tracks

PAPERS = {"SerenQA", "TruthHypo", "STaRK", "Dyport", "BioHopR"}
PLUGIN_TRACKS, PLUGIN_METRICS = {"nearest-number"}, {"mean_error"}
HOP_METRICS = {metric.id for metric in load_tracks()["biohopr"].metrics}
WRONG_HOPS = {one for one in HOP_METRICS if one.endswith("both_wrong")}
PAIR_METRICS = {metric.id for metric in load_tracks()["dyport"].metrics} - {"roc_auc"}
EVALUATED_HERE = (
    HOP_METRICS
    | PAIR_METRICS
    | {
        "link_accuracy",
        "seren_cov_valid",
        "seren_hit_share",
        "seren_hit_valid",
        "type_match_share",
        "type_match_valid",
    }
)
"""Metrics that no paper prints under their name: BioHopR's are of another embedder."""


def published_words(column: str) -> set[str]:
    path = Path(settings.FIXTURES) / "published" / "results.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {row[column] for row in csv.DictReader(file)}


def test_every_published_track_is_in_the_catalogue_and_none_is_there_for_nothing() -> None:
    assert published_words("track") == set(TRACKS) - PLUGIN_TRACKS


def test_every_published_metric_is_in_the_catalogue_and_none_is_there_for_nothing() -> None:
    assert published_words("metric") == set(METRICS) - EVALUATED_HERE - PLUGIN_METRICS
    assert set(METRICS) >= EVALUATED_HERE | PLUGIN_METRICS


def test_tracks_have_the_order_of_their_file_and_those_of_plugins_come_last() -> None:
    path = Path(settings.FIXTURES) / "published" / "tracks.csv"
    with path.open(encoding="utf-8", newline="") as file:
        order = [row["id"] for row in csv.DictReader(file)]
    assert list(TRACKS) == [*order, *PLUGIN_TRACKS]


def test_tracks_with_a_folder_are_described_there_alone() -> None:
    for slug, track in load_tracks().items():
        assert (TRACKS[slug].title, TRACKS[slug].paper) == (track.title, track.paper)
        assert all(METRICS[metric.id] == metric for metric in track.metrics)


def test_a_metric_that_is_described_twice_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    row = dict.fromkeys(("label", "direction", "unit", "description", "section"), "")
    monkeypatch.setattr(track_catalogue, "_read_rows", lambda name: iter([{"id": "mrr", **row}]))
    with pytest.raises(track_catalogue.RepeatedDescription, match="mrr"):
        track_catalogue._read_metrics()


def test_every_track_belongs_to_one_of_the_five_papers() -> None:
    assert {track.paper for track in TRACKS.values()} == PAPERS


def test_lower_is_better_for_wrong_answers_and_for_waiting_only() -> None:
    lower = {metric.id for metric in METRICS.values() if metric.direction == "lower"}
    assert lower == {"both_wrong", "latency"} | WRONG_HOPS | PLUGIN_METRICS


def test_a_correlation_between_measures_has_no_better_side() -> None:
    undirected = {metric.id for metric in METRICS.values() if metric.direction is None}
    assert undirected == {"spearman"}


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.id)
def test_a_metric_says_what_it_measures_and_where_its_paper_says_so(metric: Metric) -> None:
    paper, _, place = metric.section.partition(", ")
    assert paper in PAPERS
    assert place.startswith("section ")
    assert metric.description.endswith(".")
    assert metric.unit.low < metric.unit.high
