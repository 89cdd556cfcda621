"""The scoring of a track changes only with its version: digests of a small scored set by version.

Standing scores are computed again where a track's version is another one, and only there. So a
change of what a track computes without a new version would leave boards with scores of both.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import TypeAdapter

import backend.tracks
from backend.tracks.base import AnyTrack
from backend.tracks.biohopr.track import BioHopR, name_embedder
from backend.tracks.registry import load_tracks
from backend.tracks.text_vectors import Vectors
from tests.tracks.releases import Release, json_lines

SETS = Path(__file__).with_name("scored_sets")
DIGESTS = Path(__file__).with_name("evaluator_digests.json")
DIGITS = 9
NEW_VERSION = """
The version '{version}' of {slug} has no digests yet. If its scoring is as intended, add to {file}:
"{slug} {version}": {digests}"""
CHANGED = """
{slug} computes other {parts} than its version '{version}' did. Raise `version` in its track.py, so
that stored predictions are scored again, and add the digests of the new version to {file}.
Replace those of this version only if {set} is what changed. Found: {digests}"""


@dataclass
class LengthSigns:
    """Texts with lengths of the same last bits have the same vector, on every machine."""

    name: str = "lengths"

    def embed(self, texts: Sequence[str]) -> Vectors:
        bits = np.array([[8 | len(text) & 7] for text in texts]) >> np.arange(4) & 1
        return (bits - 0.5).astype(np.float32)


def tracks() -> list[AnyTrack]:
    """Those of this repository. What an installed embedder adds is computed by the one above."""
    folder = Path(backend.tracks.__file__).parent
    own = [one for one in load_tracks().values() if one.folder.parent == folder]
    plain = [BioHopR() if isinstance(one, BioHopR) else one for one in own]
    return [*plain, name_embedder("lengths")().with_embedder(LengthSigns())]


def read_set(track: AnyTrack) -> tuple[Release, list[dict[str, Any]]]:
    """Items with answers, and predictions of most of them."""
    assert set_of(track).exists(), f"{track.slug} has no scored set: add {set_of(track)}"
    rows = [json.loads(line) for line in set_of(track).read_text(encoding="utf-8").splitlines()]
    items, answers = (
        [TypeAdapter(schema).validate_json(json.dumps(row[name])) for row in rows]
        for name, schema in (("item", track.item_schema), ("answer", track.answer_schema))
    )
    predictions = [row["prediction"] for row in rows if row["prediction"] is not None]
    return Release(track, items, answers), predictions


def set_of(track: AnyTrack) -> Path:
    return SETS / f"{track.slug}.jsonl"


def compute_digests(track: AnyTrack) -> dict[str, str]:
    release, predictions = read_set(track)
    checked = release.check(json_lines(predictions))
    assert checked.components is not None, checked.faults.listed
    masks = track.slices(release.items, release.answers)
    components = [list(track.components), checked.components.tolist()]
    scores = {name: track.metric_values(checked.components, mask) for name, mask in masks.items()}
    return {"components": digest(components), "scores": digest(scores)}


def digest(values: object) -> str:
    text = json.dumps(rounded(values), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def rounded(value: object) -> object:
    """Machines differ in the last digits, and in the sign of 0."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return round(value, DIGITS) + 0.0 if isinstance(value, float) else value


def describe_change(
    track: AnyTrack, digests: dict[str, str], stored: dict[str, dict[str, str]]
) -> str:
    """What to do; empty where nothing changed."""
    known = stored.get(f"{track.slug} {track.version}")
    if known == digests:
        return ""
    parts = [name for name in digests if known is not None and known[name] != digests[name]]
    return (CHANGED if parts else NEW_VERSION).format(
        slug=track.slug,
        version=track.version,
        parts=" and ".join(parts),
        file=DIGESTS.name,
        set=set_of(track).name,
        digests=json.dumps(digests),
    )


TRACKS = tracks()
NAMES = [f"{track.slug} {track.version}" for track in TRACKS]


@pytest.mark.parametrize("track", TRACKS, ids=NAMES)
def test_what_a_version_of_a_track_computes_does_not_change(track: AnyTrack) -> None:
    change = describe_change(track, compute_digests(track), json.loads(DIGESTS.read_text()))
    assert not change, change


@pytest.mark.parametrize("track", TRACKS, ids=NAMES)
def test_a_scored_set_has_missing_predictions_and_some_that_are_right(track: AnyTrack) -> None:
    release, predictions = read_set(track)
    assert 2 < len(predictions) < len(release.items)
    best = track.get_metric(track.main_metric).scale
    assert 0 < release.score(predictions)[track.main_metric] < best


def test_the_message_about_a_change_states_what_to_do() -> None:
    track = load_tracks()["truthhypo"]
    digests = compute_digests(track)
    stored = {"truthhypo 1": {**digests, "scores": "0"}}
    assert "computes other scores than" in describe_change(track, digests, stored)
    assert "Raise `version`" in describe_change(track, digests, stored)
    assert "no digests yet" in describe_change(track, digests, {})
    assert describe_change(track, digests, {"truthhypo 1": digests}) == ""
