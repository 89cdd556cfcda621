"""The dynamic graph of cross-referenced pairs as rows, and tables of what it does not store."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from backend.common.command_utils import report_unwritable
from backend.graphs.curated_pairs.cross_reference import CuratedPairs, Longs
from backend.graphs.curated_pairs.dated_pairs import PairDates
from backend.graphs.exporters.base import ExportedGraph, Provenance
from backend.graphs.exporters.csv_tables.exporter import write_csv
from backend.graphs.importers.common.base import relation_table
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.validation.csv_escaping import escape

RELATION = "associated_with"
RELATIONS = relation_table((RELATION, "is associated with"))
GRAPH, MENTIONS, UNMENTIONED = "graph-csv.zip", "mentions.csv", "unmentioned.csv"


@dataclass(frozen=True)
class DynamicGraph:
    """Pairs that papers mention, dated; the others are apart, since nobody knows their time.

    An edge's score is how many papers mention the pair, its evidence the databases that list it.
    """

    pairs: CuratedPairs
    dates: PairDates

    @property
    def mentioned(self) -> Longs:
        """Numbers of the pairs that a paper mentions."""
        return np.flatnonzero(self.dates.first_years)

    def nodes(self) -> Iterator[NodeRow]:
        concepts = self.pairs.concepts.concepts
        for number in np.unique(self.pairs.ends[self.mentioned]).tolist():
            one = concepts[number]
            yield NodeRow(one.id, one.type, one.name)

    def edges(self) -> Iterator[EdgeRow]:
        years, counts = self.dates.first_years, self.dates.mention_counts()
        for number in self.mentioned.tolist():
            source, target = self._ends_of(number)
            yield EdgeRow(
                source,
                RELATION,
                target,
                score=float(counts[number]),
                evidence="; ".join(self.pairs.databases_of(number)),
                publications=tuple(f"PMID:{pmid}" for pmid in self.dates.pmids_of(number)),
                first_year=int(years[number]),
                date_source="first paper with both concepts",
            )

    def _ends_of(self, number: int) -> Sequence[str]:
        """Identifiers of the ends, in their order."""
        concepts = self.pairs.concepts.concepts
        return sorted(concepts[end].id for end in self.pairs.ends[number].tolist())

    def mention_rows(self) -> Iterator[Sequence[str]]:
        columns = (values.tolist() for values in self.dates.yearly_mentions())
        for number, year, count in zip(*columns, strict=True):
            yield *self._ends_of(number), str(year), str(count)

    def unmentioned_rows(self) -> Iterator[Sequence[str]]:
        for number in np.flatnonzero(self.dates.first_years == 0).tolist():
            yield *self._ends_of(number), "; ".join(self.pairs.databases_of(number))

    def write(self, folder: Path) -> None:
        """Raises DomainError where the folder cannot be written."""
        about = Provenance("Cross-referenced pairs", "")
        exported = ExportedGraph(self.nodes(), self.edges(), about, RELATIONS)
        with report_unwritable(folder):
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / GRAPH).open("wb") as file:
                file.writelines(write_csv(exported))
            columns = ("source", "target", "year", "count")
            write_table(folder / MENTIONS, columns, self.mention_rows())
            write_table(
                folder / UNMENTIONED, ("source", "target", "databases"), self.unmentioned_rows()
            )


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([escape(cell) for cell in row] for row in rows)
