"""Convert STaRK's folder 'processed' into JSON lines for the import.

    python -m backend.graphs.importers.stark.convert FOLDER FILE.jsonl [--name prime]

FOLDER has node_info.pkl, node_type_dict.pkl, edge_type_dict.pkl, edge_index.pt and edge_types.pt.
Run it on the machine with the download, never on the server. The pickles are loaded by a
restricted unpickler that allows only plain data (safe_pickle.py); any other name in a file ends
the conversion.

STaRK-Prime is PrimeKG: it gets the same identifiers, relations and directions. Every node has its
number in STaRK's files, by which queries name their answers, as `STARK:number`.
"""

import argparse
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from backend.graphs.importers.primekg.vocabulary import (
    DISEASE_SOURCES,
    NON_TEXT_COLUMNS,
    find_relation,
    make_identifiers,
    order_ends,
)
from backend.graphs.importers.stark.safe_pickle import PickleRefused, load_pickle, load_tensor
from backend.graphs.source_records import Section

FILES = ("node_info.pkl", "edge_type_dict.pkl", "edge_index.pt", "edge_types.pt")
JsonObject = dict[str, object]
Info = Mapping[object, object]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="stark.convert", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="STaRK's folder 'processed'")
    parser.add_argument("file", type=Path, help="the file of JSON lines to write")
    parser.add_argument("--name", default="prime", help="which knowledge base it is")
    options = parser.parse_args(arguments)
    missing = [name for name in FILES if not (options.folder / name).is_file()]
    if missing:
        sys.stderr.write(f"{options.folder} lacks {', '.join(missing)}.\n")
        return 1
    part = options.file.with_name(options.file.name + ".part")
    try:
        nodes, edges = _write(options.folder, part, options.name)
    except PickleRefused as refused:
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
            out.write(_line("node", convert_node(index, _dictionary(info[index], f"node {index}"))))
            nodes += 1
        for edge in _edges(folder, info):
            out.write(_line("edge", edge))
            edges += 1
    return nodes, edges


def _line(kind: str, record: JsonObject) -> str:
    # ASCII output: a lone surrogate, invalid in UTF-8, stays an escape that the import reports.
    return json.dumps({kind: record}) + "\n"


def _dictionary(value: object, what: str) -> Info:
    if not isinstance(value, dict):
        raise PickleRefused(f"{what} is not a dictionary.")
    return value


def convert_node(index: object, info: Info) -> JsonObject:
    identifiers = _identifiers(index, info)
    details = info.get("details")
    return {
        "id": identifiers[0],
        "type": str(info.get("type", "")),
        "name": str(info.get("name", "")),
        "synonyms": _texts(details.get("alias")) if isinstance(details, dict) else [],
        "xrefs": list(identifiers[1:]),
        "document": [asdict(section) for section in _document(info, details)],
    }


def _identifiers(index: object, info: Info) -> tuple[str, ...]:
    """PrimeKG's identifiers, if the knowledge base has them, then STaRK's number."""
    written = make_identifiers(str(info.get("source", "")), str(info.get("id", "")))
    return (*written, f"STARK:{index}")


def _document(info: Info, details: object) -> Iterator[Section]:
    if not isinstance(details, dict):
        return
    for key, value in details.items():
        text = "\n".join(_texts(value))
        if not text or key in NON_TEXT_COLUMNS or key == "alias":
            continue
        first, _, rest = str(key).partition("_")
        source = DISEASE_SOURCES.get(first, str(info.get("source", "")))
        words = rest if first in DISEASE_SOURCES and rest else str(key)
        yield Section(words.replace("_", " ").capitalize(), text, source)


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


def _edges(folder: Path, info: Info) -> Iterator[JsonObject]:
    names = _dictionary(load_pickle(folder / "edge_type_dict.pkl"), "edge_type_dict.pkl")
    index, types = load_tensor(folder / "edge_index.pt"), load_tensor(folder / "edge_types.pt")
    if index.ndim != 2 or len(index) != 2 or types.shape != index.shape[1:]:
        raise PickleRefused("edge_index.pt and edge_types.pt have shapes that do not match.")
    for source, target, kind in zip(*index.tolist(), types.tolist(), strict=True):
        if source not in info or target not in info or kind not in names:
            raise PickleRefused(
                f"An edge from {source} to {target} has an unknown node or relation type."
            )
        ends = (_dictionary(info[source], "a node"), _dictionary(info[target], "a node"))
        yield convert_edge((source, target), ends, str(names[kind]))


def convert_edge(places: tuple[int, int], ends: tuple[Info, Info], display: str) -> JsonObject:
    source, target = (_identifiers(at, info)[0] for at, info in zip(places, ends, strict=True))
    kinds = [str(info.get("type", "")) for info in ends]
    relation = find_relation(display, *kinds)
    if relation is None:
        return {"source": source, "relation": display, "target": target}
    name, swapped = relation
    source, target = order_ends(name, source, target, swapped=swapped)
    return {"source": source, "relation": name, "target": target}


if __name__ == "__main__":
    sys.exit(main())
