"""BioC JSON, as PubTator exports it: an object with a list of documents, or a document a line."""

import json
import re
from collections.abc import Iterator

from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.json_stream import JsonItem, read_json_items, read_json_lines
from backend.graphs.importers.common.record_builder import DROP_REASONS
from backend.graphs.literature.bioc import Passage, parse_document
from backend.graphs.literature.formats.base import PaperFormat
from backend.graphs.literature.paper_records import PaperFault, PaperRecord, ReadPaper
from backend.graphs.source_records import MalformedRow

LISTS = ("documents", "PubTator3")
LIST_KEY = re.compile(r'"(documents|PubTator3)"\s*:\s*\[')


def read_papers(file: InputFile) -> Iterator[ReadPaper]:
    for item in read_items(file):
        if isinstance(item, MalformedRow):
            yield ReadPaper(item.line, PaperFault(DROP_REASONS[item.reason], code=item.reason))
        else:
            yield ReadPaper(item.line, parse_value(item.value))


def read_items(file: InputFile) -> Iterator[JsonItem | MalformedRow]:
    head = file.head().decode(errors="replace")
    if LIST_KEY.search(head.split('"passages"', 1)[0]):
        yield from read_json_items(file, *LISTS)
    else:
        yield from read_json_lines(file)


def parse_value(value: object) -> PaperRecord | PaperFault:
    if not isinstance(value, dict) or not isinstance(passages := value.get("passages"), list):
        return PaperFault("This is no BioC document.", 'an object with "passages"', "wrong_type")
    parts = [
        Passage(read_infons(it), read_text(it.get("text")))
        for it in passages
        if isinstance(it, dict)
    ]
    own = {name: read_text(value[name]) for name in ("pmid", "pmcid") if value.get(name)}
    infons = read_infons(value) | own
    date = read_text(value.get("date")) or infons.get("date", "")
    return parse_document(read_text(value.get("id")), date, infons, parts)


def read_infons(value: dict[str, object]) -> dict[str, str]:
    infons = value.get("infons")
    if not isinstance(infons, dict):
        return {}
    return {str(key): read_text(it) for key, it in infons.items()}


def read_text(value: object) -> str:
    """Numbers as text, for some exports write identifiers so; '' for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return value if isinstance(value, str) else str(value)[:40]


def recognizes(head: str) -> bool:
    if not head.startswith("{"):
        return False
    if LIST_KEY.search(head.split('"passages"', 1)[0]):
        return True
    first = head.split("\n", 1)[0]
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return '"passages"' in first
    return isinstance(value, dict) and "passages" in value


FORMAT = PaperFormat(
    name="bioc-json",
    title="BioC JSON",
    file_hint='{"documents": [{"id": "12345", "passages": […]}]}, or such a document a line',
    recognizes=recognizes,
    read=read_papers,
)
