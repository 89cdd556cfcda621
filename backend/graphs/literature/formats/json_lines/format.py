"""One JSON object a line."""

import json
from collections.abc import Iterator

from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.json_stream import read_json_lines
from backend.graphs.importers.common.record_builder import DROP_REASONS
from backend.graphs.literature.formats.base import PaperFormat
from backend.graphs.literature.paper_records import PaperFault, PaperRecord, ReadPaper, check_paper
from backend.graphs.source_records import MalformedRow

FIELDS = {"id", "date", "title", "abstract", "note"}


def read_papers(file: InputFile) -> Iterator[ReadPaper]:
    for item in read_json_lines(file):
        if isinstance(item, MalformedRow):
            yield ReadPaper(item.line, PaperFault(DROP_REASONS[item.reason], code=item.reason))
        else:
            yield ReadPaper(item.line, parse_paper(item.value))


def parse_paper(value: object) -> PaperRecord | PaperFault:
    if not isinstance(value, dict):
        return PaperFault("This line is no object.", "a JSON object", "wrong_type")
    if unknown := sorted(value.keys() - FIELDS):
        shown = ", ".join(unknown)[:100]
        return PaperFault(f"Unknown fields: {shown}.", ", ".join(sorted(FIELDS)), "unknown_field")
    return check_paper(value)


def recognizes(head: str) -> bool:
    """The first line, which may be longer than the sample, is an object with an `id`."""
    first = head.split("\n", 1)[0]
    if not first.startswith("{"):
        return False
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return '"id"' in first and '"documents"' not in first and '"passages"' not in first
    return isinstance(value, dict) and "passages" not in value and "documents" not in value


FORMAT = PaperFormat(
    name="jsonl",
    title="JSON lines",
    file_hint='lines {"id": "12345", "date": "2004-05", "title": "…", "abstract": "…"}',
    recognizes=recognizes,
    read=read_papers,
)
