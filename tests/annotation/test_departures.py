"""Experts who leave a study, conflicts of interest, expertise, and own data."""

import json
from typing import Any

import pytest

from annotation.conflicts import declare_conflict
from annotation.departures import list_departures, remove_expert, withdraw_from_study
from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.kinds.ranking.kind import KIND
from annotation.kinds.submissions import read_latest_submissions
from annotation.models import Assignment, ConflictOfInterest, Revision
from annotation.shortages import Shortage, ShortageReason, find_shortage
from backend.accounts.models import User
from backend.studies.expertise import set_expert_tags
from backend.studies.models import Member, Study
from tests.annotation.personas import (
    Cast,
    activity_body,
    activity_event,
    client_of,
    join_as_expert,
    make_user,
    post_activity,
    put_response,
    response_body,
    write_answer,
)
from tests.annotation.test_membership import accept, invite
from tests.annotation.test_pool import lease, let_leases_expire, make_pool, states

State = Assignment.State


def answers_of(study: Study) -> int:
    latest = read_latest_submissions(Assignment.objects.filter(study=study), KIND)
    return sum(len(answers) for answers in latest.answers.values())


def own_data(expert: User) -> Any:
    return json.loads(client_of(expert).get("/api/v1/me/data").getvalue())


@pytest.mark.parametrize(("with_answers", "counted"), [(False, 1), (True, 0)])
def test_an_expert_withdraws_and_the_study_is_gone(
    cast: Cast, with_answers: bool, counted: int
) -> None:
    write_answer(cast.assignment(), "submit", comment="first")
    before = read_latest_submissions(Assignment.objects.filter(study=cast.study), KIND)
    client, row = client_of(cast.expert), cast.assignment()
    url = f"/api/v1/studies/{cast.study.id}"
    gone = client.post(f"{url}/withdrawal", {"with_answers": with_answers}, "application/json")
    assert gone.status_code == 204
    assert client.get("/api/v1/batches").json()["results"] == []
    body = response_body(row, "agree", version=1)
    statuses = {
        client.get(f"/api/v1/batches/{cast.batch.id}/assignments").status_code,
        client.get(f"{url}/contribution").status_code,
        client.get(f"{url}/guidelines").status_code,
        client.post(f"{url}/withdrawal", {"with_answers": True}, "application/json").status_code,
        put_response(client, row, body).status_code,
    }
    assert statuses == {404}
    assert answers_of(cast.study) == counted
    after = read_latest_submissions(Assignment.objects.filter(study=cast.study), KIND)
    assert (after.revision_count > before.revision_count) is with_answers, "agreement is stale"
    assert Revision.objects.count() == 1, "nothing is deleted"
    (left,) = list_departures(cast.study)
    assert (left.withdrew, left.answers_withdrawn, left.answers) == (True, with_answers, 1)


def test_withdrawn_answers_leave_a_tombstone_in_exports(cast: Cast) -> None:
    write_answer(cast.assignment(), "submit", comment="first")
    withdraw_from_study(actor=cast.expert, study_id=cast.study.id, with_answers=True)
    written = "".join(export_json(cast.study))
    assert "first" not in written + "".join(export_csv(cast.study))
    rows = json.loads(written)["batches"][0]["questions"][0]["assignments"]
    (row,) = [one for one in rows if one["state"] == "withdrawn"]
    assert (row["response"], row["revisions"], row["events"]) == (None, [], [])
    assert '"withdrawn"' in "".join(export_csv(cast.study))


