"""Hetionet v1.0: nodes.tsv with edges.sif, or one JSON file. Both give the same graph.

Identifiers become standard CURIEs. A metaedge is the name of the relation ('CtD'). The sign in
`Gr>G` is the direction of the edge (G<rG is its inverse). Only the JSON file has sources,
publications and scores; its lists are streamed.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from backend.graphs.identifiers import make_curie
from backend.graphs.importers.common.base import (
    FileSample,
    FileSource,
    GraphFormat,
    ImportOptions,
    Roles,
    SourceRow,
    build_rows,
    relation_table,
    require_role,
    role_sets,
)
from backend.graphs.importers.common.delimited_reader import DelimitedTable, TableRow
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.json_stream import JsonItem, json_reader
from backend.graphs.importers.common.record_builder import RecordBuilder, excerpt
from backend.graphs.importers.common.text_cache import cache_short_texts
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section

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

# metaedge, kind of its source, verb in the JSON file, kind of its target, phrases both ways
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
METAEDGE_KINDS = {row[0]: (row[1], row[3]) for row in METAEDGES}
METAEDGE_BY_WORDS = {(row[1], row[2], row[3]): row[0] for row in METAEDGES}
RELATIONS = relation_table(
    *((it[0], it[4]) if it[0] in SYMMETRIC else (it[0], it[4], it[5]) for it in METAEDGES)
)
NODE_COLUMNS = ("id", "name", "kind")
EDGE_COLUMNS = ("source", "metaedge", "target")


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    if sample.tab_cells == NODE_COLUMNS:
        return "nodes"
    if sample.tab_cells == EDGE_COLUMNS:
        return "edges"
    return "json" if sample.is_object and b'"metanode_kinds"' in sample.head else None


def open_hetionet(roles: Roles, options: ImportOptions) -> FileSource:
    if files := roles.get("json"):
        readers = json_reader(_json_node, "nodes"), json_reader(_json_edge, "edges")
        return FileSource(files, files, *readers, lambda: RELATIONS)
    nodes = require_role(roles, "nodes", "There is no nodes.tsv (id, name, kind).")
    edges = require_role(roles, "edges", "There is no edges.sif (source, metaedge, target).")
    readers = _table_reader(_table_node), _table_reader(_table_edge)
    return FileSource(nodes, edges, *readers, lambda: RELATIONS)


@cache_short_texts(65_536)
def make_identifier(kind: str, raw: str) -> str | None:
    """The CURIE of a Hetionet identifier: 'Gene', '9021' is NCBIGene:9021."""
    prefix = PREFIXES.get(kind)
    if prefix is None or not raw:
        return None
    if kind == "Pathway" and raw.startswith("WP"):
        prefix = "WIKIPATHWAYS"
    return make_curie(prefix, raw)


def orient_metaedge(metaedge: str, kinds: tuple[str, str]) -> tuple[str, bool] | None:
    """The relation of a metaedge, and whether its ends must be swapped; None if unknown."""
    back = metaedge.partition("<r")
    if metaedge not in METAEDGE_KINDS and back[1]:
        metaedge = f"{back[2]}r>{back[0]}"
        return (metaedge, True) if METAEDGE_KINDS.get(metaedge) == kinds else None
    expected = METAEDGE_KINDS.get(metaedge)
    if expected is None or kinds not in (expected, expected[::-1]):
        return None
    return metaedge, kinds != expected


def _table_reader(
    make: Callable[[RecordBuilder, TableRow], SourceRow | MalformedRow],
) -> Callable[[InputFile], Iterator[SourceRow | MalformedRow]]:
    def read(file: InputFile) -> Iterator[SourceRow | MalformedRow]:
        table = DelimitedTable(file)
        return build_rows(table, partial(make, table.builder))

    return read


def _table_node(maker: RecordBuilder, row: TableRow) -> NodeRow | MalformedRow:
    whole, name, kind = row.cells
    written, mark, raw = whole.partition("::")
    identifier = make_identifier(kind, raw) if mark and written == kind else None
    if identifier is None:
        return maker.malformed_row(row.line, "identifier", f"{whole} of the kind {kind}")
    return maker.build_node(row.line, identifier, kind, name)


def _table_edge(maker: RecordBuilder, row: TableRow) -> EdgeRow | MalformedRow:
    source, metaedge, target = row.cells
    source_kind, _, source_raw = source.partition("::")
    target_kind, _, target_raw = target.partition("::")
    ends = make_identifier(source_kind, source_raw), make_identifier(target_kind, target_raw)
    oriented = orient_metaedge(metaedge, (source_kind, target_kind))
    return _build_edge(maker, row.line, ends, oriented, f"{source} {metaedge} {target}", {})


def _build_edge(
    maker: RecordBuilder,
    line: int,
    ends: tuple[str | None, str | None],
    oriented: tuple[str, bool] | None,
    written: str,
    data: Mapping[str, object],
) -> EdgeRow | MalformedRow:
    source, target = ends
    if source is None or target is None:
        return maker.malformed_row(line, "identifier", written)
    if oriented is None:
        return maker.malformed_row(line, "relation", written)
    relation, swapped = oriented
    if swapped:
        source, target = target, source
    return maker.build_edge(
        line,
        source,
        relation,
        target,
        score=_number_value(data.get("z_score")),
        evidence=", ".join(_text_values(data, "source", "sources")),
        p_value=_number_value(data.get("p_fisher")),
        publications=(
            *(make_curie("PMID", number) for number in _text_values(data, "pubmed_ids")),
            *_text_values(data, "url", "urls"),
        ),
    )


def _json_node(maker: RecordBuilder, item: JsonItem) -> NodeRow | MalformedRow:
    node = item.value if isinstance(item.value, dict) else {}
    kind, name, data = node.get("kind"), node.get("name"), node.get("data", {})
    if not (isinstance(kind, str) and isinstance(name, str) and isinstance(data, dict)):
        return maker.malformed_row(
            item.line, "json", f"nodes[{item.index}] {excerpt(str(item.value))}"
        )
    identifier = make_identifier(kind, _identifier_text(node.get("identifier")))
    if identifier is None:
        return maker.malformed_row(
            item.line, "identifier", f"{node.get('identifier')} of the kind {kind}"
        )
    return maker.build_node(
        item.line,
        identifier,
        kind,
        name,
        xrefs=tuple(_xrefs(data, identifier)),
        document=tuple(
            Section("Description", text, ", ".join(_text_values(data, "source")))
            for text in _text_values(data, "description")
        ),
    )


def _json_edge(maker: RecordBuilder, item: JsonItem) -> EdgeRow | MalformedRow:
    edge = item.value if isinstance(item.value, dict) else {}
    ends = [_parse_end(edge.get(name)) for name in ("source_id", "target_id")]
    data, kind = edge.get("data", {}), edge.get("kind")
    written = f"edges[{item.index}] {excerpt(str(item.value))}"
    if None in ends or not isinstance(data, dict) or not isinstance(kind, str):
        return maker.malformed_row(item.line, "json", written)
    (source_kind, source), (target_kind, target) = (end or ("", "") for end in ends)
    both = (source_kind, target_kind)
    backward = edge.get("direction") == "backward"
    relation = METAEDGE_BY_WORDS.get((both[0], kind, both[1])) or METAEDGE_BY_WORDS.get(
        (both[1], kind, both[0])
    )
    oriented = orient_metaedge(relation, both) if relation else None
    if oriented and backward:
        oriented = oriented[0], not oriented[1]
    identifiers = make_identifier(source_kind, source), make_identifier(target_kind, target)
    return _build_edge(maker, item.line, identifiers, oriented, written, data)


def _parse_end(pair: object) -> tuple[str, str] | None:
    if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str):
        return pair[0], _identifier_text(pair[1])
    return None


def _identifier_text(identifier: object) -> str:
    """The text of an identifier, which is a number or a string in JSON."""
    is_number = isinstance(identifier, int) and not isinstance(identifier, bool)
    return str(identifier) if is_number or isinstance(identifier, str) else ""


def _xrefs(data: Mapping[str, object], own: str) -> Iterator[str]:
    for key, prefix in (("mesh_id", "MESH"), ("bto_id", "BTO")):
        for text in _text_values(data, key):
            if (xref := make_curie(prefix, text)) != own:
                yield xref


def _text_values(data: Mapping[str, object], *keys: str) -> list[str]:
    """The texts under the keys, each of which has one value or a list."""
    listed = [value for key in keys for value in _as_list(data.get(key))]
    return [text for text in map(_identifier_text, listed) if text]


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _number_value(value: object) -> float | str | None:
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else None


FORMAT = GraphFormat(
    name="hetionet",
    title="Hetionet",
    description=(
        "Each metaedge is a relation (`CtD`); only the JSON file has sources, publications "
        "and scores."
    ),
    file_hint="nodes.tsv with edges.sif, or hetionet-v1.0.json; also compressed",
    required_roles=role_sets("nodes edges", "json"),
    role_of=role_of,
    open=open_hetionet,
)
