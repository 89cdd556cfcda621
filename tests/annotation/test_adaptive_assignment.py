"""Pools that draw a share of their questions because they inform, and the rest by chance."""

from collections import Counter
from dataclasses import replace
from functools import partial
from uuid import UUID

import numpy as np
import pytest
from django.utils import timezone

from annotation.agreement import measure_agreement, recompute_agreement
from annotation.judge_statistics import JudgedQuestions, judge_sections
from annotation.kinds.base import Payload
from annotation.kinds.claims.kind import KIND
from annotation.kinds.claims.measures import MEASURED
from annotation.kinds.figures import share_figure
from annotation.kinds.measures import Measure
from annotation.kinds.ranking.statistics import share_section
from annotation.kinds.registry import get_kind_or_raise
from annotation.kinds.study_table import StudyAnswer, StudyQuestion, StudyTable
from annotation.kinds.submissions import LatestSubmissions
from annotation.models import Assignment, BatchAgreement, BatchQuestion
from annotation.pool import lease_questions
from annotation.quality_statistics import quality_sections
from annotation.statistics import compute_statistics
from annotation.study_creation import Design, DesignInvalid, set_design
from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.science.allocation import allocate_item
from backend.studies.models import Study
from tests.annotation.claim_study import claim_answer
from tests.annotation.pair_study import choose, make_pair_cast, pair_answer
from tests.annotation.personas import Cast, join_as_expert, make_user
from tests.annotation.test_parallel_writes import run_parallel


def make_adaptive_pool(
    experts: int, *, pairs: int = 6, overlap: int = 3, share: float = 0.8
) -> tuple[Study, list[User]]:
    cast = make_pair_cast(pairs)
    Assignment.objects.filter(study=cast.study).delete()
    set_design(cast.study, Design(overlap=overlap, seed=5, adaptive_share=share))
    batches = list(cast.study.batches.all())
    people = [join_as_expert(cast.study, batches, make_user(f"R{n}")) for n in range(experts)]
    return cast.study, people


def lease(study: Study, expert: User, count: int = 1) -> list[Assignment]:
    return lease_questions(actor=expert, study_id=study.id, count=count)


def test_what_informs_most_is_drawn_and_the_draw_is_stored(db: None) -> None:
    study, experts = make_adaptive_pool(12, overlap=12)
    best_entry = BatchQuestion.objects.filter(batch__study=study).order_by("id")[2]
    batch = study.batches.get()
    numbers = {str(one.question_id): 0.1 for one in batch.entries.all()}
    BatchAgreement.objects.create(
        batch=batch, statistics={}, information={**numbers, str(best_entry.question_id): 0.9}
    )
    rows = [row for one in experts for row in lease(study, one)]
    assert len(rows) == 12
    stored = Assignment.objects.filter(study=study)
    for row in stored.filter(is_adaptive=True):
        assert row.question_id == best_entry.question_id
    best, other = 0.8 + 0.2 / 6, 0.2 / 6
    for row in stored:
        expected = best if row.question_id == best_entry.question_id else other
        assert row.selection_propensity == pytest.approx(expected)
    assert Counter(row.is_adaptive for row in stored)[True] >= 3


def test_a_worker_measures_information_and_draws_follow(db: None) -> None:
    study, (one, *others) = make_adaptive_pool(4)
    first = lease(study, one)[0]
    choose(first, "a")
    recompute_agreement(batch_id=first.batch_id)
    known = BatchAgreement.objects.get(batch=first.batch_id).information
    assert len(known) == 6
    assert min(known, key=lambda name: known[name]) == str(first.question_id)
    adaptive = [row for other in others for row in lease(study, other, 4) if row.is_adaptive]
    assert adaptive
    assert first.question_id not in {row.question_id for row in adaptive}


