"""'make test': what it runs, what it counts, and where it looks for a browser."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from backend.config import browser, gate
from backend.config.gate import Check


def titles(*, quick: bool, only: list[str]) -> set[str]:
    return {each.title for each in gate.CHECKS if gate.chosen(each, quick=quick, only=only)}


def test_quick_is_lint_types_and_architecture() -> None:
    quick = titles(quick=True, only=[])
    assert {"ruff", "mypy", "front-end types", "architecture tests"} <= quick
    assert not quick & {"tests", "journeys", "front-end tests"}


def test_everything_runs_each_test_once() -> None:
    everything = titles(quick=False, only=[])
    assert {"ruff", "mypy", "tests", "journeys", "front-end tests"} <= everything
    assert "architecture tests" not in everything  # they are among the tests


def test_words_choose_steps() -> None:
    assert titles(quick=False, only=["ruff"]) == {"ruff", "ruff format"}


def checked(title: str, **counts: int) -> Check:
    return Check(title, [], counts=Counter(counts))


@pytest.mark.parametrize(
    ("fine", "failed", "line"),
    [
        ([checked("tests", passed=7, skipped=2)], [], "7 passed, 0 failed, 2 skipped"),
        ([], [checked("tests", passed=7, failed=2, error=1)], "7 passed, 3 failed, 0 skipped"),
        ([checked("tests", passed=7)], [checked("mypy")], "7 passed, 1 failed, 0 skipped"),
        (
            [checked("ruff")],
            [checked("mypy"), checked("tests", passed=7, failed=2)],
            "7 passed, 3 failed, 0 skipped",
        ),
        ([], [checked("journeys", passed=4)], "4 passed, 1 failed, 0 skipped"),
    ],
)
def test_the_closing_line_never_hides_a_failure(
    fine: list[Check], failed: list[Check], line: str
) -> None:
    assert gate.closing_line([*fine, *failed], failed) == line


def test_a_test_run_is_counted_by_its_last_line(capfd: pytest.CaptureFixture[str]) -> None:
    code = "print('1 failed in a name'); print('== 5 passed, 2 skipped in 1.0s =='); exit(3)"
    check = Check("tests", [sys.executable, "-c", code, "pytest"], Path.cwd())
    assert gate.follow(check, {}) == 3
    assert check.counts == {"passed": 5, "skipped": 2}
    assert "5 passed" in capfd.readouterr().out


def test_the_browser_is_the_first_that_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def door(name: str, found: str | None) -> None:
        def answer() -> str | None:
            asked.append(name)
            return found

        monkeypatch.setattr(browser, name, answer)

    door("installed", None)
    door("playwrights", None)
    door("debians", "debian's")
    assert browser.find_chromium() == {"CHROMIUM": "debian's"}
    assert asked == ["installed", "playwrights", "debians"]
    door("installed", "installed one")
    assert browser.find_chromium() == {"CHROMIUM": "installed one"}
    door("installed", None)
    door("debians", None)
    with pytest.raises(browser.NoBrowser, match="Install Chromium, or name it: CHROMIUM="):
        browser.find_chromium()


def test_make_refuses_an_unknown_target_with_those_there_are() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "backend.config.bootstrap", "fly"],
        cwd=gate.ROOT,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 1
    assert told.stderr == "Say one of: run, dev, test, check, bench, screenshots.\n"
