"""The Clinical Knowledge Graph: the folder of tables that its builder loads into Neo4j.

A file with START_ID and END_ID has relationships, one with ID has entities; which, its name says
(ckg_words.py). Files of projects, subjects and users have no such name and are left alone.
Cells are quoted, and a backslash takes the next character as it is.

Scores, sources, publications, p-values and expression are kept: a prognosis of 0 is one that the
Human Protein Atlas does not give (its parser fills the gap so). Relationships that call a known
variant by another database's name are joined to it through a table on the disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from backend.graphs.identifiers import canonical, curie, scheme_of
from backend.graphs.importers.ckg_words import (
    PREFIXES,
    RELATIONS,
    SPLIT_BY_COMMA,
    Rule,
    label_of,
    rule_of,
)
from backend.graphs.importers.files import InputFile
from backend.graphs.importers.reading import Cells, Layout, Quoting, Table
from backend.graphs.importers.sources import Options, Roles, Sample, required, rows_of
from backend.graphs.importers.spool import Aliases
from backend.graphs.rows import EdgeRow, Malformed, NodeRow, Section

LAYOUT = Layout("\t", Quoting.ESCAPED)
MISSING = {"", "NA", "NR", "nan", "NaN", "None", "null"}
WORDS = re.compile(r"[,;|\s\[\]'\"]+")
PUBMED = re.compile(r"(?:pubmed:|PMID:?)?([1-9]\d{0,8})", re.IGNORECASE)
LINKED = {"chebi_id": "CHEBI", "pubchem_compound_id": "PUBCHEM.COMPOUND", "food_id": "FOODB"} | {
    "doi": "DOI",
    "pmcid": "PMC",
}
DOCUMENT = {
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
EXPRESSION = {"high": "expression_high", "medium": "expression_medium"} | {
    "low": "expression_low",
    "not detected": "not_detected",
}
PROGNOSES = {
    "favourable prognosis": "positive_prognosis_logrank_pvalue",
    "unfavourable prognosis": "negative_prognosis_logrank_pvalue",
}
LINK = "linkout"
PAPERS = ("publication", "publications", "reference", LINK)
SOURCES = {"Drug": "DrugBank", "Metabolite": "HMDB", "Food": "FooDB", "Protein": "UniProt"}
Read = Callable[[list[str], str], str]


def role_of(sample: Sample, options: Options) -> str | None:
    columns = {name.strip('"') for name in sample.tabbed}
    if {"START_ID", "END_ID"} <= columns:
        return "relationships" if rule_of(sample.name) else None
    return "entities" if "ID" in columns and label_of(sample.name) else None


def open_ckg(roles: Roles, options: Options) -> ClinicalGraph:
    return ClinicalGraph(
        required(roles, "entities", "There is no table of entities (ID, name)."),
        required(roles, "relationships", "There is no table of relationships (START_ID, END_ID)."),
    )


@lru_cache(maxsize=65_536)
def identifier_of(label: str, raw: str) -> str:
    """The CURIE of what a label's tables call `raw`; '' for a cell that says nothing."""
    if raw in MISSING:
        return ""
    if scheme_of(raw):
        return canonical(raw)
    prefix = PREFIXES[label]
    if label == "Pathway" and raw.startswith("SMP"):
        prefix = "SMPDB"
    return curie(prefix, raw)


@dataclass
class ClinicalGraph:
    entity_files: Sequence[InputFile]
    edge_files: Sequence[InputFile]
    relations = RELATIONS

    def nodes(self) -> Iterator[NodeRow | Malformed]:
        for file in self.entity_files:
            table = Table(file, LAYOUT)
            yield from rows_of(table, _entity_maker(table, label_of(file.name) or ""))

    def edges(self) -> Iterator[EdgeRow | Malformed]:
        with Aliases() as aliases:
            rules = [(file, rule) for file in self.edge_files if (rule := rule_of(file.name))]
            for column in sorted({rule.alias for _, rule in rules if rule.alias}):
                self._learn(column, aliases)
            for file, rule in rules:
                table = Table(file, LAYOUT)
                yield from rows_of(table, _edge_maker(table, rule, aliases))

    def _learn(self, column: str, aliases: Aliases) -> None:
        """Which known variant another database's names mean."""
        for file in self.entity_files:
            table = Table(file, LAYOUT)
            other, own = table.get_column(column), table.column("ID")
            if label_of(file.name) != "Known_variant" or other is None:
                continue
            for row in table:
                if isinstance(row, Cells) and row.cells[other] not in MISSING:
                    identifier = identifier_of("Known_variant", row.cells[own])
                    aliases.put(f"{column} {row.cells[other]}", identifier)


def _reader(table: Table) -> Read:
    """Reads a cell by its column's name: '' where there is no column or the cell says so."""
    places = {name: at for at, name in enumerate(table.header)}

    def read(cells: list[str], name: str) -> str:
        at = places.get(name)
        if at is None:
            return ""
        text = cells[at]
        return "" if text in MISSING else text

    return read


