"""STaRK's semi-structured knowledge base, as JSON lines.

STaRK publishes pickles. A pickle can run anything when it is opened, so they are converted
beforehand, on somebody's own machine, by stark_convert.py. Its file begins with a line about
itself; then each line has one entity or one edge:

    {"stark": 1, "name": "prime"}
    {"node": {"id": "NCBIGene:9796", "type": "gene/protein", "name": "PHYHIP", "document": [...]}}
    {"edge": {"source": "NCBIGene:9796", "relation": "protein_protein", "target": "…"}}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from backend.graphs.cells import sections_of
from backend.graphs.importers.files import InputFile
from backend.graphs.importers.making import Maker
from backend.graphs.importers.primekg_words import RELATIONS
from backend.graphs.importers.sources import Options, Roles, Sample, required
from backend.graphs.importers.streams import json_lines
from backend.graphs.rows import EdgeRow, Malformed, NodeRow

FIRST = '{"stark": 1,'
Record = Mapping[str, object]
Row = TypeVar("Row", NodeRow, EdgeRow)


def role_of(sample: Sample, options: Options) -> str | None:
    return "lines" if sample.first_line.startswith(FIRST) else None


def open_stark(roles: Roles, options: Options) -> Stark:
    return Stark(required(roles, "lines", "There is no converted file."))


@dataclass
class Stark:
    files: Sequence[InputFile]
    relations = RELATIONS
    """Those of STaRK-Prime; another base's relations are called by their names."""

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        for file in self.files:
            yield from _rows(file, "node", _node)

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        for file in self.files:
            for row in _rows(file, "edge", _edge):
                # A line that is no JSON may be either; nodes() has told of it.
                if not (isinstance(row, Malformed) and row.detail.startswith(NEITHER)):
                    yield row


NEITHER = "neither entity nor edge: "


def _rows(
    file: InputFile, key: str, make: Callable[[Maker, int, Record], Row | Malformed]
) -> Iterator[Row | Malformed]:
    maker = Maker(file.name, file.limits)
    for item in json_lines(file):
        if isinstance(item, Malformed):
            yield maker.drop(item.line, item.reason, NEITHER + item.detail)
            continue
        found: Record = item.value if isinstance(item.value, dict) else {}
        record = found.get(key)
        if isinstance(record, dict):
            yield make(maker, item.line, record)
        elif key in found:
            yield maker.drop(item.line, "json", str(item.value))
        elif not {"node", "edge", "stark"} & {*found}:
            yield maker.drop(item.line, "json", NEITHER + str(item.value))


def _node(maker: Maker, line: int, record: Record) -> NodeRow | Malformed:
    texts = [record.get(key, "") for key in ("id", "type", "name")]
    lists = [record.get(key, []) for key in ("synonyms", "xrefs")]
    document = sections_of(record.get("document", []))
    if document is None or not _are_texts(texts) or not all(map(_is_list_of_texts, lists)):
        return maker.drop(line, "json", str(record))
    identifier, kind, name = map(str, texts)
    synonyms, xrefs = (tuple(it) if isinstance(it, list) else () for it in lists)
    return maker.node(
        line, identifier, kind, name, synonyms=synonyms, xrefs=xrefs, document=document
    )


def _edge(maker: Maker, line: int, record: Record) -> EdgeRow | Malformed:
    texts = [record.get(key, "") for key in ("source", "relation", "target")]
    if not _are_texts(texts):
        return maker.drop(line, "json", str(record))
    return maker.edge(line, *map(str, texts))


def _are_texts(values: Sequence[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and _are_texts(value)
