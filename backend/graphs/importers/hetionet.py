"""Hetionet v1.0: nodes.tsv with edges.sif, or one JSON file. Both give the same graph.

The identifiers become the field's own CURIEs. A metaedge is the relation's name ('CtD'). In
`Gr>G` the mark says which way the edge goes (G<rG is the same the other way round). The JSON
file alone has sources, publications and scores. Its lists are read item by item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from backend.graphs.identifiers import curie
from backend.graphs.importers.files import InputFile
from backend.graphs.importers.making import Maker, excerpt
from backend.graphs.importers.reading import Cells, Table
from backend.graphs.importers.sources import (
    Options,
    Roles,
    Sample,
    relation_table,
    required,
    rows_of,
)
from backend.graphs.importers.streams import Item, json_items
from backend.graphs.rows import EdgeRow, Malformed, NodeRow, Section

PREFIXES = {
    "Anatomy": "UBERON",
    "Biological Process": "GO",
    "Cellular Component": "GO",
    "Compound": "DRUGBANK",
    "Disease": "DOID",
    "Gene": "NCBIGene",
    "Molecular Function": "GO",
    "Pathway": "PC7",
    "Pharmacologic Class": "NDFRT",
    "Side Effect": "UMLS",
    "Symptom": "MESH",
}

# metaedge, kinds of its ends, the word of the JSON file, and how it is said both ways
METAEDGES = (
    ("AdG", "Anatomy", "downregulates", "Gene", "downregulates", "is downregulated in"),
    ("AeG", "Anatomy", "expresses", "Gene", "expresses", "is expressed in"),
    ("AuG", "Anatomy", "upregulates", "Gene", "upregulates", "is upregulated in"),
    ("CbG", "Compound", "binds", "Gene", "binds the product of", "has a product bound by"),
    ("CcSE", "Compound", "causes", "Side Effect", "can cause", "can be caused by"),
    ("CdG", "Compound", "downregulates", "Gene", "downregulates", "is downregulated by"),
    ("CpD", "Compound", "palliates", "Disease", "palliates", "is palliated by"),
    ("CrC", "Compound", "resembles", "Compound", "resembles", "resembles"),
    ("CtD", "Compound", "treats", "Disease", "treats", "is treated by"),
    ("CuG", "Compound", "upregulates", "Gene", "upregulates", "is upregulated by"),
    ("DaG", "Disease", "associates", "Gene", "is associated with", "is associated with"),
    ("DdG", "Disease", "downregulates", "Gene", "downregulates", "is downregulated in"),
    ("DlA", "Disease", "localizes", "Anatomy", "is located in", "is the site of"),
    ("DpS", "Disease", "presents", "Symptom", "presents with", "is a symptom of"),
    ("DrD", "Disease", "resembles", "Disease", "resembles", "resembles"),
    ("DuG", "Disease", "upregulates", "Gene", "upregulates", "is upregulated in"),
    ("GcG", "Gene", "covaries", "Gene", "covaries with", "covaries with"),
    ("GiG", "Gene", "interacts", "Gene", "interacts with", "interacts with"),
    ("GpBP", "Gene", "participates", "Biological Process", "takes part in", "involves"),
    ("GpCC", "Gene", "participates", "Cellular Component", "is active in", "is a place of"),
    ("GpMF", "Gene", "participates", "Molecular Function", "has the function", "is a function of"),
    ("GpPW", "Gene", "participates", "Pathway", "takes part in", "involves"),
    ("Gr>G", "Gene", "regulates", "Gene", "regulates", "is regulated by"),
    ("PCiC", "Pharmacologic Class", "includes", "Compound", "includes", "belongs to"),
)
SYMMETRIC = {"CrC", "DrD", "GcG", "GiG"}
KINDS = {row[0]: (row[1], row[3]) for row in METAEDGES}
BY_WORDS = {(row[1], row[2], row[3]): row[0] for row in METAEDGES}
RELATIONS = relation_table(
    *((it[0], it[4]) if it[0] in SYMMETRIC else (it[0], it[4], it[5]) for it in METAEDGES)
)
NODES = ("id", "name", "kind")
EDGES = ("source", "metaedge", "target")


def role_of(sample: Sample, options: Options) -> str | None:
    if sample.tabbed == NODES:
        return "nodes"
    if sample.tabbed == EDGES:
        return "edges"
    return "json" if sample.is_object and b'"metanode_kinds"' in sample.head else None


def open_hetionet(roles: Roles, options: Options) -> HetionetTables | HetionetJson:
    if roles.get("json"):
        return HetionetJson(roles["json"])
    nodes = required(roles, "nodes", "There is no nodes.tsv (id, name, kind).")
    edges = required(roles, "edges", "There is no edges.sif (source, metaedge, target).")
    return HetionetTables(nodes, edges)


@lru_cache(maxsize=65_536)
def identifier_of(kind: str, raw: str) -> str | None:
    """The CURIE of Hetionet's own identifier: 'Gene', '9021' is NCBIGene:9021."""
    prefix = PREFIXES.get(kind)
    if prefix is None or not raw:
        return None
    if kind == "Pathway" and raw.startswith("WP"):
        prefix = "WIKIPATHWAYS"
    return curie(prefix, raw)


def turned(metaedge: str, kinds: tuple[str, str]) -> tuple[str, bool] | None:
    """The relation of a metaedge, and whether the ends change places; None if there is none."""
    back = metaedge.partition("<r")
    if metaedge not in KINDS and back[1]:
        metaedge = f"{back[2]}r>{back[0]}"
        return (metaedge, True) if KINDS.get(metaedge) == kinds else None
    expected = KINDS.get(metaedge)
    if expected is None or kinds not in (expected, expected[::-1]):
        return None
    return metaedge, kinds != expected


