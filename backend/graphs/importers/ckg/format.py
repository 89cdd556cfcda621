"""The Clinical Knowledge Graph: the folder of tables that its builder loads into Neo4j.

A file with START_ID and END_ID has relationships, one with ID has entities; their kind follows
from the file name (vocabulary.py). Files of projects, subjects and users are ignored. Cells
are quoted, and a backslash makes the next character literal.

Scores, sources, publications, p-values and expression are imported. A prognosis of 0 means that
the Human Protein Atlas has none (CKG's parser fills the gap). Relationships that name a known
variant by its id in another database are resolved by a temporary database on disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from backend.graphs.identifiers import canonicalize, make_curie, scheme_of_curie
from backend.graphs.importers.ckg.vocabulary import (
    PREFIXES,
    RELATIONS,
    SPLIT_BY_COMMA,
    RelationshipRule,
    label_of_file,
    rule_of_file,
)
from backend.graphs.importers.common.base import (
    FileSample,
    GraphFormat,
    ImportOptions,
    Roles,
    build_rows,
    require_role,
    role_sets,
)
from backend.graphs.importers.common.delimited_reader import (
    DelimitedTable,
    Quoting,
    TableLayout,
    TableRow,
)
from backend.graphs.importers.common.disk_index import AliasIndex
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.text_cache import cache_short_texts
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section

ESCAPED_TSV = TableLayout("\t", Quoting.ESCAPED)
MISSING_VALUES = {"", "NA", "NR", "nan", "NaN", "None", "null"}
WORD_SEPARATOR = re.compile(r"[,;|\s\[\]'\"]+")
PUBMED = re.compile(r"(?:pubmed:|PMID:?)?([1-9]\d{0,8})", re.IGNORECASE)
XREF_PREFIXES = {
    "chebi_id": "CHEBI",
    "pubchem_compound_id": "PUBCHEM.COMPOUND",
    "food_id": "FOODB",
} | {
    "doi": "DOI",
    "pmcid": "PMC",
}
SECTION_TITLES = {
    "description": "Description",
    "indication": "Indication",
    "mechanism_of_action": "Mechanism of action",
    "pharmacodynamics": "Pharmacodynamics",
    "absorption": "Absorption",
    "metabolism": "Metabolism",
    "half_life": "Half-life",
    "route_of_elimination": "Route of elimination",
    "toxicity": "Toxicity",
}
EXPRESSION_COLUMNS = {"high": "expression_high", "medium": "expression_medium"} | {
    "low": "expression_low",
    "not detected": "not_detected",
}
PROGNOSIS_COLUMNS = {
    "favourable prognosis": "positive_prognosis_logrank_pvalue",
    "unfavourable prognosis": "negative_prognosis_logrank_pvalue",
}
LINK_COLUMN = "linkout"
PUBLICATION_COLUMNS = ("publication", "publications", "reference", LINK_COLUMN)
DOCUMENT_SOURCES = {"Drug": "DrugBank", "Metabolite": "HMDB", "Food": "FooDB", "Protein": "UniProt"}
ReadCell = Callable[[list[str], str], str]


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    columns = {name.strip('"') for name in sample.tab_cells}
    if {"START_ID", "END_ID"} <= columns:
        return "relationships" if rule_of_file(sample.name) else None
    return "entities" if "ID" in columns and label_of_file(sample.name) else None


def open_ckg(roles: Roles, options: ImportOptions) -> CkgSource:
    return CkgSource(
        require_role(roles, "entities", "There is no table of entities (ID, name)."),
        require_role(
            roles, "relationships", "There is no table of relationships (START_ID, END_ID)."
        ),
    )


@cache_short_texts(65_536)
def make_identifier(label: str, raw: str) -> str:
    """The CURIE of an identifier in the tables of a label; '' for a missing value."""
    if raw in MISSING_VALUES:
        return ""
    if scheme_of_curie(raw):
        return canonicalize(raw)
    prefix = PREFIXES[label]
    if label == "Pathway" and raw.startswith("SMP"):
        prefix = "SMPDB"
    return make_curie(prefix, raw)


@dataclass
class CkgSource:
    entity_files: Sequence[InputFile]
    edge_files: Sequence[InputFile]
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | MalformedRow]:
        for file in self.entity_files:
            table = DelimitedTable(file, ESCAPED_TSV)
            yield from build_rows(table, _entity_builder(table, label_of_file(file.name) or ""))

    def edges(self) -> Iterator[EdgeRow | MalformedRow]:
        with closing(AliasIndex()) as aliases:
            rules = [(file, rule) for file in self.edge_files if (rule := rule_of_file(file.name))]
            for column in sorted({rule.alias for _, rule in rules if rule.alias}):
                self._index_aliases(column, aliases)
            for file, rule in rules:
                table = DelimitedTable(file, ESCAPED_TSV)
                yield from build_rows(table, _edge_builder(table, rule, aliases))

    def _index_aliases(self, column: str, aliases: AliasIndex) -> None:
        """Index the ids of known variants in another database."""
        for file in self.entity_files:
            table = DelimitedTable(file, ESCAPED_TSV)
            other, own = table.get_column(column), table.column("ID")
            if label_of_file(file.name) != "Known_variant" or other is None:
                continue
            for row in table:
                if isinstance(row, TableRow) and row.cells[other] not in MISSING_VALUES:
                    identifier = make_identifier("Known_variant", row.cells[own])
                    aliases.put(f"{column} {row.cells[other]}", identifier)


def _cell_reader(table: DelimitedTable) -> ReadCell:
    """A function that reads a cell by column name: '' if the column or the value is missing."""
    places = {name: at for at, name in enumerate(table.header)}

    def read(cells: list[str], name: str) -> str:
        at = places.get(name)
        if at is None:
            return ""
        text = cells[at]
        return "" if text in MISSING_VALUES else text

    return read


def _entity_builder(
    table: DelimitedTable, label: str
) -> Callable[[TableRow], NodeRow | MalformedRow]:
    read, maker = _cell_reader(table), table.builder

    def make(row: TableRow) -> NodeRow | MalformedRow:
        cells = row.cells
        name = read(cells, "name") or read(cells, "title")
        return maker.build_node(
            row.line,
            make_identifier(label, read(cells, "ID")),
            label,
            name,
            synonyms=_synonyms(read, cells, label, name, maker.limits.name),
            xrefs=_xrefs(read, cells),
            document=_document(read, cells, label),
        )

    return make


def _synonyms(
    read: ReadCell, cells: list[str], label: str, name: str, longest: int
) -> tuple[str, ...]:
    """Distinct synonyms without the name; texts too long for a name are left out."""
    listed = read(cells, "synonyms")
    sign = "," if label in SPLIT_BY_COMMA else "|"
    more = [read(cells, "accession"), read(cells, "scientific_name")]
    synonyms = dict.fromkeys(
        [*listed.split(sign), *more, *read(cells, "alternative_names").split(",")]
    )
    return tuple(
        it for it in synonyms if it not in MISSING_VALUES and it != name and len(it) <= longest
    )


def _xrefs(read: ReadCell, cells: list[str]) -> tuple[str, ...]:
    xrefs = [
        make_curie(prefix, raw)
        for column, prefix in XREF_PREFIXES.items()
        if (raw := read(cells, column))
    ]
    external = read(cells, "external_id")
    if external.startswith("rs"):
        xrefs.append(make_curie("DBSNP", external))
    return tuple(dict.fromkeys(xrefs))


def _document(read: ReadCell, cells: list[str], label: str) -> tuple[Section, ...]:
    source = read(cells, "source") or DOCUMENT_SOURCES.get(label, "")
    return tuple(
        Section(title, text, source)
        for column, title in SECTION_TITLES.items()
        if (text := read(cells, column))
    )


def _edge_builder(
    table: DelimitedTable, rule: RelationshipRule, aliases: AliasIndex
) -> Callable[[TableRow], EdgeRow | MalformedRow]:
    read, maker = _cell_reader(table), table.builder
    start, end = table.column("START_ID"), table.column("END_ID")
    if rule.swapped:
        start, end = end, start
    is_grade = rule.start == "Clinically_relevant_variant"
    # There are 200 million rows, so missing columns are checked once per table, not per row.
    has_samples = not {*EXPRESSION_COLUMNS.values()}.isdisjoint(table.header)
    has_chance = not {*PROGNOSIS_COLUMNS.values(), "pvalue"}.isdisjoint(table.header)
    papers = [column for column in PUBLICATION_COLUMNS if column in table.header]

    def source_of(raw: str) -> str:
        known = aliases.get(f"{rule.alias} {raw}") if rule.alias else None
        return known or make_identifier(rule.start, raw)

    def make(row: TableRow) -> EdgeRow | MalformedRow:
        cells = row.cells
        # A variant's 'score' for a disease is a grade in letters.
        score, level = read(cells, "score"), _expression(read, cells) if has_samples else ""
        chance, prognosis = _prognosis(read, cells) if has_chance else ("", "")
        return maker.build_edge(
            row.line,
            source_of(cells[start]),
            rule.relation,
            make_identifier(rule.end, cells[end]),
            score=None if is_grade else score,
            evidence=_evidence(read, cells, prognosis),
            level=score if is_grade else level,
            p_value=chance,
            publications=_publications(read, cells, papers) if papers else (),
        )

    return make


def _expression(read: ReadCell, cells: list[str]) -> str:
    """Counts of samples by level of expression: 'high 3, medium 5, low 2, not detected 1'."""
    counted = [(word, read(cells, column)) for word, column in EXPRESSION_COLUMNS.items()]
    return ", ".join(f"{word} {count.removesuffix('.0')}" for word, count in counted if count)


def _prognosis(read: ReadCell, cells: list[str]) -> tuple[str, str]:
    """The p-value of the row, and the prognosis that it is about, if any."""
    for words, column in PROGNOSIS_COLUMNS.items():
        value = read(cells, column)
        if value and value.strip("0.") != "":
            return value, words
    return read(cells, "pvalue"), ""


def _evidence(read: ReadCell, cells: list[str], prognosis: str) -> str:
    kinds = [kind for kind in (read(cells, "evidence_type"), prognosis) if kind]
    source = read(cells, "source")
    return f"{source} ({', '.join(kinds)})" if source and kinds else source or ", ".join(kinds)


def _publications(read: ReadCell, cells: list[str], columns: Sequence[str]) -> tuple[str, ...]:
    """PubMed ids, DOIs and URLs; other text in these columns is no publication."""
    curies = []
    for column in columns:
        text = read(cells, column)
        if column == LINK_COLUMN:
            curies += [text] if text else []
            continue
        for word in WORD_SEPARATOR.split(text):
            if number := PUBMED.fullmatch(word):
                curies.append(make_curie("PMID", number[1]))
            elif word.startswith("10.") and "/" in word:
                curies.append(make_curie("DOI", word))
    return tuple(dict.fromkeys(curies))


FORMAT = GraphFormat(
    name="ckg",
    title="Clinical Knowledge Graph",
    description=(
        "The file name gives the relation, not its column TYPE; projects, subjects and users "
        "are ignored."
    ),
    file_hint=(
        "the folder of its import files, each with its own name (Protein.tsv, dgidb_targets.tsv)"
    ),
    required_roles=role_sets("entities relationships"),
    role_of=role_of,
    open=open_ckg,
)
