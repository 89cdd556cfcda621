"""Which tests are left out, and that nobody has to guess it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

def test_quick(): pass

@pytest.mark.thorough
def test_at_full_size(): pass

@pytest.mark.parametrize("size", [1, pytest.param(500, marks=pytest.mark.thorough)])
def test_sizes(size): pass
"""
LEFT_OUT = "2 thorough tests were left out; 'make test THOROUGH=1' runs them."


def run_pytest(folder: Path, *arguments: str, thorough: str = "") -> str:
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_some.py").write_text(TESTS)
    words = ("-p", "tests.thorough", "-p", "no:cacheprovider", "-q", "--strict-markers")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "--rootdir", str(folder), *arguments],
        cwd=folder,
        env={
            **{name: value for name, value in os.environ.items() if name != "PYTEST_PLUGINS"},
            "THOROUGH": thorough,
            "PYTHONPATH": str(Path(__file__).resolve().parents[2]),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.mark.parametrize("processes", [(), ("-n", "1")])
def test_thorough_tests_are_left_out_and_counted(
    tmp_path: Path, processes: tuple[str, ...]
) -> None:
    printed = run_pytest(tmp_path, *processes)
    assert "2 passed" in printed
    assert LEFT_OUT in printed.splitlines()


def test_all_run_where_they_are_requested(tmp_path: Path) -> None:
    printed = run_pytest(tmp_path, thorough="1")
    assert "4 passed" in printed
    assert "left out" not in printed


def test_a_thorough_test_that_is_named_runs(tmp_path: Path) -> None:
    printed = run_pytest(tmp_path, "test_some.py::test_at_full_size")
    assert "1 passed" in printed
