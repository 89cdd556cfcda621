"""Releases of the plugin's track `nearest-number`, whose evaluator can get a new version."""

import json
from collections.abc import Mapping
from pathlib import Path

from backend.benchmarks.models import Release
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release

SLUG = "numbers"
ITEMS = 60


def number_lines(numbers: Mapping[str, float]) -> str:
    return "".join(json.dumps({"name": a, "number": b}) + "\n" for a, b in numbers.items())


def answers() -> dict[str, float]:
    return {f"n{number}": number / ITEMS for number in range(ITEMS)}


def shifted(errors: Mapping[int, float]) -> str:
    """Predictions that are right but for the errors of some items."""
    return number_lines(
        {
            name: value + (errors.get(place, 0) if value < 0.5 else -errors.get(place, 0))
            for place, (name, value) in enumerate(answers().items())
        }
    )


def open_number_release(folder: Path) -> Release:
    path = folder / "numbers.jsonl"
    path.write_text(number_lines(answers()))
    request = ReleaseRequest(track="nearest-number", name="Numbers", slug=SLUG)
    release = make_release(actor=None, request=request, files=[path])
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)
