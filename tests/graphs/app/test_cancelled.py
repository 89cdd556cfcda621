"""An import that somebody cancels: its worker stops and nothing of it stays."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from backend.common import leases
from backend.common.errors import Conflict, Missing
from backend.graphs import pipeline
from backend.graphs.imports import (
    Wanted,
    begin_import,
    cancel_import,
    request_import,
    say_of_import,
)
from backend.graphs.models import Entity, Graph, GraphImport, State, Version
from backend.graphs.pipeline import run_import
from backend.graphs.reading import open_graph
from backend.graphs.search.indexing import index_version
from backend.graphs.uploads import folder_of
from tests.annotation.personas import make_cast
from tests.graphs.app.making import imported, longer, uploads
from tests.graphs.app.test_killed import large
from tests.graphs.importers.making import write
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESS = "/api/v1/graph-imports"
LONGEST_S = 60


@pytest.fixture
def waiting(administrator: Person) -> GraphImport:
    return request_import(actor=administrator.user, wanted=Wanted("Small"), files=uploads())


def fresh(row: GraphImport) -> GraphImport:
    row.refresh_from_db()
    return row


@contextmanager
def held_at(
    state: State, row: GraphImport, paths: list[Path], patch: pytest.MonkeyPatch
) -> Iterator[Callable[[], object]]:
    """A worker has this import and holds still in this state; what is given lets it go on."""
    reached, go_on = Event(), Event()

    def say(row: GraphImport, **fields: Any) -> None:
        if row.state == state and not reached.is_set():
            reached.set()
            go_on.wait(LONGEST_S)
        say_of_import(row, **fields)

    def work() -> object:
        try:
            return run_import(row.pk, paths)
        finally:
            connection.close()

    patch.setattr(leases, "SAY_EVERY_S", 0)
    patch.setattr(pipeline, "say_of_import", say)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(work)
        assert reached.wait(LONGEST_S)

        def ended() -> object:
            go_on.set()
            return running.result(LONGEST_S)

        try:
            yield ended
        finally:
            go_on.set()


def snapshots() -> set[str]:
    return {path.name for path in Path(settings.SNAPSHOTS).iterdir() if path.name != ".lock"}


@pytest.mark.parametrize("state", [State.READING, State.BUILDING, State.INDEXING])
def test_nothing_stays_of_an_import_cancelled_while_a_worker_has_it(
    tmp_path: Path, administrator: Person, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = imported(tmp_path / "good", about={"visibility": Graph.Visibility.PUBLIC})
    files = snapshots()
    row = begin_import(actor=administrator.user, wanted=Wanted("Large"), files=["large"])
    with held_at(state, row, [large(tmp_path / "large")], monkeypatch) as ended:
        answer = administrator.browser.post(f"{ADDRESS}/{row.pk}/cancel")
        assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
        assert ended() is None
    assert fresh(row).state == State.CANCELLED
    assert list(Version.objects.all()) == [before.version]
    assert Entity.objects.count() == 4 and Graph.objects.count() == 1
    assert snapshots() <= files
    assert open_graph(None, "small").version == before.version
    assert imported(tmp_path / "large", {}, name="Large").state == State.DONE


def test_cancelled_before_a_worker_came_it_is_never_begun(
    waiting: GraphImport, administrator: Person, work_off: Callable[[], list[str]]
) -> None:
    cancel_import(actor=administrator.user, graph_import=waiting)
    work_off()
    assert (fresh(waiting).state, waiting.attempts) == (State.CANCELLED, 0)
    assert waiting.report["error"]["detail"].startswith(f"Cancelled by {administrator.user.name}.")
    assert not folder_of(waiting.pk).exists()
    assert run_import(waiting.pk) is None and not Graph.objects.exists()


def test_a_version_of_the_same_content_that_another_import_makes_is_left_to_it(
    tmp_path: Path, administrator: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """She cancels and imports the same again at once, while the first worker is still at it."""
    folder = write(tmp_path / "more", longer("DRUGBANK:DB00945,treats,HGNC:9604,,,"))
    first = begin_import(actor=administrator.user, wanted=Wanted("Small"), files=["more"])

    def cancelled_meanwhile(*arguments: object, **more: object) -> None:
        monkeypatch.setattr(pipeline, "index_version", index_version)
        cancel_import(actor=administrator.user, graph_import=first)
        second = begin_import(actor=administrator.user, wanted=Wanted("Small"), files=["more"])
        run_import(second.pk, [folder])

    monkeypatch.setattr(pipeline, "index_version", cancelled_meanwhile)
    assert run_import(first.pk, [folder]) is None
    assert fresh(first).state == State.CANCELLED
    version = Version.objects.get()
    assert version.ready_at and Entity.objects.filter(version=version).count() == 4
    assert open_graph(administrator.user, "small").version == version


def test_who_may_not_see_an_import_cannot_cancel_it(outsider: Person) -> None:
    cast = make_cast()
    row = GraphImport.objects.create(name="Hers", actor=cast.coordinator, origin="upload")
    for user in (outsider.user, cast.other_coordinator, cast.expert):
        with pytest.raises(Missing):
            cancel_import(actor=user, graph_import=row)
    assert fresh(row).state == State.QUEUED
    outsider.browser.force_login(cast.coordinator)
    assert outsider.browser.post(f"{ADDRESS}/{row.pk}/cancel").json()["state"] == "cancelled"


def test_one_of_a_command_is_not_everybodys(outsider: Person) -> None:
    row = begin_import(actor=None, wanted=Wanted("Small"), files=["folder"])
    with pytest.raises(Missing):
        cancel_import(actor=outsider.user, graph_import=row)


def test_cancelling_twice_is_as_once_and_an_ended_import_is_left_as_it_is(
    waiting: GraphImport, administrator: Person
) -> None:
    for _ in range(2):
        cancel_import(actor=administrator.user, graph_import=waiting)
    said = fresh(waiting).report
    done = request_import(actor=administrator.user, wanted=Wanted("Other"), files=uploads())
    run_import(done.pk)
    with pytest.raises(Conflict, match="had ended"):
        cancel_import(actor=administrator.user, graph_import=done)
    assert fresh(done).state == State.DONE and fresh(waiting).report == said


def test_the_way_back_of_the_migration_keeps_what_was_cancelled(
    waiting: GraphImport, administrator: Person
) -> None:
    cancel_import(actor=administrator.user, graph_import=waiting)
    try:
        call_command("migrate", "graphs", "0002", verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute("SELECT state FROM graphs_graphimport")
            assert cursor.fetchall() == [("failed",)]
    finally:
        call_command("migrate", verbosity=0)
