"""States of an import: one worker at a time, and none is lost with its worker."""

import os
import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from backend.common.errors import Conflict, NotAllowed
from backend.common.leases import LEASE, Overtaken, beating
from backend.graphs import imports, pipeline
from backend.graphs.imports import (
    Wanted,
    begin_import,
    claim_import,
    move_import,
    release_all,
    request_import,
    sweep_imports,
)
from backend.graphs.models import Entity, GraphImport, State, Version
from backend.graphs.models.imports import EDGES, ENDED
from backend.graphs.uploads import folder_of
from tests.graphs.app.making import imported, uploads
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(administrator: Person) -> GraphImport:
    return request_import(actor=administrator.user, wanted=Wanted("Small"), files=uploads())


def silent(row: GraphImport) -> None:
    """Its worker died a while ago."""
    GraphImport.objects.filter(id=row.pk).update(heartbeat=timezone.now() - 2 * LEASE)


def fresh(row: GraphImport) -> GraphImport:
    row.refresh_from_db()
    return row


def test_every_state_leads_to_an_end_and_an_end_nowhere() -> None:
    assert set(EDGES) == set(State)
    assert all(EDGES[state] == frozenset() for state in ENDED)
    assert all(EDGES[state] & set(ENDED) for state in set(State) - set(ENDED))


@pytest.mark.parametrize("state", list(State))
def test_only_moves_of_the_table_are_made(waiting: GraphImport, state: State) -> None:
    for to in State:
        GraphImport.objects.filter(id=waiting.pk).update(state=state)
        if to in EDGES[state]:
            move_import(waiting, to)
        else:
            with pytest.raises(Overtaken):
                move_import(waiting, to)


def test_of_two_workers_one_gets_the_import(waiting: GraphImport) -> None:
    assert claim_import(waiting.pk) is not None
    assert claim_import(waiting.pk) is None
    assert claim_import(uuid.uuid4()) is None


def test_an_import_that_has_ended_is_not_begun_again(waiting: GraphImport) -> None:
    assert pipeline.run_import(waiting.pk) is not None
    assert fresh(waiting).state == State.DONE
    assert pipeline.run_import(waiting.pk) is None


def test_a_worker_that_was_overtaken_writes_nothing_more(waiting: GraphImport) -> None:
    first = claim_import(waiting.pk)
    silent(waiting)
    second = claim_import(waiting.pk)
    assert first and second and first.lease != second.lease
    with pytest.raises(Overtaken):
        move_import(first, State.BUILDING)
    move_import(second, State.BUILDING)


def test_what_a_dead_worker_had_is_queued_again_and_done(
    waiting: GraphImport,
    work_off: Callable[[], list[str]],
) -> None:
    assert claim_import(waiting.pk)
    assert sweep_imports() == 0
    silent(waiting)
    GraphImport.objects.filter(id=waiting.pk).update(created_at=timezone.now() - 2 * LEASE)
    assert sweep_imports() == 1
    assert fresh(waiting).state == State.QUEUED
    assert "graphs.run_import" in work_off()
    assert (fresh(waiting).state, waiting.attempts) == (State.DONE, 2)


def test_what_died_while_indexing_leaves_nothing_behind(
    waiting: GraphImport, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """Nobody handles it, as nobody handles a kill."""

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "index_version", killed)
        with pytest.raises(Killed):
            pipeline.run_import(waiting.pk)
    assert fresh(waiting).state == State.INDEXING
    assert Entity.objects.exists() and not Version.objects.ready().exists()
    silent(waiting)
    pipeline.run_import(waiting.pk)
    assert fresh(waiting).state == State.DONE
    assert Entity.objects.count() == Version.objects.ready().get().entities


def test_an_import_that_kills_its_workers_is_given_up(waiting: GraphImport) -> None:
    for _ in range(imports.MOST_ATTEMPTS):
        assert claim_import(waiting.pk)
        silent(waiting)
    assert claim_import(waiting.pk) is None
    assert fresh(waiting).state == State.FAILED
    assert waiting.report["error"]["code"] == "stopped"


