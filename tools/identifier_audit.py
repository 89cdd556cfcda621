"""Compare the identifiers and names of a graph with those of other files.

An entity can have the right name and a wrong identifier, and then everything linked through it is
wrong. So every entity and every cross-reference is looked up by identifier in tables of names and
in the links of questionnaires. What has another name there, or is missing, must be explained by
hand.

A table of names is Hetionet's nodes.tsv (id, name, kind) or a plain one (id, name, type, and
optionally synonyms). A file of links is JSON in which objects have an `entity_name` and an
`entity_link`. Both are streamed; memory grows with the graph, not with them.
"""

import argparse
import csv
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backend.common.errors import DomainError
from backend.graphs.identifiers import canonicalize, curie_from_url
from backend.graphs.importers.common.base import FileSample, ImportOptions
from backend.graphs.importers.common.input_files import FileRefused, InputFile, find_input_files
from backend.graphs.importers.csv_tables.format import open_csv
from backend.graphs.importers.hetionet.format import NODE_COLUMNS, open_hetionet
from backend.graphs.importers.registry import open_source
from backend.graphs.source_records import MalformedRow, NodeRow

EXPLANATIONS_FILE = "explained.csv"
PATHWAY_REVISION = re.compile(r"_r\d+$")
"""What Hetionet writes after a pathway of WikiPathways; the record is the same in each."""
WHOLE_SCHEME = "*"


@dataclass(frozen=True, slots=True)
class ReferenceName:
    """An identifier in a file, with one or several names."""

    identifier: str
    names: tuple[str, ...]
    file: str


@dataclass(frozen=True, slots=True)
class NameMismatch:
    """An identifier whose name in a file is no name of the entity in the graph."""

    identifier: str
    graph_name: str
    reference_name: str
    file: str


@dataclass
class Comparison:
    confirmed: set[str] = field(default_factory=set)
    mismatches: list[NameMismatch] = field(default_factory=list)
    unreferenced: dict[str, list[str]] = field(default_factory=dict)
    cross_references: int = 0
    explanations: dict[str, str] = field(default_factory=dict)

    @property
    def unexplained(self) -> list[str]:
        """The identifiers that have no explanation yet."""
        differing = [other.identifier for other in self.mismatches]
        missing = [one for listed in self.unreferenced.values() for one in listed]
        return [
            one for one in dict.fromkeys((*differing, *missing)) if self.explanation(one) is None
        ]

    def explanation(self, identifier: str) -> str | None:
        """The explanation of an identifier, or of its whole scheme ('CHEBI:*')."""
        scheme = f"{_scheme(identifier)}:{WHOLE_SCHEME}"
        whole = (
            None if identifier in self._mismatched_identifiers else self.explanations.get(scheme)
        )
        return self.explanations.get(identifier, whole)

    @property
    def _mismatched_identifiers(self) -> set[str]:
        """Explanations of a scheme do not cover them: a wrong name is about one identifier."""
        return {other.identifier for other in self.mismatches}


def compare_identifiers(folder: Path, names: Sequence[Path], links: Sequence[Path]) -> Comparison:
    """Compare the entities of a graph's tables in `folder` with the files."""
    entities = read_entities(folder)
    known = (*_references_from_tables(names), *_references_from_links(links))
    comparison = _match_references(entities, known)
    comparison.explanations = read_explanations(folder)
    return comparison


def read_entities(folder: Path) -> dict[str, NodeRow]:
    """The entities by identifier; several rows of one entity are merged."""
    entities: dict[str, NodeRow] = {}
    for row in open_source([folder], "csv").source.nodes():
        if isinstance(row, MalformedRow):
            detail = f"{row.file}, line {row.line}: {row.detail}."
            raise FileRefused(row.file, detail, code=row.reason)
        before = entities.setdefault(row.id, row)
        if before is not row and row.synonyms:
            entities[row.id] = row
    return entities


def read_explanations(folder: Path) -> dict[str, str]:
    """Reasons why an identifier is right, written by hand: `identifier,why`."""
    path = folder / EXPLANATIONS_FILE
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream)
        if rows.fieldnames != ["identifier", "why"]:
            detail = f"{EXPLANATIONS_FILE} needs the columns identifier and why."
            raise FileRefused(EXPLANATIONS_FILE, detail, code="columns", expected="identifier, why")
        return {row["identifier"]: row["why"] for row in rows if row["why"]}


def _match_references(
    entities: Mapping[str, NodeRow], known: Iterable[ReferenceName]
) -> Comparison:
    owners = _entities_by_identifier(entities)
    comparison, met, differing = Comparison(), set[str](), dict[str, NameMismatch]()
    for one in known:
        owner = owners.get(one.identifier)
        if owner is None:
            continue
        met.add(one.identifier)
        if {*map(_normalize_name, one.names)} & _normalized_names(owner):
            comparison.confirmed.add(one.identifier)
        else:
            theirs = NameMismatch(one.identifier, owner.name, " / ".join(one.names), one.file)
            differing.setdefault(one.identifier, theirs)
    comparison.mismatches = [
        differing[key] for key in sorted(differing.keys() - comparison.confirmed)
    ]
    comparison.cross_references = len(comparison.confirmed - entities.keys())
    comparison.unreferenced = _group_by_scheme(entities.keys() - met)
    return comparison


