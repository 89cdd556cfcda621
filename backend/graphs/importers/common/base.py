"""Shared parts of importers: options, file samples, roles of files, tables of relations."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TypeVar

from backend.graphs.importers.common.delimited_reader import (
    BYTE_ORDER_MARK,
    DelimitedTable,
    TableRow,
)
from backend.graphs.importers.common.input_files import FileRefused, InputFile
from backend.graphs.source_records import (
    EdgeRow,
    GraphSource,
    MalformedRow,
    NodeRow,
    RelationInfo,
)

SourceRow = TypeVar("SourceRow", NodeRow, EdgeRow)
Roles = Mapping[str, Sequence[InputFile]]
Relations = Mapping[str, RelationInfo]


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Options of an import: the file's name of each column of the csv format."""

    column_mapping: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class FileSample:
    """The beginning of a file, by which its role in a format is recognised."""

    name: str
    head: bytes

    @cached_property
    def text(self) -> str:
        return self.head.decode(errors="replace").removeprefix(BYTE_ORDER_MARK)

    @cached_property
    def first_line(self) -> str:
        return self.text.split("\n", 1)[0].removesuffix("\r")

    @cached_property
    def tab_cells(self) -> tuple[str, ...]:
        """The tab-separated cells of the first line."""
        return tuple(self.first_line.split("\t"))

    @cached_property
    def is_object(self) -> bool:
        return self.text.lstrip().startswith("{")


@dataclass(frozen=True, slots=True)
class GraphFormat:
    """A format that graphs are imported from.

    `file_hint` names the files that it expects. `required_roles`: files of any one of these sets
    of roles are a complete graph. Formats with a lower `recognition_order` are recognised first,
    so a format whose files a more general one would accept, too, needs a lower order.
    """

    name: str
    title: str
    description: str
    file_hint: str
    required_roles: tuple[frozenset[str], ...]
    role_of: Callable[[FileSample, ImportOptions], str | None]
    open: Callable[[Roles, ImportOptions], GraphSource]
    recognition_order: int = 0
    has_column_mapping: bool = False


def role_sets(*sets: str) -> tuple[frozenset[str], ...]:
    """Each argument lists the roles of one set, separated by spaces."""
    return tuple(frozenset(roles.split()) for roles in sets)


def require_role(roles: Roles, role: str, sentence: str) -> Sequence[InputFile]:
    """The files of a required role. Raises FileRefused if there are none."""
    if not roles.get(role):
        raise FileRefused("files", sentence, code="missing_file")
    return roles[role]


@dataclass
class FileSource:
    """A source that reads each of its files on its own, and the relations when they are needed."""

    node_files: Sequence[InputFile]
    edge_files: Sequence[InputFile]
    read_nodes: Callable[[InputFile], Iterable[NodeRow | MalformedRow]]
    read_edges: Callable[[InputFile], Iterable[EdgeRow | MalformedRow]]
    read_relations: Callable[[], Relations]

    @cached_property
    def relations(self) -> Relations:
        return self.read_relations()

    def nodes(self) -> Iterator[NodeRow | MalformedRow]:
        return chain.from_iterable(map(self.read_nodes, self.node_files))

    def edges(self) -> Iterator[EdgeRow | MalformedRow]:
        return chain.from_iterable(map(self.read_edges, self.edge_files))


def build_rows(
    table: DelimitedTable, make: Callable[[TableRow], SourceRow | MalformedRow]
) -> Iterator[SourceRow | MalformedRow]:
    for row in table:
        yield row if isinstance(row, MalformedRow) else make(row)


RelationPhrases = tuple[str, str, str] | tuple[str, str]


def relation_table(*rows: RelationPhrases) -> dict[str, RelationInfo]:
    """Relations by name: (name, forward, backward), or (name, phrase) for a symmetric one."""
    return {row[0]: RelationInfo(row[0], row[1], row[-1], symmetric=len(row) == 2) for row in rows}
