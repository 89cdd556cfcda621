"""'make test': what it runs, what it counts, and where it looks for a browser."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools import check, chromium
from tools.check import Check
from tools.failed_tests import MAX_WIDTH, describe_failures


def titles(*, quick: bool, only: list[str]) -> set[str]:
    return {each.title for each in check.CHECKS if check.is_selected(each, quick=quick, only=only)}


def test_quick_is_lint_types_and_architecture() -> None:
    quick = titles(quick=True, only=[])
    assert {"ruff", "mypy", "front-end types", "architecture tests"} <= quick
    assert not quick & {"tests", "journeys", "front-end tests"}


def test_everything_runs_each_test_once() -> None:
    everything = titles(quick=False, only=[])
    assert {"ruff", "mypy", "tests", "journeys", "front-end tests"} <= everything
    assert "architecture tests" not in everything  # they are among the tests


def test_a_broken_link_in_the_documentation_fails_its_step(tmp_path: Path) -> None:
    """The same copy without it passes."""
    shutil.copytree(check.ROOT / "docs", tmp_path / "docs")
    shutil.copy(check.ROOT / "mkdocs.yml", tmp_path)
    (tmp_path / "tools").mkdir()
    shutil.copy(check.ROOT / "tools/track_pages.py", tmp_path / "tools")
    environment = {**os.environ, "PYTHONPATH": str(check.ROOT)}
    documentation = next(each for each in check.CHECKS if each.title == "documentation")

    def status() -> int:
        return subprocess.run(
            documentation.command, cwd=tmp_path, env=environment, check=False, capture_output=True
        ).returncode

    assert status() == 0
    with (tmp_path / "docs/index.md").open("a", encoding="utf-8") as page:
        page.write("\n[missing](no-such-page.md)\n")
    assert status() != 0


def test_words_choose_steps() -> None:
    assert titles(quick=False, only=["ruff"]) == {"ruff", "ruff format"}


def find_check(title: str, **counts: int) -> Check:
    return Check(title, [], counts=Counter(counts))


@pytest.mark.parametrize(
    ("fine", "failed", "line"),
    [
        ([find_check("tests", passed=7, skipped=2)], [], "7 passed, 0 failed, 2 skipped"),
        ([], [find_check("tests", passed=7, failed=2, error=1)], "7 passed, 3 failed, 0 skipped"),
        ([find_check("tests", passed=7)], [find_check("mypy")], "7 passed, 1 failed, 0 skipped"),
        (
            [find_check("ruff")],
            [find_check("mypy"), find_check("tests", passed=7, failed=2)],
            "7 passed, 3 failed, 0 skipped",
        ),
        ([], [find_check("journeys", passed=4)], "4 passed, 1 failed, 0 skipped"),
    ],
)
def test_the_closing_line_never_hides_a_failure(
    fine: list[Check], failed: list[Check], line: str
) -> None:
    assert check.closing_line([*fine, *failed], failed) == line


def test_a_test_run_is_counted_by_its_last_line(capfd: pytest.CaptureFixture[str]) -> None:
    code = "print('1 failed in a name'); print('== 5 passed, 2 skipped in 1.0s =='); exit(3)"
    step = Check("tests", [sys.executable, "-c", code, "pytest"], Path.cwd())
    assert check.run_streaming(step, {}, sys.stdout) == 3
    assert step.counts == {"passed": 5, "skipped": 2}
    assert "5 passed" in capfd.readouterr().out


def test_the_browser_is_the_first_that_can_be_had() -> None:
    tried: list[str] = []

    def search(name: str, result: str | None) -> Callable[[], str | None]:
        def answer() -> str | None:
            tried.append(name)
            return result

        return answer

    absent, present = search("absent", None), search("present", "/bin/chromium")
    assert chromium.find_chromium([absent, present, search("later", "other")]) == {
        "CHROMIUM": "/bin/chromium"
    }
    assert tried == ["absent", "present"]
    with pytest.raises(chromium.ChromiumNotFound, match="Install Chromium, or name it: CHROMIUM="):
        chromium.find_chromium([absent])


def python_check(title: str, code: str, stage: int) -> Check:
    return Check(title, [sys.executable, "-c", code], stage=stage)


def test_steps_of_a_stage_run_together_and_stages_one_after_the_other(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # neither end opens without the other
    steps = [
        python_check("writes", f"print('a'); open({str(pipe)!r}, 'w').write('x')", 0),
        python_check("reads", f"print('b'); assert open({str(pipe)!r}).read() == 'x'", 0),
        python_check("fails", "print('c'); exit(2)", 1),
    ]
    assert check.run_checks(steps) == [steps[2]]
    lines = [line for line in capfd.readouterr().out.splitlines() if len(line) == 1]
    assert sorted(lines[:2]) == ["a", "b"]
    assert lines[2:] == ["c"]


def test_what_steps_write_goes_to_memory_where_it_is_large_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "MEMORY_BYTES", 1)
    assert check.find_memory(tmp_path) == tmp_path
    assert check.find_memory(tmp_path / "missing") is None
    monkeypatch.setattr(check, "MEMORY_BYTES", 2**62)
    assert check.find_memory(tmp_path) is None


def test_a_run_removes_its_folder_and_those_of_killed_runs_and_no_other(tmp_path: Path) -> None:
    killed = tmp_path / f"{check.FOLDER_PREFIX}killed"
    killed.mkdir()
    (killed / "lock").touch()
    with check.run_folder(tmp_path) as first:
        assert not killed.exists()
        with check.run_folder(tmp_path) as second:
            assert Path(first).exists() and Path(second).exists()
    assert list(tmp_path.iterdir()) == []


def test_a_run_waits_for_one_whose_new_folder_has_no_lock_yet(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        with check.alone_in(tmp_path):
            new = tmp_path / f"{check.FOLDER_PREFIX}new"
            new.mkdir()
            lock = (new / "lock").open("w")
            other = pool.submit(enter_run_folder, tmp_path)
            with pytest.raises(TimeoutError):
                other.result(timeout=0.3)
            fcntl.flock(lock, fcntl.LOCK_EX)
        with lock:
            assert not Path(other.result(timeout=10)).exists()
            assert new.exists()


def enter_run_folder(base: Path) -> str:
    with check.run_folder(base) as folder:
        return folder


def test_a_named_browser_comes_before_any_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/my/chromium")
    assert chromium.find_chromium() == {"CHROMIUM": "/my/chromium"}


def test_make_refuses_an_unknown_target_with_those_there_are() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "tools.bootstrap", "fly"],
        cwd=check.ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1
    assert (
        result.stderr
        == "Unknown target. Use one of: run, dev, test, check, bench, screenshots, docs, wheel.\n"
    )


def test_the_table_of_times_has_the_slowest_step_first() -> None:
    steps = [Check("ruff", []), Check("tests", [])]
    steps[0].seconds, steps[1].seconds = 1.0, 3.0
    rows = check.time_table(steps, 4.0).split("\n")[1:]
    assert [row.split() for row in rows] == [
        ["tests", "3.0", "s", "75%"],
        ["ruff", "1.0", "s", "25%"],
        ["total", "4.0", "s"],
    ]


PYTEST_OUTPUT = """
E       psycopg.OperationalError: connection refused
E       assert 1 == 2
E         +2
FAILED tests/graphs/test_a.py::test_one[x - y] - psycopg.OperationalError: connection refused
ERROR tests/graphs/test_a.py::test_two
not FAILED tests/graphs/test_a.py::test_three
FIRST TRY tests/e2e/test_b.py::test_four - test_b.py:9: TimeoutError
"""


def test_failed_tests_and_their_errors_are_read_from_the_output(
    capfd: pytest.CaptureFixture[str],
) -> None:
    vitest = "\x1b[41m\x1b[1m FAIL \x1b[22m\x1b[49m src/a.test.ts\x1b[2m > \x1b[22mit works"
    step = python_check("tests", f"print({PYTEST_OUTPUT!r}); print({vitest!r}); exit(1)", 0)
    assert not check.run_check(step, sys.stdout)
    capfd.readouterr()
    assert list(describe_failures([step.failures])) == [
        "  tests/graphs/test_a.py::test_one[x - y] - psycopg.OperationalError: connection refused",
        "  tests/graphs/test_a.py::test_two",
        "  tests/e2e/test_b.py::test_four - test_b.py:9: TimeoutError",
        "  src/a.test.ts > it works",
        "  1 times: psycopg.OperationalError: connection refused",
        "  1 times: assert 1 == 2",
        "  1 times: +2",
    ]


def test_however_many_tests_fail_the_last_twenty_lines_name_some_and_the_usual_error(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    code = (
        "for n in range(40): print(f'FAILED tests/a.py::test_{n}', f'E   E{n % 9}: x', sep='\\n')"
    )
    code += "\nprint('E   Rare: y', *['E   Usual: ' + 'z' * 999] * 7, sep='\\n'); exit(1)"
    steps = [python_check("tests", code, 0), python_check("mypy", "exit(1)", 1)]
    monkeypatch.setattr(check, "CHECKS", steps)
    monkeypatch.delenv("ONLY", raising=False)
    for name in (check.RUN_FOLDER, "TMPDIR"):
        monkeypatch.setenv(name, "")
    assert check.main(quick=False) == 1
    lines = capfd.readouterr().out.splitlines()[-20:]
    assert lines[0] == "Failed: tests, mypy."
    assert lines[1] == "  tests/a.py::test_0"
    assert lines[14] == "  and 27 more"
    assert lines[15].startswith("  7 times: Usual: zzz")
    assert lines[-1] == "0 passed, 2 failed, 0 skipped"
    assert all(len(line) <= MAX_WIDTH for line in lines)
