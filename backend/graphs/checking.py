"""Are a graph's identifiers those that other files know? Compared by identifier and name.

A name can be right beside a wrong identifier, and then everything that is linked through it is
wrong without a trace. So every entity is looked up by its identifier, and every cross-reference
too, in tables of names and in the links of questionnaires that a user has. What is found under
another name, or not at all, has to be explained by hand.

A table of names is Hetionet's nodes.tsv (id, name, kind) or a plain one (id, name, type, and
synonyms if it has them). A file of links is JSON in which objects have an `entity_name` and an
`entity_link`. Both are read through; memory grows with the graph that is checked, not with them.
"""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backend.graphs.identifiers import canonical, identifier_in_link
from backend.graphs.importers.catalogue import open_source
from backend.graphs.importers.files import FileRefused, InputFile, input_files
from backend.graphs.importers.hetionet import NODES, HetionetTables
from backend.graphs.importers.plain import PlainSource
from backend.graphs.importers.sources import Options, Sample
from backend.graphs.rows import Malformed, NodeRow

EXPLAINED = "explained.csv"
REVISION = re.compile(r"_r\d+$")
"""What Hetionet writes after a pathway of WikiPathways; the record is the same in each."""
WHOLE_SCHEME = "*"


@dataclass(frozen=True, slots=True)
class Known:
    """What a file says an identifier is called; it may know several names for it."""

    identifier: str
    names: tuple[str, ...]
    file: str


@dataclass(frozen=True, slots=True)
class Other:
    """An identifier that a file knows by a name which the graph does not have for it."""

    identifier: str
    ours: str
    theirs: str
    file: str


@dataclass
class Comparison:
    confirmed: set[str] = field(default_factory=set)
    others: list[Other] = field(default_factory=list)
    absent: dict[str, list[str]] = field(default_factory=dict)
    cross_references: int = 0
    explained: dict[str, str] = field(default_factory=dict)

    @property
    def unexplained(self) -> list[str]:
        """The identifiers that somebody still has to look into."""
        differing = [other.identifier for other in self.others]
        missing = [one for listed in self.absent.values() for one in listed]
        return [one for one in dict.fromkeys((*differing, *missing)) if self.why(one) is None]

    def why(self, identifier: str) -> str | None:
        """The explanation of an identifier, or that of its whole scheme ('CHEBI:*')."""
        scheme = f"{_scheme(identifier)}:{WHOLE_SCHEME}"
        whole = None if identifier in self._differing else self.explained.get(scheme)
        return self.explained.get(identifier, whole)

    @property
    def _differing(self) -> set[str]:
        """A name that differs is a question about one identifier: no scheme answers it."""
        return {other.identifier for other in self.others}


def compare(folder: Path, names: Sequence[Path], links: Sequence[Path]) -> Comparison:
    """The entities of a plain graph in `folder`, held against the files."""
    entities = entities_of(folder)
    known = (*_known_names(names), *_known_links(links))
    found = _look_up(entities, known)
    found.explained = explanations_of(folder)
    return found


def entities_of(folder: Path) -> dict[str, NodeRow]:
    """The entities by identifier; several rows of one entity are put together."""
    entities: dict[str, NodeRow] = {}
    for row in open_source([folder], "csv").source.nodes():
        if isinstance(row, Malformed):
            detail = f"{row.file}, line {row.line}: {row.detail}."
            raise FileRefused(row.file, detail, code=row.reason)
        before = entities.setdefault(row.id, row)
        if before is not row and row.synonyms:
            entities[row.id] = row
    return entities


def explanations_of(folder: Path) -> dict[str, str]:
    """Why an identifier is right all the same, by hand: `identifier,why`."""
    path = folder / EXPLAINED
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream)
        if rows.fieldnames != ["identifier", "why"]:
            detail = f"{EXPLAINED} needs the columns identifier and why."
            raise FileRefused(EXPLAINED, detail, code="columns", expected="identifier, why")
        return {row["identifier"]: row["why"] for row in rows if row["why"]}


def _look_up(entities: Mapping[str, NodeRow], known: Iterable[Known]) -> Comparison:
    owners = _owners(entities)
    found, met, differing = Comparison(), set[str](), dict[str, Other]()
    for one in known:
        owner = owners.get(one.identifier)
        if owner is None:
            continue
        met.add(one.identifier)
        if {*map(_plain, one.names)} & _names_of(owner):
            found.confirmed.add(one.identifier)
        else:
            theirs = Other(one.identifier, owner.name, " / ".join(one.names), one.file)
            differing.setdefault(one.identifier, theirs)
    found.others = [differing[key] for key in sorted(differing.keys() - found.confirmed)]
    found.cross_references = len(found.confirmed - entities.keys())
    found.absent = _by_scheme(entities.keys() - met)
    return found


def _owners(entities: Mapping[str, NodeRow]) -> dict[str, NodeRow]:
    """Which entity an identifier stands for: its own before anybody's cross-reference."""
    through = {it: row for row in entities.values() for it in row.xrefs}
    return {**through, **entities}


def _names_of(entity: NodeRow) -> set[str]:
    return {_plain(name) for name in (entity.name, *entity.synonyms)}


def _plain(name: str) -> str:
    """A name as it is compared: letters' case and runs of spaces do not matter."""
    return " ".join(name.casefold().split())


def _by_scheme(identifiers: Iterable[str]) -> dict[str, list[str]]:
    listed: dict[str, list[str]] = defaultdict(list)
    for identifier in sorted(identifiers):
        listed[_scheme(identifier)].append(identifier)
    return dict(listed)


def _scheme(identifier: str) -> str:
    return identifier.partition(":")[0]


def _known_names(paths: Sequence[Path]) -> Iterator[Known]:
    for file in input_files(paths):
        for row in _rows(file):
            if isinstance(row, NodeRow):
                identifier = REVISION.sub("", canonical(row.id))
                yield Known(identifier, (row.name, *row.synonyms), file.name)


def _rows(file: InputFile) -> Iterator[NodeRow | Malformed]:
    sample = Sample(file.name, file.head())
    if sample.tabbed == NODES:
        return HetionetTables([file], []).nodes()
    return PlainSource([file], [], [], Options()).nodes()


def _known_links(paths: Sequence[Path]) -> Iterator[Known]:
    for file in input_files(paths):
        for name, link in _named_links(_json(file)):
            identifier = identifier_in_link(link)
            if identifier:
                yield Known(identifier, (name,), file.name)


def _json(file: InputFile) -> object:
    try:
        with file.open() as stream:
            found: object = json.load(stream)
    except (ValueError, RecursionError) as error:
        raise FileRefused(file.name, f"{file.name} is not JSON.", code="json") from error
    return found


def _named_links(value: object) -> Iterator[tuple[str, str]]:
    """Every (entity_name, entity_link) in a JSON value, however deep."""
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
