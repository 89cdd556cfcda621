"""Adjudication: blind first, then beside the experts' answers, revised once at most."""

import io
import json
import uuid
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.utils import timezone

from annotation.archives import import_archive
from annotation.kinds.figures import Figure, Section
from annotation.kinds.ranking.partitions import create_consensus_partitions
from annotation.methods_section import write_methods
from annotation.models import AnswerReading, Assignment, Blinding, QuestionDecision, Thread
from annotation.progress import count_progress_by
from annotation.release_record import count_adjudications
from annotation.statistics_cache import CachedStatistics
from annotation.study_releases import freeze_study
from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.studies.models import Member, Study
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_user,
    prior_of,
    put_response,
    response_body,
    reversed_order,
    write_answer,
)

CANARY = "canary-comment-of-an-expert"


@pytest.fixture
def divided(cast: Cast) -> Cast:
    """Question 1: opposite orders and a comment, sent to adjudication. Question 2: agreed."""
    write_answer(cast.assignment(), "agree")
    write_answer(cast.assignment(cast.colleague), "submit", comment=CANARY)
    for expert in (cast.expert, cast.colleague):
        write_answer(cast.assignment(expert, 2), "agree")
    decide(cast, "adjudicate", [1, 2])
    return cast


def question(cast: Cast, number: int = 1) -> Question:
    return cast.assignment(number=number).question


def decide(cast: Cast, action: str, numbers: list[int], **more: str) -> Any:
    questions = [str(question(cast, number).id) for number in numbers]
    body = {"action": action, "questions": questions, **more}
    path = f"/api/v1/studies/{cast.study.id}/decisions"
    return client_of(cast.coordinator).post(path, body, "application/json")


def take(cast: Cast, number: int = 1, who: User | None = None) -> Any:
    path = f"/api/v1/studies/{cast.study.id}/questions/{question(cast, number).id}/adjudication"
    return client_of(who or cast.coordinator).post(path)


def adjudication(cast: Cast, number: int = 1) -> Assignment:
    return Assignment.objects.adjudications().get(question=question(cast, number))


def reopen(cast: Cast, assignment: Assignment, who: User | None = None) -> int:
    path = f"/api/v1/assignments/{assignment.id}/reopening"
    body = {"reason": "The second paper decides."}
    return client_of(who or cast.coordinator).post(path, body, "application/json").status_code


