"""An entity of STaRK's files: its identifiers, its name and what is written about it.

Entities of STaRK-Prime state their type, name and `details`. Products have titles, descriptions,
features, reviews, questions with answers, and their type in another file; papers an abstract.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from backend.graphs.importers.primekg.vocabulary import (
    DISEASE_SOURCES,
    NON_TEXT_COLUMNS,
    make_identifiers,
)
from backend.graphs.source_records import Section

JsonObject = dict[str, object]
Info = Mapping[object, object]
NAMES = ("title", "brand_name", "category_name", "color_name", "DisplayName")
TEXTS = {
    "description": "Description",
    "feature": "Features",
    "abstract": "Abstract",
    "OriginalVenue": "Venue",
    "Date": "Publication date",
}
MOST_OPINIONS = 25  # reviews, or questions with answers, of a product: as many as STaRK shows
UNKNOWN = "-1"  # of papers


def convert_node(index: object, info: Info, type_: str) -> JsonObject:
    """type_: empty where the entity states its own."""
    identifiers = make_node_identifiers(index, info)
    details = info.get("details")
    return {
        "id": identifiers[0],
        "type": type_ or str(info.get("type", "")),
        "name": _name_of(info),
        "synonyms": _texts(details.get("alias")) if isinstance(details, dict) else [],
        "xrefs": list(identifiers[1:]),
        "document": [asdict(section) for section in _document(info, details)],
    }


def _name_of(info: Info) -> str:
    if "name" in info:
        return str(info["name"])
    return next((text for one in NAMES for text in _texts(info.get(one)) if text != UNKNOWN), "")


def make_node_identifiers(index: object, info: Info) -> tuple[str, ...]:
    """PrimeKG's identifiers, if the knowledge base has them, then STaRK's number."""
    written = make_identifiers(str(info.get("source", "")), str(info.get("id", "")))
    return (*written, f"STARK:{index}")


def _document(info: Info, details: object) -> Iterator[Section]:
    source = str(info.get("source", ""))
    for key, title in TEXTS.items():
        text = "\n".join(one for one in _texts(info.get(key)) if one != UNKNOWN)
        if text:
            yield Section(title, text, source)
    for key, title, lines in (
        ("review", "Reviews", _review_lines),
        ("qa", "Questions and answers", _answer_lines),
    ):
        if text := "\n".join(lines(_rows(info.get(key)))):
            yield Section(title, text, source)
    if isinstance(details, dict):
        yield from _detail_sections(details, source)


def _detail_sections(details: Info, source: str) -> Iterator[Section]:
    for key, value in details.items():
        text = "\n".join(_texts(value))
        if not text or key in NON_TEXT_COLUMNS or key == "alias":
            continue
        first, _, rest = str(key).partition("_")
        words = rest if first in DISEASE_SOURCES and rest else str(key)
        yield Section(
            words.replace("_", " ").capitalize(), text, DISEASE_SOURCES.get(first, source)
        )


def _rows(value: object) -> list[Info]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _review_lines(rows: Sequence[Info]) -> Iterable[str]:
    """Those with the most votes, as STaRK orders them."""
    for one in sorted(rows, key=_votes_of, reverse=True)[:MOST_OPINIONS]:
        yield ": ".join([*_texts(one.get("summary")), *_texts(one.get("reviewText"))])


def _votes_of(review: Info) -> int:
    digits = "".join(_texts(review.get("vote"))).replace(",", "")
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _answer_lines(rows: Sequence[Info]) -> Iterable[str]:
    for one in rows[:MOST_OPINIONS]:
        yield " ".join([*_texts(one.get("question")), *_texts(one.get("answer"))])


def _texts(value: object) -> list[str]:
    """Flatten a value into texts; NaN of pandas and None are skipped."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return []
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, dict):
        return [f"{key}: {text}" for key, item in value.items() for text in _texts(item)]
    text = str(value)
    return [text] if text and text != "nan" else []
