"""Run one import: from its files to a published version, or to a stored error.

Nothing is visible before the last step: the snapshot has no version at first, then its version is
not ready. What a killed worker leaves behind is deleted by the next attempt.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.import_report import ImportReport
from backend.graphs.importers.common.base import ImportOptions
from backend.graphs.importers.common.input_files import ReadLimits
from backend.graphs.importers.common.read_time_limit import ReadTimeLimit
from backend.graphs.importers.registry import open_source
from backend.graphs.models import Version
from backend.graphs.search.indexing import index_version
from backend.graphs.snapshots.build_report import BuildReport
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.errors import InvalidSnapshot, NoSpace
from backend.graphs.snapshots.remote_store import upload_snapshot
from backend.graphs.uploads import upload_path
from backend.graphs.versions import (
    get_or_create_version,
    publish_version,
    update_graph_metadata,
)
from backend.jobs.context import JobContext
from backend.jobs.faults import PlatformFault

# Percent done at the start of each phase, measured on graphs of 0.1 to 10 million edges.
BUILDING_PERCENT, INDEXING_PERCENT = 55.0, 75.0
PHASE_PERCENT = {
    "folding edges": 55.0,
    "numbering entities": 60.0,
    "writing edges": 62.0,
    "writing reverse edges": 68.0,
    "writing entities": 72.0,
}
Result = Mapping[str, Any]


class DryRunFinished(Exception):
    """Raised at the point where a dry run ends."""


def run_import(context: JobContext) -> Callable[[], Result]:
    """Import the files of a job. The returned callable publishes the version."""
    work = ImportJob(context)
    try:
        return work.run()
    except NoSpace as error:
        raise PlatformFault("disk_full", error.detail) from error
    except InvalidSnapshot as error:
        raise PlatformFault("invalid_snapshot", error.detail) from error
    finally:
        context.partial_result.update(work.report_payload())


class ImportJob:
    """An import claimed by this process, with its progress."""

    def __init__(self, context: JobContext) -> None:
        job = context.job
        self.context, self.job, self.parameters = context, job, job.parameters
        self.read_limit = ReadTimeLimit(
            context.cancellation, None if job.is_local else settings.UPLOAD_READ_SECONDS
        )
        names = self.parameters["files"]
        paths: Sequence[Path] = context.inputs.get("paths", ())
        self.paths = paths or [upload_path(job.pk, index) for index in range(len(names))]
        self.display_names = {} if paths else dict(zip(self.paths, names, strict=True))
        self.import_report: ImportReport | None = None
        self.build_report: BuildReport | None = None
        self.bytes_read = 0

    def run(self) -> Callable[[], Result]:
        self.context.set_subjects([])  # those of an earlier attempt are gone
        import_report = self.open_files()
        try:
            built = build_snapshot(
                import_report,
                Path(settings.SNAPSHOTS),
                progress=self.report_building,
                check_report=partial(self.check_report, import_report),
            )
        except DryRunFinished:
            return self.report_payload
        report = import_report.to_json(built=built)
        version = get_or_create_version(self.context, built)
        if version.ready_at is None:
            self.index_version(version)
            return partial(self.publish, version, report)
        return partial(self.update_metadata, version, report)

    def publish(self, version: Version, report: dict[str, Any]) -> Result:
        publish_version(version, metadata=self.parameters["metadata"], report=report)
        return {**report, "graph": version.graph.slug}

    def update_metadata(self, version: Version, report: dict[str, Any]) -> Result:
        update_graph_metadata(version.graph, self.parameters["metadata"])
        return {**report, "unchanged": True, "graph": version.graph.slug}

    def open_files(self) -> ImportReport:
        opened = open_source(
            self.paths,
            self.parameters["format"],
            options=ImportOptions(column_mapping=self.parameters["columns"]),
            limits=ReadLimits(
                on_bytes_read=self.count_bytes,
                check=self.read_limit.check,
                remaining_s=self.read_limit.remaining_s,
            ),
            names=self.display_names,
        )
        self.bytes_read = 0
        self.import_report = ImportReport(opened)
        return self.import_report

    def check_report(self, import_report: ImportReport, report: BuildReport) -> None:
        self.build_report = report
        import_report.check_dropped_share(report)
        if self.parameters["dry_run"]:
            raise DryRunFinished

    def index_version(self, version: Version) -> None:
        self.context.report_progress("indexing names", INDEXING_PERCENT / 100, is_forced=True)
        snapshot = open_version_snapshot(version)
        index_version(version, snapshot, progress=self.report_indexing)
        if settings.SNAPSHOT_STORE:
            upload_snapshot(snapshot, settings.SNAPSHOT_STORE)

    def report_payload(self) -> dict[str, Any]:
        return self.import_report.to_json(self.build_report) if self.import_report else {}

    def count_bytes(self, count: int) -> None:
        self.bytes_read += count

    def report_building(self, phase: str, rows: int) -> None:
        """Report progress: of reading by bytes read, of later phases by fixed percentages."""
        size = self.import_report.opened.total_bytes if self.import_report else 0
        if phase.startswith("reading"):
            self.report_progress(
                f"{phase}: {rows:,} rows", BUILDING_PERCENT * min(self.bytes_read / max(size, 1), 1)
            )
            return
        # Written at once, so that a cancelled import stops before its snapshot is published.
        percent = PHASE_PERCENT.get(phase, self.job.percent)
        self.context.report_progress(phase, percent / 100, is_forced=True)

    def report_indexing(self, phase: str, done: int, total: int) -> None:
        share = min(done / max(total, 1), 1)
        self.report_progress(phase, INDEXING_PERCENT + (100 - INDEXING_PERCENT) * share)

    def report_progress(self, phase: str, percent: float) -> None:
        self.context.report_progress(phase, percent / 100)
