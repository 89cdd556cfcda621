"""A study that is exported, imported and exported again is the same file, and nothing is lost."""

import json
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import transaction
from pytest_django import DjangoDbBlocker

from annotation import job_kinds
from annotation.archives import ArchiveInvalid, import_archive
from annotation.dashboard import read_dashboard
from annotation.exports import export_json
from annotation.kinds.registry import get_kind_or_raise, study_kinds
from annotation.known_answers import record_check
from annotation.models import (
    Assignment,
    BatchQuestion,
    CheckedAnswer,
    JudgeAnswer,
    KnownAnswer,
    QuestionDecision,
    Thread,
    ThreadMessage,
)
from annotation.question_decisions import QuestionAction, decide_on_questions
from annotation.threads import (
    answer_thread,
    list_study_threads,
    resolve_thread,
    send_messages,
)
from backend.accounts.models import User
from backend.benchmarks.models import Question, QuestionSet
from backend.common.errors import Conflict, DomainError
from backend.jobs.models import Job
from backend.jobs.runner import run_job
from backend.studies.models import Member, Study
from tests.annotation.archive_study import (
    HOSTILE_TEXT,
    export,
    import_bytes,
    make_answered_study,
)
from tests.annotation.conftest import RunJobs
from tests.annotation.pair_study import judged, load_judge, make_pair_cast, prefer
from tests.annotation.personas import Cast, client_of, make_user, write_answer

pytestmark = pytest.mark.django_db
Records = list[dict[str, Any]]


