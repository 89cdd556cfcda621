"""What every format's source shares: its files, and rows that take turns with dropped ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from backend.graphs.importers.files import FileRefused, InputFile
from backend.graphs.importers.reading import BYTE_ORDER, Cells, Table
from backend.graphs.rows import EdgeRow, Malformed, NodeRow, RelationInfo

Row = TypeVar("Row", NodeRow, EdgeRow)
Roles = Mapping[str, Sequence[InputFile]]
Relations = Mapping[str, RelationInfo]


@dataclass(frozen=True, slots=True)
class Options:
    """What a person may say about her files: her name of each column of the plain format."""

    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sample:
    """The beginning of a file, by which its part in a format is told."""

    name: str
    head: bytes

    @cached_property
    def text(self) -> str:
        return self.head.decode(errors="replace").removeprefix(BYTE_ORDER)

    @cached_property
    def first_line(self) -> str:
        return self.text.split("\n", 1)[0].removesuffix("\r")

    @cached_property
    def tabbed(self) -> tuple[str, ...]:
        """The cells of the first line, where tabs part them."""
        return tuple(self.first_line.split("\t"))

    @cached_property
    def is_object(self) -> bool:
        return self.text.lstrip().startswith("{")


def required(roles: Roles, role: str, sentence: str) -> Sequence[InputFile]:
    """The files of a role that a format cannot do without."""
    if not roles.get(role):
        raise FileRefused("files", sentence, code="missing_file")
    return roles[role]


def rows_of(table: Table, make: Callable[[Cells], Row | Malformed]) -> Iterator[Row | Malformed]:
    for row in table:
        yield row if isinstance(row, Malformed) else make(row)


def relation_table(*rows: tuple[str, str, str] | tuple[str, str]) -> dict[str, RelationInfo]:
    """Relations by name: (name, forward, backward), or (name, phrase) for a symmetric one."""
    return {row[0]: RelationInfo(row[0], row[1], row[-1], symmetric=len(row) == 2) for row in rows}
