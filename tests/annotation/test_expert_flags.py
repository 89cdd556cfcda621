"""Experts whose answers a coordinator should look at."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Assignment, Response
from annotation.statistics_cache import recompute_statistics
from backend.accounts.models import User
from backend.studies.models import Member, Study
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_study,
    make_user,
    write_answer,
)


@pytest.fixture
def coordinator(db: None) -> User:
    return make_user("Ada")


@pytest.fixture
def study(coordinator: User) -> Study:
    """Twelve questions for Eve, Cleo and Theo."""
    study, batches = make_study("Flags", coordinator, questions=(12,))
    for name in ("Eve", "Cleo", "Theo"):
        join_as_expert(study, batches, make_user(name))
    return study


def answer_all(study: Study, name: str, intents: str, *, active_ms: int = 40_000) -> None:
    """One sign for each question: a agrees, s submits an order, n is not sure, - is left out."""
    words = {"a": "agree", "s": "submit", "n": "not_sure"}
    rows = Assignment.objects.filter(study=study, expert__name=name).order_by("question__number")
    for assignment, sign in zip(rows, intents, strict=False):
        if sign != "-":
            write_answer(assignment, words[sign], active_ms=active_ms)


def flags_of(study: Study, coordinator: User, name: str) -> list[dict[str, Any]]:
    board = client_of(coordinator).get(f"/api/v1/studies/{study.id}/board").json()
    flags: list[dict[str, Any]] = next(it for it in board["experts"] if it["name"] == name)["flags"]
    return flags


def names(study: Study, coordinator: User, name: str) -> list[str]:
    """Of the flags that a worker computed last."""
    return [flag["name"] for flag in flags_of(study, coordinator, name)]


def test_usual_answers_have_no_flag(study: Study, coordinator: User) -> None:
    for name in ("Eve", "Cleo", "Theo"):
        answer_all(study, name, "asasasasasas")
    recompute_statistics(study.id)
    assert [names(study, coordinator, it) for it in ("Eve", "Cleo", "Theo")] == [[], [], []]


def test_always_agreeing_is_flagged_where_the_others_do_not(
    study: Study, coordinator: User
) -> None:
    answer_all(study, "Eve", "a" * 12)
    answer_all(study, "Cleo", "ssasssasssns")
    answer_all(study, "Theo", "sssasssassss")
    assert names(study, coordinator, "Eve") == [], "a worker computes them"
    recompute_statistics(study.id)
    flags = {flag["name"]: flag for flag in flags_of(study, coordinator, "Eve")}
    same = flags["straight_lining"]
    assert (same["value"], same["n"]) == (1, 12)
    assert same["note"] == "Expected: 0.46."  # with the expert's own


def test_always_agreeing_is_usual_where_everybody_agrees(study: Study, coordinator: User) -> None:
    for name in ("Eve", "Cleo", "Theo"):
        answer_all(study, name, "a" * 12)
    recompute_statistics(study.id)
    assert names(study, coordinator, "Eve") == []


def test_answers_to_questions_of_nobody_else_are_not_compared(
    study: Study, coordinator: User
) -> None:
    answer_all(study, "Eve", "a" * 12)
    answer_all(study, "Cleo", "s" * 9)
    recompute_statistics(study.id)
    assert names(study, coordinator, "Eve") == []


def test_an_expert_with_questions_left_is_silent_after_three_days(
    study: Study, coordinator: User
) -> None:
    before = timezone.now() - timedelta(days=5, hours=1)
    Member.objects.filter(study=study).update(joined_at=before)
    answer_all(study, "Eve", "a" * 11)
    Response.objects.update(submitted_at=timezone.now() - timedelta(days=2, hours=23))
    assert names(study, coordinator, "Eve") == []
    expected = {"name": "silent", "value": 5, "n": 12, "note": ""}
    assert flags_of(study, coordinator, "Cleo") == [expected]
    Response.objects.update(submitted_at=timezone.now() - timedelta(days=3))
    assert [it["n"] for it in flags_of(study, coordinator, "Eve")] == [1]
    answer_all(study, "Eve", "-----------a")
    Response.objects.update(submitted_at=before)
    assert names(study, coordinator, "Eve") == []


def test_simulated_experts_are_never_silent(study: Study, coordinator: User) -> None:
    Member.objects.filter(study=study).update(joined_at=timezone.now() - timedelta(days=9))
    User.objects.filter(name="Cleo").update(is_simulated=True)
    assert names(study, coordinator, "Cleo") == []
    assert names(study, coordinator, "Eve") == ["silent"]


def test_nobody_is_silent_in_a_closed_study(study: Study, coordinator: User) -> None:
    Member.objects.filter(study=study).update(joined_at=timezone.now() - timedelta(days=9))
    Study.objects.filter(id=study.id).update(status=Study.Status.CLOSED)
    assert names(study, coordinator, "Cleo") == []


def test_skipped_questions_count_for_no_flag(study: Study, cast: Cast, coordinator: User) -> None:
    rows = Assignment.objects.filter(study=study, expert__name="Eve")
    for assignment in rows:
        write_answer(assignment, "skip", active_ms=100)
    recompute_statistics(study.id)
    assert names(study, coordinator, "Eve") == []
