"""Every check of the project: python -m tools.check [--quick].

--quick is lint, types and architecture. Without it, all tests follow, and the journeys in
processes of their own. ONLY=words runs the steps whose title contains one of the words. Steps of
one stage run two at a time; tests and journeys have stages of their own, since each starts as many
processes as it can use. The run ends with a table of the seconds that each step took, and, within
its last twenty lines, the first failed tests and the most frequent errors.
"""

import fcntl
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TextIO

from tools.chromium import ChromiumNotFound, find_chromium
from tools.failed_tests import FailedTests, describe_failures

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
FRONTEND = ROOT / "frontend"
RESULT_COUNTS = re.compile(r"(\d+) (passed|failed|skipped|error|xfailed|xpassed|rerun)")


@dataclass
class Check:
    """One step. The last three fields are results."""

    title: str
    command: list[str]
    directory: Path = ROOT
    quick: bool = True
    browser: bool = False
    stage: int = 0
    variables: dict[str, str] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    failures: FailedTests = field(default_factory=FailedTests)
    seconds: float = 0.0


def python_module(tool: str, *words: str) -> list[str]:
    return [sys.executable, "-m", tool, *words]


def npm_script(script: str) -> list[str]:
    return [shutil.which("npm") or "npm", "run", "--silent", script]


# Names a folder for what several steps share, as tests/prepared_data.py does.
RUN_FOLDER = "SERENDIB_TEST_RUN"
FOLDER_PREFIX = "serendib-checks-"
MEMORY = Path("/dev/shm")  # noqa: S108  each run makes a private folder in it
MEMORY_BYTES = 6 * 2**30  # the tests alone write 1.6 GiB
TEST_PROCESSES = "3"  # on two processors: tests and journeys often wait for other processes
# A worker has tests of one module together, which share what they read; idle workers take some.
PARALLEL = ("-n", TEST_PROCESSES, "--dist", "worksteal")
# A journey waits for several processes that share the machine with it. One that fails is tried a
# second time, and listed; where it fails twice, so does the step.
RERUN = ("--reruns", "1", "-r", "fER")
PYTEST_OPTIONS = ("--color=auto", "-q", "--durations=15", "--durations-min=3")
SCHEMA_OPTIONS = ("--fail-on-warn", "--validate", "--file", "var/schema.yaml")
QUICK_BENCHMARKS = (
    *("science.rns.logarithms", "science.rns.partition", "science.rns.surprises"),
    *("science.transition", "science.embeddings", "benchmarks.rns"),
    *("graphs.masked", "graphs.cypher"),
)
CHECKS = [
    Check("ruff", python_module("ruff", "check", "--quiet", ".")),
    Check("ruff format", python_module("ruff", "format", "--quiet", "--check", ".")),
    Check("import-linter", [str(BIN / "lint-imports"), "--no-logo"]),
    # The two longest of the stage begin early, so that none of them runs alone at its end.
    Check("mypy", python_module("mypy")),
    # Tests, benches and stacks would otherwise compile the same kernels, each at the same time.
    Check(
        "kernels",
        python_module("django", "compile_kernels"),
        quick=False,
        variables={"DJANGO_SETTINGS_MODULE": "backend.config.settings"},
    ),
    Check("migrations", [sys.executable, "-W", "ignore", "manage.py", "makemigrations", "--check"]),
    Check(
        "API description",
        [sys.executable, "-W", "ignore", "manage.py", "spectacular", *SCHEMA_OPTIONS],
    ),
    # Not with --quiet, which drops the warnings that --strict counts.
    Check("documentation", python_module("mkdocs", "build", "--strict")),
    Check("front-end lint", npm_script("lint"), FRONTEND),
    Check("front-end types", npm_script("typecheck"), FRONTEND),
    # Compares with what 'API description' wrote.
    Check("generated types", npm_script("types:check"), FRONTEND, stage=1),
    Check(
        "architecture tests",
        python_module("pytest", *PYTEST_OPTIONS, "tests/architecture"),
        stage=1,
    ),
    # Before the tests, for kernels that the warm-up does not need.
    Check(
        "small benches",
        python_module("tests.bench", *QUICK_BENCHMARKS),
        quick=False,
        stage=1,
        variables={"QUESTIONS": "12", "SIZE": "tiny"},
    ),
    Check("front-end tests", npm_script("test"), FRONTEND, quick=False, stage=1),
    Check(
        "tests",
        python_module("pytest", *PYTEST_OPTIONS, *PARALLEL, "tests"),
        quick=False,
        stage=2,
    ),
    Check(
        "journeys",
        python_module("pytest", *PYTEST_OPTIONS, *PARALLEL, *RERUN, "tests/e2e"),
        quick=False,
        stage=3,
        browser=True,
    ),
]


def main(quick: bool) -> int:
    (ROOT / "var").mkdir(exist_ok=True)
    only = os.environ.get("ONLY", "").split()
    selected = [check for check in CHECKS if is_selected(check, quick=quick, only=only)]
    started = time.monotonic()
    with run_folder(find_memory()) as folder:
        os.environ[RUN_FOLDER] = os.environ["TMPDIR"] = folder
        failed = run_checks(selected)
    print(time_table(selected, time.monotonic() - started))
    if failed:
        print(f"\nFailed: {', '.join(check.title for check in failed)}.")
        for line in describe_failures(check.failures for check in failed):
            print(line)
    print(closing_line(selected, failed))
    return 1 if failed else 0