@pytest.mark.django_db(transaction=True)
def test_experts_at_once_take_every_place_once() -> None:
    study, experts = make_adaptive_pool(6, overlap=2)

    def take_all(expert: User) -> int:
        return sum(len(lease(study, expert, count)) for count in (1, 3, 6))

    run_parallel([partial(take_all, one) for one in experts])
    for expert in experts:  # what one saw locked by another may be free by now
        lease(study, expert, 6)
    taken = Counter(Assignment.objects.filter(study=study).values_list("question", flat=True))
    assert set(taken.values()) == {2}
    assert len(taken) == 6


def test_reliability_is_of_the_answers_drawn_by_chance_and_states_it(db: None) -> None:
    study, experts = make_adaptive_pool(4, overlap=4, share=0.5)
    for expert in experts:
        for row in lease(study, expert, 6):
            choose(row, "a")
    rows = Assignment.objects.filter(study=study)
    random = rows.filter(is_adaptive=False).count()
    assert 0 < random < rows.count() == 24
    sections = {one.name: one for one in compute_statistics(study)}
    counts = {one.name: (one.value, one.n) for one in sections["selection"].figures}
    assert counts == {"drawn_adaptive": (24 - random, 24), "drawn_random": (random, 24)}
    assert f"From {random} of 24 answers" in sections["agreement"].note
    batch = study.batches.get()
    stored = recompute_agreement(batch_id=batch.id)
    assert stored is not None
    assert stored.statistics["left_out"]["adaptive"] == 24 - random


def test_experts_beside_a_judge_and_repeated_questions_are_of_the_draws_by_chance() -> None:
    """All agree with each other and with themselves where the draw was by chance, else nobody."""
    kind = get_kind_or_raise("claims")
    first = [study_answer(n, rater, n < 6 and rater == "r0") for n in range(12) for rater in RATERS]
    second = [replace(one, payload=claim_answer("supported")) for one in first]
    table = StudyTable({}, first, list(zip(first, second, strict=True)), is_open=False, seed=1)
    (section,) = judge_sections(kind, table, [JudgedQuestions("J")])
    named = {one.name: one for one in section.figures}
    assert (named["experts_same_choice"].value, named["experts_same_choice"].n) == (1, 6)
    assert "From 12 of 24 answers" in section.note
    checks = {one.name: one for one in quality_sections(kind, table, [])}["expert_checks"]
    assert [(one.name, one.value) for one in checks.figures] == [("low_retest", 0)] * 2
    assert "from 12 of 24 repeated questions" in checks.note


RATERS = ("r0", "r1")


def study_answer(question: int, rater: str, differs: bool) -> StudyAnswer:
    return StudyAnswer(
        question=f"q{question:02}",
        rater=rater,
        outcome="contradicted" if differs else "supported",
        payload=claim_answer("contradicted" if differs else "supported"),
        submitted_at=timezone.now(),
        arms={},
        propensity=1,
        seconds=None,
        is_adaptive=question < 6,
    )


def test_a_share_of_a_closed_study_weighs_questions_the_same_where_some_informed_more() -> None:
    """One question has nine answers, another one; also in the section of shares of a kind."""
    rows = [("q1", f"r{number}", True) for number in range(9)] + [("q2", "r0", False)]
    plain, equal = (
        share_figure("s", "S", rows, is_open=False, seed=1, basis="answers", equal_questions=one)
        for one in (False, True)
    )
    assert (plain.value, equal.value, equal.n) == (0.9, 0.5, 10)
    assert equal.method.startswith("Mean over questions")
    answers = [
        replace(
            study_answer(0 if question == "q1" else 7, rater, False),
            outcome="not_sure" if so else "supported",
            is_adaptive=question == "q1",
        )
        for question, rater, so in rows
    ]
    questions = {one.question: StudyQuestion("", Question(), {}) for one in answers}
    for drawn, value in ((answers, 0.5), ([replace(it, is_adaptive=False) for it in answers], 0.9)):
        table = StudyTable(questions, drawn, [], is_open=False, seed=1)
        (_, unsure) = share_section(table).figures
        assert (unsure.name, unsure.value) == ("not_sure_share", value)


