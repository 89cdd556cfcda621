"""Small graphs for tests: on the disk once in a run, in the database for each test."""

import tempfile
import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from backend.accounts.models import User
from backend.graphs.import_service import ImportRequest, begin_import
from backend.graphs.importers.registry import open_source
from backend.graphs.models import Graph, GraphShare, Version
from backend.graphs.snapshots.build_report import BuildResult
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.versions import version_ids_of
from backend.jobs.context import ProgressCallback
from backend.jobs.models import Job
from backend.jobs.runner import run_job
from tests.graphs.importers.factories import write_files

ASPIRIN, COX1, COX2, HEADACHE = "DRUGBANK:DB00945", "HGNC:9604", "HGNC:9605", "HP:0002315"
ENTITIES = f"""id,name,type,synonyms,xrefs,document
{ASPIRIN},Aspirin,Drug,ASA|Acetylsalicylic acid,CHEBI:15365|LOCAL:7,An old drug.
{COX1},PTGS1,Gene,COX1,,
{COX2},PTGS2,Gene,COX2,,
{HEADACHE},Headache,Phenotype,,,
"""
EDGES = f"""source,relation,target,score,evidence,publications
{ASPIRIN},inhibits,{COX1},0.5,DrugBank,PMID:1|PMID:2
{ASPIRIN},inhibits,{COX2},,,
{ASPIRIN},treats,{HEADACHE},,label,
"""
RELATIONS = """name,forward,backward,symmetric
inhibits,inhibits,is inhibited by,no
treats,treats,is treated by,no
"""
FILES: Mapping[str, str | bytes] = {
    "entities.csv": ENTITIES,
    "edges.csv": EDGES,
    "relations.csv": RELATIONS,
}


def small_files(**changes: str | bytes) -> dict[str, str | bytes]:
    """The small graph's files, some of them otherwise."""
    return {**FILES, **{f"{name}.csv": content for name, content in changes.items()}}


def small_files_with_edges(*rows: str) -> dict[str, str | bytes]:
    """The small graph with more edges: another version of it."""
    return small_files(edges=EDGES + "".join(f"{row}\n" for row in rows))


def small_snapshot() -> BuildResult:
    """Made anew where a test of removing has taken it: versions of equal content share a folder."""
    if not (_build_small_snapshot().path / "manifest.json").exists():
        _build_small_snapshot.cache_clear()
    return _build_small_snapshot()


@cache
def _build_small_snapshot() -> BuildResult:
    folder = write_files(Path(tempfile.mkdtemp(dir=Path(settings.SNAPSHOTS).parent)), FILES)
    return build_snapshot(open_source([folder]).source, Path(settings.SNAPSHOTS))


def make_graph(
    owner: User | None = None,
    visibility: str = Graph.Visibility.PRIVATE,
    *,
    studies: Sequence[uuid.UUID] = (),
    name: str = "",
) -> Version:
    """The small graph, ready to be read, with one version."""
    unique = name or f"Graph {uuid.uuid4().hex}"
    graph = Graph.objects.create(
        name=unique, slug=unique.lower().replace(" ", "-"), owner=owner, visibility=visibility
    )
    GraphShare.objects.bulk_create(GraphShare(graph=graph, study_id=study) for study in studies)
    return Version.objects.create(
        graph=graph,
        snapshot=small_snapshot().path.name,
        number=1,
        entities=small_snapshot().entities,
        edges=small_snapshot().edges,
        created_by=owner,
        ready_at=timezone.now(),
    )


def make_uploads(files: Mapping[str, str | bytes] = FILES) -> list[SimpleUploadedFile]:
    return [
        SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)
        for name, content in files.items()
    ]


def run_import(job: Job, *paths: Path, on_progress: ProgressCallback | None = None) -> Job | None:
    """Run an import here and now; of paths, or of its uploads."""
    return run_job(job.pk, inputs={"paths": paths}, on_progress=on_progress)


def at_phase(phase: str, action: Callable[[], object]) -> ProgressCallback:
    """A progress callback that does something once, when a phase of this name begins."""
    actions = [action]

    def report(reported: str, _share: float) -> None:
        if actions and reported.startswith(phase):
            actions.pop()()

    return report


def fail_at_phase(phase: str, error: BaseException) -> ProgressCallback:
    def fail() -> None:
        raise error

    return at_phase(phase, fail)


def run_small_import(folder: Path, files: Mapping[str, str | bytes] = FILES, **more: Any) -> Job:
    """The job of files that are imported here and now."""
    actor, on_progress = more.pop("actor", None), more.pop("on_progress", None)
    request = ImportRequest(**{"name": "Small", **more})
    job = begin_import(actor=actor, import_request=request, files=[folder.name])
    run_import(job, write_files(folder, files), on_progress=on_progress)
    job.refresh_from_db()
    return job


def version_of(job: Job) -> Version:
    return Version.objects.get(pk__in=version_ids_of(job))
