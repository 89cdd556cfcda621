"""OptimusKG (arXiv 2604.27269): the Parquet files that its pipeline exports.

The columns are those of its repository mims-harvard/OptimusKG, commit 2e02615: the pages 'Nodes'
and 'Edges' of docs/content/docs/graph-schema, the exporter
optimuskg/pipelines/gold/export_formats/parquet.py, and the typed schemas of
conf/base/catalog/silver.

- Nodes have id, label and properties; edges from, to, label, relation, undirected and properties.
- In nodes.parquet and edges.parquet, and in those of the largest connected component, `properties`
  is JSON; in nodes/gene.parquet, edges/drug_disease.parquet and so on it is a structure. Both give
  the same graph. Exported without properties, entities have only identifiers.
- Identifiers become CURIEs: MONDO_0005148, ENSG00000012048, DB00945, CHEMBL25, R-HSA-109581.
- `undirected` is not read: it differs between edges of one relation (ASSOCIATED_WITH). A relation
  is symmetric here if its statement is.
- An edge's provenance is its evidence (the databases, and those that these have it from), score,
  level (phase of the trial, quality of the call, codes of the annotation), publications (trials,
  articles, URLs) and the year of its first article. Other properties of edges are not imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from backend.graphs.importers.common.base import (
    FileSample,
    FileSource,
    GraphFormat,
    ImportOptions,
    Roles,
    SourceRow,
    role_sets,
)
from backend.graphs.importers.common.input_files import FileRefused, InputFile
from backend.graphs.importers.common.parquet_reader import (
    PARQUET,
    ParquetRow,
    read_column_names,
    read_parquet,
)
from backend.graphs.importers.common.record_builder import RecordBuilder
from backend.graphs.importers.optimuskg.properties import (
    JsonObject,
    PropertyFault,
    parse_properties,
    read_number,
    read_pairs,
    read_sources,
    read_text,
    read_texts,
)
from backend.graphs.importers.optimuskg.vocabulary import (
    RELATIONS,
    TYPES,
    VOCABULARY,
    make_identifier,
    make_publication,
    make_xref,
)
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section

NODE_COLUMNS = ("id", "label")
EDGE_COLUMNS = ("from", "to", "relation")
PROPERTIES = "properties"
XREFS = ("xrefs", "associated_proteins")
NODE_PROPERTIES = (
    *("sources", "symbol", *VOCABULARY.synonyms, *XREFS, "umls_cui"),
    *(name for name, _ in VOCABULARY.sections),
)
EDGE_PROPERTIES = (
    *("sources", "highest_clinical_trial_phase", "year_initial"),
    *(*VOCABULARY.scores, *VOCABULARY.levels, *VOCABULARY.references),
)
BuildRow = Callable[[RecordBuilder, ParquetRow], SourceRow | MalformedRow]


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    """By the name, as the columns are at the end of a file; 'table' if the name states neither."""
    if not sample.head.startswith(PARQUET):
        return None
    *folders, name = sample.name.removesuffix(".parquet").casefold().split("/")
    for role in ("nodes", "edges"):
        if role in folders or name == role or name.endswith(f"_{role}"):
            return role
    return "table"


def open_optimuskg(roles: Roles, options: ImportOptions) -> FileSource:
    nodes, edges = [*roles.get("nodes", ())], [*roles.get("edges", ())]
    for file in roles.get("table", ()):
        (nodes if _has_nodes(file) else edges).append(file)
    if not nodes:
        detail = "There is no Parquet file of nodes (id, label)."
        raise FileRefused("files", detail, code="missing_file")
    return FileSource(
        nodes,
        edges,
        partial(_read_rows, NODE_COLUMNS, NODE_PROPERTIES, _build_node),
        partial(_read_rows, EDGE_COLUMNS, EDGE_PROPERTIES, _build_edge),
        lambda: RELATIONS,
    )


def _has_nodes(file: InputFile) -> bool:
    names = {*read_column_names(file)}
    if names >= {*EDGE_COLUMNS}:
        return False
    if names >= {*NODE_COLUMNS}:
        return True
    detail = f"{file.name} has neither the columns of nodes nor those of edges."
    expected = f"{', '.join(NODE_COLUMNS)}; or {', '.join(EDGE_COLUMNS)}"
    raise FileRefused(file.name, detail, code="columns", expected=expected)


def _read_rows(
    columns: tuple[str, ...],
    members: tuple[str, ...],
    build: BuildRow[SourceRow],
    file: InputFile,
) -> Iterator[SourceRow | MalformedRow]:
    maker = RecordBuilder(file.name, file.limits)
    rows = read_parquet(file, columns, optional=(PROPERTIES,), nested={PROPERTIES: members})
    for row in rows:
        try:
            yield build(maker, row)
        except PropertyFault as fault:
            yield maker.malformed_row(row.number, fault.reason, fault.detail)


def _build_node(maker: RecordBuilder, row: ParquetRow) -> NodeRow | MalformedRow:
    raw, label, text = row.cells
    properties = parse_properties(text)
    symbol = read_text(properties, "symbol")
    names = [name for key in VOCABULARY.synonyms for name in read_texts(properties, key)]
    name = symbol or read_text(properties, "name")
    return maker.build_node(
        row.number,
        make_identifier(raw or ""),
        TYPES.get(label or "", label or ""),
        name,
        synonyms=tuple(it for it in dict.fromkeys(names) if it and it != name),
        xrefs=tuple(_xrefs(properties)),
        document=tuple(_sections(properties)),
    )


def _xrefs(properties: JsonObject) -> dict[str, None]:
    pairs = [pair for name in XREFS for pair in read_pairs(properties, name)]
    concept = read_text(properties, "umls_cui")
    pairs += [(concept, "UMLS")] if concept else []
    return dict.fromkeys(make_xref(*pair) for pair in pairs if pair[0])


def _sections(properties: JsonObject) -> Iterator[Section]:
    source = ", ".join(read_sources(properties)[0])
    for name, title in VOCABULARY.sections:
        text = "\n".join(filter(None, read_texts(properties, name)))
        if text:
            yield Section(title, text, source)


def _build_edge(maker: RecordBuilder, row: ParquetRow) -> EdgeRow | MalformedRow:
    source, target, relation, text = row.cells
    properties = parse_properties(text)
    direct, indirect = read_sources(properties)
    written = [it for key in VOCABULARY.references for it in read_texts(properties, key)]
    # CTD states the articles of exposures as numbers, without 'PMID:'.
    is_article = indirect == ["PUBMED"] or "CTD" in direct
    publications = dict.fromkeys(
        make_publication(it, is_article=is_article) for it in written if it
    )
    return maker.build_edge(
        row.number,
        *_order_ends(make_identifier(source or ""), relation or "", make_identifier(target or "")),
        score=read_number(properties, *VOCABULARY.scores),
        evidence=_evidence(direct, indirect),
        level=_level(properties),
        publications=tuple(publications),
        first_year=read_text(properties, "year_initial") or None,
    )


def _order_ends(source: str, relation: str, target: str) -> tuple[str, str, str]:
    is_symmetric = relation in RELATIONS and RELATIONS[relation].symmetric
    swapped = is_symmetric and target < source
    return (target, relation, source) if swapped else (source, relation, target)


def _evidence(direct: list[str], indirect: list[str]) -> str:
    """'OPEN_TARGETS (from CLINICAL_TRIALS)'."""
    named, origin = ", ".join(direct), ", ".join(indirect)
    return f"{named} (from {origin})" if named and origin else named or origin


def _level(properties: JsonObject) -> str:
    phase = read_number(properties, "highest_clinical_trial_phase")
    if phase is not None:
        return f"phase {phase:g}"
    lists = (", ".join(read_texts(properties, name)) for name in VOCABULARY.levels)
    return next(filter(None, lists), "")


FORMAT = GraphFormat(
    name="optimuskg",
    title="OptimusKG",
    description=(
        "Provenance of edges: databases, score, phase, trials and articles, and first year."
    ),
    file_hint="nodes.parquet with edges.parquet, or the files of the folders nodes and edges",
    required_roles=role_sets("nodes edges", "nodes table", "table edges", "table"),
    role_of=role_of,
    open=open_optimuskg,
)
