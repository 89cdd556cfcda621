"""Discover the formats that graphs can be imported from, and open files in one of them.

A format is a folder beside this file, or `graph_formats/<name>/` of a plugin, whose module
`format` exports FORMAT, a GraphFormat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from backend.graphs.importers.common.base import FileSample, GraphFormat, ImportOptions
from backend.graphs.importers.common.delimited_reader import UTF16_MARKS, utf16_error
from backend.graphs.importers.common.input_files import (
    FileRefused,
    InputFile,
    ReadLimits,
    find_input_files,
)
from backend.graphs.source_records import GraphSource
from backend.runtime.discovery import discover_modules

PICKLE_MARKS = tuple(b"\x80" + bytes([protocol]) for protocol in range(2, 6))
MAX_LISTED_FILES = 20


@cache
def graph_formats() -> dict[str, GraphFormat]:
    """All formats by name, in the order in which they are recognised."""
    modules = discover_modules(
        "backend.graphs.importers", group="graph_formats", entry="format", optional=True
    )
    formats: list[GraphFormat] = [module.FORMAT for module in modules]
    ordered = sorted(formats, key=lambda it: (it.recognition_order, it.name))
    by_name = {it.name: it for it in ordered}
    if len(by_name) < len(ordered):
        raise ValueError(f"two graph formats have one name: {[it.name for it in ordered]}")
    return by_name


@dataclass(frozen=True, slots=True)
class OpenedGraph:
    """A graph ready to be read: its format, its files with their roles, and ignored files."""

    format: GraphFormat
    source: GraphSource
    used_files: Mapping[str, str]
    ignored_files: tuple[str, ...]
    total_bytes: int


def open_source(
    paths: Sequence[Path],
    format_name: str = "",
    *,
    options: ImportOptions | None = None,
    limits: ReadLimits | None = None,
    names: Mapping[Path, str] | None = None,
) -> OpenedGraph:
    """Open files and folders as a graph. Without a format name, the format is recognised."""
    options = options or ImportOptions()
    files = find_input_files(paths, limits, names)
    samples = [FileSample(file.name, file.head()) for file in files]
    for sample in samples:
        _refuse_pickles(sample)
    candidates = (
        [get_format_or_raise(format_name)] if format_name else list(graph_formats().values())
    )
    for candidate in candidates:
        roles = [candidate.role_of(sample, options) for sample in samples]
        if any(needed <= {*roles} for needed in candidate.required_roles):
            return _open_as(candidate, files, roles, options)
    raise _unrecognised_error(candidates, samples)


def get_format_or_raise(name: str) -> GraphFormat:
    formats = graph_formats()
    if name not in formats:
        known = ", ".join(formats)
        raise FileRefused(
            "format",
            f"There is no graph format {name}. Choose one of: {known}.",
            code="format",
            expected=known,
        )
    return formats[name]


def _open_as(
    chosen: GraphFormat, files: list[InputFile], roles: list[str | None], options: ImportOptions
) -> OpenedGraph:
    by_role: dict[str, list[InputFile]] = {}
    for file, role in zip(files, roles, strict=True):
        if role:
            by_role.setdefault(role, []).append(file)
    used = {file.name: role for role, listed in by_role.items() for file in listed}
    ignored = tuple(file.name for file in files if file.name not in used)
    size = sum(file.size for file in files if file.name in used)
    return OpenedGraph(chosen, chosen.open(by_role, options), used, ignored, size)


def _refuse_pickles(sample: FileSample) -> None:
    """Refuse pickles, which can run code when they are loaded."""
    if sample.head.startswith(PICKLE_MARKS) or sample.name.endswith((".pkl", ".pickle")):
        detail = (
            f"{sample.name} is a Python pickle, which the server never loads. Convert it on your"
            " own machine: python -m backend.graphs.importers.stark.convert FOLDER FILE.jsonl"
        )
        raise FileRefused(sample.name, detail, code="pickle", expected="JSON lines")


def _unrecognised_error(tried: Sequence[GraphFormat], samples: Sequence[FileSample]) -> FileRefused:
    """An error that lists the beginnings of the files and the files that formats expect."""
    for sample in samples:
        if sample.head.startswith(UTF16_MARKS):
            return utf16_error(sample.name)
    reasons = "; ".join(
        f"{sample.name} begins with {sample.first_line[:120]!r}"
        for sample in samples[:MAX_LISTED_FILES]
    )
    detail = f"No format matches these files: {reasons}." if samples else "There are no files."
    expected = "; ".join(f"{it.title}: {it.file_hint}" for it in tried)
    return FileRefused("files", detail, code="not_recognised", expected=expected)
