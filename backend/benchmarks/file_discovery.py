"""Question files from paths given on the command line: files or folders."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.benchmarks.questionnaire import CATALOGUE_FILE, SourceFile, batch_number
from backend.validation.faults import Fault, FaultList, printable
from backend.validation.json_files import MAX_FILE_BYTES

MAX_FILES = 1_000


@dataclass(frozen=True)
class FileSelection:
    """Which files of a folder are accepted, and which of them the folder must contain."""

    accepts: Callable[[str], bool]
    is_required: Callable[[str], bool]
    label: str
    expected: str


def _is_batch(name: str) -> bool:
    return batch_number(name) is not None


QUESTIONNAIRE_FILES = FileSelection(
    lambda name: name == CATALOGUE_FILE or _is_batch(name),
    _is_batch,
    "questionnaire",
    "files named batch1.json, batch2.json …",
)


def question_files(suffixes: tuple[str, ...]) -> FileSelection:
    def is_question_file(name: str) -> bool:
        return name.endswith(suffixes)

    expected = f"files named {' or '.join(suffixes)}"
    return FileSelection(is_question_file, is_question_file, "questions", expected)


def read_source_files(
    paths: Sequence[Path], requested: FileSelection = QUESTIONNAIRE_FILES
) -> tuple[list[SourceFile], list[Fault]]:
    """Read each file once. Returns the files and the faults of those that cannot be read.

    From a folder, only files accepted by the selection are read. A file given by its own path is
    always read.
    """
    faults = FaultList()
    result = [file for path in paths for file in _list_files(path, requested, faults)]
    once = list({file.resolve(): file for file in result}.values())
    if len(once) > MAX_FILES:
        faults.add("files", f"There are {len(once):,} files.", f"at most {MAX_FILES:,}")
        once = []
    sources = [source for file in once if (source := _read_file(file, faults))]
    return sources, faults.listed


def _list_files(path: Path, requested: FileSelection, faults: FaultList) -> list[Path]:
    if not path.is_dir():
        return [path]
    try:
        inside = sorted(path.iterdir())
    except OSError as error:
        faults.add(printable(str(path), 300), f"This folder cannot be read: {error.strerror}.")
        return []
    taken = [file for file in inside if requested.accepts(file.name)]
    if not any(requested.is_required(file.name) for file in taken):
        message = f"This folder contains no {requested.label}."
        faults.add(printable(str(path), 300), message, requested.expected)
    return taken


def _read_file(file: Path, faults: FaultList) -> SourceFile | None:
    place = printable(str(file), 300)
    try:
        if not file.exists():
            faults.add(place, "There is no such file.", code="not_found")
        elif not file.is_file():
            faults.add(place, "This is not a file.", "a file or a folder")
        else:
            with file.open("rb") as stream:
                # One byte more than the limit, so that the parser reports the file as too large.
                return SourceFile(file.name, stream.read(MAX_FILE_BYTES + 1))
    except OSError as error:
        faults.add(place, f"This file cannot be read: {error.strerror}.")
    return None
