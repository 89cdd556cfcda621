"""What 'make bench' keeps of a figure, and what it prints."""

import json
from pathlib import Path

import pytest

from tests.bench import figures
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
        "size": "20 experts",
        "seed": 7,
        "commit": "abc",
    }


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
