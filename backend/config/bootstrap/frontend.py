"""The pages: Node where a fitting one is, else the one from PyPI; npm ci; the built bundle."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from backend.config.bootstrap import packages
from backend.config.bootstrap.steps import ROOT, VENV, Stamps, digest, run, step

HOME = ROOT / "frontend"
MODULES = HOME / "node_modules"
BUNDLE = HOME / "dist" / "index.html"
STAMPS = Stamps(MODULES / ".serendib.json")
MADE = {"node_modules", "dist"}


def prepare() -> None:
    """What npm needs: Node itself and the modules. Node's folder is on the path afterwards."""
    if not machine_has_node():
        packages.install_node()
        os.environ["PATH"] = f"{VENV / 'bin'}{os.pathsep}{os.environ['PATH']}"
    lock = digest(HOME / "package.json", HOME / "package-lock.json")
    if not STAMPS.has(modules=lock):
        with step("Front-end packages"):
            run([npm(), "ci", "--no-audit", "--no-fund"], cwd=HOME)
        STAMPS.write(modules=lock)


def build() -> None:
    prepare()
    sources = digest(*source_files())
    if STAMPS.has(bundle=sources) and BUNDLE.exists():
        return
    with step("Front-end bundle"):
        run([npm(), "run", "build"], cwd=HOME)
    STAMPS.write(**{**STAMPS.read(), "bundle": sources})


def machine_has_node() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    return fits(told.stdout)


def fits(version: str) -> bool:
    """^20.19 || >=22.12, as the bundler asks."""
    found = re.match(r"v(\d+)\.(\d+)", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def npm() -> str:
    return shutil.which("npm") or "npm"


def source_files() -> list[Path]:
    found: list[Path] = []
    for place, folders, names in os.walk(HOME):
        folders[:] = sorted(set(folders) - MADE)
        found += [Path(place) / name for name in sorted(names)]
    return found
