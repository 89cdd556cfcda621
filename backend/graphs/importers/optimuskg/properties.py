"""The properties of a node or an edge: an object in JSON, of which some members are read."""

import json
import sys
from collections.abc import Iterator

MAX_NUMBER = sys.float_info.max
"""An integer of JSON may be larger."""
JsonObject = dict[str, object]
Sources = tuple[list[str], list[str]]


class PropertyFault(Exception):
    """A row cannot be read: the code of the reason, and the property with its value."""

    def __init__(self, reason: str, name: str, given: object = "") -> None:
        super().__init__(name)
        self.reason, self.detail = reason, f"properties.{name}: {given}" if name else str(given)


def parse_properties(text: str | None) -> JsonObject:
    """An empty cell has no properties: the files can be exported without them."""
    if not text:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PropertyFault("json", "", f"properties: {text}") from error
    if not isinstance(value, dict):
        raise PropertyFault("json", "", f"properties: {text}")
    return value


def read_text(properties: JsonObject, name: str) -> str:
    value = properties.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise PropertyFault("json", name, value)
    return value


def read_number(properties: JsonObject, *names: str) -> float | None:
    """The first number of these properties that is not empty."""
    for name in names:
        value = properties.get(name)
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise PropertyFault("number", name, value)
            if abs(value) > MAX_NUMBER:
                raise PropertyFault("number", name, value)
            return float(value)
    return None


def read_texts(properties: JsonObject, name: str) -> Iterator[str]:
    """The texts of a list or a single text; of a list of objects, their labels."""
    for item in _as_list(properties, name):
        text = item.get("label") if isinstance(item, dict) else item
        if isinstance(text, str):
            yield text
        elif text is not None:
            raise PropertyFault("json", name, text)


def read_pairs(properties: JsonObject, name: str) -> Iterator[tuple[str, str]]:
    """Identifiers with their database, which is empty where a list has texts alone."""
    for item in _as_list(properties, name):
        pair = (item.get("id"), item.get("source")) if isinstance(item, dict) else (item, "")
        identifier, source = (part if part is not None else "" for part in pair)
        if not isinstance(identifier, str) or not isinstance(source, str):
            raise PropertyFault("json", name, item)
        yield identifier, source


def read_sources(properties: JsonObject) -> Sources:
    """The databases that state it, and those that these have it from."""
    sources = properties.get("sources") or {}
    if not isinstance(sources, dict):
        raise PropertyFault("json", "sources", sources)
    return [*read_texts(sources, "direct")], [*read_texts(sources, "indirect")]


def _as_list(properties: JsonObject, name: str) -> list[object]:
    value = properties.get(name)
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        raise PropertyFault("json", name, value)
    return value
