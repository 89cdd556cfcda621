"""Two at the same time: of imports, of workers, of removals and views."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from backend.common.errors import Conflict, DomainError
from backend.graphs.imports import Wanted, claim_import, request_import
from backend.graphs.models import Graph, GraphImport, SavedView, Version
from backend.graphs.pipeline import run_import
from backend.graphs.versions import remove_version
from backend.graphs.views import save_view
from tests.graphs.app.making import make_graph, uploads
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


def ask(administrator: Person) -> GraphImport:
    return request_import(actor=administrator.user, wanted=Wanted("Small"), files=uploads())


def test_of_imports_into_one_graph_one_is_taken(administrator: Person) -> None:
    found = at_once(*[lambda: ask(administrator)] * MANY)
    assert sum(isinstance(it, GraphImport) for it in found) == 1
    assert sum(isinstance(it, Conflict) for it in found) == MANY - 1
    assert GraphImport.objects.count() == 1


def test_of_workers_with_one_import_one_gets_it(administrator: Person) -> None:
    row = ask(administrator)
    found = at_once(*[lambda: claim_import(row.pk)] * MANY)
    assert sum(it is not None for it in found) == 1


def test_a_task_that_is_delivered_twice_makes_one_version(administrator: Person) -> None:
    row = ask(administrator)
    at_once(*[lambda: run_import(row.pk)] * 2)
    assert Version.objects.ready().count() == Version.objects.count() == 1
    assert Graph.objects.count() == 1


def test_a_view_is_kept_with_its_version_or_neither(administrator: Person) -> None:
    version = make_graph(visibility="public")

    def keep() -> object:
        return save_view(actor=None, version=version, title="A view", state={})

    def remove() -> None:
        remove_version(actor=administrator.user, version=version)

    at_once(keep, remove)
    assert SavedView.objects.exists() == Version.objects.ready().exists()