@pytest.fixture(scope="module")
def files(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Mapping[str, bytes]:
    """Exports by format, and by what they have besides; the studies are gone again."""
    with django_db_blocker.unblock(), transaction.atomic():
        study = make_answered_study("ranking", raters=1)
        exports = {name: export(study, name) for name in ("jsonl", "csv")}
        study = make_answered_study("claims", raters=1)
        add_coordination(study)
        exports["coordinated"] = export(study, "jsonl")
        cast = make_pair_cast(2)
        load_judge(cast, *judged(0, "a", "b"), *judged(1, "a", "b"))
        exports["judged"] = export(cast.study, "jsonl")
        transaction.set_rollback(True)
    return exports


@pytest.fixture
def records(files: Mapping[str, bytes]) -> Records:
    return records_of(files["jsonl"])


def records_of(content: bytes) -> Records:
    return [json.loads(line) for line in content.splitlines()]


def count_assignments(study: Study) -> int:
    return Assignment.objects.filter(study=study).count()


@pytest.mark.parametrize("kind", study_kinds())
def test_an_import_exports_the_same_bytes_and_works_as_a_study(kind: str) -> None:
    study = make_answered_study(kind)
    for name in ("jsonl", "csv"):
        content = export(study, name)
        archive = import_bytes(content, name, name).study
        assert export(archive, name) == content
        assert count_assignments(archive) == count_assignments(study) == 9
        assert Question.objects.filter(batches__study=archive, text=HOSTILE_TEXT).exists()
        assert read_dashboard(archive, User.objects.all()[0]).study.id == archive.id
    first = Study.objects.get(name="jsonl")
    for name in ("csv", "parquet", "serenqa"):
        assert export(first, name) == export(study, name)


def test_names_revisions_drafts_and_activity_come_back_too() -> None:
    study = make_answered_study("ranking", overlap=2)
    expert = User.objects.filter(memberships__study=study).order_by("id")[0]
    revised, drafted = Assignment.objects.filter(study=study, expert=expert)[:2]
    Study.objects.filter(pk=study.pk).update(description="First.\r\nSecond.")
    write_answer(revised, "submit", comment=HOSTILE_TEXT)
    write_answer(drafted, "save", comment=f"{HOSTILE_TEXT} {drafted.question_id}")
    for name in ("jsonl", "csv"):
        content = export(study, name, with_names=True)
        archive = import_bytes(content, name, name).study
        assert export(archive, name, with_names=True) == content
        assert export(archive, name) == export(study, name)
        again = import_bytes(export(archive, name), name, f"Of the archive, {name}").study
        assert export(again, name) == export(study, name)


def add_coordination(study: Study) -> Question:
    """A known answer with a right and a wrong check, and threads; its question."""
    coordinator = make_user("Ada")
    Member.objects.create(study=study, user=coordinator, role=Member.Role.COORDINATOR)
    rows = Assignment.objects.filter(study=study, response__submitted_number__gt=0)
    first = rows.order_by("question__number")[0]
    entry = BatchQuestion.objects.get(batch=first.batch, question=first.question)
    known = KnownAnswer.objects.create(
        entry=entry, payload=first.response.payload, explanation=HOSTILE_TEXT
    )
    for one in rows.filter(question=first.question):
        one.purpose = Assignment.Purpose.GOLD
        one.save()
        record_check(one, get_kind_or_raise(study.kind), one.response)
        messages = [(uuid.uuid4(), text) for text in (HOSTILE_TEXT.strip(), "And this?")]
        send_messages(actor=one.expert, assignment_id=one.pk, messages=messages)
    thread = Thread.objects.filter(study=study).order_by("id")[0]
    answer_thread(actor=coordinator, thread_id=thread.pk, key=uuid.uuid4(), text="It is.")
    resolve_thread(actor=coordinator, thread_id=thread.pk, is_resolved=True)
    other = rows.exclude(question=first.question).order_by("question__number")[0].question_id
    decisions: list[tuple[QuestionAction, list[uuid.UUID]]] = [
        ("exclude", [first.question_id, other]),
        ("include", [other]),
        ("adjudicate", [other]),
    ]
    for action, questions in decisions:
        decide_on_questions(
            actor=coordinator,
            study_id=study.id,
            action=action,
            question_ids=questions,
            reason=HOSTILE_TEXT if action == "exclude" else "",
        )
    return known.entry.question


def checks_of(study: Study) -> list[bool | None]:
    checks = CheckedAnswer.objects.filter(assignment__study=study)
    return [*checks.order_by("assignment__created_at").values_list("is_right", flat=True)]


def decisions_of(study: Study) -> list[tuple[Any, ...]]:
    rows = study.decisions.order_by("question__number", "id")
    return list(rows.values_list("question__file_id", "action", "reason", "created_at"))


@pytest.mark.parametrize("kind", ["ranking", "claims"])
def test_known_answers_threads_and_decisions_come_back_too(kind: str) -> None:
    study = make_answered_study(kind, raters=4)
    question = add_coordination(study)
    reader = make_user("Reader")
    for name in ("jsonl", "csv"):
        check_coordination_comes_back(study, name, question, reader)


def check_coordination_comes_back(
    study: Study, name: str, question: Question, reader: User
) -> None:
    content = export(study, name)
    assert b"It is." in content and b"explanation" in content
    archive = import_bytes(content, name, name).study
    assert export(archive, name) == content
    again = import_bytes(export(archive, name), name, f"Of the archive, {name}").study
    assert export(again, name) == content
    assert checks_of(archive) == checks_of(again) == checks_of(study)
    assert True in checks_of(study)
    known = KnownAnswer.objects.get(entry__batch__study=archive)
    assert known.entry.question.file_id == question.file_id
    assert decisions_of(archive) == decisions_of(again) == decisions_of(study)
    assert len(decisions_of(study)) == 4
    left_out = [len(QuestionDecision.objects.excluded(one)) for one in (study, archive)]
    assert left_out == [1, 1]
    views = [list_study_threads(one, reader) for one in (study, archive)]
    texts = [[[it.text for it in one.messages] for one in threads] for threads in views]
    assert texts[0] == texts[1] and len(texts[0]) == 4
    assert {one.expert for one in views[1]}.isdisjoint({one.expert for one in views[0]})


def judged_pairs() -> Study:
    """Two judges, whose names databases and computers sort differently; one of them of two pairs
    in both orders, the other of one pair in one order."""
    cast = make_pair_cast(3)
    prefer(cast.assignment(), 0)
    assert b"judges" not in export(cast.study, "jsonl"), "exports without judges stay as they were"
    marked = {**judged(1, "a", "b")[0], "because": None, "rationale": HOSTILE_TEXT}
    load_judge(cast, *judged(0, "a_much", "not_sure"), *judged(1, "tie", "b"), name="éclair b")
    load_judge(cast, marked, name="Zebra A")
    return cast.study


@pytest.mark.parametrize("name", ["jsonl", "csv"])
def test_model_judges_come_back_too(name: str) -> None:
    study = judged_pairs()
    content = export(study, name)
    archive = import_bytes(content, name).study
    assert export(archive, name) == content
    again = import_bytes(export(archive, name), name, "Of the archive").study
    assert export(again, name) == content
    rows = [
        [
            (
                *(one.judge.name, one.judge.imported_at, one.entry.question.file_id),
                *(one.order, one.outcome, one.payload, one.rationale),
            )
            for one in JudgeAnswer.objects.filter(judge__study=it).order_by(
                "judge__name", "entry__question__number", "order"
            )
        ]
        for it in (study, archive)
    ]
    assert rows[0] == rows[1] and len(rows[0]) == 5
    member = [json.loads("".join(export_json(one)))["judges"] for one in (study, archive)]
    assert member[0] == member[1], "with the ids of the questions in the file"


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("judges[0].name", lambda one: one["judges"][0].update(name="")),
        ("judges[1].name", lambda one: one["judges"].append(one["judges"][0])),
        ("judges[0].answers", lambda one: one["judges"][0].update(answers=[])),
        (
            "judges[0].imported_at",
            lambda one: one["judges"][0].update(imported_at="2020-01-01T00:00:00+00:00"),
        ),
        (
            "judges[0].answers[0].order",
            lambda one: one["judges"][0]["answers"][0].update(order="sideways"),
        ),
        (
            "judges[0].answers[1].order",
            lambda one: one["judges"][0]["answers"][1].update(order="as_listed"),
        ),
        (
            "judges[0].answers[0].outcome",
            lambda one: one["judges"][0]["answers"][0].update(outcome="b"),
        ),
        (
            "judges[0].answers[0].payload.choice",
            lambda one: one["judges"][0]["answers"][0]["payload"].update(choice="left"),
        ),
        (
            "judges[0].answers[0].payload.choice",
            lambda one: one["judges"][0]["answers"][0]["payload"].update(choice=None),
        ),
    ],
)
def test_faults_of_model_judges_have_their_places(
    files: Mapping[str, bytes], place: str, change: Callable[[dict[str, Any]], None]
) -> None:
    records = records_of(files["judged"])
    change([one for one in records if one.get("judges")][-1])
    assert any(place in one for one in refuse(as_lines(records), "jsonl"))
    assert not JudgeAnswer.objects.exists()


