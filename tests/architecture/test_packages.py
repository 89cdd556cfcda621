"""Packages import only packages below them, as the import-linter contracts state."""

import subprocess
import sys
import tomllib
from pathlib import Path
from pkgutil import iter_modules

from django.conf import settings
from django.core.management import call_command

KINDS_AND_HISTORY = {"annotation.kinds", "annotation.migrations"}


def test_imports_follow_the_packages() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [str(command), "--no-cache"], cwd=settings.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def test_every_module_of_the_core_of_annotation_is_held_to_import_no_study_kind() -> None:
    contracts = tomllib.loads((settings.ROOT / "pyproject.toml").read_text())
    (contract,) = (
        one
        for one in contracts["tool"]["importlinter"]["contracts"]
        if one.get("forbidden_modules") == ["annotation.kinds.*.*"]
    )
    core = {f"annotation.{one.name}" for one in iter_modules([str(settings.ROOT / "annotation")])}
    kinds = {
        f"annotation.kinds.{name}"
        for name in (
            *("base", "foreign_answers", "item_measures", "items", "marks", "measures"),
            *("registry", "simulation_draws", "submissions"),
            *("scale_kind", "scale_measures", "scale_simulation", "scales"),
        )
    }
    assert set(contract["source_modules"]) == core - KINDS_AND_HISTORY | kinds


def test_the_schema_of_the_api_is_valid_and_has_no_guesses() -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", file="/dev/null")