def read(cast: Cast, path: str, who: User | None = None) -> Any:
    return client_of(who or cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/{path}")


def row_of(cast: Cast, number: int = 1, **query: str) -> Any:
    page = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/questions", query)
    return next(one for one in page.json()["results"] if one["number"] == number)


def second_coordinator(cast: Cast) -> User:
    user = make_user("Ben")
    Member.objects.create(study=cast.study, user=user, role=Member.Role.COORDINATOR)
    return user


def test_the_queue_has_the_most_divided_first_and_nothing_of_the_answers(divided: Cast) -> None:
    answer = read(divided, "adjudications")
    assert [(one["number"], one["state"]) for one in answer.json()["results"]] == [
        (1, "open"),
        (2, "open"),
    ]
    assert CANARY not in answer.content.decode()
    assert not {"answers", "measures", "outcomes"} & answer.json()["results"][0].keys()
    decide(divided, "leave", [2])
    assert [one["number"] for one in read(divided, "adjudications").json()["results"]] == [1]


def test_until_it_is_submitted_nothing_of_the_others_reaches_the_adjudicator(divided: Cast) -> None:
    taken = take(divided)
    assert taken.status_code == 200
    assert CANARY not in taken.content.decode()
    row = row_of(divided)
    assert (row["is_blind"], row["answers"], row["consensus"]) == (True, [], None)
    assert {*row["outcomes"].values()} == {0}
    for path in ("questions", f"questions?search={CANARY}", "board", "threads"):
        assert CANARY not in read(divided, path).content.decode()
    assert read(divided, "questions?outcome=changed").json()["results"] == []
    recent = read(divided, "board").json()["recent"]
    assert {one["question_number"] for one in recent} == {2}
    for file in ("export.json", "export.csv"):
        assert read(divided, file).json()["code"] == "adjudication_open"
    assert row_of(divided, 2)["answered"] == 2

    write_answer(adjudication(divided), "submit")
    row = row_of(divided)
    assert (row["is_blind"], row["answered"], len(row["answers"])) == (False, 2, 2)
    blind = row["adjudication"]["first"]
    assert blind["payload"]["ranking"] == reversed_order(adjudication(divided))
    assert (blind["expert"]["name"], row["adjudication"]["revised"]) == ("Ada", None)


def test_it_counts_neither_to_overlap_nor_to_agreement_nor_to_consensus(divided: Cast) -> None:
    before, counted = row_of(divided), count_progress_by(Assignment.objects.counted(), "study")
    take(divided)
    write_answer(adjudication(divided), "submit")
    after = row_of(divided)
    same = ("assigned", "answered", "outcomes", "measures", "consensus", "shares")
    assert [after[one] for one in same] == [before[one] for one in same]
    assert count_progress_by(Assignment.objects.counted(), "study") == counted
    assert client_of(divided.coordinator).get("/api/v1/batches").json()["results"] == []
    totals = read(divided, "board").json()["totals"]
    assert (totals["answered"], totals["experts"]) == (4, 2)


def test_it_is_revised_once_with_a_reason_and_both_answers_stay(divided: Cast) -> None:
    take(divided)
    own = adjudication(divided)
    assert reopen(divided, own) == 409
    write_answer(own, "submit")
    browser = client_of(divided.coordinator)
    again = response_body(own, "agree", version=1)
    assert put_response(browser, own, again).json()["code"] == "adjudicated"
    assert take(divided).json()["code"] == "adjudicated"
    assert reopen(divided, own, divided.expert) == 404
    assert (reopen(divided, own), reopen(divided, own)) == (204, 409)
    assert take(divided).status_code == 200
    assert put_response(browser, own, again).status_code == 200
    third = response_body(own, "submit", version=2)
    assert put_response(browser, own, third).json()["code"] == "adjudicated"
    result = row_of(divided)["adjudication"]
    assert result["reason"] == "The second paper decides."
    assert result["first"]["payload"]["ranking"] == reversed_order(own)
    assert result["revised"]["payload"]["ranking"] == prior_of(own)
    exported = json.loads(read(divided, "export.json").getvalue())
    rows = exported["batches"][0]["questions"][0]["assignments"]
    (row,) = [one for one in rows if one["purpose"] == "adjudication"]
    assert (row["revision_reason"], len(row["revisions"])) == (result["reason"], 2)


def test_who_has_the_question_as_an_expert_cannot_adjudicate_it(divided: Cast) -> None:
    Member.objects.create(study=divided.study, user=divided.expert, role=Member.Role.COORDINATOR)
    assert take(divided, who=divided.expert).json()["code"] == "own_question"
    (first, _) = read(divided, "adjudications", divided.expert).json()["results"]
    assert first["is_answered_by_reader"]
    assert take(divided, who=divided.colleague).status_code == 403


def test_one_coordinator_has_it_until_it_is_released(divided: Cast) -> None:
    ben = second_coordinator(divided)
    take(divided)
    own = adjudication(divided)
    assert take(divided, who=ben).json()["code"] == "adjudication_taken"
    put_response(client_of(divided.coordinator), own, response_body(own, "save"))
    assert decide(divided, "release", [1]).json() == {"changed": 1}
    again = take(divided)  # the answers could be read since
    assert (again.status_code, again.json()["code"]) == (409, "not_blind")
    assert take(divided, who=ben).status_code == 200
    late = put_response(client_of(divided.coordinator), own, response_body(own, "agree", version=1))
    assert late.json()["code"] == "released"
    assert row_of(divided)["is_blind"] is False
    assert take(divided).json()["code"] == "adjudication_taken"


def sight(cast: Cast, number: int = 1) -> Any:
    """As the adjudication states it after it was submitted."""
    take(cast, number)
    write_answer(adjudication(cast, number), "submit")
    return row_of(cast, number)["adjudication"]["sight"]


def store_partition(cast: Cast) -> None:
    create_consensus_partitions(actor=None, study_id=cast.study.id)


def read_result_figures(cast: Cast) -> None:
    figure = Figure("p", "Zinc", 0.5, 3, "raters", "m", question=str(question(cast).id))
    sections = [asdict(Section("membership", "P(in A_s)", (figure,)))]
    cached = CachedStatistics(sections=sections, computed_at=timezone.now(), basis="")
    cache.set(f"study-statistics:{cast.study.id}", cached)
    read(cast, "statistics")


def read_thread(cast: Cast) -> None:
    thread = Thread.objects.create(study=cast.study, question=question(cast), expert=cast.colleague)
    client_of(cast.coordinator).post(f"/api/v1/threads/{thread.pk}/reading")


@pytest.mark.parametrize(
    ("look", "state"),
    [
        (lambda cast: read(cast, "board"), "blind"),
        (lambda cast: read(cast, "adjudications"), "blind"),
        (lambda cast: read(cast, "questions?with_answers=false"), "blind"),
        (lambda cast: read(cast, "threads"), "blind"),
        (lambda cast: read(cast, "questions"), "answers_read"),
        (lambda cast: read(cast, f"questions?question={question(cast).id}"), "answers_read"),
        (lambda cast: read(cast, "questions?with_answers=false&order=share"), "answers_read"),
        (lambda cast: read(cast, "questions?with_answers=false&outcome=changed"), "answers_read"),
        (lambda cast: read(cast, "export.json"), "answers_read"),
        (lambda cast: read(cast, "export?format=parquet"), "answers_read"),
        (read_result_figures, "answers_read"),
        (read_thread, "answers_read"),
        (store_partition, "partition"),
    ],
)
def test_an_adjudication_states_what_its_coordinator_had_read(
    divided: Cast, look: Callable[[Cast], object], state: str
) -> None:
    before = timezone.now()
    look(divided)
    after = timezone.now()
    [queued, _] = read(divided, "adjudications").json()["results"]
    assert queued["sight"]["state"] == state
    taken = take(divided).json()
    assert taken["sight"]["state"] == state
    shown = sight(divided)
    assert shown["state"] == state
    if state == "answers_read":
        assert before <= datetime.fromisoformat(shown["answers_read_at"]) <= after
    else:
        assert shown["answers_read_at"] is None


def test_a_partition_that_is_stored_while_a_question_is_adjudicated_is_no_secret(
    divided: Cast,
) -> None:
    assert take(divided).json()["sight"]["state"] == "blind"
    store_partition(divided)
    assert take(divided).json()["sight"]["state"] == "partition"
    [queued, _] = read(divided, "adjudications").json()["results"]
    assert queued["sight"]["state"] == "partition"
    write_answer(adjudication(divided), "submit")
    assert row_of(divided)["adjudication"]["sight"]["state"] == "partition"
    counts = count_adjudications(divided.study)
    assert (counts["blind"], counts["partition"]) == (0, 1)


def test_a_partition_after_the_first_answer_changes_no_sight(divided: Cast) -> None:
    assert sight(divided)["state"] == "blind"
    store_partition(divided)
    own = adjudication(divided)
    assert reopen(divided, own) == 204
    revised = response_body(own, "agree", version=1)
    assert put_response(client_of(divided.coordinator), own, revised).status_code == 200
    assert row_of(divided)["adjudication"]["sight"]["state"] == "blind"


def test_what_another_coordinator_read_and_what_was_read_afterwards_blinds_nobody(
    divided: Cast,
) -> None:
    ben = second_coordinator(divided)
    read(divided, "questions?order=number&outcome=changed", ben)
    assert sight(divided) == {"state": "blind", "answers_read_at": None}
    row_of(divided)
    assert row_of(divided)["adjudication"]["sight"]["state"] == "blind"
    states = {
        one["number"]: one["sight"]["state"]
        for one in read(divided, "adjudications", ben).json()["results"]
    }
    assert states == {1: "blind", 2: "blind"}, "of the first, what its adjudicator had read"


def test_a_question_without_an_answer_yet_is_not_read(cast: Cast) -> None:
    row_of(cast)
    write_answer(cast.assignment(), "agree")
    decide(cast, "adjudicate", [1])
    assert sight(cast)["state"] == "blind"


def test_the_first_reading_counts_and_the_database_alters_none(divided: Cast) -> None:
    row_of(divided)
    first = AnswerReading.objects.get(question=question(divided))
    row_of(divided)
    assert AnswerReading.objects.get(question=question(divided)).read_at == first.read_at
    with pytest.raises(DatabaseError), transaction.atomic():
        AnswerReading.objects.update(read_at=timezone.now())


def test_a_list_without_answers_counts_them_and_tells_nothing_else(divided: Cast) -> None:
    page = read(divided, f"questions?with_answers=false&search={CANARY}").json()
    assert page["results"] == []
    answer = read(divided, "questions?with_answers=false")
    assert CANARY not in answer.content.decode()
    row = next(one for one in answer.json()["results"] if one["number"] == 1)
    assert (row["answered"], row["comments"]) == (2, 1)
    assert (row["answers"], row["outcomes"], row["shares"], row["consensus"]) == ([], {}, [], None)
    measures = {one["name"]: one["value"] for one in row["measures"]}
    assert measures == pytest.approx({"kendall_w": 0, "tau_b": -1, "top1": 0})


@pytest.mark.parametrize("name", ["jsonl", "csv"])
def test_the_sight_of_an_adjudicator_is_exported_and_imported(divided: Cast, name: str) -> None:
    row_of(divided)
    sight(divided)
    Study.objects.filter(pk=divided.study.pk).update(status="closed")
    exported = read(divided, f"export?format={name}").getvalue()
    assert b"answers_read" in exported
    archived = import_archive(
        actor=divided.coordinator, name="Copy", format_name=name, file=io.BytesIO(exported)
    )
    path = f"/api/v1/studies/{archived.study.id}/export?format={name}"
    assert client_of(divided.coordinator).get(path).getvalue() == exported


def test_the_methods_section_states_how_many_adjudications_were_blind(divided: Cast) -> None:
    sight(divided)  # which reads the answers to both
    sight(divided, 2)
    Study.objects.filter(pk=divided.study.pk).update(status="closed")
    release = freeze_study(actor=divided.coordinator, study_id=divided.study.id, slug="first")
    text = write_methods(release)
    assert "adjudicated 2 questions (blind to the experts' answers: 1; after reading" in text
    assert "an expert's answer to the question: 1), and revised 0 of these answers" in text


def test_an_adjudication_of_before_it_was_recorded_is_not_called_blind(divided: Cast) -> None:
    sight(divided)
    Blinding.objects.all().delete()
    assert row_of(divided)["adjudication"]["sight"] == {"state": "", "answers_read_at": None}
    counts = count_adjudications(divided.study)
    assert (counts["total"], counts["blind"], counts["not_recorded"]) == (1, 0, 1)


def test_a_closed_study_is_adjudicated_and_a_skip_is_refused(divided: Cast) -> None:
    Study.objects.filter(id=divided.study.id).update(status="closed")
    take(divided)
    own = adjudication(divided)
    skip = put_response(client_of(divided.coordinator), own, response_body(own, "skip"))
    assert skip.json()["code"] == "not_skipped"
    write_answer(own, "agree")
    assert row_of(divided, state="adjudicated")["adjudication"]
    Member.objects.filter(study=divided.study, user=divided.coordinator).delete()
    assert (
        put_response(client_of(divided.coordinator), own, response_body(own, version=1)).status_code
        == 404
    )


def test_a_partition_uses_the_adjudicated_order_only_where_that_is_chosen(divided: Cast) -> None:
    take(divided)
    write_answer(adjudication(divided), "submit")

    def newest(**options: bool) -> Any:
        create_consensus_partitions(actor=None, study_id=divided.study.id, **options)
        return question(divided).partitions.filter(method="expert").latest("number").parameters

    assert newest()["from"] == "ranking"
    assert newest(use_adjudicated=True)["from"] == "adjudication"


def test_an_excluded_question_has_no_consensus_until_it_is_included(divided: Cast) -> None:
    assert decide(divided, "exclude", [1]).status_code == 422
    assert decide(divided, "exclude", [1], reason="Broken link.").json() == {"changed": 1}
    assert decide(divided, "exclude", [1, 2], reason="Both.").json() == {"changed": 1}
    row = row_of(divided, state="excluded")
    assert (row["excluded"], row["consensus"], row["answered"]) == ("Broken link.", None, 2)
    created = create_consensus_partitions(actor=None, study_id=divided.study.id)
    assert (created.expert.partitions, len(created.excluded)) == (0, 2)
    decide(divided, "include", [1])
    assert row_of(divided)["consensus"] is not None
    history = QuestionDecision.objects.filter(question=question(divided))
    assert [one.action for one in history.order_by("id")] == ["adjudicate", "exclude", "include"]
    with pytest.raises(DatabaseError), transaction.atomic():
        history.update(reason="")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"state": "unanswered"}, {3, 4, 5}),
        ({"state": "complete"}, {1, 2}),
        ({"state": "in_progress"}, set()),
        ({"state": "to_adjudicate"}, {1, 2}),
        ({"state": "flagged"}, set()),
        ({"agreement_below": "0.5"}, {1}),
        ({"agreement_below": "2"}, {1, 2}),
    ],
)
def test_filters_by_state_and_agreement(
    divided: Cast, query: dict[str, str], expected: set[int]
) -> None:
    page = client_of(divided.coordinator).get(
        f"/api/v1/studies/{divided.study.id}/questions", query
    )
    assert {one["number"] for one in page.json()["results"]} == expected


