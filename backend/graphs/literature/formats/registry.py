"""Discover the formats of papers, here and in `paper_formats/<name>/` of plugins."""

from functools import cache

from backend.graphs.importers.common.delimited_reader import (
    BYTE_ORDER_MARK,
    UTF16_MARKS,
    utf16_error,
)
from backend.graphs.importers.common.input_files import FileRefused, InputFile
from backend.graphs.literature.formats.base import PaperFormat
from backend.runtime.discovery import discover_modules


@cache
def paper_formats() -> dict[str, PaperFormat]:
    """All formats by name."""
    modules = discover_modules(
        "backend.graphs.literature.formats", group="paper_formats", entry="format", optional=True
    )
    formats: list[PaperFormat] = [module.FORMAT for module in modules]
    by_name = {it.name: it for it in sorted(formats, key=lambda it: it.name)}
    if len(by_name) < len(formats):
        raise ValueError(f"two formats of papers have one name: {[it.name for it in formats]}")
    return by_name


def recognize_format(file: InputFile) -> PaperFormat:
    """By the beginning of the file, whatever its name. Raises FileRefused."""
    head = file.head()
    if head.startswith(UTF16_MARKS):
        raise utf16_error(file.name)
    text = head.decode(errors="replace").removeprefix(BYTE_ORDER_MARK).lstrip()
    for candidate in paper_formats().values():
        if candidate.recognizes(text):
            return candidate
    expected = "; ".join(f"{it.title}: {it.file_hint}" for it in paper_formats().values())
    detail = f"{file.name} has no known format of papers." if text else f"{file.name} is empty."
    raise FileRefused(file.name, detail, code="not_recognised", expected=expected)
