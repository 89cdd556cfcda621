"""Tables of curated pairs: those whose columns their source documents, and any other by names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from backend.graphs.identifiers import canonicalize, make_curie
from backend.graphs.importers.common.base import FileSample
from backend.graphs.importers.common.delimited_reader import DelimitedTable, TableLayout
from backend.graphs.importers.common.input_files import InputFile
from backend.graphs.importers.common.mapped_table import MappedTable
from backend.graphs.source_records import MalformedRow
from backend.runtime.data_file import DataFile

COLUMNS = ("subject", "object", "database")


class TableForm(BaseModel):
    """needs: the columns that it is recognised by. line: a pattern of its first line instead."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    delimiter: str
    comment: str = ""
    columns: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    line: str = ""
    subject: str
    subject_prefix: str = ""
    object: str
    object_prefix: str = ""
    curated: str = ""

    def is_of(self, sample: FileSample) -> bool:
        first = sample.first_line
        if self.line:
            return re.fullmatch(self.line, first, re.ASCII) is not None
        if self.comment:
            header = self.delimiter.join(self.columns)
            comments = (it for it in sample.text.splitlines() if it.startswith(self.comment))
            return any(it.lstrip(self.comment + " ") == header for it in comments)
        return {*self.needs} <= {*first.split(self.delimiter)}


class TableForms(DataFile):
    tables: tuple[TableForm, ...]


FORMS = TableForms.load(__file__).tables


@dataclass(frozen=True, slots=True)
class CuratedPair:
    subject: str
    object: str
    database: str


@dataclass(frozen=True)
class PairTable:
    """The pairs of a file. skipped: rows that are no curated pairs, by reason, as they are read.

    mapping: the names of the columns subject, object and database in a table of no known form.
    Raises FileRefused for a table that has no such columns.
    """

    file: InputFile
    mapping: Mapping[str, str]
    skipped: Counter[str]

    def __iter__(self) -> Iterator[CuratedPair | MalformedRow]:
        sample = FileSample(self.file.name, self.file.head())
        form = next((it for it in FORMS if it.is_of(sample)), None)
        return self._read_form(form) if form else self._read_columns()

    def _read_form(self, form: TableForm) -> Iterator[CuratedPair | MalformedRow]:
        layout = TableLayout(form.delimiter, comment=form.comment)
        table = DelimitedTable(self.file, layout, form.columns)
        subject, object_ = table.column(form.subject), table.column(form.object)
        curated = table.column(form.curated) if form.curated else None
        for row in table:
            if isinstance(row, MalformedRow):
                yield row
                continue
            cells = row.cells
            if curated is not None and not cells[curated]:
                self.skipped["inferred"] += 1
                continue
            ends = cells[subject], cells[object_]
            if not all(ends):
                yield table.builder.malformed_row(row.line, "missing", "\t".join(ends))
                continue
            one = identifier_of(ends[0], form.subject_prefix)
            yield CuratedPair(one, identifier_of(ends[1], form.object_prefix), form.name)

    def _read_columns(self) -> Iterator[CuratedPair | MalformedRow]:
        mapped = MappedTable(self.file, self.mapping)
        known = ", ".join(form.name for form in FORMS)
        mapped.require(*COLUMNS[:2], expected=f"subject and object, or a table of {known}")
        readers = [mapped.reader(name) for name in COLUMNS]
        for row in mapped.table:
            if isinstance(row, MalformedRow):
                yield row
                continue
            subject, object_, database = (read(row.cells) for read in readers)
            if subject and object_:
                ends = identifier_of(subject), identifier_of(object_)
                yield CuratedPair(*ends, database or self.file.name)
            else:
                detail = f"{subject}\t{object_}"
                yield mapped.table.builder.malformed_row(row.line, "missing", detail)


def identifier_of(raw: str, prefix: str = "") -> str:
    """The CURIE, by which a concept map and a table agree: '7157' and 'NCBIGene:7157' are one."""
    return make_curie(prefix, raw) if prefix and ":" not in raw else canonicalize(raw)