def test_a_command_that_was_killed_is_not_done_by_a_worker() -> None:
    row = begin_import(actor=None, wanted=Wanted("Small"), files=["folder"])
    assert claim_import(row.pk)
    release_all()
    sweep_imports()
    assert fresh(row).state == State.READING
    silent(row)
    sweep_imports()
    assert fresh(row).state == State.FAILED


def test_where_no_worker_can_live_all_is_free_at_once(waiting: GraphImport) -> None:
    assert claim_import(waiting.pk)
    release_all()
    assert claim_import(waiting.pk) is not None


def test_a_task_that_the_queue_lost_is_asked_for_again(
    waiting: GraphImport, work_off: Callable[[], list[str]]
) -> None:
    assert work_off() == []
    GraphImport.objects.update(created_at=timezone.now() - 2 * LEASE)
    sweep_imports()
    assert work_off() == ["graphs.run_import"]
    assert fresh(waiting).state == State.DONE


def test_files_lie_under_their_number_and_go_with_the_import(
    administrator: Person, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    files = [*uploads(), SimpleUploadedFile("..\\..\\evil/../x.csv", b"a,b\n1,2\n")]
    row = request_import(actor=administrator.user, wanted=Wanted("Small"), files=files)
    assert sorted(it.name for it in folder_of(row.pk).iterdir()) == ["0", "1", "2", "3"]
    with django_capture_on_commit_callbacks(execute=True):
        pipeline.run_import(row.pk)
    assert fresh(row).state == State.DONE
    assert not folder_of(row.pk).exists()


def test_one_import_into_a_graph_at_a_time(waiting: GraphImport, administrator: Person) -> None:
    with pytest.raises(Conflict, match="under way"):
        request_import(actor=administrator.user, wanted=Wanted("Small"), files=uploads())
    request_import(actor=administrator.user, wanted=Wanted("Other"), files=uploads())


def test_one_person_has_few_imports_at_once(administrator: Person) -> None:
    for number in range(imports.MOST_AT_ONCE):
        wanted = Wanted(f"Graph {number}")
        request_import(actor=administrator.user, wanted=wanted, files=uploads())
    with pytest.raises(Conflict, match="imports of yours"):
        request_import(actor=administrator.user, wanted=Wanted("More"), files=uploads())


def test_who_coordinates_nothing_imports_nothing(researcher: Person, outsider: Person) -> None:
    for person in (researcher, outsider):
        with pytest.raises(NotAllowed):
            request_import(actor=person.user, wanted=Wanted("Hers"), files=uploads())
    assert not GraphImport.objects.exists()


def test_it_is_asked_again_who_may_when_the_files_are_read(tmp_path: Path) -> None:
    """Somebody took the name while her files were waiting."""
    ada, otto = (make_person(name, is_administrator=False).user for name in ("ada", "otto"))
    row = begin_import(actor=ada, wanted=Wanted("Small"), files=["x"])
    GraphImport.objects.filter(id=row.pk).update(name="Later")
    imported(tmp_path, actor=otto)
    GraphImport.objects.filter(id=row.pk).update(name="Small")
    pipeline.run_import(row.pk, [tmp_path])
    assert (fresh(row).state, row.report["error"]["code"]) == (State.REFUSED, "conflict")
    assert Version.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_long_step_does_not_cost_the_lease(
    waiting: GraphImport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sign of life comes from a thread of its own, with its own connection."""
    monkeypatch.setattr("backend.common.leases.BEAT", timedelta(seconds=0.05))
    held = claim_import(waiting.pk)
    assert held is not None
    silent(waiting)
    with beating(held), connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.5)")
    assert fresh(waiting).heartbeat
    assert not GraphImport.objects.abandoned().exists()


def test_uploads_that_no_import_waits_for_are_swept_after_a_day(waiting: GraphImport) -> None:
    lost, recent = folder_of(uuid.uuid4()), folder_of(uuid.uuid4())
    for folder in (lost, recent):
        folder.mkdir()
    for folder in (lost, folder_of(waiting.pk)):
        os.utime(folder, (0, 0))
    sweep_imports()
    assert [it.is_dir() for it in (lost, recent, folder_of(waiting.pk))] == [False, True, True]