@pytest.mark.parametrize(
    ("design", "fault"),
    [
        (Design(overlap=3, adaptive_share=0.81), "a fifth"),
        (Design(adaptive_share=0.5), "Only pools"),
    ],
)
def test_a_share_that_leaves_too_little_to_chance_is_refused(
    db: None, design: Design, fault: str
) -> None:
    study = make_pair_cast(1).study
    with pytest.raises(DesignInvalid) as error:
        set_design(study, design)
    assert fault in error.value.faults[0].message


def test_pairs_of_several_models_inform_about_the_models() -> None:
    """The first pair compares the models of the second, which nobody has judged."""
    kind, models = get_kind_or_raise("hypothesis_pairs"), [("X", "Y"), ("X", "Y"), ("X", "Z")]
    questions = [
        Question(payload={"hypotheses": [{"model": one}, {"model": other}]})
        for one, other in models
    ]
    judged = [pair_answer(choice) for choice in ("a", "b_much", "tie", "both_bad")]
    first, second, third = kind.information(questions, [judged, [], []])
    assert first == second < third
    of_two = kind.information(questions[:2], [judged, []])
    assert of_two[0] < of_two[1]


def test_rankings_inform_about_the_first_choice(cast: Cast) -> None:
    questions = [cast.assignment(number=number).question for number in (1, 2, 3)]
    agreed, split = ([str(one.id) for one in it.candidates.all()] for it in questions[:2])
    answers = [
        [{"ranking": [[agreed[0]], agreed[1:]]}] * 2,
        [{"ranking": [[one], [it for it in split if it != one]]} for one in split[:2]],
        [],
    ]
    same, divided, unanswered = get_kind_or_raise("ranking").information(questions, answers)
    assert same < divided < unanswered


def simulate_claims(
    seed: int, skill: float, *, claims: int = 24, raters: int = 20, each: int = 15
) -> LatestSubmissions:
    """Raters who give a claim's true verdict with the chance `skill`, else any of the three, on the
    claim that informs most or on one by chance."""
    rng, latest = np.random.default_rng(seed), LatestSubmissions()
    questions = [Question(id=UUID(int=number)) for number in range(claims)]
    truth = dict(zip((one.id for one in questions), rng.choice(MEASURED, claims), strict=True))
    for rater in (UUID(int=number) for number in range(raters)):
        left = list(questions)
        for _ in range(each):
            known: list[list[Payload]] = [latest.answers[one.id] for one in left]
            drawn = allocate_item(KIND.information(left, known), rng, random_share=0.2)
            question = left.pop(drawn.index)
            is_known = rng.random() < skill
            verdict = truth[question.id] if is_known else rng.choice(MEASURED)
            latest.raters[question.id].append(rater)
            latest.is_adaptive[question.id].append(not drawn.random)
            latest.answers[question.id].append(claim_answer(str(verdict)))
    return latest


def reliability_of(seed: int, skill: float) -> dict[str, Measure]:
    latest = simulate_claims(seed, skill)
    measured = measure_agreement(KIND, latest, seed=seed)
    assert 0.65 * 300 < measured["left_out"]["adaptive"] < 0.9 * 300
    return {one["name"]: one for one in measured["measures"] if one["name"] != "same_verdict"}


@pytest.mark.parametrize(("skill", "studies"), [(0.0, 10), (0.9, 4)])
def test_adaptive_assignment_shows_reliability_of_skill_and_none_of_coin_tosses(
    skill: float, studies: int
) -> None:
    """The expected agreement above chance of two raters of equal skill is its square."""
    measured = [reliability_of(seed, skill) for seed in range(studies)]
    for name in ("alpha", "ac1"):
        values, shown = [], 0
        for one in (study[name] for study in measured):
            assert one["value"] is not None and one["low"] is not None and one["high"] is not None
            values.append(one["value"])
            assert one["high"] >= 0
            shown += one["low"] > 0
        assert shown >= 0.9 * studies if skill else shown <= 0.1 * studies
        assert np.mean(values) == pytest.approx(skill**2, abs=0.08)