def test_an_invitation_brings_an_expert_back_without_a_consent(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    withdraw_from_study(actor=cast.expert, study_id=cast.study.id, with_answers=False)
    assert accept(invite(cast, email=cast.expert.email), cast.expert).status_code == 200
    member = Member.objects.get(user=cast.expert)
    assert (member.consent_version, member.left_at) == ("", None)
    assert Assignment.objects.filter(expert=cast.expert, state=State.ACTIVE).count() == 5


def test_places_of_a_removed_expert_return_to_the_pool(db: None) -> None:
    study, (one, other, third) = make_pool(3, questions=2, overlap=1)
    answered, leased = lease(study, one, 2)
    write_answer(answered, "agree")
    assert lease(study, other) == []
    coordinator = study.created_by
    assert coordinator is not None
    remove_expert(actor=coordinator, study_id=study.id, expert_id=one.pk, with_answers=False)
    assert states(study) == {State.ACTIVE: 1, State.RELEASED: 1}
    (taken,) = lease(study, other, 2)
    assert taken.question_id == leased.question_id
    let_leases_expire(study)
    write_answer(taken, "agree")
    remove_expert(actor=coordinator, study_id=study.id, expert_id=other.pk, with_answers=True)
    assert [row.question_id for row in lease(study, third, 2)] == [taken.question_id]


def test_a_withdrawn_answer_gives_its_place_to_the_earliest_surplus(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    rows = []
    for expert in (one, other):
        rows += lease(study, expert)
        let_leases_expire(study)
    for row in rows:
        write_answer(row, "agree")
    withdraw_from_study(actor=one, study_id=study.id, with_answers=True)
    assert states(study) == {State.WITHDRAWN: 1, State.ACTIVE: 1}


def test_a_conflict_of_interest_returns_the_place_for_good(db: None) -> None:
    study, (one, other) = make_pool(2, questions=1, overlap=1)
    (row,) = lease(study, one)
    body = response_body(row, "skip", conflict="My own paper.")
    assert put_response(client_of(one), row, body).status_code == 200
    assert ConflictOfInterest.objects.get().reason == "My own paper."
    assert lease(study, one) == []
    assert len(lease(study, other)) == 1
    again = response_body(row, "agree", version=1)
    assert put_response(client_of(one), row, again).status_code == 404
    for kind, new in (("moved", [["a"]]), ("message_sent", "Late.")):
        entry = activity_body(activity_event(kind, new=new))
        assert post_activity(client_of(one), row, entry).status_code == 404
    evidence = client_of(one).get(f"/api/v1/assignments/{row.pk}/evidence")
    assert evidence.status_code == 404


def test_a_conflict_of_interest_outlasts_leaving_and_coming_back(cast: Cast) -> None:
    row = cast.assignment()
    body = response_body(row, "skip", conflict="My own paper.")
    assert put_response(client_of(cast.expert), row, body).status_code == 200
    withdraw_from_study(actor=cast.expert, study_id=cast.study.id, with_answers=False)
    assert accept(invite(cast, email=cast.expert.email), cast.expert).status_code == 200
    row.refresh_from_db()
    assert row.state == State.WITHDRAWN
    assert Assignment.objects.filter(expert=cast.expert, state=State.ACTIVE).count() == 4
    again = response_body(row, "agree", version=1)
    assert put_response(client_of(cast.expert), row, again).status_code in {403, 404}


def test_coordinators_declare_conflicts_before_anything_is_assigned(cast: Cast) -> None:
    newcomer = make_user("Nora")
    Member.objects.create(study=cast.study, user=newcomer, role=Member.Role.EXPERT)
    declare_conflict(
        actor=cast.coordinator,
        study_id=cast.study.id,
        expert_id=newcomer.pk,
        batch=1,
        question=2,
        reason="Wrote it.",
    )
    Member.objects.filter(user=newcomer).delete()
    join_as_expert(cast.study, cast.batches, newcomer)
    assert Assignment.objects.filter(expert=newcomer).count() == 4


def test_a_pool_gives_questions_to_experts_with_the_needed_tags_alone(db: None) -> None:
    study, (one, other) = make_pool(2, questions=3, overlap=1)
    study.batches.update(needed_tags=["cardiology", "pharmacology"])
    coordinator = study.created_by
    assert coordinator is not None
    set_expert_tags(
        actor=coordinator,
        study_id=study.id,
        expert_id=one.pk,
        tags=[" Cardiology ", "pharmacology", "surgery"],
    )
    assert lease(study, other, 3) == []
    first = [row.question_id for row in lease(study, one, 3)]
    assert len(first) == 3


def test_the_board_counts_the_questions_that_lack_experts_and_why(db: None) -> None:
    study, experts = make_pool(3, questions=4, overlap=3)
    assert find_shortage(study) is None
    (skipped,) = lease(study, experts[0])
    write_answer(skipped, "skip")
    short = find_shortage(study)
    assert short == Shortage(3, 1, 1, [ShortageReason("skips", 1)])
    study.batches.update(needed_tags=["cardiology"])
    Member.objects.filter(user__in=experts[:2]).update(tags=["cardiology"])
    assert find_shortage(study) == Shortage(3, 4, 5, [ShortageReason("expertise", 4)])
    withdraw_from_study(actor=experts[2], study_id=study.id, with_answers=False)
    assert find_shortage(study) == Shortage(3, 4, 5, [ShortageReason("experts", 4)])


def test_leases_that_expired_or_were_released_are_no_shortage(db: None) -> None:
    study, experts = make_pool(2, questions=1, overlap=2)
    rows = [row for one in experts for row in lease(study, one)]
    let_leases_expire(study)
    assert find_shortage(study) is None, "both can have their leases renewed"
    Assignment.objects.filter(pk=rows[0].pk).update(state=State.RELEASED)
    assert find_shortage(study) is None
    assert lease(study, experts[0]) == [rows[0]]
    write_answer(rows[0], "skip")
    assert find_shortage(study) == Shortage(2, 1, 1, [ShortageReason("skips", 1)])


def test_own_data_has_what_the_expert_saw_and_nothing_of_others(cast: Cast) -> None:
    Assignment.objects.filter(expert=cast.expert).update(arms={"prior": "hidden"})
    write_answer(cast.assignment(), "submit", outcome="ranked", comment="mine")
    write_answer(cast.assignment(cast.colleague), "submit", comment="theirs")
    withdraw_from_study(actor=cast.expert, study_id=cast.study.id, with_answers=True)
    data = own_data(cast.expert)
    (study,) = data["studies"]
    assert len(study["assignments"]) == 1, "what was never begun is left out"
    written = [
        one["payload"]["comment"] for row in study["assignments"] for one in row["revisions"]
    ]
    assert written == ["mine"]
    text = json.dumps(data)
    assert not {word for word in ("theirs", "prior", "hidden", "propensity") if word in text}
    assert own_data(cast.outsider)["studies"] == []
