"""Fetches questionnaire files from paths that somebody typed: files, or folders of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.benchmarks.questionnaire import CATALOGUE, SourceFile, batch_number
from backend.benchmarks.reading import LARGEST_FILE, Faults, shown
from backend.common.errors import Fault

MOST_FILES = 1_000


@dataclass(frozen=True)
class Wanted:
    """Which files of a folder are taken, one of which must be `needed`, and what they are."""

    takes: Callable[[str], bool]
    needed: Callable[[str], bool]
    what: str
    expected: str


def _is_batch(name: str) -> bool:
    return batch_number(name) is not None


def _is_json(name: str) -> bool:
    return name.endswith((".json", ".jsonl"))


QUESTIONNAIRE = Wanted(
    lambda name: name == CATALOGUE or _is_batch(name),
    _is_batch,
    "questionnaire",
    "files named batch1.json, batch2.json …",
)
QUESTIONS = Wanted(_is_json, _is_json, "questions", "files named .json or .jsonl")


def read_paths(
    paths: Sequence[Path], wanted: Wanted = QUESTIONNAIRE
) -> tuple[list[SourceFile], list[Fault]]:
    """The files, each once, and what could not be fetched.

    From a folder only what is wanted is taken: of a questionnaire batch<number>.json and
    batches.json. A file that is named itself is taken as it is.
    """
    faults = Faults()
    found = [file for path in paths for file in _files_of(path, wanted, faults)]
    once = list({file.resolve(): file for file in found}.values())
    if len(once) > MOST_FILES:
        faults.add("files", f"There are {len(once):,} files.", f"at most {MOST_FILES:,}")
        once = []
    sources = [source for file in once if (source := _read(file, faults))]
    return sources, faults.listed


def _files_of(path: Path, wanted: Wanted, faults: Faults) -> list[Path]:
    if not path.is_dir():
        return [path]
    try:
        inside = sorted(path.iterdir())
    except OSError as error:
        faults.add(shown(str(path), 300), f"This folder cannot be read: {error.strerror}.")
        return []
    taken = [file for file in inside if wanted.takes(file.name)]
    if not any(wanted.needed(file.name) for file in taken):
        message = f"This folder holds no {wanted.what}."
        faults.add(shown(str(path), 300), message, wanted.expected)
    return taken


def _read(file: Path, faults: Faults) -> SourceFile | None:
    place = shown(str(file), 300)
    try:
        if not file.exists():
            faults.add(place, "There is no such file.", code="not_found")
        elif not file.is_file():
            faults.add(place, "This is not a file.", "a file or a folder")
        else:
            with file.open("rb") as stream:
                # One byte more than is allowed: enough to be refused, whatever follows.
                return SourceFile(file.name, stream.read(LARGEST_FILE + 1))
    except OSError as error:
        faults.add(place, f"This file cannot be read: {error.strerror}.")
    return None
