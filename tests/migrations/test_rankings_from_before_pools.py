"""A database of before arms, pools, repeats and known answers, with rankings, is migrated.

Its rows are written in the tables of that time; `test_database_from_before` begins earlier.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker

from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.statistics import compute_statistics
from backend.studies.models import Study
from tests.database_template import garbage_ignored, own_database
from tests.thorough import thorough

# Migrations that were released do not change; test_database_from_before.py begins earlier.
pytestmark = thorough

BEFORE_POOLS = [
    ("annotation", "0011_question_batch"),
    ("benchmarks", "0013_model_name_once"),
    ("studies", "0005_message_and_reminder"),
]
AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
# What each expert submitted: positions of candidates, best first, and the outcome of that time.
SUBMITTED = {
    "Eve": [([[0], [1], [2]], "confirmed"), ([[2], [0, 1]], "changed")],
    "Cleo": [([[1], [0], [2]], "changed")],
}
Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture(scope="module")
def tables(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[Rows, Rows]]:
    """Of studies and their answers, before the migration and after it: the same columns."""
    with django_db_blocker.unblock(), own_database():
        executor = MigrationExecutor(connection)
        with garbage_ignored():
            executor.migrate(BEFORE_POOLS)
        write_study(executor.loader.project_state(BEFORE_POOLS).apps)
        columns = columns_of_studies()
        before = read_rows(columns)
        with garbage_ignored():
            call_command("migrate", verbosity=0)
        yield before, read_rows(columns)


def write_study(apps: Any) -> None:
    """Ada's, of one question, which two experts have ranked; one is revised, with a draft on top."""

    def create(label: str, **fields: Any) -> Any:
        return apps.get_model(label).objects.create(**fields)

    ada, *experts = (
        create("accounts.User", email=f"{name.lower()}@example.org", name=name)
        for name in ("Ada", *SUBMITTED)
    )
    study = create("studies.Study", name="Before pools", created_by=ada, kind="ranking")
    create("studies.Member", study=study, user=ada, role="coordinator")
    owner = create("benchmarks.QuestionSet", name="Questions of before")
    create("benchmarks.StudyQuestions", study=study, question_set=owner)
    question = create(
        "benchmarks.Question",
        question_set=owner,
        file_id="0",
        batch_number=1,
        number=1,
        text="Which? ",
        category="drug",
    )
    candidates = [
        create(
            "benchmarks.Candidate",
            question=question,
            position=place,
            name=name,
            link="",
            prior_rank=place + 1,
        )
        for place, name in enumerate(("Zinc ", "Iron", "Ångström β"))
    ]
    batch = create("annotation.Batch", study=study, number=1, name="Batch 1")
    create("annotation.BatchQuestion", batch=batch, question=question)
    for expert in experts:
        create(
            "studies.Member",
            study=study,
            user=expert,
            role="expert",
            consent_version="1",
            consented_at=AT,
        )
        assignment = create(
            "annotation.Assignment", study=study, batch=batch, question=question, expert=expert
        )
        write_answers(create, assignment, candidates, SUBMITTED[expert.name])


def write_answers(create: Any, assignment: Any, candidates: list[Any], submitted: Any) -> None:
    payloads = [payload_of(candidates, order) for order, _ in submitted]
    outcomes = [outcome for _, outcome in submitted]
    response = create(
        "annotation.Response",
        assignment=assignment,
        payload={**payloads[-1], "comment": "a draft on top"},
        status="draft",
        outcome="",
        version=len(submitted) + 1,
        active_ms=7_000,
        answer_ms=3_000,
        submitted_at=AT,
        submitted_number=len(submitted),
        submitted_outcome=outcomes[-1],
    )
    for number, (payload, outcome) in enumerate(zip(payloads, outcomes, strict=True), start=1):
        create(
            "annotation.Revision",
            response=response,
            number=number,
            outcome=outcome,
            payload=payload,
            active_ms=3_000,
            submitted_at=AT,
        )


def payload_of(candidates: list[Any], order: list[list[int]]) -> dict[str, Any]:
    ranking = [[str(candidates[place].pk) for place in group] for group in order]
    reasons = ["new_to_me"]
    return {
        "ranking": ranking,
        "confidence": 4,
        "reasons": reasons,
        "comment": "“=1+1” ",
        "unsure_reason": "",
    }


def columns_of_studies() -> dict[str, list[str]]:
    """Of all tables of answers, studies and questions."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, array_agg(column_name::text ORDER BY column_name) "
            "FROM information_schema.columns WHERE table_schema = 'public' "
            "AND table_name ~ '^(annotation|studies)_|^benchmarks_(candidate|question)' "
            "GROUP BY table_name"
        )
        return dict(cursor.fetchall())


def read_rows(columns: dict[str, list[str]]) -> Rows:
    """Without columns that are gone."""
    now = columns_of_studies()
    result: Rows = {}
    with connection.cursor() as cursor:
        for table, names in columns.items():
            listed = [sql.Identifier(name) for name in names if name in now.get(table, ())]
            if listed:
                texts = sql.SQL(", ").join(sql.SQL("{}::text").format(one) for one in listed)
                query = sql.SQL("SELECT {} FROM {} ORDER BY 1, 2")
                cursor.execute(query.format(texts, sql.Identifier(table)))
                result[table] = cursor.fetchall()
    return result


def test_no_row_of_before_is_lost_or_changed(tables: tuple[Rows, Rows]) -> None:
    before, after = tables
    assert len(before["annotation_revision"]) == 3
    assert after == before


def test_the_export_has_every_ranking_as_it_was_written(tables: tuple[Rows, Rows]) -> None:
    study = Study.objects.get(name="Before pools")
    record = json.loads("".join(export_json(study, with_names=True)))
    (question,) = record["batches"][0]["questions"]
    ids = [one["id"] for one in question["candidates"]]
    names = {one["id"]: one["name"] for one in record["experts"]}
    exported = {
        names[row["expert"]]: [
            (
                [[ids.index(one) for one in group] for group in one["payload"]["ranking"]],
                one["outcome"],
            )
            for one in row["revisions"]
        ]
        for row in question["assignments"]
    }
    assert exported == SUBMITTED
    assert {row["state"] for row in question["assignments"]} == {"active"}
    comments = {
        one["payload"]["comment"] for row in question["assignments"] for one in row["revisions"]
    }
    assert comments == {"“=1+1” "}
    assert "".join(export_csv(study)).count('"changed"') >= 2


def test_its_statistics_are_computed_from_these_rankings(tables: tuple[Rows, Rows]) -> None:
    """Eve's newest order 2, then 0 and 1, against Cleo's 1, 0, 2: tau-b -2 / √(2 · 3)."""
    sections = {one.name: one for one in compute_statistics(Study.objects.get())}
    tau_b = next(one for one in sections["agreement"].figures if one.name == "tau_b")
    assert tau_b.value == pytest.approx(-2 / 6**0.5)
