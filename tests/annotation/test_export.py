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
from hypothesis import given
from hypothesis import strategies as st

from annotation.answers import Sent, prior_of
from annotation.assignments import assign_batches
from annotation.exports import export_json, pseudonym
from annotation.exports_csv import COLUMNS, export_csv
from annotation.imports import import_study
from annotation.models import Action, Assignment, Member, Study
from annotation.policies import CONSENT_VERSION
from annotation.responses import write_response
from backend.accounts.models import User
from backend.benchmarks.files import read_paths
from backend.benchmarks.questionnaire import CATALOGUE, SourceFile
from backend.common.spreadsheets import DANGEROUS, escape, unescape
from tests.benchmarks import nasty

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


def rank(assignment: Assignment, action: Action, **more: Any) -> list[list[str]]:
    """Answer as she would; a submitted order is the prior turned round, one tie in two."""
    prior = prior_of(assignment.question.candidates.all())
    order = prior[::-1] if action is Action.SUBMIT else prior
    response = getattr(assignment, "response", None)
    version = response.version if response else 0
    sent = Sent(version=version, action=action, ranking=order, **more)
    write_response(actor=assignment.expert, assignment_id=assignment.id, sent=sent)
    return order


def read_csv(study: Study, *, with_names: bool = False) -> list[Row]:
    written = "".join(export_csv(study, with_names=with_names)).encode().decode()
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert rows[0] == list(COLUMNS)
    return [dict(zip(COLUMNS, map(unescape, row), strict=True)) for row in rows[1:]]


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
                    nasty.candidate(it["name"], it["prior_rank"], it["link"])
                    for it in question["candidates"]
                ],
                "resource": [
                    nasty.resource(it["name"], it["link"]) for it in question["resources"]
                ],
            }
            for question in batch["questions"]
        ]
        for batch in export["batches"]
    }


def candidates_in(files: Iterable[SourceFile]) -> list[tuple[str, ...]]:
    return sorted(
        (*its_question(q), str(place), it["entity_name"], str(it["llm_rank"]), it["entity_link"])
        for file in files
        if file.name != CATALOGUE
        for q in json.loads(file.content)
        for place, it in enumerate(q["llm_ranking"], 1)
    )


def its_question(question: dict[str, Any]) -> tuple[str, str]:
    return str(question["qid"]), question["text"]


FIELDS = ("qid", "question", "candidate_position", "candidate", "prior_rank", "candidate_link")


def check_survival(files: list[SourceFile], expert: User, colleague: User) -> None:
    """Import, rank every question (agreed and changed by turns), export, compare."""
    study = make_study(files, expert, colleague)
    hers = Assignment.objects.filter(expert=expert).select_related("question", "expert")
    orders = {
        str(it.id): rank(it, Action.SUBMIT if place % 2 else Action.AGREE)
        for place, it in enumerate(hers)
    }
    written = {f"batch{n}.json": made for n, made in as_files(read_export(study)).items()}
    assert written == {
        file.name: json.loads(file.content) for file in files if file.name != CATALOGUE
    }
    rows = read_csv(study)
    me, him = pseudonym(study, expert.id), pseudonym(study, colleague.id)
    for who, state in ((me, {"confirmed", "changed"}), (him, {"unanswered"})):
        his = [row for row in rows if row["expert"] == who]
        assert sorted(tuple(row[name] for name in FIELDS) for row in his) == candidates_in(files)
        assert {row["state"] for row in his} == state
    for row in rows:
        if row["expert"] == me:
            order = orders[row["assignment_id"]]
            above = [other for group in order for other in group if row["candidate_id"] in group]
            place = order.index(above)
            assert int(row["rank"]) == 1 + sum(len(group) for group in order[:place])


@pytest.mark.django_db
def test_every_nasty_candidate_survives_import_ranking_and_export(
    expert: User, colleague: User
) -> None:
    check_survival(nasty.files(), expert, colleague)


@pytest.mark.django_db
@pytest.mark.skipif("SERENDIB_DATA" not in os.environ, reason="SERENDIB_DATA names no folder")
def test_every_candidate_of_serenqas_own_files_survives_import_ranking_and_export(
    expert: User, colleague: User
) -> None:
    files, faults = read_paths([Path(os.environ["SERENDIB_DATA"]) / "serenqa"])
    assert faults == []
    assert len(candidates_in(files)) == 5_045
    check_survival(files, expert, colleague)


