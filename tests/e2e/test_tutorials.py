"""The command blocks of the tutorials run as they are printed, on a stack with the demo."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.installed_client import InstalledClient
from tests.e2e.stack import ROOT, Stack

TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
COMMAND_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PRINTED_ADDRESS = "http://127.0.0.1:8000"
START = "make run\n"
"""The served stack stands for it."""


def command_blocks(tutorial: Path) -> list[str]:
    blocks = COMMAND_BLOCK.findall(tutorial.read_text(encoding="utf-8"))
    return [block for block in blocks if block != START]


CREATE_TOKEN = """
from backend.accounts.api_tokens import create_api_token
from backend.accounts.models import User
researcher = User.objects.get(email="researcher@demo.example")
print(create_api_token(actor=researcher, name="Tutorial", scope="submit")[1])
"""


@pytest.fixture(scope="module")
def client_variables(served: Stack, installed_client: InstalledClient) -> dict[str, str]:
    """What a researcher has after installing the client and creating a token."""
    token = served.manage("shell", "--verbosity", "0", "--command", CREATE_TOKEN).strip()
    path = f"{installed_client.python.parent}{os.pathsep}{os.environ['PATH']}"
    names = {"SERENDIB_URL": served.url, "SERENDIB_TOKEN": token, "SERENDIB_PLUGINS": ""}
    return {"PATH": path, **names}


def run_block(
    block: str, served: Stack, folder: Path, variables: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Only what belongs to this test run is replaced: the interpreter, the address, `var/`."""
    script = block.replace(".venv/bin/python", sys.executable).replace(PRINTED_ADDRESS, served.url)
    script = script.replace("var/tutorial", str(folder))
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=ROOT,
        env={**os.environ, **served.environment, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_every_command_block_of_a_tutorial_succeeds(
    tutorial: Path, served: Stack, client_variables: dict[str, str], tmp_path: Path
) -> None:
    for block in command_blocks(tutorial):
        result = run_block(block, served, tmp_path, client_variables)
        assert result.returncode == 0, f"{block}\n{result.stdout}\n{result.stderr}"


def test_the_tutorials_have_command_blocks() -> None:
    assert sum(len(command_blocks(tutorial)) for tutorial in TUTORIALS) >= 10
