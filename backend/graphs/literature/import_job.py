"""Run one import of papers: from its files to a published collection, or to a stored error.

Papers are stored and indexed while they are read; nobody sees them before the last step. After the
first fault the rest is only checked, and nothing is published.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings

from backend.accounts.models import User
from backend.common.errors import Conflict
from backend.graphs.importers.common.input_files import ReadLimits
from backend.graphs.importers.common.read_time_limit import ReadTimeLimit
from backend.graphs.literature.collections import (
    copy_papers,
    create_collection,
    delete_abandoned_collections,
    delete_collection,
    find_collection,
    publish_collection,
)
from backend.graphs.literature.import_service import paper_import_jobs, request_of
from backend.graphs.literature.paper_files import PaperFiles
from backend.graphs.literature.paper_index import BATCH, write_index
from backend.graphs.literature.paper_records import PaperRecord
from backend.graphs.models import Collection
from backend.graphs.uploads import upload_path
from backend.jobs.context import JobContext
from backend.jobs.models import Job

READING_SHARE = 0.7
Result = Mapping[str, Any]


def run_paper_import(context: JobContext) -> Callable[[], Result]:
    """The returned callable publishes the collection, which has the id of the job."""
    job = context.job
    limit = ReadTimeLimit(
        context.cancellation, None if job.is_local else settings.UPLOAD_READ_SECONDS
    )
    bytes_read = _ByteCount()
    files = _open_files(context, ReadLimits(on_bytes_read=bytes_read.add, check=limit.check))
    total = sum(file.size for file in files.files)
    collection = create_collection(job.pk, job.owner, request_of(job))

    def batches() -> Iterator[Sequence[PaperRecord]]:
        for batch in files.read(BATCH):
            share = min(bytes_read.total / max(total, 1), 1)
            context.report_progress(f"reading: {files.papers:,} papers", READING_SHARE * share)
            if not files.faults.total:
                copy_papers(collection, files.papers - len(batch), batch)
                yield batch

    def report_indexing(share: float) -> None:
        context.report_progress("indexing", READING_SHARE + (1 - READING_SHARE) * share)

    write_index(collection, batches(), report_indexing)
    files.raise_faults()
    existing = find_collection(collection.name)
    if existing is None:
        return partial(_publish, collection, files)
    if not _may_change(existing, job.owner):
        message = f"The name '{existing.name}' is taken. Choose another name."
        raise Conflict(message, code="name_taken")
    if existing.digest != files.digest:
        raise Conflict(
            f"The collection '{existing.name}' has other papers. Choose another name.",
            code="other_papers",
        )
    return partial(_update, existing, collection, files)


def _may_change(collection: Collection, actor: User | None) -> bool:
    """actor: None for a command."""
    return actor is None or actor.is_administrator or collection.owner_id == actor.pk


def _publish(collection: Collection, files: PaperFiles) -> Result:
    collection.digest, collection.papers = files.digest, files.papers
    collection.undated, collection.synthetic = files.undated, files.synthetic
    publish_collection(collection)
    return {"collection": collection.slug, "unchanged": False, **files.counts()}


def _update(existing: Collection, new: Collection, files: PaperFiles) -> Result:
    """The papers are there already; their source, licence and visibility may have changed."""
    for name in ("source", "licence", "is_public"):
        setattr(existing, name, getattr(new, name))
    existing.save()
    delete_collection(new)
    return {"collection": existing.slug, "unchanged": True, **files.counts()}


class _ByteCount:
    def __init__(self) -> None:
        self.total = 0

    def add(self, count: int) -> None:
        self.total += count


def _open_files(context: JobContext, limits: ReadLimits) -> PaperFiles:
    names = context.job.parameters["files"]
    given: Sequence[Path] = context.inputs.get("paths", ())
    paths = given or [upload_path(context.job.pk, index) for index in range(len(names))]
    return PaperFiles.open(paths, limits, {} if given else dict(zip(paths, names, strict=True)))


def discard_unfinished_collection(job: Job) -> None:
    """What a failed or killed attempt left behind."""
    for collection in Collection.objects.filter(pk=job.pk, ready_at=None):
        delete_collection(collection)


def sweep_collections() -> None:
    delete_abandoned_collections(set(paper_import_jobs().active().values_list("id", flat=True)))
