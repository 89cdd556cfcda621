"""Files of rows that commands write for releases."""

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.common.command_utils import report_unwritable
from backend.common.errors import DomainError


@contextmanager
def row_file(into: Path | None, name: str) -> Iterator[Path]:
    """The file to write; for a release alone, one of this name that is removed."""
    if into is not None:
        if into.suffix != ".jsonl":
            raise DomainError("The file's name must end in .jsonl.", code="invalid_name")
        yield into
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / name


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Nothing is left of a file that could not be finished."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        with report_unwritable(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                file.writelines(line + b"\n" for line in lines)
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
