"""Build of a snapshot from rows, in memory that does not grow with the number of edges.

1. Entities are folded in the order of the hashes of their identifiers.

2. Edges are resolved against that order, folded and counted.

3. Entities are numbered by degree; everything is sorted by number and written.

Memory holds about 60 bytes per entity; everything else passes through sorted files.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from backend.graphs.snapshots.build_report import BuildReport, BuildResult
from backend.graphs.snapshots.column_table import TableSpool
from backend.graphs.snapshots.edge_builder import (
    EdgeKey,
    EdgeWriter,
    FoldedEdges,
    fold_edges,
    renumber_edges,
    resolve_ends,
)
from backend.graphs.snapshots.errors import translate_disk_full
from backend.graphs.snapshots.external_sort import ExternalSort
from backend.graphs.snapshots.format import (
    CODED_COLUMNS,
    DEFAULT_DTYPES,
    MANIFEST,
    Manifest,
    Relation,
)
from backend.graphs.snapshots.hub_counts import write_hubs
from backend.graphs.snapshots.ingest import SourceIngest
from backend.graphs.snapshots.integrity import check_arrays, map_arrays, publish_snapshot
from backend.graphs.snapshots.node_builder import (
    FoldedEntities,
    Numbering,
    fold_nodes,
    renumber_entities,
    write_nodes,
)
from backend.graphs.snapshots.string_array import StringArray, offsets_from_lengths
from backend.graphs.source_records import GraphSource, RelationInfo
from backend.runtime.array_store.array_files import write_file
from backend.runtime.array_store.raw_folder import RawFolderWriter
from backend.runtime.atomic_dirs import workspace

DEFAULT_MEMORY_BYTES = 2 << 30
BuildProgress = Callable[[str, int], None]
ReportCheck = Callable[[BuildReport], None]
# Of the source, the report, rows at once and the bytes of a dictionary.
IngestOpener = Callable[[GraphSource, BuildReport, int, int], SourceIngest]


def build_snapshot(
    source: GraphSource,
    into: Path,
    *,
    ingest: IngestOpener = SourceIngest,
    progress: BuildProgress | None = None,
    memory_bytes: int = DEFAULT_MEMORY_BYTES,
    check_report: ReportCheck | None = None,
) -> BuildResult:
    """Build a snapshot as a folder in `into`, named by its content: equal content, same folder.

    progress(phase, rows) is called throughout and may raise to cancel. check_report(report) is
    called before publication and may raise to reject the build. A build that fails or is killed
    leaves nothing visible; the next build removes its temporary files.

    Raises NoSpace when the disk is full, SnapshotNotBuilt when the graph exceeds the format's
    limits, and whatever the source raises.
    """
    with translate_disk_full(), workspace(into) as folder:
        build = SnapshotBuild(source, folder, progress or (lambda *_: None), memory_bytes, ingest)
        manifest = build.run()
        if check_report is not None:
            check_report(build.report)
        check_arrays(manifest, map_arrays(folder / "snapshot", manifest), folder / "snapshot")
        path = publish_snapshot(folder / "snapshot", into / manifest.folder, manifest)
    return BuildResult(
        path,
        manifest.id,
        manifest.entity_count,
        manifest.edge_count,
        dict(zip(manifest.types, manifest.type_counts, strict=True)),
        {relation.name: relation.count for relation in manifest.relations},
        build.report,
    )


@dataclass
class SnapshotBuild:
    source: GraphSource
    folder: Path
    progress: BuildProgress
    memory_bytes: int
    open_ingest: IngestOpener

    def __post_init__(self) -> None:
        self.limit = max(self.memory_bytes // 16, 1 << 10)
        rows = min(max(self.limit // 256, 8), 1 << 16)
        self.report = BuildReport()
        self.ingest = self.open_ingest(
            self.source, self.report, rows, max(self.memory_bytes // 8, 1 << 14)
        )
        (self.folder / "snapshot").mkdir()
        self.writer = RawFolderWriter(self.folder / "snapshot", DEFAULT_DTYPES)

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
            self.writer.close()

    def read_entities(self) -> FoldedEntities:
        sort = self.new_sort("entities")
        for table in self.ingest.nodes():
            sort.add(table)
            self.progress("reading entities", self.report.node_rows)
        spool = TableSpool(self.folder / "entities.folded")
        return fold_nodes(sort.tables(), self.ingest, spool)

    def read_edges(self, entities: FoldedEntities) -> FoldedEdges:
        sort = self.new_sort("edges")
        for table in resolve_ends(self.ingest.edges(), entities.index, self.ingest):
            sort.add(table)
            self.progress("reading edges", self.report.edge_rows)
        spool = TableSpool(self.folder / "edges.folded")
        self.progress("folding edges", self.report.edge_rows)
        return fold_edges(sort.tables(), len(entities), self.ingest, spool)

    def write_index(self, entities: FoldedEntities, numbering: Numbering) -> None:
        self.writer.write_array("hashes", entities.index.hashes)
        self.writer.write_array("by_hash", numbering.number_of)

    def write_edges(
        self, edges: FoldedEdges, numbering: Numbering, entities: int
    ) -> tuple[Relation, ...]:
        names, places = self.ingest.relations.sorted_used(edges.relation_counts > 0)
        written = {
            name: self.write_dictionary(name, edges.used_codes[name]) for name in CODED_COLUMNS
        }
        for name, degrees in (("forward", edges.out_degree), ("reverse", edges.in_degree)):
            self.writer.write_array(
                f"{name}.offsets", offsets_from_lengths(degrees[numbering.order])
            )
        counts = {name: count for name, (count, _) in written.items()}
        result = {"relation": places} | {name: codes for name, (_, codes) in written.items()}
        key = EdgeKey.of(entities, len(names))
        sort = self.new_sort("forward")
        for table in renumber_edges(edges, numbering, key, result):
            sort.add(table)
        back = self.new_sort("backward")
        output = EdgeWriter(self.writer, key, edges.columns, len(names), counts, back)
        output.forward(sort.tables(), lambda rows: self.progress("writing edges", rows))
        self.progress("writing reverse edges", edges.count)
        output.reverse()
        folder = self.folder / "snapshot"
        write_hubs(self.writer, folder, edges.out_degree, edges.in_degree, numbering, len(names))
        infos = self.ingest.relation_infos
        totals = edges.relation_counts[[self.ingest.relations.codes[name] for name in names]]
        return tuple(
            resolve_relation(number, name, infos.get(name), count)
            for number, (name, count) in enumerate(zip(names, totals.tolist(), strict=True))
        )

    def write_dictionary(
        self, column: str, used: NDArray[np.bool_]
    ) -> tuple[int, NDArray[np.uint32]]:
        """Write the sorted dictionary of a coded column; return its size and the final codes."""
        texts, places = self.ingest.coded[column].sorted_used(used)
        if set(texts) - {""}:
            array = StringArray.of([text.encode() for text in texts])
            self.writer.append_strings(CODED_COLUMNS[column], array.pool, array.offsets)
            self.writer.finish()
        return len(texts), places

    def write_entities(self, entities: FoldedEntities, numbering: Numbering) -> dict[str, int]:
        sort = self.new_sort("numbered")
        self.progress("writing entities", len(entities))
        for table in renumber_entities(entities, numbering):
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
        write_file(self.folder / "snapshot" / MANIFEST, manifest.as_bytes())
        return manifest

    def new_sort(self, name: str) -> ExternalSort:
        return ExternalSort(self.folder / name, self.limit)


def resolve_relation(number: int, name: str, info: RelationInfo | None, count: int) -> Relation:
    """Phrases of a relation; derived from its name where the source gives none."""
    details = info or RelationInfo(name)
    plain = " ".join(name.replace("_", " ").split()) or name
    forward = details.forward or (plain.lower() if plain.isupper() else plain)
    backward = details.backward or (forward if details.symmetric else f"{forward} (reverse)")
    return Relation(number, name, forward, backward, details.symmetric, count)
