"""A graph format of a plugin: lines 'source relation target', one edge each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from backend.graphs.importers.common.base import (
    FileSample,
    GraphFormat,
    ImportOptions,
    Relations,
    Roles,
    require_role,
    role_sets,
)
from backend.graphs.importers.common.delimited_reader import DelimitedTable, TableLayout
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow

MARK = "#edge list"
COLUMNS = ("source", "relation", "target")


def role_of(sample: FileSample, options: ImportOptions) -> str | None:
    return "edges" if sample.first_line == MARK else None


def open_edge_list(roles: Roles, options: ImportOptions) -> EdgeListSource:
    return EdgeListSource(require_role(roles, "edges", "There is no edge list."))


@dataclass
class EdgeListSource:
    files: Sequence[InputFile]
    relations: Relations = field(default_factory=dict)

    def nodes(self) -> Iterator[NodeRow | MalformedRow]:
        for identifier in {end: None for edge in self._edges() for end in (edge[0], edge[2])}:
            yield NodeRow(identifier, "Thing", identifier)

    def edges(self) -> Iterator[EdgeRow | MalformedRow]:
        return (EdgeRow(source, relation, target) for source, relation, target in self._edges())

    def _edges(self) -> Iterator[list[str]]:
        for file in self.files:
            for row in DelimitedTable(file, TableLayout(" "), COLUMNS):
                if not isinstance(row, MalformedRow):
                    yield row.cells


FORMAT = GraphFormat(
    name="edge-list",
    title="Edge list",
    description="A format of a plugin.",
    file_hint="lines of source, relation and target",
    required_roles=role_sets("edges"),
    role_of=role_of,
    open=open_edge_list,
)
