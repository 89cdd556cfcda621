"""What 'make bench' keeps of a figure, and what it prints."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.bench import figures
from tests.bench.__main__ import main
from tests.bench.figures import Figure

SAVE = Figure("annotation.save", 12.0, "ms", "lower", "an empty view", 4.0, "20 experts", 7)


def test_a_line_has_every_field_and_the_ratio(tmp_path: Path) -> None:
    path = tmp_path / "bench" / "results.jsonl"
    for figure in (SAVE, SAVE):
        figures.keep(figure, path, "abc")
    first, second = map(json.loads, path.read_text().splitlines())
    assert first == second
    assert first == {
        "name": "annotation.save",
        "value": 12.0,
        "unit": "ms",
        "better": "lower",
        "peer": "an empty view",
        "peer_value": 4.0,
        "ratio": 3.0,
        "goal": None,
        "size": "20 experts",
        "seed": 7,
        "commit": "abc",
    }


@pytest.mark.parametrize(
    ("better", "value", "goal", "is_missed"),
    [
        ("lower", 12.0, 3.0, False),
        ("lower", 12.1, 3.0, True),
        ("higher", 3.9, 1.0, True),
        ("higher", 4.0, 1.0, False),
        ("lower", 99.0, None, False),
    ],
)
def test_a_goal_is_the_worst_ratio_that_is_meant(
    better: Any, value: float, goal: float | None, is_missed: bool
) -> None:
    figure = replace(SAVE, better=better, value=value, goal=goal)
    assert figure.is_missed == is_missed


@pytest.mark.parametrize(("size", "status"), [("full", 1), ("tiny", 0)])
def test_a_missed_goal_ends_a_full_run_with_an_error(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    size: str,
    status: int,
) -> None:
    monkeypatch.setenv("SIZE", size)
    monkeypatch.setenv("DATA", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["bench", "annotation.save"])
    monkeypatch.setattr("tests.bench.__main__.django.setup", lambda: None)
    monkeypatch.setattr(figures, "load_all", lambda: None)
    monkeypatch.setattr(figures, "chosen", lambda only: {only: lambda: [replace(SAVE, goal=2.0)]})
    assert main() == status
    assert "Goal missed: annotation.save, 20 experts: 3.00 beside 2.00." in capsys.readouterr().err


def test_without_a_peer_there_is_no_ratio() -> None:
    assert Figure("science.tau", 1.0, "ms", "lower").ratio is None


def test_a_figure_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        Figure("science.tau", float("nan"), "ms", "lower").as_line("abc")


def test_words_choose_what_runs() -> None:
    both: dict[str, figures.Measure] = {"science.tau": list, "annotation.save": list}
    assert list(figures.chosen("", both)) == ["annotation.save", "science.tau"]
    assert list(figures.chosen("tau", both)) == ["science.tau"]
    assert figures.chosen("nothing", both) == {}


def test_every_registered_name_begins_with_a_package() -> None:
    figures.load_all()
    packages = {path.name for path in (figures.ROOT / "backend").iterdir()} | {"annotation"}
    assert figures.registered
    assert {name.split(".")[0] for name in figures.registered} <= packages


def test_numbers_are_shown_with_three_digits() -> None:
    shown = [figures.shown(number) for number in (12345.6, 12.345, 0.0012345, 0, None)]
    assert shown == ["12,346", "12.3", "0.00123", "0", ""]


def test_a_size_that_does_not_exist_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZE", "huge")
    with pytest.raises(SystemExit, match="tiny, small or full, not 'huge'"):
        figures.run_size()
