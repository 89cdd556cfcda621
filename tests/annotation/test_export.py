"""What goes out is what came in, byte for byte, in both files."""

import csv
import io
import json
import os
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.db.models import Count
from hypothesis import given
from hypothesis import strategies as st

from annotation.assignments import assign_batches
from annotation.export_records import pseudonym
from annotation.exports import export_json
from annotation.exports_csv import csv_columns, export_csv
from annotation.imports import import_study
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment
from backend.accounts.models import User
from backend.benchmarks.file_discovery import read_source_files
from backend.benchmarks.questionnaire import CATALOGUE_FILE, SourceFile
from backend.studies.models import Member, Study
from backend.studies.policies import CONSENT_VERSION
from backend.validation.csv_escaping import FORMULA_PREFIXES, escape, unescape
from tests.annotation.personas import prior_of, reversed_order, write_answer
from tests.benchmarks import hostile_questionnaire

Row = dict[str, str]


@pytest.fixture
def expert() -> User:
    return User.objects.create_user("expert@hospital.example", None, name="=Eva")


@pytest.fixture
def colleague() -> User:
    return User.objects.create_user("colleague@hospital.example", None, name="Carl")


def make_study(files: list[SourceFile], *experts: User) -> Study:
    study = import_study(actor=None, name="@Study, “one” ", sources=files).study
    for expert in experts:
        Member.objects.create(
            study=study,
            user=expert,
            role=Member.Role.EXPERT,
            consent_version=CONSENT_VERSION,
            consented_at=study.created_at,
        )
        assign_batches(study=study, expert=expert, batches=study.batches.all(), actor=None)
    return study


def rank(assignment: Assignment, intent: str, **more: Any) -> list[list[str]]:
    """Write an answer; a submitted order is the prior reversed."""
    write_answer(assignment, intent, **more)
    return reversed_order(assignment) if intent == "submit" else prior_of(assignment)


def read_csv(study: Study, *, with_names: bool = False) -> list[Row]:
    written = "".join(export_csv(study, with_names=with_names)).encode().decode()
    rows = list(csv.reader(io.StringIO(written, newline="")))
    columns = csv_columns(get_kind_or_raise(study.kind))
    assert rows[0] == columns
    return [dict(zip(columns, map(unescape, row), strict=True)) for row in rows[1:]]


def read_export(study: Study, *, with_names: bool = False) -> Any:
    return json.loads("".join(export_json(study, with_names=with_names)).encode())


def as_files(export: Any) -> dict[int, list[dict[str, Any]]]:
    """The JSON export in the shape of the questionnaire's files."""
    return {
        batch["number"]: [
            {
                "question_number": question["number"],
                "qid": int(question["file_id"]),
                "text": question["text"],
                "category": question["category"],
                "llm_ranking": [
                    hostile_questionnaire.candidate(it["name"], it["prior_rank"], it["link"])
                    for it in question["candidates"]
                ],
                "resource": [
                    hostile_questionnaire.resource(it["name"], it["link"])
                    for it in question["resources"]
                ],
            }
            for question in batch["questions"]
        ]
        for batch in export["batches"]
    }


def candidates_in(files: Iterable[SourceFile]) -> list[tuple[str, ...]]:
    return sorted(
        (*question_of(q), str(place), it["entity_name"], str(it["llm_rank"]), it["entity_link"])
        for file in files
        if file.name != CATALOGUE_FILE
        for q in json.loads(file.content)
        for place, it in enumerate(q["llm_ranking"], 1)
    )


def question_of(question: dict[str, Any]) -> tuple[str, str]:
    return str(question["qid"]), question["text"]


FIELDS = ("qid", "question", "candidate_position", "candidate", "prior_rank", "candidate_link")


def check_survival(
    files: list[SourceFile], expert: User, colleague: User, *, step: int = 1
) -> None:
    """Import, rank each question number 1, 1 + step … (agreed and changed by turns), export,
    compare. Questions of every number of candidates are ranked."""
    study = make_study(files, expert, colleague)
    own = Assignment.objects.filter(expert=expert).select_related("question", "expert")
    in_order = list(own.order_by("batch__number", "question__number", "id"))
    ranked = in_order[::step]
    orders = {
        str(it.id): rank(it, "submit" if place % 2 else "agree") for place, it in enumerate(ranked)
    }
    sizes = dict(own.annotate(size=Count("question__candidates")).values_list("id", "size"))
    assert {sizes[it.id] for it in ranked} == {*sizes.values()}
    written = {f"batch{n}.json": created for n, created in as_files(read_export(study)).items()}
    assert written == {
        file.name: json.loads(file.content) for file in files if file.name != CATALOGUE_FILE
    }
    rows = read_csv(study)
    me, him = pseudonym(study, expert.id), pseudonym(study, colleague.id)
    left = {"unanswered"} if step > 1 else set()
    for who, state in ((me, {"confirmed", "changed"} | left), (him, {"unanswered"})):
        his = [row for row in rows if row["expert"] == who]
        assert sorted(tuple(row[name] for name in FIELDS) for row in his) == candidates_in(files)
        assert {row["outcome"] for row in his} == state
    for row in rows:
        if row["assignment_id"] in orders:
            order = orders[row["assignment_id"]]
            above = [other for group in order for other in group if row["candidate_id"] in group]
            place = order.index(above)
            assert int(row["rank"]) == 1 + sum(len(group) for group in order[:place])