def test_rankings_have_no_judges(records: Records) -> None:
    answer = {"order": "", "outcome": "confirmed", "payload": {}, "rationale": ""}
    judge = {"name": "J", "imported_at": "2020-01-01T00:00:00+00:00", "answers": [answer]}
    line = place_of(records, "question")
    records[line]["judges"] = [judge]
    assert refuse(as_lines(records), "jsonl") == [f"line {line + 1}, judges"]


@pytest.mark.parametrize(
    ("place", "change"),
    [
        ("threads[0].expert", lambda one: one["threads"][0].update(expert="nobody")),
        ("threads[1].expert", lambda one: one["threads"].append(one["threads"][0])),
        (
            "threads[0].messages[0].author",
            lambda one: one["threads"][0]["messages"][0].update(author="nobody"),
        ),
        (
            "known_answer.payload",
            lambda one: one["known_answer"].update(payload={"verdict": "perhaps"}),
        ),
    ],
)
def test_faults_of_known_answers_and_threads_have_their_places(
    files: Mapping[str, bytes], place: str, change: Callable[[dict[str, Any]], None]
) -> None:
    records = records_of(files["coordinated"])
    change(next(one for one in records if one.get("known_answer")))
    assert place in refuse(as_lines(records), "jsonl")[0]
    assert not ThreadMessage.objects.exists()


def test_experts_of_an_archive_cannot_sign_in_and_it_stays_closed(cast: Cast) -> None:
    content = export(cast.study, "jsonl")
    archive = import_bytes(content, "jsonl", actor=cast.coordinator).study
    experts = User.objects.filter(memberships__study=archive, memberships__role="expert")
    assert not experts.filter(is_active=True).exists()
    assert not any(one.has_usable_password() for one in experts)
    assert not {one.name for one in experts} & {cast.expert.name, cast.colleague.name}
    client = client_of(cast.coordinator)
    refused = client.patch(
        f"/api/v1/studies/{archive.id}", {"status": "open"}, content_type="application/json"
    )
    assert (refused.status_code, refused.json()["code"]) == (409, "archive")
    assert client.get(f"/api/v1/studies/{archive.id}/board").status_code == 200