def find_memory(memory: Path = MEMORY) -> Path | None:
    """Nothing waits for a disk there: the product syncs every graph and every file that it keeps.

    None, for the usual place, where it is too small or programs may not run.
    """
    if not os.access(memory, os.W_OK):
        return None
    status = os.statvfs(memory)
    free = min(status.f_bavail * status.f_frsize, free_memory())
    is_large = free >= MEMORY_BYTES
    return memory if is_large and not status.f_flag & os.ST_NOEXEC else None


def free_memory() -> int:
    """Bytes that programs can still take, within the limit of a container."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        free = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
        return min(1024 * free, memory_of_container())
    return 0


def memory_of_container(group: Path = Path("/sys/fs/cgroup")) -> int:
    with suppress(OSError, ValueError):  # there is none, or its limit is 'max'
        limit, used = (int((group / f"memory.{name}").read_text()) for name in ("max", "current"))
        return limit - used
    return sys.maxsize


@contextmanager
def run_folder(base: Path | None) -> Iterator[str]:
    """A folder that is removed when the block ends or, after kill -9, by the next run."""
    with ExitStack() as stack:
        with alone_in(base) if base else nullcontext():
            if base:
                remove_leftovers(base)
            new = tempfile.TemporaryDirectory(
                prefix=FOLDER_PREFIX, dir=base, ignore_cleanup_errors=True
            )
            folder = stack.enter_context(new)
            lock = stack.enter_context((Path(folder) / "lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        Path(folder).chmod(0o711)  # servers that root starts as another user have sockets in it
        yield folder


@contextmanager
def alone_in(base: Path) -> Iterator[None]:
    """Else a run would take a new folder, whose lock is not held yet, for one of a killed run."""
    descriptor = os.open(base, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def remove_leftovers(base: Path) -> None:
    """Folders of runs that have ended: nobody holds their locks. Called alone in `base`."""
    for folder in base.glob(f"{FOLDER_PREFIX}*"):
        with suppress(OSError), (folder / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)


def is_selected(check: Check, *, quick: bool, only: list[str]) -> bool:
    if check.title == "architecture tests" and not quick:
        return False  # 'tests' runs them
    if only:
        return any(word in check.title for word in only)
    return check.quick or not quick


def run_checks(checks: list[Check]) -> list[Check]:
    """Run stage after stage; return the steps that failed."""
    failed = []
    for _, group in groupby(checks, key=lambda check: check.stage):
        stage = list(group)
        if len(stage) == 1:
            passed = [run_check(stage[0], sys.stdout)]
        else:
            with ThreadPoolExecutor(2) as pool:
                passed = list(pool.map(run_buffered, stage))
        failed += [check for check, result in zip(stage, passed, strict=True) if not result]
    return failed


def run_buffered(check: Check) -> bool:
    """Run the step beside another one: its output is printed as a whole when it ends."""
    buffer = io.StringIO()
    result = run_check(check, buffer)
    print(buffer.getvalue(), end="", flush=True)
    return result


def run_check(check: Check, output: TextIO) -> bool:
    started = time.monotonic()
    heading = f"── {check.title} "
    print(heading + "─" * (60 - len(heading)), file=output, flush=True)
    try:
        browser = find_chromium() if check.browser else {}
        environment = {**os.environ, **check.variables, **browser}
    except ChromiumNotFound as error:
        print(error, file=output)
        return False
    status = run_streaming(check, environment, output)
    check.seconds = time.monotonic() - started
    word = "passed" if status == 0 else f"failed with status {status}"
    print(f"   {check.title}: {word}, {check.seconds:.1f} s", file=output, flush=True)
    return status == 0


def run_streaming(check: Check, environment: dict[str, str], output: TextIO) -> int:
    """Run the step, pass on its output, and read the counts of tests from the last line."""
    last = ""
    with subprocess.Popen(
        check.command,
        cwd=check.directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            output.write(line)
            output.flush()
            check.failures.read(line)
            last = line if line.strip() else last
    if "pytest" in check.command:
        check.counts.update({word: int(number) for number, word in RESULT_COUNTS.findall(last)})
    return process.returncode


def time_table(checks: list[Check], total: float) -> str:
    """Seconds of each step and their share of the total, the slowest step first."""
    rows = [(check.title, check.seconds) for check in checks]
    rows.sort(key=lambda row: -row[1])
    lines = [f"{title:<24}{seconds:8.1f} s {share(seconds, total):>5}" for title, seconds in rows]
    return "\n".join(["", *lines, f"{'total':<24}{total:8.1f} s"])


def share(seconds: float, total: float) -> str:
    return f"{seconds / total:.0%}" if total else ""


def closing_line(checks: list[Check], failed: list[Check]) -> str:
    """Counts of all test runs together. A failed step without counts is one failure."""
    counts = sum((check.counts for check in checks), Counter[str]())
    failures = sum(max(1, check.counts["failed"] + check.counts["error"]) for check in failed)
    return f"{counts['passed']} passed, {failures} failed, {counts['skipped']} skipped"


if __name__ == "__main__":
    sys.exit(main(quick="--quick" in sys.argv[1:]))
