"""The virtual environment and what is installed into it, each file by its hash."""

import shutil
import subprocess
import sys
from pathlib import Path

from backend.config.bootstrap.steps import PYTHON, ROOT, VENV, Stamps, StepFailed, digest, run, step

RUNTIME = ROOT / "requirements.lock"
DEVELOPMENT = ROOT / "requirements-dev.lock"  # the runtime's packages and more
NODE = ROOT / "requirements-node.lock"
UV = ROOT / "requirements-uv.lock"
STAMPS = Stamps(VENV / "serendib.json")
WITHOUT_VENV = (
    "This Python cannot make virtual environments: its ensurepip is missing. On Debian and "
    "Ubuntu: apt-get install python3-venv. Then run the same command again."
)


def install(lock: Path) -> None:
    """Make the environment hold what a lock file lists; nothing to do if it does."""
    make_environment()
    if STAMPS.has(**{lock.name: digest(lock)}):
        return
    with step("Python packages"):
        put(lock)
    both = [RUNTIME, DEVELOPMENT] if lock == DEVELOPMENT else [lock]
    STAMPS.write(home=str(ROOT), **{each.name: digest(each) for each in both})


def install_node() -> None:
    """Node and npm from their wheel, beside what is there."""
    if STAMPS.has(**{NODE.name: digest(NODE)}) and (VENV / "bin" / "npm").exists():
        return
    with step("Node"):
        put(NODE)
    STAMPS.write(**{**STAMPS.read(), NODE.name: digest(NODE)})


def make_environment() -> None:
    """A new one where there is none, or where its Python went away or the checkout moved."""
    if STAMPS.read().get("home", str(ROOT)) == str(ROOT) and works():
        return
    with step("Virtual environment"):
        if VENV.is_symlink():  # to another checkout's, which clearing would empty
            VENV.unlink()
        uv = shutil.which("uv")
        if uv:
            run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, VENV])
        elif has_ensurepip():
            run([sys.executable, "-m", "venv", "--clear", VENV])
        else:
            raise StepFailed(WITHOUT_VENV)


def works() -> bool:
    if not PYTHON.exists():
        return False
    asked = subprocess.run([PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"])
    return asked.returncode == 0


def has_ensurepip() -> bool:
    asked = subprocess.run([sys.executable, "-c", "import ensurepip, venv"], capture_output=True)
    return asked.returncode == 0


def put(lock: Path) -> None:
    """By uv, which takes seconds; by pip where uv cannot be had or cannot do it."""
    uv = find_uv()
    wanted = ["--require-hashes", "-r", str(lock)]
    if uv:
        try:
            run([uv, "pip", "install", "--quiet", "--python", PYTHON, *wanted])
        except StepFailed:
            if not has_pip():
                raise
        else:
            return
    run([PYTHON, "-m", "pip", "install", "--quiet", *wanted])


def find_uv() -> str | None:
    found = shutil.which("uv") or shutil.which("uv", path=str(VENV / "bin"))
    if found is None and has_pip():
        try:
            run([PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", UV])
        except StepFailed:
            return None  # no build of it for this machine: pip is slower and does the same
        found = shutil.which("uv", path=str(VENV / "bin"))
    return found


def has_pip() -> bool:
    asked = subprocess.run([PYTHON, "-c", "import pip"], capture_output=True)
    return asked.returncode == 0
