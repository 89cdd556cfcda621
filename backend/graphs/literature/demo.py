"""The demo's papers: a few that exist, and made-up ones that are marked so. Imported once."""

from django.conf import settings

from backend.common.advisory_locks import AdvisoryLock, try_lock
from backend.common.errors import Conflict, DomainError
from backend.graphs.literature.collections import PaperImport, delete_collection, find_collection
from backend.graphs.literature.import_service import begin_paper_import, paper_import_jobs
from backend.graphs.literature.paper_files import PaperFiles
from backend.graphs.models import Collection
from backend.jobs.models import JobState
from backend.jobs.runner import run_job
from backend.jobs.services import recover_job

DEMO_NAME = "Demo papers"
DEMO_FILE = settings.FIXTURES / "demo" / "papers" / "papers.jsonl"
DEMO_PAPERS = PaperImport(
    name=DEMO_NAME,
    licence="CC0-1.0",
    source="Serendib: 17 papers that exist, summarised, and 283 made up for the demo",
    is_public=True,
    is_demo=True,
)


def load_demo_papers() -> Collection | None:
    """The collection, imported again if its file has changed; None while another process does so.

    Raises Conflict where another collection has its name.
    """
    with try_lock(AdvisoryLock.PAPER_IMPORTS, DEMO_NAME) as is_held:
        if not is_held:
            return None
        existing = find_collection(DEMO_NAME)
        if existing is not None and not existing.is_demo:
            raise Conflict(
                f"There is a collection named '{DEMO_NAME}' that is not the demo. Rename it first."
            )
        if existing is not None and existing.digest == _file_digest():
            return existing
        if existing is not None:
            delete_collection(existing)
        return _import_demo()


def _file_digest() -> str:
    files = PaperFiles.open([DEMO_FILE])
    for _ in files.read(1_000):
        pass
    return files.digest


def _import_demo() -> Collection:
    for left in paper_import_jobs().active().filter(parameters__name=DEMO_NAME, owner=None):
        recover_job(left)  # nobody runs it: this process has the lock
    job = begin_paper_import(actor=None, request=DEMO_PAPERS, files=[DEMO_FILE.name])
    run_job(job.pk, inputs={"paths": [DEMO_FILE]})
    job.refresh_from_db()
    if job.state != JobState.SUCCEEDED:
        reason = (job.error or {}).get("detail", "The import was stopped.")
        raise DomainError(f"The demo's papers were not imported. {reason}")
    return Collection.objects.get(slug=job.result["collection"])
