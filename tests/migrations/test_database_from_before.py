"""A database of the release before jobs, study kinds and the studies package is migrated.

`before/tables.sql` has made-up rows of its tables; the exports beside it are what that release
wrote of them. The database is one of its own: the migrations commit.
"""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.models import Batch, BatchAgreement, Event, Response, Revision
from backend.benchmarks.models import StudyQuestions
from backend.graphs.models import GraphShare, StudyGraph
from backend.jobs.models import Job
from backend.jobs.runner import claim_job
from backend.studies.models import Member, Study, StudyInvitation
from tests.database_template import garbage_ignored, own_database
from tests.thorough import thorough

BEFORE = Path(__file__).parent / "before"
LAST_MIGRATIONS = [
    ("accounts", "0003_session_epoch"),
    ("annotation", "0007_study_pins_a_graph"),
    ("benchmarks", "0004_computations"),
    ("common", "0001_initial"),
    ("graphs", "0003_cancelled_imports"),
]
SNAPSHOT = "0123456789abcdef0123456789abcdef"
ANSWER_FIELDS = ("ranking", "confidence", "reasons", "comment", "unsure_reason")


def uid(digit: str, number: int) -> str:
    return f"{digit * 8}-0000-4000-8000-{number:012d}"


CARLA, ERIK = uid("a", 1), uid("a", 2)
OLD_STUDY, CLOSED_STUDY = uid("d", 1), uid("d", 2)
EMBEDDING_UNDER_WAY = uid("2", 5)
PINNED = "graph-version:7"


@dataclass
class Migrated:
    """row_versions: where PostgreSQL held the rows of history before; writing a row moves it."""

    row_versions: list[tuple[Any, ...]]
    checkpoints: Path


def row_versions() -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT 'revision', id::text, ctid::text, xmin::text FROM annotation_revision "
            "UNION ALL SELECT 'event', response_id || id::text, ctid::text, xmin::text "
            "FROM annotation_event ORDER BY 1, 2"
        )
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


@pytest.fixture(scope="module")
def migrated(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Migrated]:
    """A database made as it was, filled, and migrated to what it is now."""
    folder = tmp_path_factory.mktemp("before")
    settings = {"SNAPSHOTS": folder / "snapshots", "JOB_CHECKPOINTS": folder / "jobs"}
    checkpoint = settings["SNAPSHOTS"] / f"{SNAPSHOT}.rns-work-{'5' * 16}"
    checkpoint.mkdir(parents=True)
    (checkpoint / "epoch").write_text("28")
    with django_db_blocker.unblock(), own_database(), override_settings(**settings):
        with garbage_ignored():
            MigrationExecutor(connection).migrate(LAST_MIGRATIONS)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute((BEFORE / "tables.sql").read_text())
        written = row_versions()
        with garbage_ignored():
            call_command("migrate", verbosity=0)
        yield Migrated(written, settings["JOB_CHECKPOINTS"])


def in_new_words(export: dict[str, Any]) -> dict[str, Any]:
    """The export of before with renamed fields, and with new ones at their defaults."""
    export["format"] = "serendib.study/2"
    export["study"] |= {"kind": "ranking", "guidelines": []}
    for expert in export["experts"]:
        expert |= {"guidelines_number": 0, "tags": []}
        expert |= {"left_at": None, "answers_withdrawn": False}
    questions = [one for batch in export["batches"] for one in batch["questions"]]
    for assignment in [one for question in questions for one in question["assignments"]]:
        assignment |= {"state": "active", "occasion": 1, "purpose": "answer"}
        assignment |= {"arms": {}, "propensity": 1.0}
        assignment |= {"is_adaptive": False, "selection_propensity": None}
        for answer in [assignment["response"], *assignment["revisions"]]:
            if answer:
                rename_answer(answer)
        for revision in assignment["revisions"]:
            revision |= {"consent_version": "", "guidelines_number": None}
        for event in assignment["events"]:
            event["response_version"], event["sequence"] = event.pop("version"), event.pop("place")
            event["active_ms"] = 0  # entries had no time of their own
    return export