@pytest.mark.django_db
def test_every_nasty_candidate_survives_import_ranking_and_export(
    expert: User, colleague: User
) -> None:
    check_survival(hostile_questionnaire.files(), expert, colleague)


@pytest.mark.django_db
@pytest.mark.skipif("SERENDIB_DATA" not in os.environ, reason="SERENDIB_DATA names no folder")
def test_every_candidate_of_serenqas_own_files_survives_import_ranking_and_export(
    expert: User, colleague: User
) -> None:
    """A tenth of the questions are ranked: a ranking has identifiers alone, none of their texts."""
    files, faults = read_source_files([Path(os.environ["SERENDIB_DATA"]) / "serenqa"])
    assert faults == []
    assert len(candidates_in(files)) == 5_045
    check_survival(files, expert, colleague, step=10)


@pytest.mark.django_db
def test_every_revision_is_exported_and_the_last_is_marked(expert: User, colleague: User) -> None:
    study = make_study(hostile_questionnaire.files(), expert)
    assignment = Assignment.objects.get(question__file_id="4")
    rank(assignment, "agree", confidence=2, active_ms=1500)
    assignment.refresh_from_db()
    rank(assignment, "submit", comment="=1+1\r\n'", reasons=["new_to_me", "implausible"])
    rows = [row for row in read_csv(study) if row["assignment_id"] == str(assignment.id)]
    assert [(r["revision"], r["latest"], r["outcome"], r["confidence"]) for r in rows] == [
        *[("1", "no", "confirmed", "2")] * 4,
        *[("2", "yes", "changed", "")] * 4,
    ]
    assert {row["comment"] for row in rows[4:]} == {"=1+1\r\n'"}
    assert {row["reasons"] for row in rows[4:]} == {"new_to_me;implausible"}
    [result] = [
        it
        for batch in read_export(study)["batches"]
        for question in batch["questions"]
        for it in question["assignments"]
        if it["id"] == str(assignment.id)
    ]
    assert [it["outcome"] for it in result["revisions"]] == ["confirmed", "changed"]
    assert result["revisions"][0]["active_ms"] == 1500
    assert result["response"]["payload"]["comment"] == "=1+1\r\n'"


@pytest.mark.django_db
def test_who_is_not_sure_or_skips_has_no_ranks(expert: User) -> None:
    study = make_study(hostile_questionnaire.files(), expert)
    first, second = Assignment.objects.filter(question__file_id__in=["1", "2"])
    rank(first, "not_sure", unsure_reason="too_close")
    rank(second, "skip")
    rows = {row["outcome"]: row for row in read_csv(study)}
    assert rows["not_sure"]["rank"] == rows["skipped"]["rank"] == ""
    assert rows["not_sure"]["unsure_reason"] == "too_close"


@pytest.mark.django_db
def test_a_question_that_nobody_was_given_is_exported_too() -> None:
    rows = read_csv(make_study(hostile_questionnaire.files()))
    assert {row["outcome"] for row in rows} == {"unassigned"}
    assert sorted(tuple(row[n] for n in FIELDS) for row in rows) == candidates_in(
        hostile_questionnaire.files()
    )


@pytest.mark.django_db
def test_experts_have_pseudonyms_unless_their_names_are_asked_for(expert: User) -> None:
    study = make_study(hostile_questionnaire.files(), expert)
    for written in ("".join(export_json(study)), "".join(export_csv(study))):
        assert "Eva" not in written
        assert expert.email not in written
        assert str(expert.id) not in written
    assert {row["expert_name"] for row in read_csv(study, with_names=True)} == {"=Eva"}
    [named] = read_export(study, with_names=True)["experts"]
    assert (named["name"], named["email"]) == ("=Eva", expert.email)


@pytest.mark.django_db
def test_no_cell_is_run_by_a_spreadsheet(expert: User) -> None:
    written = "".join(
        export_csv(make_study(hostile_questionnaire.files(), expert), with_names=True)
    )
    cells = [cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(FORMULA_PREFIXES)]
    assert "'=HYPERLINK(1)" in cells


@pytest.mark.django_db
def test_the_same_person_has_another_pseudonym_in_another_study(expert: User) -> None:
    assert pseudonym(Study(id=uuid.uuid4()), expert.id) != pseudonym(
        Study(id=uuid.uuid4()), expert.id
    )


@given(st.text() | st.text(st.sampled_from(["'", *FORMULA_PREFIXES, "a"])))
def test_escaping_is_reversible_and_leaves_nothing_dangerous(text: str) -> None:
    assert unescape(escape(text)) == text
    assert not escape(text).startswith(FORMULA_PREFIXES)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=5))
def test_a_written_cell_is_read_back_whatever_it_holds(cells: list[str]) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow(map(escape, cells))
    [read] = csv.reader(io.StringIO(buffer.getvalue().encode().decode(), newline=""))
    assert [unescape(cell) for cell in read] == cells
