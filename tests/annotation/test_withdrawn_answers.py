"""What a withdrawal means to the other parts of a study: releases, archives, adjudication, gold."""

import json
from typing import Any

import pytest
from django.utils import timezone

from annotation.adjudications import take_adjudication
from annotation.conflicts import declare_conflict, record_conflict
from annotation.departures import withdraw_from_study
from annotation.exports import export_json
from annotation.invitations import invite_to_study, join_with_batches
from annotation.kinds.ranking.partitions import create_consensus_partitions
from annotation.kinds.registry import get_kind_or_raise
from annotation.methods_section import write_methods
from annotation.models import Assignment, Revision, StudyDesign, StudyRelease, Thread
from annotation.qualification import read_qualifications
from annotation.simulation import simulate_study
from annotation.statistics import read_study_table
from annotation.study_releases import freeze_study
from backend.accounts.models import User
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import Conflict
from backend.studies.expertise import set_expert_tags
from backend.studies.guidelines import publish_guidelines
from backend.studies.models import Member, Study
from tests.annotation.archive_study import export, import_bytes, make_answered_study
from tests.annotation.pair_study import close
from tests.annotation.personas import (
    Cast,
    activity_body,
    activity_event,
    client_of,
    join_as_expert,
    make_user,
    post_activity,
    write_answer,
)
from tests.annotation.test_adjudication import adjudication, take
from tests.annotation.test_guidelines import acknowledge, publish
from tests.annotation.test_known_answers import Purpose, answer, assigned, make_gold_cast
from tests.annotation.test_membership import accept, invite
from tests.annotation.test_pool import lease, make_pool

pytestmark = pytest.mark.django_db
State = Assignment.State


def post(cast: Cast, who: Any, path: str, body: dict[str, Any], method: str = "post") -> Any:
    url = f"/api/v1/studies/{cast.study.id}/{path}"
    return getattr(client_of(who), method)(url, body, "application/json")


def conflict_of(cast: Cast, expert: Any, number: int = 1) -> None:
    declare_conflict(
        actor=cast.coordinator,
        study_id=cast.study.id,
        expert_id=expert.pk,
        batch=1,
        question=number,
        reason="Wrote it.",
    )