@pytest.mark.django_db
def test_every_revision_is_exported_and_the_last_is_marked(expert: User, colleague: User) -> None:
    study = make_study(nasty.files(), expert)
    assignment = Assignment.objects.get(question__file_id="4")
    rank(assignment, Action.AGREE, confidence=2, active_ms=1500)
    assignment.refresh_from_db()
    rank(assignment, Action.SUBMIT, comment="=1+1\r\n'", reasons=("new_to_me", "implausible"))
    rows = [row for row in read_csv(study) if row["assignment_id"] == str(assignment.id)]
    assert [(r["revision"], r["latest"], r["state"], r["confidence"]) for r in rows] == [
        *[("1", "no", "confirmed", "2")] * 4,
        *[("2", "yes", "changed", "")] * 4,
    ]
    assert {row["comment"] for row in rows[4:]} == {"=1+1\r\n'"}
    assert {row["reasons"] for row in rows[4:]} == {"new_to_me;implausible"}
    [found] = [
        it
        for batch in read_export(study)["batches"]
        for question in batch["questions"]
        for it in question["assignments"]
        if it["id"] == str(assignment.id)
    ]
    assert [it["state"] for it in found["revisions"]] == ["confirmed", "changed"]
    assert found["revisions"][0]["active_ms"] == 1500
    assert found["response"]["comment"] == "=1+1\r\n'"


@pytest.mark.django_db
def test_who_is_not_sure_or_skips_has_no_ranks(expert: User) -> None:
    study = make_study(nasty.files(), expert)
    first, second = Assignment.objects.filter(question__file_id__in=["1", "2"])
    rank(first, Action.NOT_SURE, unsure_reason="too_close")
    rank(second, Action.SKIP)
    rows = {row["state"]: row for row in read_csv(study)}
    assert rows["not_sure"]["rank"] == rows["skipped"]["rank"] == ""
    assert rows["not_sure"]["unsure_reason"] == "too_close"


@pytest.mark.django_db
def test_a_question_that_nobody_was_given_is_exported_too() -> None:
    rows = read_csv(make_study(nasty.files()))
    assert {row["state"] for row in rows} == {"unassigned"}
    assert sorted(tuple(row[n] for n in FIELDS) for row in rows) == candidates_in(nasty.files())


@pytest.mark.django_db
def test_experts_have_pseudonyms_unless_their_names_are_asked_for(expert: User) -> None:
    study = make_study(nasty.files(), expert)
    for written in ("".join(export_json(study)), "".join(export_csv(study))):
        assert "Eva" not in written
        assert expert.email not in written
        assert str(expert.id) not in written
    assert {row["expert_name"] for row in read_csv(study, with_names=True)} == {"=Eva"}
    [named] = read_export(study, with_names=True)["experts"]
    assert (named["name"], named["email"]) == ("=Eva", expert.email)


@pytest.mark.django_db
def test_no_cell_is_run_by_a_spreadsheet(expert: User) -> None:
    written = "".join(export_csv(make_study(nasty.files(), expert), with_names=True))
    cells = [cell for row in csv.reader(io.StringIO(written, newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(DANGEROUS)]
    assert "'=HYPERLINK(1)" in cells


@pytest.mark.django_db
def test_the_same_person_has_another_pseudonym_in_another_study(expert: User) -> None:
    assert pseudonym(Study(id=uuid.uuid4()), expert.id) != pseudonym(
        Study(id=uuid.uuid4()), expert.id
    )


@given(st.text() | st.text(st.sampled_from(["'", *DANGEROUS, "a"])))
def test_escaping_is_reversible_and_leaves_nothing_dangerous(text: str) -> None:
    assert unescape(escape(text)) == text
    assert not escape(text).startswith(DANGEROUS)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=5))
def test_a_written_cell_is_read_back_whatever_it_holds(cells: list[str]) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow(map(escape, cells))
    [read] = csv.reader(io.StringIO(buffer.getvalue().encode().decode(), newline=""))
    assert [unescape(cell) for cell in read] == cells
