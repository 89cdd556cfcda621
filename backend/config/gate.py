"""Every check of the project: python -m backend.config.gate [--quick].

--quick is lint, types and architecture. Without it, all tests follow, and the journeys in a
process of their own. ONLY=words runs the steps whose title holds one of the words.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from backend.config.browser import NoBrowser, find_chromium

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
FRONTEND = ROOT / "frontend"
COUNTS = re.compile(r"(\d+) (passed|failed|skipped|error|xfailed|xpassed)")


@dataclass
class Check:
    """One step: what it is called, what it runs, and where."""

    title: str
    command: list[str]
    folder: Path = ROOT
    quick: bool = True
    browser: bool = False
    counts: Counter[str] = field(default_factory=Counter)


def python(tool: str, *words: str) -> list[str]:
    return [sys.executable, "-m", tool, *words]


def npm(script: str) -> list[str]:
    return [shutil.which("npm") or "npm", "run", "--silent", script]


PYTEST = ("--color=auto", "-q")
SCHEMA = ("--fail-on-warn", "--validate", "--file", "var/schema.yaml")
SMALL_BENCHES = ("science.rns", "science.transition", "science.embeddings", "benchmarks.rns")
CHECKS = [
    Check("ruff", python("ruff", "check", "--quiet", ".")),
    Check("ruff format", python("ruff", "format", "--quiet", "--check", ".")),
    Check("mypy", python("mypy")),
    Check("import-linter", [str(BIN / "lint-imports"), "--no-logo"]),
    Check("migrations", [sys.executable, "-W", "ignore", "manage.py", "makemigrations", "--check"]),
    Check("API description", [sys.executable, "-W", "ignore", "manage.py", "spectacular", *SCHEMA]),
    Check("front-end lint", npm("lint"), FRONTEND),
    Check("generated types", npm("types:check"), FRONTEND),
    Check("front-end types", npm("typecheck"), FRONTEND),
    Check("architecture tests", python("pytest", *PYTEST, "tests/architecture")),
    Check("front-end tests", npm("test"), FRONTEND, quick=False),
    Check(
        "tests",
        python("pytest", *PYTEST, "-n", "2", "tests"),
        quick=False,
    ),
    Check("small benches", python("tests.bench", *SMALL_BENCHES), quick=False),
    Check(
        "journeys",
        python("pytest", *PYTEST, "tests/e2e"),
        quick=False,
        browser=True,
    ),
]


def main(quick: bool) -> int:
    (ROOT / "var").mkdir(exist_ok=True)
    only = os.environ.get("ONLY", "").split()
    wanted = [check for check in CHECKS if chosen(check, quick=quick, only=only)]
    failed = [check for check in wanted if not passes(check)]
    if failed:
        print(f"\nFailed: {', '.join(check.title for check in failed)}.")  # noqa: T201
    print(closing_line(wanted, failed))  # noqa: T201
    return 1 if failed else 0


def chosen(check: Check, *, quick: bool, only: list[str]) -> bool:
    if check.title == "architecture tests" and not quick:
        return False  # 'tests' runs them
    if only:
        return any(word in check.title for word in only)
    return check.quick or not quick


def passes(check: Check) -> bool:
    started = time.monotonic()
    heading = f"── {check.title} "
    print(heading + "─" * (60 - len(heading)), flush=True)  # noqa: T201
    try:
        environment = {**os.environ, **(find_chromium() if check.browser else {})}
    except NoBrowser as error:
        print(error)  # noqa: T201
        return False
    status = follow(check, environment)
    word = "passed" if status == 0 else f"failed with status {status}"
    print(f"   {check.title}: {word}, {time.monotonic() - started:.1f} s", flush=True)  # noqa: T201
    return status == 0


def follow(check: Check, environment: dict[str, str]) -> int:
    """Run it, pass its lines on, and keep the counts of a test run's last line."""
    last = ""
    with subprocess.Popen(
        check.command,
        cwd=check.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            sys.stdout.write(line)
            sys.stdout.flush()
            last = line if line.strip() else last
    if "pytest" in check.command:
        check.counts.update({word: int(number) for number, word in COUNTS.findall(last)})
    return process.returncode


def closing_line(checks: list[Check], failed: list[Check]) -> str:
    """Counts of all test runs together; a failed step that counted no failure is one itself."""
    counts = sum((check.counts for check in checks), Counter[str]())
    failures = sum(max(1, check.counts["failed"] + check.counts["error"]) for check in failed)
    return f"{counts['passed']} passed, {failures} failed, {counts['skipped']} skipped"


if __name__ == "__main__":
    sys.exit(main(quick="--quick" in sys.argv[1:]))
