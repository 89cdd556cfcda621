"""The catalogue knows every track and metric that is shown, and which way is better."""

import csv
from pathlib import Path

import pytest
from django.conf import settings

from backend.benchmarks.catalogue import TRACKS
from backend.benchmarks.metrics import METRICS, Metric

PAPERS = {"SerenQA", "TruthHypo", "STaRK", "Dyport", "BioHopR"}


def published_words(column: str) -> set[str]:
    path = Path(settings.FIXTURES) / "published" / "results.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {row[column] for row in csv.DictReader(file)}


def test_every_published_track_is_in_the_catalogue_and_none_is_there_for_nothing() -> None:
    assert published_words("track") == set(TRACKS)


def test_every_published_metric_is_in_the_catalogue_and_none_is_there_for_nothing() -> None:
    assert published_words("metric") == set(METRICS)


def test_every_track_belongs_to_one_of_the_five_papers() -> None:
    assert {track.paper for track in TRACKS.values()} == PAPERS


def test_lower_is_better_for_wrong_answers_and_for_waiting_only() -> None:
    lower = {metric.id for metric in METRICS.values() if metric.direction == "lower"}
    assert lower == {"both_wrong", "latency"}


def test_a_correlation_between_measures_has_no_better_side() -> None:
    undirected = {metric.id for metric in METRICS.values() if metric.direction is None}
    assert undirected == {"spearman"}


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.id)
def test_a_metric_says_what_it_measures_and_where_its_paper_says_so(metric: Metric) -> None:
    paper, _, place = metric.section.partition(", ")
    assert paper in PAPERS
    assert place.startswith("section ")
    assert metric.about.endswith(".")
    assert metric.unit.low < metric.unit.high
