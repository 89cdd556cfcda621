"""What is drawn for each item of each expert: arms with their shares, balance and propensity."""

import json
import uuid
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from annotation.assignments import assign_batches
from annotation.kinds.items import Arm
from annotation.kinds.ranking.kind import KIND, RankingKind
from annotation.models import Assignment, BatchQuestion, Response, StudyDesign
from annotation.presentations import draw_arms
from annotation.study_creation import Design, DesignInvalid, set_design
from backend.studies.models import Member
from backend.studies.policies import CONSENT_VERSION
from tests.annotation.personas import Cast, client_of, make_user, prior_of, write_answer

DESIGN = StudyDesign(seed=7, arm_shares={"prior": {"hidden": 0.3}})
EXPERTS = [uuid.UUID(int=number) for number in range(20)]
OTHERS = Counter({("prior", "hidden"): 5})
QUESTIONS = [uuid.UUID(int=number) for number in range(1_000, 1_100)]


class SidedKind(RankingKind):
    arms = (Arm("side", ("kept", "swapped"), is_balanced=True), *KIND.arms)


def test_levels_have_their_shares_and_are_drawn_once() -> None:
    drawn = [
        draw_arms(KIND.arms, DESIGN, who, what, Counter()) for who in EXPERTS for what in QUESTIONS
    ]
    again = [
        draw_arms(KIND.arms, DESIGN, who, what, OTHERS) for who in EXPERTS for what in QUESTIONS
    ]
    assert drawn == again
    levels = Counter(one.levels["prior"] for one in drawn)
    assert 0.27 < levels["hidden"] / len(drawn) < 0.33
    assert {one.levels["prior"]: one.propensity for one in drawn} == {"shown": 0.7, "hidden": 0.3}


def test_another_seed_draws_others() -> None:
    other = StudyDesign(seed=8, arm_shares=DESIGN.arm_shares)
    levels = [
        [draw_arms(KIND.arms, design, EXPERTS[0], what, Counter()).levels for what in QUESTIONS]
        for design in (DESIGN, other)
    ]
    assert levels[0] != levels[1]


def test_a_study_without_shares_draws_nothing() -> None:
    drawn = draw_arms(KIND.arms, StudyDesign(seed=7), EXPERTS[0], QUESTIONS[0], Counter())
    assert (drawn.levels, drawn.propensity) == ({}, 1.0)


def test_each_two_items_in_a_row_have_both_sides_in_random_order() -> None:
    firsts: Counter[str] = Counter()
    for who in EXPERTS:
        given: Counter[tuple[str, str]] = Counter()
        drawn = []
        for at in range(40):
            drawn.append(draw_arms(SidedKind.arms, DESIGN, who, QUESTIONS[at], given))
            given.update(drawn[-1].levels.items())
        sides = [one.levels["side"] for one in drawn]
        assert all(one != other for one, other in list(pairwise(sides))[::2])
        assert abs(sides.count("kept") - sides.count("swapped")) <= 1
        firsts.update(sides[::2])
        assert {one.propensity for one in drawn} <= {0.5 * 0.3, 0.5 * 0.7}
    assert 0.4 < firsts["kept"] / firsts.total() < 0.6


def hide_every_prior(cast: Cast) -> Assignment:
    set_design(cast.study, Design(seed=3, arm_shares={"prior": {"hidden": 1.0}}))
    fay = make_user("Fay")
    member = Member.objects.create(study=cast.study, user=fay, role=Member.Role.EXPERT)
    Member.objects.filter(pk=member.pk).update(
        consent_version=CONSENT_VERSION, consented_at=member.joined_at
    )
    assign_batches(study=cast.study, expert=fay, batches=cast.batches, actor=None)
    return cast.assignment(fay)


def read_item(assignment: Assignment) -> dict[str, Any]:
    address = f"/api/v1/batches/{assignment.batch_id}/assignments"
    answered = client_of(assignment.expert).get(address).json()
    return next(one for one in answered["assignments"] if one["id"] == str(assignment.id))


@pytest.mark.django_db
def test_an_item_of_the_hidden_arm_holds_no_prior(cast: Cast) -> None:
    assignment = hide_every_prior(cast)
    assert (assignment.arms, assignment.propensity) == ({"prior": "hidden"}, 1.0)
    shown = read_item(assignment)
    for word in ("prior", "hidden", "arm"):
        assert word not in json.dumps(shown)
    ids = [one["id"] for one in shown["item"]["candidates"]]
    assert shown["response"]["payload"]["ranking"] == [[one] for one in ids]
    assert sorted(ids) == sorted(one for group in prior_of(assignment) for one in group)
    assert read_item(assignment) == shown


@pytest.mark.django_db
def test_start_orders_differ_between_items_and_experts(cast: Cast) -> None:
    hide_every_prior(cast)
    rows = Assignment.objects.filter(expert__name="Fay")
    orders = set()
    for row in rows.select_related("expert"):
        positions = {str(one.id): one.position for one in row.question.candidates.all()}
        orders.add(tuple(positions[one["id"]] for one in read_item(row)["item"]["candidates"]))
    assert len(orders) > 1


@pytest.mark.django_db
def test_an_order_equal_to_the_hidden_prior_is_ranked_like_any_other(cast: Cast) -> None:
    assignment = hide_every_prior(cast)
    for order in (prior_of(assignment), prior_of(assignment)[::-1]):
        write_answer(assignment, "submit", outcome="ranked", ranking=order)
        assert Response.objects.get(assignment=assignment).submitted_outcome == "ranked"


@pytest.mark.django_db
def test_a_study_states_when_it_has_no_prior(cast: Cast) -> None:
    BatchQuestion.objects.filter(batch=cast.batch).update(payload={"prior": None})
    shown = read_item(cast.assignment())
    assert "prior" not in json.dumps(shown["item"])


@pytest.mark.django_db
def test_a_study_has_the_prior_of_its_own(cast: Cast) -> None:
    BatchQuestion.objects.filter(batch=cast.batch).update(payload={"prior": [[3], [0, 1], [2]]})
    item = read_item(cast.assignment())["item"]
    assert [one["prior_rank"] for one in item["candidates"]] == [2, 2, 4, 1]
    ids = [one["id"] for one in item["candidates"]]
    assert item["prior"] == [[ids[3]], [ids[0], ids[1]], [ids[2]]]


@pytest.mark.django_db
def test_every_fault_of_a_design_is_named(cast: Cast) -> None:
    shares = {"prior": {"hidden": 1.5, "upside": 0.1}, "moon": {"full": 0.1}}
    with pytest.raises(DesignInvalid) as refused:
        set_design(cast.study, Design(overlap=0, seed=-1, arm_shares=shares))
    assert {fault.place for fault in refused.value.faults} == {
        *("overlap", "seed", "arm_shares.moon", "arm_shares.prior"),
        *("arm_shares.prior.hidden", "arm_shares.prior.upside"),
    }