def _entities_by_identifier(entities: Mapping[str, NodeRow]) -> dict[str, NodeRow]:
    """The entity of each identifier; an entity's own identifier precedes cross-references."""
    through = {it: row for row in entities.values() for it in row.xrefs}
    return {**through, **entities}


def _normalized_names(entity: NodeRow) -> set[str]:
    return {_normalize_name(name) for name in (entity.name, *entity.synonyms)}


def _normalize_name(name: str) -> str:
    """A name for comparison, without regard to case and runs of spaces."""
    return " ".join(name.casefold().split())


def _group_by_scheme(identifiers: Iterable[str]) -> dict[str, list[str]]:
    listed: dict[str, list[str]] = defaultdict(list)
    for identifier in sorted(identifiers):
        listed[_scheme(identifier)].append(identifier)
    return dict(listed)


def _scheme(identifier: str) -> str:
    return identifier.partition(":")[0]


def _references_from_tables(paths: Sequence[Path]) -> Iterator[ReferenceName]:
    for file in find_input_files(paths):
        for row in _read_name_table(file):
            if isinstance(row, NodeRow):
                identifier = PATHWAY_REVISION.sub("", canonicalize(row.id))
                yield ReferenceName(identifier, (row.name, *row.synonyms), file.name)


def _read_name_table(file: InputFile) -> Iterator[NodeRow | MalformedRow]:
    sample = FileSample(file.name, file.head())
    if sample.tab_cells == NODE_COLUMNS:
        return open_hetionet({"nodes": [file], "edges": [file]}, ImportOptions()).nodes()
    return open_csv({"entities": [file], "edges": [file]}, ImportOptions()).nodes()


def _references_from_links(paths: Sequence[Path]) -> Iterator[ReferenceName]:
    for file in find_input_files(paths):
        for name, link in _named_links(_load_json(file)):
            identifier = curie_from_url(link)
            if identifier:
                yield ReferenceName(identifier, (name,), file.name)


def _load_json(file: InputFile) -> object:
    try:
        with file.open() as stream:
            content: object = json.load(stream)
    except (ValueError, RecursionError) as error:
        raise FileRefused(file.name, f"{file.name} is not JSON.", code="json") from error
    return content


def _named_links(value: object) -> Iterator[tuple[str, str]]:
    """Every (entity_name, entity_link) in a JSON value, at any depth."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            name, link = one.get("entity_name"), one.get("entity_link")
            if isinstance(name, str) and isinstance(link, str):
                yield name, link
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="identifier_audit",
        description="Compare the identifiers of a graph with tables of names and with links.",
    )
    parser.add_argument("folder", type=Path, help="the folder of the graph")
    names = "tables of identifiers and names: Hetionet's nodes.tsv, or id, name, type"
    parser.add_argument("--names", type=Path, nargs="+", default=[], metavar="FILE", help=names)
    links = "JSON files with entity_name and entity_link"
    parser.add_argument("--links", type=Path, nargs="+", default=[], metavar="FILE", help=links)
    options = parser.parse_args(arguments)
    if not options.names and not options.links:
        parser.error("give at least one file, with --names or --links")
    try:
        comparison = compare_identifiers(options.folder, options.names, options.links)
    except DomainError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("\n".join(report_lines(comparison)) + "\n")
    return 1 if comparison.unexplained else 0


def report_lines(comparison: Comparison) -> list[str]:
    lines = [
        f"{len(comparison.confirmed):,} identifiers confirmed by identifier and name"
        f" ({comparison.cross_references:,} of them cross-references)",
        f"{len(comparison.mismatches):,} identifiers with another name",
    ]
    for other in comparison.mismatches:
        both = f"'{other.graph_name}' here, '{other.reference_name}' in {other.file}"
        lines.append(f"  {other.identifier}: {both}; {_explain(comparison, other.identifier)}")
    count = sum(map(len, comparison.unreferenced.values()))
    lines.append(f"{count:,} identifiers in none of the files")
    for scheme, listed in comparison.unreferenced.items():
        lines.append(f"  {scheme}: {len(listed):,}")
        lines.extend(f"    {one}: {_explain(comparison, one)}" for one in listed)
    lines.append(f"{len(comparison.unexplained):,} identifiers unexplained")
    return lines


def _explain(comparison: Comparison, identifier: str) -> str:
    return comparison.explanation(identifier) or "NOT EXPLAINED"


if __name__ == "__main__":
    sys.exit(main())
