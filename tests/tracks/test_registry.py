"""Tracks are found in their folders, also in plugins, and each is described whole."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import numpy as np
import pytest

from backend.runtime.discovery import PLUGINS_VARIABLE
from backend.tracks.base import AnyTrack
from backend.tracks.item_table import Source
from backend.tracks.registry import load_tracks
from tests.tracks.releases import Release

BUILT_IN = [
    "biohopr",
    "dyport",
    "serenqa-exploration",
    "serenqa-reasoning",
    "serenqa-retrieval",
    "stark-amazon",
    "stark-mag",
    "stark-prime",
    "truthhypo",
]
SOURCE_NAMES = {"[": "source.json", "{": "source.jsonl"}


@pytest.fixture(autouse=True)
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(PLUGINS_VARIABLE, "tests.plugins")
    load_tracks.cache_clear()
    yield
    load_tracks.cache_clear()


def tracks() -> list[AnyTrack]:
    return list(load_tracks().values())


def test_the_tracks_are_the_built_in_ones_and_those_of_plugins() -> None:
    assert list(load_tracks()) == [*BUILT_IN, "nearest-number"]


def test_an_unknown_track_is_none() -> None:
    assert "nothing" not in load_tracks()


def test_a_track_of_a_plugin_reads_checks_and_scores() -> None:
    track = load_tracks()["nearest-number"]
    source: Source[object, object] = Source()
    content = b'{"name": "a", "number": 0.5}\n{"name": "b", "number": 1}\n'
    track.read_source(io.BytesIO(content), "numbers.jsonl", source)
    release = Release(track, source.items, source.answers)
    assert release.score([{"name": "a", "number": 0.25}]) == {"mean_error": 0.625}
    (fault,) = release.check(b'{"name": "a", "number": NaN}\n').faults.listed
    assert (fault.field, fault.code, fault.item) == ("number", "not_finite", "a")


@pytest.mark.parametrize("slug", BUILT_IN)
def test_the_example_of_a_track_is_valid_for_the_items_it_names(slug: str) -> None:
    track = load_tracks()[slug]
    with track.example_items_file.open("rb") as file:
        items, faults = track.read_items(file, "example_items.jsonl")
    assert faults.total == 0
    release = Release(track, items, [])
    checked = release.check(track.example_file.read_bytes())
    assert (checked.faults.total, checked.coverage()) == (0, 1)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_the_example_of_a_source_is_read_without_a_fault(slug: str) -> None:
    track = load_tracks()[slug]
    source: Source[object, object] = Source()
    text = track.source_example
    table = "source.tsv" if "\t" in text else "source.csv"
    name = SOURCE_NAMES.get(text[0], table)
    track.read_source(io.BytesIO(track.source_example.encode()), name, source)
    assert (len(source.items), source.faults.total) == (1, 0)


@pytest.mark.parametrize("slug", ["serenqa-exploration", "serenqa-reasoning"])
def test_the_example_scores_on_the_release_of_the_example_source(slug: str) -> None:
    track = load_tracks()[slug]
    source: Source[object, object] = Source()
    track.read_source(io.BytesIO(track.source_example.encode()), "source.json", source)
    with track.example_items_file.open("rb") as file:
        items, _ = track.read_items(file, "example_items.jsonl")
    assert items == source.items
    rows = [json.loads(line) for line in track.example_file.read_text().splitlines()]
    values = Release(track, source.items, source.answers).score(rows)
    assert values == dict.fromkeys(values, 1.0)


@pytest.mark.parametrize("slug", BUILT_IN)
def test_a_track_states_its_main_metric_components_and_page(slug: str) -> None:
    track = load_tracks()[slug]
    assert track.main_metric in {metric.id for metric in track.metrics}
    assert all(0 <= metric.counted < len(track.components) for metric in track.metrics)
    assert track.documentation().startswith(f"# {track.paper}: ")
    for metric in track.metrics:
        assert f"`{metric.id}`" in track.documentation()


@pytest.mark.parametrize(
    "slug", ["biohopr", "dyport", "serenqa-retrieval", "stark-prime", "truthhypo"]
)
def test_values_are_computed_for_many_draws_at_once(slug: str) -> None:
    track = load_tracks()[slug]
    sums = np.random.default_rng(1).integers(0, 9, (4, 7, len(track.components))).astype(float)
    for metric in track.metrics:
        values = metric.value(sums)
        assert values.shape == (4, 7)
        assert values[2, 3] == metric.value(sums[2, 3])
        assert metric.value(np.zeros(len(track.components))) == 0
