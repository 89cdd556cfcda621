"""The built wheel in an environment with what it declares and nothing else."""

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

from tools.bootstrap.virtualenv import find_uv, has_pip


@dataclass(frozen=True)
class InstalledClient:
    """Distributions are links to those of this environment, so that no registry is needed."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def packages(self) -> Path:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        return self.folder / "lib" / version / "site-packages"

    def run(self, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        names = ("HOME", "LANG", "PATH", "TMPDIR")
        env = {name: os.environ[name] for name in names if name in os.environ}
        path = f"{self.folder / 'bin'}{os.pathsep}{env['PATH']}"
        return subprocess.run(
            [str(self.folder / "bin" / command[0]), *command[1:]],
            cwd=cwd,
            env={**env, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    def add_extra(self, extra: str) -> None:
        self.link_requirements(self.wheel, extra)

    @property
    def wheel(self) -> Distribution:
        (info,) = self.packages.glob("serendib-*.dist-info")
        return Distribution.at(info)

    def link_requirements(self, of: Distribution, extra: str = "") -> None:
        for text in of.requires or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                required = distribution(requirement.name)
                assert requirement.specifier.contains(required.version)
                self.link(required)
                self.link_requirements(required)

    def link(self, package: Distribution) -> None:
        for name in {path.parts[0] for path in package.files or ()} - {"..", "__pycache__"}:
            link = self.packages / name
            if not link.exists():
                link.symlink_to(Path(str(package.locate_file(name))).resolve())


def install_client(wheel: Path, folder: Path) -> InstalledClient:
    venv.create(folder, symlinks=True, with_pip=False)
    client = InstalledClient(folder)
    target = ["--python", str(client.python)]
    if has_pip():
        command = [sys.executable, "-m", "pip", *target, "install"]
    else:
        command = [find_uv() or "uv", "pip", "install", *target]
    options = ["--quiet", "--no-deps", "--no-index"]
    subprocess.run([*command, *options, str(wheel)], check=True, capture_output=True)
    client.link_requirements(client.wheel)
    return client
