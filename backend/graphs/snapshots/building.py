"""From rows to a snapshot, in memory that does not grow with the edges.

Entities are folded in the order of their ids' hashes; edges are resolved against that order, folded
and counted; the counts number the entities; then all is sorted by number and written. What is kept
in memory is about 60 bytes an entity; everything else goes through sorted files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.rows import ColumnSource, GraphSource, RelationInfo
from backend.graphs.snapshots.checking import check_arrays
from backend.graphs.snapshots.edges import (
    Edges,
    EdgeWriter,
    Key,
    fold_edges,
    renumbered,
    resolved,
)
from backend.graphs.snapshots.format import MANIFEST, Manifest, Relation
from backend.graphs.snapshots.hubs import write_hubs
from backend.graphs.snapshots.intake import Intake
from backend.graphs.snapshots.mapping import mapped
from backend.graphs.snapshots.nodes import Entities, Numbering, fold_nodes, numbered, write_nodes
from backend.graphs.snapshots.reports import Built, Report
from backend.graphs.snapshots.settling import settle
from backend.graphs.snapshots.sorting import ExternalSort
from backend.graphs.snapshots.strings import Texts, starts_of
from backend.graphs.snapshots.tables import Spool
from backend.graphs.snapshots.writing import FolderWriter, told_of_full_disks
from backend.science.folders import workspace

MEMORY = 2 << 30
Progress = Callable[[str, int], None]
Accept = Callable[[Report], None]


def build_snapshot(
    source: GraphSource | ColumnSource,
    into: Path,
    *,
    progress: Progress | None = None,
    memory_bytes: int = MEMORY,
    accept: Accept | None = None,
) -> Built:
    """A new folder in `into`, named for its content; the same content has the same folder.

    progress(doing, rows) is told what is being done and may raise to stop. accept(report) is
    asked before anything becomes visible and may raise to refuse. Nothing is left behind by a
    build that ends in an error, or by one that was killed, once the next one begins.

    Raises NoSpace when the disk is full, SnapshotNotBuilt when the graph is too large for the
    format, and whatever the source raises.
    """
    with told_of_full_disks(), workspace(into) as folder:
        build = Build(source, folder, progress or silent, memory_bytes)
        manifest = build.run()
        if accept is not None:
            accept(build.report)
        check_arrays(manifest, mapped(folder / "snapshot", manifest), folder / "snapshot")
        path = settle(folder / "snapshot", into / manifest.folder, manifest)
    return Built(
        path,
        manifest.id,
        manifest.entity_count,
        manifest.edge_count,
        dict(zip(manifest.types, manifest.type_counts, strict=True)),
        {relation.name: relation.count for relation in manifest.relations},
        build.report,
    )


def silent(_doing: str, _rows: int) -> None:
    """Nobody wants to know."""


@dataclass
class Build:
    """One build, step by step."""

    source: GraphSource | ColumnSource
    folder: Path
    progress: Progress
    memory_bytes: int

    def __post_init__(self) -> None:
        self.limit = max(self.memory_bytes // 16, 1 << 10)
        rows = min(max(self.limit // 256, 8), 1 << 16)
        self.report = Report()
        self.intake = Intake(self.source, self.report, rows, max(self.memory_bytes // 8, 1 << 14))
        (self.folder / "snapshot").mkdir()
        self.writer = FolderWriter(self.folder / "snapshot")

    def run(self) -> Manifest:
        try:
            entities = self.read_entities()
            edges = self.read_edges(entities)
            self.progress("numbering entities", len(entities))
            degrees = edges.out_degree + edges.in_degree
            numbering = Numbering.of(entities.index.texts, degrees)
            self.write_index(entities, numbering)
            relations = self.write_edges(edges, numbering, len(entities))
            types = self.write_entities(entities, numbering)
            return self.write_manifest(len(entities), edges.count, types, relations)
        finally:
            self.writer.abandon()

    def read_entities(self) -> Entities:
        sort = self.sort("entities")
        for table in self.intake.nodes():
            sort.add(table)
            self.progress("reading entities", self.report.node_rows)
        spool = Spool(self.folder / "entities.folded")
        return fold_nodes(sort.tables(), self.intake, spool)

    def read_edges(self, entities: Entities) -> Edges:
        sort = self.sort("edges")
        for table in resolved(self.intake.edges(), entities.index, self.intake):
            sort.add(table)
            self.progress("reading edges", self.report.edge_rows)
        spool = Spool(self.folder / "edges.folded")
        self.progress("folding edges", self.report.edge_rows)
        return fold_edges(sort.tables(), len(entities), self.intake, spool)

    def write_index(self, entities: Entities, numbering: Numbering) -> None:
        self.writer.whole("hashes", entities.index.hashes)
        self.writer.whole("by_hash", numbering.number_of)

    def write_edges(
        self, edges: Edges, numbering: Numbering, entities: int
    ) -> tuple[Relation, ...]:
        names, places = self.intake.relations.in_order(edges.relation_counts > 0)
        evidence = self.coded_texts("evidence", edges.used["evidence"])
        levels = self.coded_texts("levels", edges.used["level"])
        for name, degrees in (("forward", edges.out_degree), ("reverse", edges.in_degree)):
            self.writer.whole(f"{name}.offsets", starts_of(degrees[numbering.order]))
        counts = {"evidence": evidence[0], "level": levels[0]}
        found = {"relation": places, "evidence": evidence[1], "level": levels[1]}
        key = Key.of(entities, len(names))
        sort = self.sort("forward")
        for table in renumbered(edges, numbering, key, found):
            sort.add(table)
        back = self.sort("backward")
        made = EdgeWriter(self.writer, key, edges.columns, len(names), counts, back)
        made.forward(sort.tables(), lambda rows: self.progress("writing edges", rows))
        self.progress("writing the way back", edges.count)
        made.reverse()
        folder = self.folder / "snapshot"
        write_hubs(self.writer, folder, edges.out_degree, edges.in_degree, numbering, len(names))
        infos = self.intake.relation_infos
        totals = edges.relation_counts[[self.intake.relations.codes[name] for name in names]]
        return tuple(
            relation_of(number, name, infos.get(name), count)
            for number, (name, count) in enumerate(zip(names, totals.tolist(), strict=True))
        )

    def coded_texts(self, name: str, used: NDArray[np.bool_]) -> tuple[int, NDArray[np.uint32]]:
        """Write a dictionary, if it says anything; its size, and the final code of each code."""
        interner = self.intake.evidence if name == "evidence" else self.intake.levels
        texts, places = interner.in_order(used)
        if set(texts) - {""}:
            self.writer.append_texts(name, Texts.of([text.encode() for text in texts]))
            self.writer.finish()
        return len(texts), places

    def write_entities(self, entities: Entities, numbering: Numbering) -> dict[str, int]:
        sort = self.sort("numbered")
        self.progress("writing entities", len(entities))
        for table in numbered(entities, numbering):
            sort.add(table)
        counts = write_nodes(sort.tables(), entities, self.writer)
        return dict(zip(entities.type_names, counts, strict=True))

    def write_manifest(
        self,
        entities: int,
        edges: int,
        types: dict[str, int],
        relations: tuple[Relation, ...],
    ) -> Manifest:
        manifest = Manifest.of((entities, edges), types, relations, self.writer.files)
        with (self.folder / "snapshot" / MANIFEST).open("wb") as file:
            file.write(manifest.as_bytes())
            file.flush()
            os.fsync(file.fileno())
        return manifest

    def sort(self, name: str) -> ExternalSort:
        return ExternalSort(self.folder / name, self.limit)


def relation_of(number: int, name: str, info: RelationInfo | None, count: int) -> Relation:
    """Its phrases; where nobody gave any, they are made from the name."""
    said = info or RelationInfo(name)
    plain = " ".join(name.replace("_", " ").split()) or name
    forward = said.forward or (plain.lower() if plain.isupper() else plain)
    backward = said.backward or (forward if said.symmetric else f"{forward} (reverse)")
    return Relation(number, name, forward, backward, said.symmetric, count)