def test_a_study_is_imported_by_command_and_in_the_browser(
    cast: Cast, tmp_path: Path, run_jobs: RunJobs
) -> None:
    path = tmp_path / "study.csv"
    path.write_bytes(export(cast.study, "csv"))
    who = cast.coordinator.email
    call_command("import_study", path, format="csv", name="By command", coordinator=who)
    assert export(Study.objects.get(name="By command"), "csv") == path.read_bytes()
    body = {"name": "In the browser", "format": "csv"}

    def send(content: bytes) -> Any:
        form = {**body, "file": SimpleUploadedFile("study.csv", content)}
        return client_of(cast.coordinator).post("/api/v1/studies/archives", form)

    job = run_jobs(lambda: send(path.read_bytes()))
    imported = Study.objects.get(name="In the browser")
    assert (job.state, job.result["study"]["id"]) == ("succeeded", str(imported.pk))
    assert {name: job.result[name] for name in ("experts", "questions", "assignments")} == {
        **{"experts": 2, "questions": 5, "assignments": 10}
    }
    assert export(imported, "csv") == path.read_bytes()
    assert send(path.read_bytes()).status_code == 409
    body["name"] = "Another"
    failed = run_jobs(lambda: send(b'"a","b"\r\n'))
    assert failed.state == "failed"
    assert failed.error and failed.error["code"] == "USER_ARCHIVE_INVALID"
    assert failed.error["errors"][0]["place"] == "line 1"
    assert failed.result["faults_total"] == len(failed.error["errors"])
    assert not Study.objects.filter(name="Another").exists()
    assert not any((Path(project.UPLOADS) / str(one.pk)).exists() for one in (job, failed))