@dataclass
class HetionetTables:
    node_files: Sequence[InputFile]
    edge_files: Sequence[InputFile]
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        for file in self.node_files:
            table = Table(file)
            yield from rows_of(table, partial(_node, table.maker))

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        for file in self.edge_files:
            table = Table(file)
            yield from rows_of(table, partial(_edge, table.maker))


def _node(maker: Maker, row: Cells) -> NodeRow | Malformed:
    whole, name, kind = row.cells
    written, mark, raw = whole.partition("::")
    identifier = identifier_of(kind, raw) if mark and written == kind else None
    if identifier is None:
        return maker.drop(row.line, "identifier", f"{whole} of the kind {kind}")
    return maker.node(row.line, identifier, kind, name)


def _edge(maker: Maker, row: Cells) -> EdgeRow | Malformed:
    source, metaedge, target = row.cells
    source_kind, _, source_raw = source.partition("::")
    target_kind, _, target_raw = target.partition("::")
    ends = identifier_of(source_kind, source_raw), identifier_of(target_kind, target_raw)
    found = turned(metaedge, (source_kind, target_kind))
    return _made(maker, row.line, ends, found, f"{source} {metaedge} {target}", {})


def _made(
    maker: Maker,
    line: int,
    ends: tuple[str | None, str | None],
    found: tuple[str, bool] | None,
    written: str,
    data: Mapping[str, object],
) -> EdgeRow | Malformed:
    source, target = ends
    if source is None or target is None:
        return maker.drop(line, "identifier", written)
    if found is None:
        return maker.drop(line, "relation", written)
    relation, swapped = found
    if swapped:
        source, target = target, source
    return maker.edge(
        line,
        source,
        relation,
        target,
        score=_float(data.get("z_score")),
        evidence=", ".join(_texts(data, "source", "sources")),
        p_value=_float(data.get("p_fisher")),
        publications=(
            *(curie("PMID", number) for number in _texts(data, "pubmed_ids")),
            *_texts(data, "url", "urls"),
        ),
    )


@dataclass
class HetionetJson:
    files: Sequence[InputFile]
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        for file in self.files:
            maker = Maker(file.name, file.limits)
            for item in json_items(file, "nodes"):
                yield _json_node(maker, item)

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        for file in self.files:
            maker = Maker(file.name, file.limits)
            for item in json_items(file, "edges"):
                yield _json_edge(maker, item)


def _json_node(maker: Maker, item: Item) -> NodeRow | Malformed:
    found = item.value if isinstance(item.value, dict) else {}
    kind, name, data = found.get("kind"), found.get("name"), found.get("data", {})
    if not (isinstance(kind, str) and isinstance(name, str) and isinstance(data, dict)):
        return maker.drop(item.line, "json", f"nodes[{item.index}] {excerpt(str(item.value))}")
    identifier = identifier_of(kind, _raw(found.get("identifier")))
    if identifier is None:
        return maker.drop(item.line, "identifier", f"{found.get('identifier')} of the kind {kind}")
    return maker.node(
        item.line,
        identifier,
        kind,
        name,
        xrefs=tuple(_xrefs(data, identifier)),
        document=tuple(
            Section("Description", text, ", ".join(_texts(data, "source")))
            for text in _texts(data, "description")
        ),
    )


def _json_edge(maker: Maker, item: Item) -> EdgeRow | Malformed:
    found = item.value if isinstance(item.value, dict) else {}
    ends = [_end(found.get(name)) for name in ("source_id", "target_id")]
    data, kind = found.get("data", {}), found.get("kind")
    written = f"edges[{item.index}] {excerpt(str(item.value))}"
    if None in ends or not isinstance(data, dict) or not isinstance(kind, str):
        return maker.drop(item.line, "json", written)
    (source_kind, source), (target_kind, target) = (end or ("", "") for end in ends)
    both = (source_kind, target_kind)
    backward = found.get("direction") == "backward"
    relation = BY_WORDS.get((both[0], kind, both[1])) or BY_WORDS.get((both[1], kind, both[0]))
    oriented = turned(relation, both) if relation else None
    if oriented and backward:
        oriented = oriented[0], not oriented[1]
    identifiers = identifier_of(source_kind, source), identifier_of(target_kind, target)
    return _made(maker, item.line, identifiers, oriented, written, data)


def _end(pair: object) -> tuple[str, str] | None:
    if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str):
        return pair[0], _raw(pair[1])
    return None


def _raw(identifier: object) -> str:
    """Identifiers are numbers or texts, by kind."""
    is_number = isinstance(identifier, int) and not isinstance(identifier, bool)
    return str(identifier) if is_number or isinstance(identifier, str) else ""


def _xrefs(data: Mapping[str, object], own: str) -> Iterator[str]:
    for key, prefix in (("mesh_id", "MESH"), ("bto_id", "BTO")):
        for text in _texts(data, key):
            if (xref := curie(prefix, text)) != own:
                yield xref


def _texts(data: Mapping[str, object], *keys: str) -> list[str]:
    """The texts under the keys, whether each holds one or a list; numbers as they are written."""
    listed = [value for key in keys for value in _as_list(data.get(key))]
    return [text for text in map(_raw, listed) if text]


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _float(value: object) -> float | str | None:
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else None