def test_nobody_leaves_a_frozen_study_and_nothing_of_it_changes(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    close(cast.study)
    freeze_study(actor=None, study_id=cast.study.id, slug="frozen")
    expert = f"experts/{cast.expert.pk}"
    conflict = {"expert_id": str(cast.expert.pk), "batch": 1, "question": 1, "reason": "Mine."}
    leaving, tags = {"with_answers": True}, {"tags": ["surgery"]}
    answers = [
        post(cast, cast.expert, "withdrawal", leaving),
        post(cast, cast.coordinator, f"{expert}/removal", leaving),
        post(cast, cast.coordinator, "conflicts", conflict),
        post(cast, cast.coordinator, f"{expert}/tags", tags, "put"),
        post(cast, cast.coordinator, f"batches/{cast.batch.id}/tags", tags, "put"),
        post(cast, cast.coordinator, "guidelines", {"text": "New.", "must_be_read": True}),
    ]
    assert {(one.status_code, one.json()["code"]) for one in answers} == {(409, "study_frozen")}
    assert not Assignment.objects.filter(state=State.WITHDRAWN).exists()


def test_a_release_has_the_versions_and_what_was_withdrawn(cast: Cast) -> None:
    publish(cast, "Rank by surprise.")
    acknowledge(cast, 1)
    acknowledge(cast, 1, cast.colleague)
    write_answer(cast.assignment(), "agree")
    write_answer(cast.assignment(cast.colleague), "agree")
    publish(cast, "Rank by surprise alone.")
    acknowledge(cast, 2)
    write_answer(cast.assignment(number=2), "agree")
    withdraw_from_study(actor=cast.colleague, study_id=cast.study.id, with_answers=True)
    close(cast.study)
    release = freeze_study(actor=None, study_id=cast.study.id, slug="first")
    record = StudyRelease.objects.get().record
    versions = [
        (one["number"], one["experts"], one["answers"]) for one in record["texts"]["guidelines"]
    ]
    assert versions == [(1, 1, 1), (2, 1, 1)]
    assert record["texts"]["consent"] == [{"version": "1", "experts": 2}]
    members = {"members": 2, "simulated": 0, "left": 1, "left_with_answers": 1, "answered": 1}
    assert record["experts"] == {**members, "returned": 0, "qualified": None}
    assert (record["answers"]["answered"], record["answers"]["withdrawn"]) == (2, 1)
    text = write_methods(release)
    assert "1 expert left the study before it ended; the answers of 1 of them" in text
    assert "Not counted: " in text and "answers that were withdrawn (1)" in text
    assert "The guidelines had 2 versions: version 1 of " in text
    assert all(one["digest"] in text for one in record["texts"]["guidelines"])


def test_a_release_counts_who_came_back_after_their_answers_were_withdrawn(cast: Cast) -> None:
    conflict_of(cast, cast.expert)
    withdraw_from_study(actor=cast.colleague, study_id=cast.study.id, with_answers=True)
    assert accept(invite(cast, email=cast.colleague.email), cast.colleague).status_code == 200
    close(cast.study)
    freeze_study(actor=None, study_id=cast.study.id, slug="first")
    experts = StudyRelease.objects.get().record["experts"]
    assert (experts["members"], experts["left"], experts["left_with_answers"]) == (2, 1, 1)
    assert experts["returned"] == 1


def test_a_release_and_an_archive_count_who_left_their_answers_and_came_back(cast: Cast) -> None:
    write_answer(cast.assignment(cast.colleague), "agree")
    come_back(cast, cast.colleague)
    close(cast.study)
    release = freeze_study(actor=None, study_id=cast.study.id, slug="first")
    experts = StudyRelease.objects.get().record["experts"]
    assert experts == {
        **{"members": 2, "simulated": 0, "left": 1, "returned": 1},
        **{"left_with_answers": 0, "answered": 1, "qualified": None},
    }
    text = write_methods(release)
    assert "1 expert left the study before it ended; 1 of them came back" in text
    content = export(cast.study, "jsonl")
    archive = import_bytes(content, "jsonl").study
    assert export(archive, "jsonl") == content
    freeze_study(actor=None, study_id=archive.id, slug="second")
    again = StudyRelease.objects.get(study=archive).record["experts"]
    assert (again["left"], again["returned"]) == (1, 1)


def come_back(cast: Cast, expert: User, *, with_answers: bool = False) -> None:
    withdraw_from_study(actor=expert, study_id=cast.study.id, with_answers=with_answers)
    assert accept(invite(cast, email=expert.email), expert).status_code == 200


def test_who_left_their_answers_and_came_back_takes_part_once_with_the_same_answers(
    cast: Cast,
) -> None:
    for expert in (cast.expert, cast.colleague):
        write_answer(cast.assignment(expert), "agree")
    owner = question_set_of(cast.study)
    owner.created_by = cast.coordinator
    owner.save()

    def read() -> tuple[Any, ...]:
        """Agreement, partitions, counts and who takes part; not the consent, which is new."""
        partitions = create_consensus_partitions(actor=cast.coordinator, study_id=cast.study.id)
        page = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/participation")
        board = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board").json()
        people = sorted(one["name"] for one in page.json()["experts"])
        return (
            (partitions.questions, partitions.expert.partitions, partitions.few_raters),
            (people, page.json()["departures"]),
            (board["totals"]["answered"], board["totals"]["expected"], len(board["experts"])),
        )

    before = read()
    assert before[0][1] == 1 and before[2] == (2, 10, 2)
    for _ in range(2):
        come_back(cast, cast.colleague)
        assert read() == before
    states = Assignment.objects.filter(expert=cast.colleague).values_list("state", flat=True)
    assert [*states] == [State.ACTIVE] * 5


@pytest.mark.parametrize("is_taken", [False, True])
def test_who_comes_back_to_a_pool_gets_what_they_had_not_answered_if_it_is_free(
    is_taken: bool,
) -> None:
    study, (one, other) = make_pool(2, questions=3, overlap=1)
    coordinator = study.created_by
    assert coordinator is not None
    answered, skipped, leased = lease(study, one, 3)
    write_answer(answered, "agree")
    write_answer(skipped, "skip")
    withdraw_from_study(actor=one, study_id=study.id, with_answers=False)
    if is_taken:
        assert len(lease(study, other, 3)) == 2
    invitation, _ = invite_to_study(
        actor=coordinator, study_id=study.id, email=one.email, role=Member.Role.EXPERT
    )
    join_with_batches(invitation, one)
    consent = {"consent_version": "1", "consented_at": timezone.now()}
    Member.objects.filter(study=study, user=one).update(**consent)
    again = lease(study, one, 3)
    assert {row.pk for row in again} == (set() if is_taken else {leased.pk})
    leases = Assignment.objects.counted().filter(study=study, leased_until__gt=timezone.now())
    questions = list(leases.values_list("question", flat=True))
    assert len(questions) == len(set(questions)), "each place is one expert's"


def test_an_archive_has_the_guidelines_expertise_and_withdrawals_of_its_file() -> None:
    study = make_answered_study("ranking", raters=1)
    coordinator = make_user("Ada")
    Member.objects.create(study=study, user=coordinator, role=Member.Role.COORDINATOR)
    publish_guidelines(actor=coordinator, study_id=study.id, text="Read.", must_be_read=True)
    simulate_study(study=study, raters=2, seed=3)
    first, second, *_ = Member.objects.filter(study=study, user__is_simulated=True).order_by("id")
    set_expert_tags(actor=coordinator, study_id=study.id, expert_id=first.user_id, tags=["Surgery"])
    withdraw_from_study(actor=second.user, study_id=study.id, with_answers=True)
    for name in ("jsonl", "csv"):
        content = export(study, name)
        archive = import_bytes(content, name, name).study
        assert export(archive, name) == content
        assert Assignment.objects.filter(study=archive, state=State.WITHDRAWN).count() == 3
    copied = Study.objects.get(name="jsonl")
    written = Revision.objects.filter(response__assignment__study=copied)
    assert set(written.values_list("consent_version", "guidelines_number")) == {("1", 0)}
    members = Member.everyone.filter(study=copied)
    assert sorted(members.values_list("tags", "answers_withdrawn", "guidelines_number"))[0] == (
        [],
        False,
        0,
    )
    assert members.filter(left_at__isnull=False, answers_withdrawn=True).count() == 1
    assert members.filter(tags=["surgery"], guidelines_number=1).count() == 1


def test_guidelines_stop_no_adjudicator_and_a_conflict_of_interest_does(cast: Cast) -> None:
    publish(cast, "Rank by surprise.")
    acknowledge(cast, 1)
    write_answer(cast.assignment(), "agree")
    post(
        cast,
        cast.coordinator,
        "decisions",
        {"action": "adjudicate", "questions": [str(cast.assignment().question_id)]},
    )
    taken = take(cast)
    assert taken.json()["batch"]["guidelines"]["text"] == "Rank by surprise."
    write_answer(adjudication(cast), "submit")
    own = Revision.objects.get(response__assignment__purpose=Purpose.ADJUDICATION)
    assert (own.consent_version, own.guidelines_number) == ("", None)
    question = cast.assignment().question_id
    record_conflict(
        actor=cast.coordinator,
        study=cast.study,
        question=question,
        expert=cast.coordinator.pk,
        reason="Mine.",
    )
    assert not Assignment.objects.adjudications().exists()
    with pytest.raises(Conflict) as refused:
        take_adjudication(actor=cast.coordinator, study_id=cast.study.id, question_id=question)
    assert refused.value.code == "conflict_of_interest"


def test_who_leaves_as_an_expert_stays_an_adjudicator(cast: Cast) -> None:
    join_as_expert(cast.study, [], cast.coordinator)
    write_answer(cast.assignment(), "agree")
    take(cast)
    write_answer(adjudication(cast), "submit")
    withdraw_from_study(actor=cast.coordinator, study_id=cast.study.id, with_answers=True)
    assert adjudication(cast).state == State.ACTIVE
    data = json.loads(client_of(cast.coordinator).get("/api/v1/me/data").getvalue())
    rows = {one["role"]: len(one["assignments"]) for one in data["studies"]}
    assert rows["coordinator"] == 1 and rows["expert"] == 0


def test_threads_of_withdrawn_questions_are_hidden_and_stay_stored(cast: Cast) -> None:
    canary = "canary-message"
    entry = activity_event("message_sent", new=canary, old=None)
    post_activity(client_of(cast.expert), cast.assignment(), activity_body(entry))
    for name in ("threads", "export.json"):
        page = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/{name}")
        assert canary in page.getvalue().decode()
    withdraw_from_study(actor=cast.expert, study_id=cast.study.id, with_answers=True)
    assert client_of(cast.expert).get("/api/v1/threads").json()["results"] == []
    for name in ("threads", "export.json", "questions"):
        page = client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/{name}")
        assert canary not in page.getvalue().decode()
    number = Thread.objects.get().pk
    assert client_of(cast.coordinator).post(f"/api/v1/threads/{number}/reading").status_code == 404
    own = client_of(cast.expert).get("/api/v1/me/data").getvalue().decode()
    assert canary in own


def test_withdrawn_checks_are_in_no_statistic_and_gold_with_a_conflict_is_not_assigned() -> None:
    cast = make_gold_cast(gold=3, others=3, gold_share=0.5)
    conflict_of(cast, cast.expert, 1)
    join_as_expert(cast.study, cast.batches, make_user("Nora"))
    Member.objects.filter(user=cast.expert).delete()
    join_as_expert(cast.study, cast.batches, cast.expert)
    gold = assigned(cast.study, cast.expert, Purpose.GOLD)
    assert [row.question.number for row in gold] == [2, 3]
    answer(gold[0], "contradicted")
    kind = get_kind_or_raise(cast.study.kind)
    assert len(read_study_table(cast.study, kind, 1).checks) == 1
    withdraw_from_study(actor=cast.expert, study_id=cast.study.id, with_answers=True)
    assert read_study_table(cast.study, kind, 1).checks == []


@pytest.mark.parametrize("with_answers", [False, True])
def test_who_comes_back_gets_the_qualification_that_was_left(with_answers: bool) -> None:
    cast = make_gold_cast(overlap=2, gold_share=0, qualification_items=2, qualification_minimum=1)
    first = lease(cast.study, cast.expert, 2)
    withdraw_from_study(actor=cast.expert, study_id=cast.study.id, with_answers=with_answers)
    assert accept(invite(cast, email=cast.expert.email), cast.expert).status_code == 200
    Member.objects.filter(user=cast.expert).update(consent_version="1", consented_at=timezone.now())
    assert {row.pk for row in lease(cast.study, cast.expert, 2)} == {row.pk for row in first}


@pytest.mark.parametrize(("conflicts", "state"), [(1, "passed"), (3, "failed")])
def test_a_qualification_goes_on_without_questions_that_cannot_be_answered(
    conflicts: int, state: str
) -> None:
    cast = make_gold_cast(overlap=2, gold_share=0, qualification_items=3, qualification_minimum=2)
    lease(cast.study, cast.expert, 3)
    rows = assigned(cast.study, cast.expert, Purpose.QUALIFICATION)
    for row in rows[:conflicts]:
        conflict_of(cast, cast.expert, row.question.number)
    for row in rows[conflicts:]:
        answer(row, "supported")
    design = StudyDesign.objects.get(study=cast.study)
    assert read_qualifications(design, [cast.expert.pk])[cast.expert.pk].state == state
    assert bool(lease(cast.study, cast.expert, 3)) is (state == "passed")


def test_own_data_has_only_what_was_begun_and_no_order_of_assignment(cast: Cast) -> None:
    assert own_assignments(cast) == []
    for number in (1, 2, 3):
        write_answer(cast.assignment(number=number), "agree")
    rows = own_assignments(cast)
    assert len(rows) == 3
    assert [one["id"] for one in rows] == sorted(one["id"] for one in rows)
    assert "created_at" not in rows[0]


def own_assignments(cast: Cast) -> list[dict[str, Any]]:
    (study,) = json.loads(client_of(cast.expert).get("/api/v1/me/data").getvalue())["studies"]
    rows: list[dict[str, Any]] = study["assignments"]
    return rows


def test_own_data_names_neither_repeated_questions_nor_checks(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    data = client_of(cast.expert).get("/api/v1/me/data").getvalue().decode()
    assert not {word for word in ("occasion", "purpose", "gold", "is_right") if word in data}
    assert "occasion" in "".join(export_json(cast.study))
