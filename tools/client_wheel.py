"""Build the wheel of the client, `serendib`: python -m tools.client_wheel [FOLDER].

It has the client, each track's module `track` with the files beside it, and what these import: a
module that only the server imports, such as a track's baselines, stays out. Inside the wheel the
package `backend` is named `serendib`, so that nothing else appears in site-packages.
"""

import ast
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import chdir
from pathlib import Path
from string import Template

from flit_core import buildapi

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, NAME = "backend", "serendib"
CLIENT, TRACKS = f"{PACKAGE}.client", f"{PACKAGE}.tracks"
PROGRAMS = (f"{PACKAGE}.validation.row_files.parquet_worker",)  # started by their path
REQUIREMENTS = ("httpx", "numpy", "pydantic")
EXTRAS = {"parquet": ("pyarrow",)}
EARLIEST = 315_532_800  # 1980, the first year of a zip file
PROJECT = Template(
    """\
[build-system]
requires = ["flit_core"]
build-backend = "flit_core.buildapi"

[project]
name = "$name"
version = "$version"
description = "Check predictions for Serendib's releases, submit them and follow their scores."
requires-python = "$python"
license = "$license"
license-files = ["LICENSE"]
dependencies = $requirements

[project.optional-dependencies]
$extras

[project.scripts]
$name = "$name.client.command_line:main"
"""
)
EXPORTS = '''\
"""The Python client of Serendib: `serendib.Client`."""

from serendib.client import *
from serendib.client import __all__
'''


def main(arguments: Sequence[str]) -> None:
    folder = Path(arguments[0]) if arguments else ROOT / "dist"
    sys.stdout.write(f"{build_wheel(folder.resolve())}\n")


def build_wheel(folder: Path) -> Path:
    """The same sources give the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(EARLIEST))
    with tempfile.TemporaryDirectory() as place:
        sources = Path(place)
        write_sources(sources)
        with chdir(sources):
            return folder / str(buildapi.build_wheel(str(folder)))


def write_sources(folder: Path) -> None:
    for path in sorted(client_files()):
        target = folder / NAME / path.relative_to(ROOT / PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".py":
            target.write_text(rename_imports(path.read_text(encoding="utf-8")), encoding="utf-8")
        else:
            target.write_bytes(path.read_bytes())
    (folder / NAME / "__init__.py").write_text(EXPORTS, encoding="utf-8")
    (folder / NAME / "py.typed").touch()
    (folder / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    (folder / "pyproject.toml").write_text(project_text(), encoding="utf-8")


def project_text() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ranges = {re.split(r"[^\w-]", line)[0]: line for line in project["dependencies"]}
    extras = (f"{name} = {[ranges[one] for one in some]}" for name, some in EXTRAS.items())
    return PROJECT.substitute(
        name=NAME,
        version=project["version"],
        python=project["requires-python"],
        license=project["license"],
        requirements=[ranges[one] for one in REQUIREMENTS],
        extras="\n".join(extras),
    )


def client_files() -> set[Path]:
    """The client, the tracks, what they import, and the other files of the tracks."""
    tracks = module_path(TRACKS).parent
    files: set[Path] = set()
    pending = [*module_path(CLIENT).parent.rglob("*.py"), *tracks.glob("*/track.py")]
    pending += map(module_path, PROGRAMS)
    while pending:
        path = pending.pop()
        if path not in files:
            files.add(path)
            pending += [*parent_packages(path), *imported_files(path)]
    return files | {
        path for path in tracks.rglob("*") if path.is_file() and path.suffix not in {".py", ".pyc"}
    }


def parent_packages(path: Path) -> Iterator[Path]:
    for folder in path.relative_to(ROOT).parents:
        if folder.parts:
            yield ROOT / folder / "__init__.py"


class TypeCheckRemoval(ast.NodeTransformer):
    """Removes what only a type checker reads."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return node.orelse
        return self.generic_visit(node)


def imported_files(path: Path) -> Iterator[Path]:
    tree = TypeCheckRemoval().visit(ast.parse(path.read_text(encoding="utf-8")))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and is_own(node.module):
            yield module_path(str(node.module))
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (module_path(name) for name in names if module_path(name).exists())
        elif isinstance(node, ast.Import):
            yield from (module_path(alias.name) for alias in node.names if is_own(alias.name))


def is_own(module: str | None) -> bool:
    return module is not None and module.split(".")[0] == PACKAGE


def module_path(name: str) -> Path:
    path = ROOT.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def rename_imports(source: str) -> str:
    """The same module, with imports of the other package. Nothing else is changed.

    Raises ValueError for an import that binds the name of the package.
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(is_own(alias.name) for alias in node.names):
            raise ValueError(f"Line {node.lineno}: write 'from {PACKAGE}… import'.")
        if isinstance(node, ast.ImportFrom) and is_own(node.module):
            line = lines[node.lineno - 1]
            start = line.index(PACKAGE, node.col_offset)
            lines[node.lineno - 1] = line[:start] + NAME + line[start + len(PACKAGE) :]
    return "".join(lines)


if __name__ == "__main__":
    main(sys.argv[1:])
