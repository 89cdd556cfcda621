"""A room imports only rooms above it, and inside a room nothing on the left imports the right."""

import subprocess
import sys
from pathlib import Path

from django.conf import settings
from django.core.management import call_command


def test_imports_follow_the_rooms() -> None:
    command = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [str(command), "--no-cache"], cwd=settings.ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


def test_the_schema_of_the_api_is_valid_and_has_no_guesses() -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", file="/dev/null")
