"""Convert STaRK's folder 'processed' into JSON lines for the import.

    python -m backend.graphs.importers.stark.convert FOLDER FILE.jsonl [--name prime]

FOLDER has node_info.pkl, edge_type_dict.pkl, edge_index.pt and edge_types.pt. That of STaRK-Amazon
(`processed/cache/brand-category-color`) also has node_types.pt and node_type_dict.pkl, the types of
its entities. That of STaRK-MAG has no edge_type_dict.pkl; `--name mag` stands for it.
Run it on the machine with the download, never on the server. The pickles are loaded by a
restricted unpickler that allows only plain data (safe_pickle.py); any other name in a file ends
the conversion.

STaRK-Prime is PrimeKG: it gets the same identifiers, relations and directions. Every node has its
number in STaRK's files, by which queries name their answers, as `STARK:number`.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backend.graphs.importers.primekg.vocabulary import find_relation, order_ends
from backend.graphs.importers.stark.node_records import (
    Info,
    JsonObject,
    convert_node,
    make_node_identifiers,
)
from backend.graphs.importers.stark.safe_pickle import PickleRefused, load_pickle, load_tensor

NODE_FILE, RELATION_FILE = "node_info.pkl", "edge_type_dict.pkl"
TYPE_FILES = ("node_types.pt", "node_type_dict.pkl")
FILES = (NODE_FILE, RELATION_FILE, "edge_index.pt", "edge_types.pt")
# Of knowledge bases whose files do not name them (stark_qa/skb/mag.py of STaRK's code).
RELATIONS_OF: Mapping[str, Info] = {
    "mag": {
        0: "author___affiliated_with___institution",
        1: "paper___cites___paper",
        2: "paper___has_topic___field_of_study",
        3: "author___writes___paper",
    }
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="stark.convert", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="STaRK's folder 'processed'")
    parser.add_argument("file", type=Path, help="the file of JSON lines to write")
    parser.add_argument("--name", default="prime", help="which knowledge base it is")
    options = parser.parse_args(arguments)
    needed = [one for one in FILES if one != RELATION_FILE or options.name not in RELATIONS_OF]
    missing = [name for name in needed if not (options.folder / name).is_file()]
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
    info = _dictionary(load_pickle(folder / NODE_FILE), NODE_FILE)
    types = _types(folder, len(info))
    nodes = edges = 0
    with file.open("w", encoding="utf-8") as out:
        out.write(json.dumps({"stark": 1, "name": name}) + "\n")
        for index in info:
            one, type_ = _dictionary(info[index], f"node {index}"), types.get(index, "")
            out.write(_line("node", convert_node(index, one, type_)))
            nodes += 1
        for edge in _edges(folder, info, _relations(folder, name), types):
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


def _types(folder: Path, nodes: int) -> Mapping[object, str]:
    """By the number of an entity; empty where entities state their own types."""
    if not all((folder / name).is_file() for name in TYPE_FILES):
        return {}
    numbers_file, names_file = TYPE_FILES
    names = _dictionary(load_pickle(folder / names_file), names_file)
    numbers = load_tensor(folder / numbers_file).tolist()
    if len(numbers) != nodes or not {*numbers} <= {*names}:
        raise PickleRefused(f"{numbers_file} does not have a known type for each node.")
    return {place: str(names[number]) for place, number in enumerate(numbers)}


def _relations(folder: Path, name: str) -> Info:
    if (folder / RELATION_FILE).is_file():
        return _dictionary(load_pickle(folder / RELATION_FILE), RELATION_FILE)
    return RELATIONS_OF[name]


def _edges(
    folder: Path, info: Info, names: Info, types: Mapping[object, str]
) -> Iterator[JsonObject]:
    index, kinds = load_tensor(folder / "edge_index.pt"), load_tensor(folder / "edge_types.pt")
    if index.ndim != 2 or len(index) != 2 or kinds.shape != index.shape[1:]:
        raise PickleRefused("edge_index.pt and edge_types.pt have shapes that do not match.")
    for source, target, kind in zip(*index.tolist(), kinds.tolist(), strict=True):
        if source not in info or target not in info or kind not in names:
            raise PickleRefused(
                f"An edge from {source} to {target} has an unknown node or relation type."
            )
        ends = (_dictionary(info[source], "a node"), _dictionary(info[target], "a node"))
        types_ = [
            types.get(place) or str(one.get("type", ""))
            for place, one in zip((source, target), ends, strict=True)
        ]
        yield convert_edge((source, target), ends, types_, str(names[kind]))


def convert_edge(
    places: tuple[int, int], ends: tuple[Info, Info], types: Sequence[str], display: str
) -> JsonObject:
    source, target = (
        make_node_identifiers(at, info)[0] for at, info in zip(places, ends, strict=True)
    )
    relation = find_relation(display, *types)
    if relation is None:
        return {"source": source, "relation": display, "target": target}
    name, swapped = relation
    source, target = order_ends(name, source, target, swapped=swapped)
    return {"source": source, "relation": name, "target": target}


if __name__ == "__main__":
    sys.exit(main())