@pytest.mark.parametrize("change", ["closed account", "cancelled"])
def test_an_import_stores_nothing_once_its_owner_or_its_job_is_gone(
    cast: Cast, change: str, run_jobs: RunJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancelled: by its owner, while the answers are being stored."""

    def cancel_and_import(**fields: Any) -> Any:
        imported = import_archive(**fields)
        Job.objects.update(state="cancelled", lease=None)
        return imported

    if change == "cancelled":
        monkeypatch.setattr(job_kinds, "import_archive", cancel_and_import)
    file = SimpleUploadedFile("study.jsonl", export(cast.study, "jsonl"))
    form = {"name": "Late", "format": "jsonl", "file": file}

    def send() -> Any:
        sent = client_of(cast.coordinator).post("/api/v1/studies/archives", form)
        if change == "closed account":
            User.objects.filter(pk=cast.coordinator.pk).update(is_active=False)
        return sent

    run_jobs(send)
    assert not Study.objects.filter(name="Late").exists()


def test_a_job_that_runs_again_finds_what_it_stored(cast: Cast, run_jobs: RunJobs) -> None:
    file = SimpleUploadedFile("study.jsonl", export(cast.study, "jsonl"))
    form = {"name": "Once", "format": "jsonl", "file": file}
    send = client_of(cast.coordinator).post
    first = run_jobs(lambda: send("/api/v1/studies/archives", form))
    Job.objects.filter(pk=first.pk).update(state="queued")
    run_job(first.pk)
    again = Job.objects.get(pk=first.pk)
    assert (again.state, again.result) == ("succeeded", first.result)


def test_a_name_that_another_job_takes_first_is_no_success(cast: Cast, run_jobs: RunJobs) -> None:
    send = client_of(cast.coordinator).post
    content = export(cast.study, "jsonl")

    def send_twice() -> Any:
        for _ in range(2):
            file = SimpleUploadedFile("study.jsonl", content)
            form = {"name": "Both", "format": "jsonl", "file": file}
            answer = send("/api/v1/studies/archives", form)
        return answer

    second = run_jobs(send_twice)
    assert second.error and second.error["code"] == "USER_NAME_TAKEN"
    assert Job.objects.filter(state="succeeded").count() == 1


def place_of(records: Records, kind: str) -> int:
    return next(place for place, one in enumerate(records) if one["record"] == kind)


def deep() -> Any:
    value: Any = []
    for _ in range(100):
        value = [value]
    return value


def empty_ranking(answer: dict[str, Any]) -> None:
    answer["payload"]["ranking"] = []


Change = Callable[[dict[str, Any]], object]
BROKEN: list[tuple[str, str, Change]] = [
    ("study", "format", lambda it: it.update(format="other/1")),
    ("study", "design.seed", lambda it: it["design"].update(seed=-1)),
    ("study", "id", lambda it: it.update(id="1")),
    ("study", "more", lambda it: it.update(more=1)),
    ("expert", "id", lambda it: it.pop("id")),
    ("expert", "is_simulated", lambda it: it.update(is_simulated="yes")),
    ("batch", "number", lambda it: it.update(number=2**31)),
    ("batch", "name", lambda it: it.update(name="\0")),
    ("question", "file_id", lambda it: it.update(file_id="")),
    ("question", "shown", lambda it: it.update(shown={"prior": [[99]]})),
    ("question", "shown", lambda it: it.update(shown={"prior": "x"})),
    ("question", "shown", lambda it: it.update(candidates=it["candidates"][:1])),
    ("question", "id", lambda it: it["candidates"][0].update(id=it["candidates"][1]["id"])),
    ("question", "payload", lambda it: it.update(payload={"deep": deep()})),
    ("question", "payload", lambda it: it.update(payload={"x": float("inf")})),
    ("assignment", "expert", lambda it: it.update(expert="expert-of-nobody")),
    ("assignment", "question", lambda it: it.update(question=it["id"])),
    ("assignment", "propensity", lambda it: it.update(propensity=0)),
    ("assignment", "state", lambda it: it.update(state="gone")),
    ("assignment", "created_at", lambda it: it.update(created_at="2026-01-01T00:00:00")),
    ("assignment", "arms.prior", lambda it: it.update(arms={"prior": "upside down"})),
    ("assignment", "response", lambda it: it.update(response=None)),
    ("assignment", "revisions[0].number", lambda it: it["revisions"][0].update(number=2)),
    ("assignment", "revisions[0].outcome", lambda it: it["revisions"][0].update(outcome="x")),
    ("assignment", "response.payload.ranking", lambda it: empty_ranking(it["response"])),
    ("assignment", "events[1].id", lambda it: it["events"][1].update(id=it["events"][0]["id"])),
    ("assignment", "events[0].actor", lambda it: it["events"][0].update(actor="expert-x")),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "field", "change"), BROKEN)
def test_a_broken_record_is_refused_with_its_line_and_field(
    records: Records, kind: str, field: str, change: Change
) -> None:
    place = place_of(records, kind)
    change(records[place])
    assert f"line {place + 1}, {field}" in refuse(as_lines(records), "jsonl")


def as_lines(records: Records) -> bytes:
    return "".join(f"{json.dumps(one)}\n" for one in records).encode()


def refuse(content: bytes, name: str) -> list[str]:
    """The places of the faults of a file of which nothing is stored."""
    before = Study.objects.count(), QuestionSet.objects.count(), User.objects.count()
    with pytest.raises(ArchiveInvalid) as refused:
        import_bytes(content, name)
    assert before == (Study.objects.count(), QuestionSet.objects.count(), User.objects.count())
    return [one.place for one in refused.value.faults]


def test_records_in_another_order_or_twice_are_refused(records: Records) -> None:
    question, assignment = place_of(records, "question"), place_of(records, "assignment")
    batch, last = place_of(records, "batch"), len(records) + 1
    orders = {
        "line 1": [*records[1:], records[0]],
        "line 1 ": [{**records[0], "kind": "nonsense"}],
        f"line {last}, record": [*records, records[0]],
        f"line {last}, id": [*records, records[question]],
        f"line {last}, number": [*records, {**records[batch], "id": records[0]["id"]}],
        f"line {last}, question": [*records, records[assignment]],
        f"line {question}, record": [
            one for one in records if one["record"] != "batch"
        ],
    }  # fmt: skip
    for place, changed in orders.items():
        assert place.strip() in refuse(as_lines(changed), "jsonl")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", "file"),
        (b"\n\n", "file"),
        (b"[]", "line 1"),
        (b"\xff\xfe{}", "line 1"),
        (b'{"record": "study"', "line 1"),
        (b"[" * 100_000, "line 1"),
        (b'{"record": "expert"}', "line 1, id"),
        (b'"study","x"\r\n"a","b"\r\n', "line 1"),
    ],
)
@pytest.mark.parametrize("name", ["jsonl", "csv"])
def test_what_is_no_export_is_refused(content: bytes, place: str, name: str) -> None:
    assert refuse(content, name)[0] == (place if name == "jsonl" else "line 1")


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        ('"yes"', '"no"'),
        ('"confirmed"', '"changed"'),
        ('"ranking"', '"order"'),
        ("'=1+1", "=1+1"),
        ('"1","', '"one","'),
        ('"qid"', '"id"'),
        ('"answer"', '"answer'),
        ('"answer"', '"answer","more"'),
        ("{", "{ broken "),
        ("+00:00", ""),
        ("“quoted”", "\udcff"),
    ],
)
def test_a_changed_cell_of_a_table_is_refused_with_its_line(
    files: Mapping[str, bytes], was: str, is_now: str
) -> None:
    text = files["csv"].decode()
    assert was in text
    content = text.replace(was, is_now, 1).encode(errors="surrogateescape")
    [first, *_] = refuse(content, "csv")
    assert first.startswith("line ")


def test_a_name_that_is_taken_is_refused(cast: Cast) -> None:
    content = export(cast.study, "jsonl")
    QuestionSet.objects.create(name="Taken by a set")
    for name in (cast.study.name, "Taken by a set"):
        with pytest.raises(Conflict):
            import_bytes(content, "jsonl", name)
    with pytest.raises(DomainError):
        import_bytes(content, "jsonl", "two\nlines")