def test_filters_by_rater_and_question_and_half_answered(divided: Cast) -> None:
    third = join_as_expert(divided.study, divided.batches, make_user("Theo"))
    write_answer(divided.assignment(third, 3), "agree")
    for query, number in (
        ({"rater": str(third.id)}, 3),
        ({"state": "in_progress", "rater": str(third.id)}, 3),
        ({"question": str(question(divided, 2).id)}, 2),
    ):
        page = read(divided, "questions?" + "&".join(f"{k}={v}" for k, v in query.items()))
        assert [one["number"] for one in page.json()["results"]] == [number]


def test_questions_of_another_study_are_refused(divided: Cast) -> None:
    path = f"/api/v1/studies/{divided.study.id}/decisions"
    body = {"action": "adjudicate", "questions": [str(uuid.uuid4())]}
    answer = client_of(divided.coordinator).post(path, body, "application/json")
    assert answer.status_code == 422


def test_a_frozen_study_takes_neither_decisions_nor_adjudications(divided: Cast) -> None:
    """Its release has the checksum of what they would change."""
    assert take(divided).status_code == 200
    assignment = adjudication(divided)
    Study.objects.filter(pk=divided.study.pk).update(status="frozen")
    refused = (
        take(divided, 2),
        decide(divided, "leave", [2]),
        put_response(
            client_of(divided.coordinator), assignment, response_body(assignment, "agree")
        ),
    )
    assert {(one.status_code, one.json()["code"]) for one in refused} == {(409, "study_frozen")}


def test_no_figure_about_a_question_is_shown_to_who_adjudicates_it_blind(divided: Cast) -> None:
    one, other = question(divided, 1), question(divided, 2)
    figures = [
        Figure("item", str(it.number), -0.5, 3, "answers", "m", question=str(it.id))
        for it in (one, other)
    ]
    whole = Figure("alpha", "of all", 0.5, 3, "answers", "m")
    sections = [asdict(Section("items", "Items", (*figures, whole)))]
    cached = CachedStatistics(sections=sections, computed_at=timezone.now(), basis="")
    cache.set(f"study-statistics:{divided.study.id}", cached)
    client = client_of(divided.coordinator)

    def shown() -> list[str]:
        page = client.get(f"/api/v1/studies/{divided.study.id}/statistics").json()
        return [it["label"] for it in page["sections"][0]["figures"]]

    assert shown() == ["1", "2", "of all"]
    take(divided)
    assert shown() == ["2", "of all"]
    write_answer(adjudication(divided), "submit")
    assert shown() == ["1", "2", "of all"]
