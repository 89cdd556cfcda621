"""Computations: asked for once, held by one worker, cancelled, and seen by whom they concern."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import QuerySet
from pytest_django import DjangoCaptureOnCommitCallbacks
from rest_framework.test import APIClient

from backend.benchmarks.models import Computation, Partition, Progress, QuestionSet, Work
from backend.benchmarks.serendipity import files
from backend.benchmarks.serendipity.computations import (
    MOST_ATTEMPTS,
    Wanted,
    cancel_computation,
    claim_computation,
    move_computation,
    request_computation,
    sweep_computations,
    work_folder,
)
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serendipity.partitioning import parameters_for
from backend.benchmarks.serendipity.working import run_computation
from backend.common.errors import Conflict, NotAllowed
from backend.common.leases import Overtaken
from backend.graphs.citations import citations_of
from backend.graphs.models import Version
from backend.science.rns.measures import Weights
from tests.benchmarks.serendipity.making import V1, drug, make_set
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(version: Version, administrator: Person) -> Computation:
    wanted = Wanted(Work.TRANSITION, version, Options().of_walk())
    return request_computation(actor=administrator.user, wanted=wanted).computation


def sets_file(*lines: object) -> SimpleUploadedFile:
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines)
    return SimpleUploadedFile("sets.jsonl", text.encode())


ONE = {"id": "mine", "existing": [drug(1)], "serendipity": [drug(2)]}


def send_file(person: Person, version: Version, file: SimpleUploadedFile) -> Any:
    path = f"{V1}/graphs/{version.graph.slug}/rns-files"
    return person.browser.post(path, {"file": file}, format="multipart")


def send(person: Person, version: Version, *lines: object) -> Any:
    return send_file(person, version, sets_file(*lines))


def test_the_same_asked_twice_is_one_computation(
    queued: Computation, administrator: Person, version: Version
) -> None:
    wanted = Wanted(Work.TRANSITION, version, Options().of_walk())
    again = request_computation(actor=None, wanted=wanted)
    assert (again.computation.pk, again.is_new) == (queued.pk, False)
    other = Wanted(Work.TRANSITION, version, Options(direction="out").of_walk())
    assert request_computation(actor=None, wanted=other).is_new
    cancel_computation(actor=administrator.user, computation=queued)
    assert request_computation(actor=None, wanted=wanted).is_new


def test_of_two_workers_one_gets_it(queued: Computation) -> None:
    assert claim_computation(queued.pk) is not None
    assert claim_computation(queued.pk) is None
    assert claim_computation(uuid.uuid4()) is None


def test_states_move_along_the_table_and_nowhere_else(queued: Computation) -> None:
    for before in Progress:
        for to in Progress:
            Computation.objects.update(state=before)
            queued.refresh_from_db()
            if to in Computation.EDGES[before]:
                move_computation(queued, to)
                continue
            with pytest.raises(Overtaken):
                move_computation(queued, to)


def test_a_worker_that_died_too_often_fails_it(queued: Computation) -> None:
    for _ in range(MOST_ATTEMPTS):
        assert claim_computation(queued.pk) is not None
        Computation.objects.update(heartbeat=None)
        assert sweep_computations() == 1
    queued.refresh_from_db()
    assert queued.state == Progress.FAILED and "3 times" in queued.fault


def test_a_cancelled_one_stops_its_worker_and_leaves_nothing(
    version: Version,
    administrator: Person,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    seen: list[str] = []
    questions = make_set(version)
    parameters = parameters_for(questions, Options(), Weights(), None)
    wanted = Wanted(Work.PARTITION, version, parameters, questions)
    queued = request_computation(actor=None, wanted=wanted, queue=False).computation

    def heard(doing: str, _percent: float) -> None:
        if not seen:
            with django_capture_on_commit_callbacks(execute=True):
                cancel_computation(actor=administrator.user, computation=queued)
        seen.append(doing)

    assert run_computation(queued.pk, heard) is None
    queued.refresh_from_db()
    assert (queued.state, queued.result) == (Progress.CANCELLED, {})
    assert seen and not work_folder(queued).exists()
    assert not Partition.objects.filter(question__question_set=questions).exists()
    assert cancel_computation(actor=administrator.user, computation=queued).state == "cancelled"


def partition_of(questions: QuestionSet, version: Version, **options: Any) -> Computation:
    parameters = parameters_for(questions, Options(**options), Weights(), None)
    wanted = Wanted(Work.PARTITION, version, parameters, questions)
    return request_computation(actor=None, wanted=wanted, queue=False).computation


def test_a_set_that_is_deleted_under_its_partition_ends_it(version: Version) -> None:
    questions = make_set(version)
    queued = partition_of(questions, version)

    def heard(doing: str, _percent: float) -> None:
        if doing == "scoring splits":
            QuestionSet.objects.filter(pk=questions.pk).delete()

    assert run_computation(queued.pk, heard) is None
    assert not Computation.objects.filter(pk=queued.pk).exists()
    assert not Partition.objects.filter(method="rns").exists()


def test_two_partitions_of_a_set_at_once_are_two_versions_of_each(version: Version) -> None:
    questions = make_set(version)
    first = partition_of(questions, version)
    second = partition_of(questions, version, direction="out")
    between: list[object] = []

    def heard(doing: str, _percent: float) -> None:
        if doing == "scoring splits" and not between:
            between.append(run_computation(second.pk))

    assert run_computation(first.pk, heard) is not None and between[0] is not None
    for question in questions.questions.all():
        made = question.partitions.filter(method="rns").order_by("number")
        assert [one.number for one in made] == [1, 2]
        assert [one.parameters["direction"] for one in made] == ["out", "both"]


def test_one_that_has_ended_is_not_cancelled(queued: Computation, administrator: Person) -> None:
    assert run_computation(queued.pk) is not None
    with pytest.raises(Conflict):
        cancel_computation(actor=administrator.user, computation=queued)


def test_only_who_asked_and_administrators_cancel(
    queued: Computation, outsider: Person, researcher: Person
) -> None:
    for person in (outsider, researcher):
        with pytest.raises(NotAllowed):
            cancel_computation(actor=person.user, computation=queued)
        assert person.browser.post(f"{V1}/computations/{queued.pk}/cancel").status_code == 404


def test_a_version_is_kept_while_something_is_computed_of_it(
    queued: Computation, version: Version
) -> None:
    assert citations_of(version) == ["1 computation that is under way"]
    run_computation(queued.pk)
    assert citations_of(version) == []


def test_a_set_is_partitioned_by_a_worker_over_http(
    administrator: Person,
    version: Version,
    work_off: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    questions = make_set(version)
    body = {
        "kind": "partition",
        "graph": version.graph.slug,
        "question_set": str(questions.pk),
    }
    with django_capture_on_commit_callbacks(execute=True):
        made = administrator.browser.post(f"{V1}/computations", body)
    assert made.status_code == 202 and made.json()["state"] == "queued"
    with django_capture_on_commit_callbacks(execute=True):
        assert work_off() == ["benchmarks.run_computation"]
    found = administrator.browser.get(f"{V1}/computations/{made.json()['id']}").json()
    assert (found["state"], found["percent"]) == ("done", 100)
    assert found["result"]["questions"] == 4 and found["result"]["how"] == {"exact": 4}
    assert Partition.objects.filter(version=version, method="rns").count() == 4
    again = administrator.browser.post(f"{V1}/computations", body)
    assert (again.status_code, again.json()["id"]) == (200, found["id"])


def test_a_file_of_sets_is_scored_line_by_line(
    researcher: Person,
    outsider: Person,
    version: Version,
    work_off: Callable[[], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    wrong = {"existing": [drug(1)], "serendipity": ["LOCAL:nothing"]}
    with django_capture_on_commit_callbacks(execute=True):
        made = send(researcher, version, ONE, "", "{", wrong, [1])
    assert made.status_code == 202
    with django_capture_on_commit_callbacks(execute=True):
        work_off()
    path = f"{V1}/computations/{made.json()['id']}"
    result = researcher.browser.get(path).json()["result"]
    assert (result["sets"], result["failed"]) == (4, 3)
    assert [one["line"] for one in result["faults"]] == [3, 4, 5]
    assert "LOCAL:nothing" in result["faults"][1]["message"]
    lines = researcher.browser.get(f"{path}/file").content.decode().splitlines()
    told = [json.loads(line) for line in lines]
    assert [one["line"] for one in told] == [1, 3, 4, 5]
    assert told[0]["id"] == "mine" and told[0]["total"] > 0
    assert told[2]["error"]["code"] == "unknown_entity"
    assert outsider.browser.get(f"{path}/file").status_code == 404


def test_a_person_has_a_quota_of_sets_and_one_file_at_a_time(
    researcher: Person, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert send(researcher, version, ONE).status_code == 202
    second = send(researcher, version, {**ONE, "id": "other"})
    assert (second.status_code, second.json()["code"]) == (429, "quota")
    Computation.objects.update(state=Progress.DONE)
    monkeypatch.setattr(files, "QUOTA", 1)
    assert send(researcher, version, {**ONE, "id": "third"}).status_code == 429
    Computation.objects.update(state=Progress.FAILED)
    assert send(researcher, version, {**ONE, "id": "third"}).status_code == 202


@pytest.mark.parametrize("named", ["ö", "\ud800", "\x00\n", "a" * 499, 10**30, True])
def test_a_set_keeps_its_id_whatever_it_is(
    researcher: Person, version: Version, named: object
) -> None:
    file = sets_file({**ONE, "id": named}, '{"id": NaN, "existing": [NaN], "serendipity": "x"}')
    made = send_file(researcher, version, file).json()
    run_computation(uuid.UUID(made["id"]))
    path = f"{V1}/computations/{made['id']}/file"
    one, other = researcher.browser.get(path).content.decode().splitlines()
    assert json.loads(one)["id"] == named and json.loads(one)["total"] > 0
    assert json.loads(other)["error"]["errors"][0]["place"] == "existing"


def test_one_that_ended_while_the_same_was_asked_for_is_asked_for_again(
    queued: Computation, version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the refusal to make a second and the look at the first, that one was cancelled."""
    wanted = Wanted(Work.TRANSITION, version, Options().of_walk())
    exclude = QuerySet.exclude

    def too_late(rows: QuerySet[Computation], **named: object) -> QuerySet[Computation]:
        monkeypatch.setattr(QuerySet, "exclude", exclude)
        Computation.objects.filter(pk=queued.pk).update(state=Progress.CANCELLED)
        return exclude(rows, **named)

    monkeypatch.setattr(QuerySet, "exclude", too_late)
    assert request_computation(actor=None, wanted=wanted).is_new


def test_an_empty_file_and_an_outsiders_are_refused(
    researcher: Person, outsider: Person, version: Version, visitor: APIClient
) -> None:
    assert send(researcher, version, "", " ").json()["code"] == "empty"
    assert send(outsider, version, ONE).status_code == 403
    path = f"{V1}/graphs/{version.graph.slug}/rns-files"
    assert visitor.post(path, {"file": sets_file(ONE)}, format="multipart").status_code == 401