def with_new_columns(table: str) -> str:
    """The table of before with the columns that were added: marks after the columns of the answer,
    which nobody had set, and the rest at its end."""
    header, *rows = csv.reader(io.StringIO(table, newline=""))
    expert, marks = header.index("expert"), header.index("unsure_reason") + 1
    header[marks:marks] = ["because", "because_text"]
    for row in rows:
        row[marks:marks] = ["", ""]
    result = io.StringIO(newline="")
    writer = csv.writer(result, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    arms, draw = ("prior_arm", "order_arm", "evidence_arm"), ("is_adaptive", "selection_propensity")
    writer.writerow(
        [*header, *arms, "propensity", "state", "occasion", "purpose", "blinding", *draw]
    )
    for row in rows:
        added = ("1.0", "active", "1", "answer", "", "no", "") if row[expert] else ("",) * 7
        writer.writerow([*row, *("",) * 3, *added])
    return result.getvalue()


def without_json(table: str) -> str:
    """The table without what it has for imports."""
    header, *rows = csv.reader(io.StringIO(table, newline=""))
    assert header[-2:] == ["question_json", "answer_json"]
    result = io.StringIO(newline="")
    writer = csv.writer(result, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows(row[:-2] for row in (header, *rows))
    return result.getvalue()


def rename_answer(answer: dict[str, Any]) -> None:
    answer["payload"] = {name: answer.pop(name) for name in ANSWER_FIELDS}
    state = answer.pop("state")
    answer["outcome"] = "" if state in {"untouched", "draft"} else state
    answer["status"] = "submitted" if state in {"confirmed", "changed", "not_sure"} else state


@pytest.mark.parametrize("name", ["Old study", "Old study, closed"])
def test_the_exports_are_equal_but_for_renamed_fields(migrated: Migrated, name: str) -> None:
    study = Study.objects.get(name=name)
    file = BEFORE / name.lower().replace(" ", "-").replace(",", "")
    exported = json.loads("".join(export_json(study, with_names=True)))
    del exported["exported_at"]
    assert exported == in_new_words(json.loads(file.with_suffix(".json").read_text()))
    with file.with_suffix(".csv").open(newline="") as rows:
        expected = rows.read().replace('"latest","state"', '"latest","outcome"', 1)
    assert without_json("".join(export_csv(study))) == with_new_columns(expected)


def test_no_row_of_history_is_written(migrated: Migrated) -> None:
    assert len(migrated.row_versions) == 11
    assert row_versions() == migrated.row_versions


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE annotation_revision SET active_ms = 0",
        "UPDATE annotation_event SET active_ms = 0",
        "DELETE FROM annotation_revision",
        "DELETE FROM annotation_event",
    ],
)
def test_history_still_refuses_changes(migrated: Migrated, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_answers_have_a_status_and_an_outcome(migrated: Migrated) -> None:
    rows = Response.objects.order_by("id").values_list(
        *("status", "outcome", "submitted_outcome", "submitted_number", "version", "answer_ms")
    )
    assert list(rows) == [
        ("draft", "", "changed", 2, 4, 5100),
        ("submitted", "not_sure", "not_sure", 1, 1, 700),
        ("skipped", "skipped", "skipped", 1, 1, None),
        ("untouched", "", "", 0, 0, None),
        ("draft", "", "", 0, 2, None),
        ("submitted", "confirmed", "confirmed", 1, 1, 1000),
    ]
    draft = Response.objects.get(id=1)
    assert draft.payload["comment"] == "a draft on top\u2028of it"
    assert draft.payload["reasons"] == ["new_to_me", "implausible"]


def test_revisions_are_read_in_the_new_form_from_the_old_columns(migrated: Migrated) -> None:
    assert not Revision.objects.exclude(payload=None).exists()
    rows = [(one.number, one.outcome, one.answer) for one in Revision.objects.order_by("id")]
    assert [(number, outcome) for number, outcome, _ in rows] == [
        (1, "confirmed"),
        (2, "changed"),
        (1, "not_sure"),
        (1, "skipped"),
        (1, "confirmed"),
    ]
    assert rows[1][2] == {
        "ranking": [[uid("c", 3)], [uid("c", 1), uid("c", 2)]],
        "confidence": 3,
        "reasons": ["clinically_useful"],
        "comment": " spaces kept ",
        "unsure_reason": "",
    }


def test_activity_has_its_order_and_its_times(migrated: Migrated) -> None:
    rows = Event.objects.order_by("response_id", "response_version", "sequence").values_list(
        "response_id", "response_version", "sequence", "kind", "active_ms"
    )
    assert list(rows) == [
        (1, 1, 0, "opened", 0),
        (1, 1, 1, "agreed", 0),
        (1, 2, 0, "moved", 0),
        (1, 4, 0, "comment", 0),
        (4, 0, 0, "opened", 0),
        (4, 0, 1, "evidence_viewed", 0),
    ]
    assert Event.objects.get(kind="moved").client_at.year == 1999
    assert [one.active_ms for one in Response.objects.order_by("id")] == [
        *(9100, 700, 10, 300, 50, 1000)
    ]


def test_studies_have_their_members_consents_and_invitations(migrated: Migrated) -> None:
    studies = Study.objects.order_by("name").values_list("name", "kind", "status", "is_demo")
    assert list(studies) == [
        ("Old study", "ranking", "open", False),
        ("Old study, closed", "ranking", "closed", True),
    ]
    members = Member.objects.order_by("id").values_list(
        "study__name", "user__name", "role", "consent_version", "consented_at__day"
    )
    assert list(members) == [
        ("Old study", "Carla", "coordinator", "", None),
        ("Old study", "Erik Ø.", "expert", "1", 2),
        ("Old study", "Dana", "expert", "", None),
        ("Old study, closed", "Carla", "coordinator", "", None),
        ("Old study, closed", "Erik Ø.", "expert", "2", 2),
    ]
    invitations = StudyInvitation.objects.order_by("id")
    assert [
        (one.invitation.email, one.invitation.accepted_by_id and "accepted", batches_of(one))
        for one in invitations
    ] == [("erik@example.org", "accepted", [1, 2]), ("open@example.org", None, [2])]


def batches_of(invitation: StudyInvitation) -> list[int]:
    batches = Batch.objects.filter(invitations=invitation)
    return list(batches.order_by("number").values_list("number", flat=True))


def test_studies_have_their_questions_and_graph(migrated: Migrated) -> None:
    questions = StudyQuestions.objects.order_by("study__name")
    assert [(one.study.name, one.question_set.name) for one in questions] == [
        ("Old study", "Old questions"),
        ("Old study, closed", "Other questions"),
    ]
    graph = StudyGraph.objects.get()
    assert (graph.study.name, graph.version.snapshot) == ("Old study", SNAPSHOT)
    # A share with a study that is gone goes too.
    assert [str(one.study_id) for one in GraphShare.objects.all()] == [OLD_STUDY]


def test_agreements_are_computed_again(migrated: Migrated) -> None:
    agreement = BatchAgreement.objects.get()
    assert (agreement.version, agreement.revision_count) == (0, 0)


# id: kind, state, percent, error code, owner, whether it ended, subjects
JOBS = {
    uid("1", 1): ("graph-import", "succeeded", 100, None, CARLA, True, [PINNED]),
    uid("1", 2): ("graph-import", "succeeded", 100, None, CARLA, True, []),
    uid("1", 3): ("graph-import", "failed", 0, "USER_NOT_RECOGNISED", CARLA, True, []),
    uid("1", 4): ("graph-import", "failed", 55, "PLATFORM_DISK_FULL", CARLA, True, []),
    uid("1", 5): ("graph-import", "cancelled", 0, "USER_CANCELLED", CARLA, True, []),
    uid("1", 6): ("graph-import", "queued", 0, None, CARLA, False, []),
    uid("1", 7): ("graph-import", "queued", 0, None, CARLA, False, []),
    uid("1", 8): ("graph-import", "failed", 55, "PLATFORM_STOPPED", None, True, []),
    uid("2", 1): (
        *("rns-partition", "succeeded", 100, None, CARLA, True),
        [PINNED, f"question-set:{uid('b', 1)}"],
    ),
    uid("2", 2): (
        *("rns-transition", "failed", 0, "PLATFORM_FAILED", CARLA, True),
        [PINNED],
    ),
    uid("2", 3): (
        *("rns-embedding", "cancelled", 10, "USER_CANCELLED", CARLA, True),
        [PINNED],
    ),
    uid("2", 4): (
        *("rns-scoring", "queued", 0, None, CARLA, False),
        [PINNED, f"question-set:{uid('b', 1)}"],
    ),
    EMBEDDING_UNDER_WAY: (
        *("rns-embedding", "queued", 28, None, None, False),
        [PINNED],
    ),
}


def test_imports_and_computations_are_jobs(migrated: Migrated) -> None:
    jobs = {
        str(one.id): (
            *(one.kind, one.state, one.percent, one.error and one.error["code"]),
            *(one.owner_id and str(one.owner_id), one.ended_at is not None, one.subjects),
        )
        for one in Job.objects.all()
    }
    assert jobs == JOBS
    assert not Job.objects.exclude(lease=None).exists()
    imports = Job.objects.filter(kind="graph-import").order_by("created_at")
    assert [str(one.id) for one in imports] == [uid("1", number) for number in range(1, 9)]


def test_what_jobs_were_given_and_what_they_found_is_there(migrated: Migrated) -> None:
    imported = Job.objects.get(id=uid("1", 1))
    assert imported.parameters == {
        "name": "Old graph",
        "format": "csv",
        "columns": {"source": "from"},
        "metadata": {"licence": "CC0"},
        "dry_run": False,
        "files": ["entities.csv", "edges.csv"],
    }
    assert imported.result == {"entities": 2, "edges": 1, "graph": "old-graph"}
    tried = Job.objects.get(id=uid("1", 2))
    assert tried.parameters["dry_run"] and tried.result == {"first": {"edges": []}}
    partition = Job.objects.get(id=uid("2", 1))
    assert partition.parameters["options"] == {"size": 1}
    assert partition.digest == "1" * 64
    assert partition.result["calibration"]["parts"] == [{"name": "novelty", "is_significant": True}]
    failed = Job.objects.get(id=uid("2", 2))
    assert failed.error and failed.error["detail"] == "The snapshot file is missing."


def test_unended_jobs_can_be_claimed_and_find_their_checkpoint(migrated: Migrated) -> None:
    assert (migrated.checkpoints / EMBEDDING_UNDER_WAY / "epoch").read_text() == "28"
    with transaction.atomic():
        queued = Job.objects.filter(state="queued").order_by("id")
        claimed = [claim_job(one.id) for one in queued]
        assert [job and job.state for job in claimed] == ["running"] * 4
        transaction.set_rollback(True)


COMPUTATIONS = """
    SELECT id::text, kind, state, percent, digest, actor_id::text, question_set_id::text,
        version_id, parameters::text, result::text, fault, created_at, ended_at
    FROM benchmarks_computation ORDER BY id
"""


@thorough
def test_migrating_back_restores_computations_and_forth_makes_the_same_jobs(
    migrated: Migrated,
) -> None:
    before = list(Job.objects.filter(kind__startswith="rns-").order_by("id").values())
    checkpoint = migrated.checkpoints / EMBEDDING_UNDER_WAY
    assert (checkpoint / "epoch").read_text() == "28"
    with garbage_ignored():
        call_command("migrate", "benchmarks", "0005", verbosity=0)
    try:
        assert not checkpoint.exists()
        assert not Job.objects.filter(kind__startswith="rns-").exists()
        with connection.cursor() as cursor:
            cursor.execute(COMPUTATIONS)
            restored = cursor.fetchall()
    finally:
        with garbage_ignored():
            call_command("migrate", verbosity=0)
    assert [(row[0], row[1], row[2]) for row in restored] == [
        (uid("2", 1), "partition", "done"),
        (uid("2", 2), "transition", "failed"),
        (uid("2", 3), "embedding", "cancelled"),
        (uid("2", 4), "scoring", "queued"),
        (EMBEDDING_UNDER_WAY, "embedding", "queued"),
    ]
    assert list(Job.objects.filter(kind__startswith="rns-").order_by("id").values()) == before
    assert (checkpoint / "epoch").read_text() == "28"
