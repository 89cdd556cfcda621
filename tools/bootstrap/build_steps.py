"""Steps with one line of output and their time; the output of a program is shown if it fails."""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"


class StepFailed(Exception):
    """A program of a step failed; the text is its last output."""


@contextmanager
def step(title: str) -> Iterator[None]:
    started = time.monotonic()
    sys.stdout.write(f"{title:<32}")
    sys.stdout.flush()
    try:
        yield
    except BaseException:
        sys.stdout.write("failed\n")
        raise
    sys.stdout.write(f"{time.monotonic() - started:6.1f} s\n")
    sys.stdout.flush()


def run_program(
    command: Sequence[str | Path], cwd: Path = ROOT, env: dict[str, str] | None = None
) -> None:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        last = "\n".join(done.stdout.splitlines()[-30:])
        raise StepFailed(f"{Path(command[0]).name} ended with status {done.returncode}:\n{last}")


def digest_files(*paths: Path, root: Path = ROOT) -> str:
    """A digest of the names and contents of files."""
    mark = hashlib.blake2b(digest_size=16)
    for path in paths:
        mark.update(os.fsencode(path.relative_to(root)) + b"\0")
        mark.update(hashlib.blake2b(path.read_bytes()).digest())
    return mark.hexdigest()


class StampFile:
    """Records the inputs of a step beside its result, so that both are deleted together."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, str]:
        try:
            marks: dict[str, str] = json.loads(self.path.read_text())
        except (OSError, ValueError):
            return {}
        return marks

    def matches(self, **marks: str) -> bool:
        return marks.items() <= self.read().items()

    def write(self, **marks: str) -> None:
        self.path.write_text(json.dumps(marks, indent=1))
