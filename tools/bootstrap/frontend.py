"""The front end: Node from the path or from PyPI, npm ci, and the built bundle."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from tools.bootstrap import virtualenv
from tools.bootstrap.build_steps import ROOT, VENV, StampFile, digest_files, run_program, step

FRONTEND = ROOT / "frontend"
NODE_MODULES = FRONTEND / "node_modules"
BUNDLE = FRONTEND / "dist" / "index.html"
STAMPS = StampFile(NODE_MODULES / ".serendib.json")
GENERATED_DIRECTORIES = {"node_modules", "dist"}


def prepare() -> None:
    """Install Node and the modules, and put Node's folder on the path."""
    if not has_supported_node():
        virtualenv.install_node()
        os.environ["PATH"] = f"{VENV / 'bin'}{os.pathsep}{os.environ['PATH']}"
    lock = digest_files(FRONTEND / "package.json", FRONTEND / "package-lock.json")
    if not STAMPS.matches(modules=lock):
        with step("Front-end packages"):
            run_program([find_npm(), "ci", "--no-audit", "--no-fund"], cwd=FRONTEND)
        STAMPS.write(modules=lock)


def build() -> None:
    prepare()
    sources = digest_files(*source_files())
    if STAMPS.matches(bundle=sources) and BUNDLE.exists():
        return
    with step("Front-end bundle"):
        run_program([find_npm(), "run", "build"], cwd=FRONTEND)
    STAMPS.write(**{**STAMPS.read(), "bundle": sources})


def has_supported_node() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    result = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return is_supported_version(result.stdout)


def is_supported_version(version: str) -> bool:
    """^20.19 || >=22.12, as Vite requires."""
    match = re.match(r"v(\d+)\.(\d+)", version)
    if match is None:
        return False
    major, minor = int(match[1]), int(match[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def find_npm() -> str:
    return shutil.which("npm") or "npm"


def source_files() -> list[Path]:
    files: list[Path] = []
    for place, folders, names in os.walk(FRONTEND):
        folders[:] = sorted(set(folders) - GENERATED_DIRECTORIES)
        files += [Path(place) / name for name in sorted(names)]
    return files