def _entity_maker(table: Table, label: str) -> Callable[[Cells], NodeRow | Malformed]:
    read, maker = _reader(table), table.maker

    def make(row: Cells) -> NodeRow | Malformed:
        cells = row.cells
        name = read(cells, "name") or read(cells, "title")
        return maker.node(
            row.line,
            identifier_of(label, read(cells, "ID")),
            label,
            name,
            synonyms=_synonyms(read, cells, label, name, maker.limits.name),
            xrefs=_xrefs(read, cells),
            document=_document(read, cells, label),
        )

    return make


def _synonyms(read: Read, cells: list[str], label: str, name: str, longest: int) -> tuple[str, ...]:
    """Each once, without the name. What is longer than any name is no name, and is left out."""
    listed = read(cells, "synonyms")
    sign = "," if label in SPLIT_BY_COMMA else "|"
    more = [read(cells, "accession"), read(cells, "scientific_name")]
    found = dict.fromkeys(
        [*listed.split(sign), *more, *read(cells, "alternative_names").split(",")]
    )
    return tuple(it for it in found if it not in MISSING and it != name and len(it) <= longest)


def _xrefs(read: Read, cells: list[str]) -> tuple[str, ...]:
    found = [
        curie(prefix, raw) for column, prefix in LINKED.items() if (raw := read(cells, column))
    ]
    external = read(cells, "external_id")
    if external.startswith("rs"):
        found.append(curie("DBSNP", external))
    return tuple(dict.fromkeys(found))


def _document(read: Read, cells: list[str], label: str) -> tuple[Section, ...]:
    source = read(cells, "source") or SOURCES.get(label, "")
    return tuple(
        Section(title, text, source)
        for column, title in DOCUMENT.items()
        if (text := read(cells, column))
    )


def _edge_maker(
    table: Table, rule: Rule, aliases: Aliases
) -> Callable[[Cells], EdgeRow | Malformed]:
    read, maker = _reader(table), table.maker
    start, end = table.column("START_ID"), table.column("END_ID")
    if rule.swapped:
        start, end = end, start
    is_grade = rule.start == "Clinically_relevant_variant"
    # Two hundred million rows: what a table has no column for is not looked for in each of them.
    has_samples = not {*EXPRESSION.values()}.isdisjoint(table.header)
    has_chance = not {*PROGNOSES.values(), "pvalue"}.isdisjoint(table.header)
    papers = [column for column in PAPERS if column in table.header]

    def source_of(raw: str) -> str:
        known = aliases.get(f"{rule.alias} {raw}") if rule.alias else None
        return known or identifier_of(rule.start, raw)

    def make(row: Cells) -> EdgeRow | Malformed:
        cells = row.cells
        # A variant's 'score' for a disease is a grade in letters.
        score, level = read(cells, "score"), _expression(read, cells) if has_samples else ""
        chance, prognosis = _prognosis(read, cells) if has_chance else ("", "")
        return maker.edge(
            row.line,
            source_of(cells[start]),
            rule.relation,
            identifier_of(rule.end, cells[end]),
            score=None if is_grade else score,
            evidence=_evidence(read, cells, prognosis),
            level=score if is_grade else level,
            p_value=chance,
            publications=_publications(read, cells, papers) if papers else (),
        )

    return make


def _expression(read: Read, cells: list[str]) -> str:
    """How many samples show it how strongly: 'high 3, medium 5, low 2, not detected 1'."""
    counted = [(word, read(cells, column)) for word, column in EXPRESSION.items()]
    return ", ".join(f"{word} {count.removesuffix('.0')}" for word, count in counted if count)


def _prognosis(read: Read, cells: list[str]) -> tuple[str, str]:
    """The p-value of the row, and which prognosis it is about, if about one."""
    for words, column in PROGNOSES.items():
        value = read(cells, column)
        if value and value.strip("0.") != "":
            return value, words
    return read(cells, "pvalue"), ""


def _evidence(read: Read, cells: list[str], prognosis: str) -> str:
    kinds = [kind for kind in (read(cells, "evidence_type"), prognosis) if kind]
    source = read(cells, "source")
    return f"{source} ({', '.join(kinds)})" if source and kinds else source or ", ".join(kinds)


def _publications(read: Read, cells: list[str], columns: Sequence[str]) -> tuple[str, ...]:
    """PubMed numbers and addresses; other words in these columns name no publication."""
    found = []
    for column in columns:
        text = read(cells, column)
        if column == LINK:
            found += [text] if text else []
            continue
        for word in WORDS.split(text):
            if number := PUBMED.fullmatch(word):
                found.append(curie("PMID", number[1]))
            elif word.startswith("10.") and "/" in word:
                found.append(curie("DOI", word))
    return tuple(dict.fromkeys(found))
