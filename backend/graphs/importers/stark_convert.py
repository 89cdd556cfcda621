"""Converts STaRK's processed folder into the JSON lines that are imported.

    python -m backend.graphs.importers.stark_convert FOLDER FILE.jsonl [--name prime]

FOLDER has node_info.pkl, node_type_dict.pkl, edge_type_dict.pkl, edge_index.pt and edge_types.pt.
To be run by whoever downloaded the folder, never by the server. Even so the pickles are opened
by a reader that knows no function but those that plain data needs (unpickling.py): any other
name in a file ends the conversion.

STaRK-Prime is PrimeKG: it gets the same identifiers, relations and directions.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from backend.graphs.importers.primekg_words import (
    DISEASE_SOURCES,
    NO_TEXT,
    directed,
    identifiers_of,
    relation_between,
)
from backend.graphs.importers.unpickling import Refused, load_pickle, load_tensor
from backend.graphs.rows import Section

FILES = ("node_info.pkl", "edge_type_dict.pkl", "edge_index.pt", "edge_types.pt")
Record = dict[str, object]
Info = Mapping[object, object]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="stark_convert", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="STaRK's folder 'processed'")
    parser.add_argument("file", type=Path, help="the file of JSON lines to write")
    parser.add_argument("--name", default="prime", help="which knowledge base it is")
    options = parser.parse_args(arguments)
    missing = [name for name in FILES if not (options.folder / name).is_file()]
    if missing:
        sys.stderr.write(f"{options.folder} has no {', '.join(missing)}.\n")
        return 1
    part = options.file.with_name(options.file.name + ".part")
    try:
        nodes, edges = _write(options.folder, part, options.name)
    except Refused as refused:
        part.unlink(missing_ok=True)
        sys.stderr.write(f"{refused}\n")
        return 1
    part.replace(options.file)
    sys.stdout.write(f"{nodes:,} nodes and {edges:,} edges are in {options.file}.\n")
    return 0


def _write(folder: Path, file: Path, name: str) -> tuple[int, int]:
    info = _dictionary(load_pickle(folder / "node_info.pkl"), "node_info.pkl")
    nodes = edges = 0
    with file.open("w", encoding="utf-8") as out:
        out.write(json.dumps({"stark": 1, "name": name}) + "\n")
        for index in info:
            out.write(_line("node", node_of(index, _dictionary(info[index], f"node {index}"))))
            nodes += 1
        for edge in _edges(folder, info):
            out.write(_line("edge", edge))
            edges += 1
    return nodes, edges


def _line(kind: str, record: Record) -> str:
    # A lone half of a surrogate pair, which UTF-8 has not, stays an escape: the import tells of it.
    return json.dumps({kind: record}) + "\n"


def _dictionary(value: object, what: str) -> Info:
    if not isinstance(value, dict):
        raise Refused(f"{what} is no dictionary.")
    return value


def node_of(index: object, info: Info) -> Record:
    """An entity as the import reads it."""
    found = _identifiers(index, info)
    details = info.get("details")
    return {
        "id": found[0],
        "type": str(info.get("type", "")),
        "name": str(info.get("name", "")),
        "synonyms": _texts(details.get("alias")) if isinstance(details, dict) else [],
        "xrefs": list(found[1:]),
        "document": [asdict(section) for section in _document(info, details)],
    }


def _identifiers(index: object, info: Info) -> tuple[str, ...]:
    """PrimeKG's identifiers; the place in STaRK's own list where a base has none."""
    written = identifiers_of(str(info.get("source", "")), str(info.get("id", "")))
    return written or (f"STARK:{index}",)


def _document(info: Info, details: object) -> Iterator[Section]:
    if not isinstance(details, dict):
        return
    for key, value in details.items():
        text = "\n".join(_texts(value))
        if not text or key in NO_TEXT or key == "alias":
            continue
        first, _, rest = str(key).partition("_")
        source = DISEASE_SOURCES.get(first, str(info.get("source", "")))
        words = rest if first in DISEASE_SOURCES and rest else str(key)
        yield Section(words.replace("_", " ").capitalize(), text, source)


def _texts(value: object) -> list[str]:
    """What there is to read in a value: pandas' NaN and nothing are nothing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return []
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, dict):
        return [f"{key}: {text}" for key, item in value.items() for text in _texts(item)]
    text = str(value)
    return [text] if text and text != "nan" else []


def _edges(folder: Path, info: Info) -> Iterator[Record]:
    names = _dictionary(load_pickle(folder / "edge_type_dict.pkl"), "edge_type_dict.pkl")
    index, types = load_tensor(folder / "edge_index.pt"), load_tensor(folder / "edge_types.pt")
    if index.ndim != 2 or len(index) != 2 or types.shape != index.shape[1:]:
        raise Refused("edge_index.pt and edge_types.pt do not fit each other.")
    for source, target, kind in zip(*index.tolist(), types.tolist(), strict=True):
        if source not in info or target not in info or kind not in names:
            raise Refused(f"An edge leads from {source} to {target}, which are not both there.")
        ends = (_dictionary(info[source], "a node"), _dictionary(info[target], "a node"))
        yield edge_of((source, target), ends, str(names[kind]))


def edge_of(places: tuple[int, int], ends: tuple[Info, Info], display: str) -> Record:
    source, target = (_identifiers(at, info)[0] for at, info in zip(places, ends, strict=True))
    kinds = [str(info.get("type", "")) for info in ends]
    found = relation_between(display, *kinds)
    if found is None:
        return {"source": source, "relation": display, "target": target}
    name, swapped = found
    source, target = directed(name, source, target, swapped=swapped)
    return {"source": source, "relation": name, "target": target}


if __name__ == "__main__":
    sys.exit(main())
