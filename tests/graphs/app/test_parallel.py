"""Two at the same time: of imports, of workers, of removals and views."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from backend.common.errors import Conflict, DomainError
from backend.graphs.import_service import ImportRequest, request_import
from backend.graphs.models import Graph, SavedView, Version
from backend.graphs.saved_views import save_view
from backend.graphs.versions import delete_version, import_jobs
from backend.jobs.models import Job
from backend.jobs.runner import claim_job
from tests.graphs.app.factories import make_graph, make_uploads, run_import
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 4


def at_once(*works: Callable[[], object]) -> list[object]:
    """What each gives or raises, all begun in the same moment, each on its own connection."""
    begin = Barrier(len(works))

    def one(work: Callable[[], object]) -> object:
        begin.wait()
        try:
            return work()
        except DomainError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, works))


def request_small_import(administrator: Person) -> Job:
    return request_import(
        actor=administrator.user, import_request=ImportRequest("Small"), files=make_uploads()
    )


def test_of_concurrent_imports_into_one_graph_one_is_accepted(administrator: Person) -> None:
    result = at_once(*[lambda: request_small_import(administrator)] * MANY)
    assert sum(isinstance(it, Job) for it in result) == 1
    assert sum(isinstance(it, Conflict) for it in result) == MANY - 1
    assert import_jobs().count() == 1


def test_of_concurrent_workers_one_claims_the_import(administrator: Person) -> None:
    row = request_small_import(administrator)
    result = at_once(*[lambda: claim_job(row.pk)] * MANY)
    assert sum(it is not None for it in result) == 1


def test_a_task_delivered_twice_creates_one_version(administrator: Person) -> None:
    row = request_small_import(administrator)
    at_once(*[lambda: run_import(row)] * 2)
    assert Version.objects.ready().count() == Version.objects.count() == 1
    assert Graph.objects.count() == 1


def test_a_view_is_saved_or_its_version_deleted_but_not_both(administrator: Person) -> None:
    version = make_graph(visibility="public")

    def keep() -> object:
        return save_view(actor=None, version=version, title="A view", state={})

    def remove() -> None:
        delete_version(actor=administrator.user, version=version)

    at_once(keep, remove)
    assert SavedView.objects.exists() == Version.objects.ready().exists()
