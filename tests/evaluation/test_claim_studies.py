"""Studies of claims, and groundedness that their verdicts correct."""

import json
import uuid
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotation.question_decisions import decide_on_questions
from annotation.study_cloning import clone_study
from backend.accounts.models import User
from backend.benchmarks.models import Question
from backend.common.errors import Conflict, NotAllowed, NotFound
from backend.evaluation.grounding import claim_entries, claim_studies
from backend.evaluation.grounding.batch_figures import BatchFigures
from backend.evaluation.grounding.claim_choice import (
    VerifierClaim,
    choose_actively,
    divide_budget,
    list_judged_claims,
    takes_active_choice,
)
from backend.evaluation.grounding.claim_studies import NewClaimStudy, make_claim_study
from backend.evaluation.grounding.corrected import (
    FEW_RATIONALES,
    NO_CLAIMS,
    NO_STUDY,
    NO_VERDICTS,
    CorrectedGroundedness,
    corrected_groundedness,
)
from backend.evaluation.grounding.policies import SourcesNotReadable
from backend.evaluation.models import (
    ChosenClaim,
    ClaimStudy,
    ClaimStudyBatch,
    ClaimVerdict,
    GroundedClaim,
    Grounding,
)
from backend.graphs.literature.collections import delete_collection
from backend.graphs.models import Graph
from backend.science.judged_scores.claims import MIN_PROPENSITY
from backend.studies.models import Study
from backend.tracks.grounding_verdicts import EvidenceSource
from tests.common.locked_statements import tables_written_locked
from tests.evaluation.claim_worlds import (
    VERSION,
    ScriptedClaim,
    claims_of_rates,
    judge_claims,
    make_batch,
    make_coordinator,
    unsure_claims,
)
from tests.evaluation.grounding_worlds import GroundingWorld, make_world
from tests.evaluation.pooled_boards import join
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
BOTH = EvidenceSource.BOTH
TRUTH, FALSE, MISSED = 0.6, 0.25, 0.1
RAW = TRUTH * (1 - MISSED) + (1 - TRUTH) * FALSE


@pytest.fixture
def world(db: None, tmp_path: Path) -> GroundingWorld:
    return make_world(tmp_path)


@pytest.fixture
def cora(db: None) -> Person:
    return make_coordinator("cora")


def scripted(seed: int = 1, count: int = 300) -> list[ScriptedClaim]:
    rng = np.random.default_rng(seed)
    return claims_of_rates(rng, count, truth=TRUTH, false=FALSE, missed=MISSED)


def study_of(actor: User | None, batch: uuid.UUID | list[uuid.UUID], **fields: Any) -> Study:
    request = NewClaimStudy(**{"name": "Verify", "overlap": 1, "seed": 3, **fields})
    batches = batch if isinstance(batch, list) else [batch]
    return make_claim_study(actor=actor, batches=batches, request=request).study


def always(answer: str, claim: GroundedClaim) -> str:
    return answer


def both(batch: uuid.UUID) -> CorrectedGroundedness:
    return corrected_groundedness(batch)[BOTH]


def test_entries_show_what_the_verifier_read_and_nothing_of_its_verdict(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, scripted(count=12))
    study = study_of(cora.user, batch, claims=5)
    questions = Question.objects.filter(entries__batch__study=study)
    assert len(questions) == 5
    for one in questions:
        (first, second), edges = one.payload["documents"], one.payload["edges"]
        assert first["title"] == "COX-1 and aspirin"
        assert "Aspirin inhibits COX-1." in first["text"]
        assert second["source"].startswith("PMID 6. 2001")
        assert [(it["source"], it["target"]) for it in edges] == [
            ("Aspirin", "COX-1"),
            ("Aspirin", "Stroke"),
        ]
        text = json.dumps(one.payload)
        for secret in (VERSION, "plain", "not_enough", "supported", "probability"):
            assert secret not in text
        assert [one.payload[name] for name in ("model", "arm", "verdict")] == ["", "", ""]


@pytest.mark.parametrize(
    ("source", "documents", "edges"),
    [(EvidenceSource.GRAPH, 0, 2), (EvidenceSource.LITERATURE, 2, 0)],
)
def test_evidence_is_of_the_source_that_was_judged(
    world: GroundingWorld, cora: Person, source: EvidenceSource, documents: int, edges: int
) -> None:
    batch = make_batch(world, cora.user, scripted(count=6))
    for claim in Grounding.objects.get(batch=batch, line=1).claims.all():
        claim.verdicts.create(source=source, verdict="supported")
    study = study_of(cora.user, batch, source=source)
    payloads = Question.objects.filter(entries__batch__study=study).values_list(
        "payload", flat=True
    )
    assert [(len(one["documents"]), len(one["edges"])) for one in payloads] == [
        (documents, edges)
    ] * 3


def test_raw_is_the_arithmetic_of_the_errors_and_verdicts_on_all_claims_are_the_truth(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, scripted(count=100), per_rationale=(5,), undefined=2)
    study = study_of(cora.user, batch)
    before = both(batch)
    assert before.raw == pytest.approx(RAW)
    assert (before.corrected, before.reason) == (None, NO_VERDICTS)
    assert (before.rationales, before.undefined, before.claims) == (20, 2, 100)
    assert judge_claims(study, join(study, "eva")) == 100
    after = both(batch)
    assert after.raw == pytest.approx(RAW)
    assert after.corrected is not None
    assert after.corrected.value == pytest.approx(TRUTH)
    assert (after.verified, after.waiting, after.not_sure) == (100, 0, 0)
    tables = {one.group: one for one in after.confusion}
    assert set(tables) == {"Drug and Gene", "one linked entity"}
    assert sum(one.verifier_alone for one in tables.values()) == 100 * (1 - TRUTH) * FALSE
    assert sum(one.people_alone for one in tables.values()) == pytest.approx(
        100 * TRUTH * MISSED, abs=0.5
    )


def test_means_are_over_rationales_of_different_lengths(
    world: GroundingWorld, cora: Person
) -> None:
    sizes = (1, 4, 2)
    claims = scripted(count=70)
    batch = make_batch(world, cora.user, claims, per_rationale=sizes)
    study = study_of(cora.user, batch)
    judge_claims(study, join(study, "eva"))
    shares, truths, at, line = [], [], 0, 0
    while at < len(claims):
        part = claims[at : at + sizes[line % 3]]
        shares.append(sum(one.is_supported for one in part) / len(part))
        truths.append(sum(one.is_true for one in part) / len(part))
        at, line = at + len(part), line + 1
    result = both(batch)
    assert result.raw == pytest.approx(np.mean(shares))
    assert result.corrected is not None
    assert result.corrected.value == pytest.approx(np.mean(truths))


def test_figures_are_computed_once_until_an_answer_or_an_exclusion_changes_them(
    world: GroundingWorld, cora: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = make_batch(world, cora.user, scripted(count=60))
    study = study_of(cora.user, batch)
    expert = join(study, "eva")
    judge_claims(study, expert, most=30)
    early = both(batch)
    computed: list[int] = []
    original = BatchFigures.of

    def counted(*args: Any) -> BatchFigures:
        computed.append(1)
        return original(*args)

    monkeypatch.setattr(BatchFigures, "of", counted)
    assert both(batch) == early
    assert not computed
    judge_claims(study, expert)
    late = both(batch)
    assert (late.verified, len(computed)) == (60, 1)
    question = Question.objects.filter(entries__batch__study=study)[0]
    decide_on_questions(
        actor=cora.user,
        study_id=study.pk,
        action="exclude",
        question_ids=[question.pk],
        reason="ambiguous",
    )
    assert (both(batch).verified, len(computed)) == (59, 2)


@pytest.mark.parametrize("rule", ["random", "active"])
def test_intervals_hold_the_truth_and_narrow_with_verdicts(
    world: GroundingWorld, cora: Person, rule: str
) -> None:
    """Three worlds; of the science alone, 1,000 in tests/science/judged_scores."""
    covered = 0
    for seed in range(3):
        claims = (
            scripted(seed, 180)
            if rule == "random"
            else unsure_claims(np.random.default_rng(seed), 180)
        )
        truth = float(np.mean([one.is_true for one in claims]))
        batch = make_batch(world, cora.user, claims)
        study = study_of(cora.user, batch, name=f"S{seed}", claims=60, rule=rule, seed=seed)
        expert = join(study, f"eva{seed}")
        judge_claims(study, expert, most=20)
        early = both(batch).corrected
        judge_claims(study, expert)
        result = both(batch)
        late = result.corrected
        assert early is not None and late is not None
        assert early.low is not None and early.high is not None
        assert late.low is not None and late.high is not None
        assert late.high - late.low < early.high - early.low
        assert result.verified == 60
        assert result.more_to_halve is not None or result.plan
        covered += late.low <= truth <= late.high
    assert covered >= 2


def test_an_active_choice_prefers_unsure_claims_with_stored_chances(
    world: GroundingWorld, cora: Person
) -> None:
    claims = unsure_claims(np.random.default_rng(5), 240)
    batch = make_batch(world, cora.user, claims)
    study_of(cora.user, batch, claims=80, rule="active")
    rows = ChosenClaim.objects.select_related("claim")
    assert rows.count() == 80
    chances = np.array([one.propensity for one in rows])
    assert chances.min() >= MIN_PROPENSITY - 1e-9
    assert np.ptp(chances) > 0.1
    sure = [one.claim.verdicts.get().probability or 0.0 for one in rows]
    stated = [max(one.probability or 0, 1 - (one.probability or 0)) for one in claims]
    assert np.mean(sure) < np.mean(stated)


def test_a_verifier_without_probabilities_takes_no_active_choice(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, scripted(count=12))
    with pytest.raises(Conflict, match="for fewer than half"):
        study_of(cora.user, batch, rule="active")
    assert not Study.objects.exists()


def test_claims_left_open_are_the_surest_and_those_without_a_probability_the_least_sure() -> None:
    grounding = uuid.UUID(int=1)
    stated = [VerifierClaim(at, grounding, False, 0.1, []) for at in range(180)]
    faults = [VerifierClaim(at, grounding, False, None, []) for at in range(180, 210)]
    opened = [VerifierClaim(at, grounding, False, None, [], True) for at in range(210, 240)]
    sure = [replace(one, support=0.01) for one in stated[:90]]
    chosen = {
        one.claim: one.propensity
        for seed in range(20)
        for one in choose_actively([*sure, *stated[90:], *faults, *opened], 60, seed)
    }
    propensities = {round(one, 9) for one in chosen.values()}
    assert len(propensities) == 2
    least, most = sorted(propensities)
    assert {round(chosen[at], 9) for at in range(180, 210) if at in chosen} == {most}
    assert {round(chosen[at], 9) for at in range(210, 240) if at in chosen} == {least}


@pytest.mark.parametrize(("stated", "is_enough"), [(14, False), (15, True)])
def test_an_active_choice_needs_probabilities_of_half_of_the_judged_claims(
    stated: int, is_enough: bool
) -> None:
    """Those that were left open have none, and need none."""
    grounding = uuid.UUID(int=1)
    judged = [
        VerifierClaim(at, grounding, False, 0.2 if at < stated else None, []) for at in range(30)
    ]
    opened = [VerifierClaim(at, grounding, False, None, [], True) for at in range(30, 90)]
    assert takes_active_choice([*judged, *opened]) is is_enough
    assert not takes_active_choice(opened)


def test_what_is_left_open_is_a_verdict_for_lack_of_evidence_and_no_fault(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, unsure_claims(np.random.default_rng(5), 6))
    first, second, *_ = ClaimVerdict.objects.filter(claim__grounding__batch=batch)
    empty = {"verdict": "not_enough", "probability": None, "support": None}
    for verdict, fault in ((first, ""), (second, "no_label")):
        ClaimVerdict.objects.filter(pk=verdict.pk).update(**empty, fault=fault)
    judged = list_judged_claims(batch, EvidenceSource.BOTH)
    assert [one.claim for one in judged if one.is_open] == [first.claim_id]


def test_random_choices_are_continued_with_other_claims(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, scripted(count=30))
    first = study_of(cora.user, batch, claims=12)
    second = study_of(cora.user, batch, claims=100, name="Again")
    claims = [
        set(
            ChosenClaim.objects.filter(in_batch__claim_study=one.pk).values_list("claim", flat=True)
        )
        for one in (first, second)
    ]
    assert [len(one) for one in claims] == [12, 18]
    assert not claims[0] & claims[1]
    with pytest.raises(Conflict, match="No claim is left"):
        study_of(cora.user, batch, name="Third")
    for at, study in enumerate((first, second)):
        judge_claims(study, join(study, f"eva{at}"))
    result = both(batch)
    assert result.verified == 30
    assert result.corrected is not None
    assert result.corrected.value == pytest.approx(TRUTH)
    assert [one.name for one in result.studies] == ["Verify", "Again"]


def test_an_active_choice_is_continued_by_claims_of_the_same_propensities(
    world: GroundingWorld, cora: Person
) -> None:
    claims = unsure_claims(np.random.default_rng(2), 240)
    batch = make_batch(world, cora.user, claims)
    studies = [
        study_of(cora.user, batch, claims=20, rule="active", name=f"Round {at}", seed=at)
        for at in range(3)
    ]
    rows = ChosenClaim.objects.select_related("claim__grounding")
    assert len({one.claim_id for one in rows}) == rows.count()
    judged = list_judged_claims(batch, BOTH)
    at_once = {one.claim: one.propensity for one in choose_actively(judged, 60, seed=0)}
    assert {one.claim_id: one.propensity for one in rows} == at_once
    judge_claims(studies[0], join(studies[0], "eva0"))
    assert "at most 60 claims here, which do not halve" in both(batch).plan
    for at in (1, 2):
        judge_claims(studies[at], join(studies[at], f"eva{at}"))
    result = both(batch)
    assert result.corrected is not None and result.corrected.low is not None
    assert (result.verified, result.more_to_halve) == (len(at_once), None)
    with pytest.raises(Conflict, match="up to 60 claims"):
        study_of(cora.user, batch, name="Again", rule="active")


def test_choices_of_two_rules_are_not_mixed_and_large_active_ones_not_continued(
    world: GroundingWorld, cora: Person
) -> None:
    claims = unsure_claims(np.random.default_rng(2), 60)
    active, random = (make_batch(world, cora.user, claims) for _ in range(2))
    study_of(cora.user, active, claims=20, rule="active")
    study_of(cora.user, random, claims=20, name="Random")
    for batch, rule in ((active, "random"), (random, "active")):
        with pytest.raises(Conflict, match="Use that rule"):
            study_of(cora.user, batch, name="Again", rule=rule)
    with pytest.raises(Conflict, match="fixed number of claims, so none can be added"):
        study_of(cora.user, active, name="Again", rule="active")


@pytest.mark.parametrize(("first", "batches"), [(10, 1), (30, 3)])
def test_an_active_choice_of_few_claims_of_a_batch_is_not_continued(
    world: GroundingWorld, cora: Person, first: int, batches: int
) -> None:
    """Ten of each batch are a fixed number, which a larger choice by chance does not contain."""
    claims = unsure_claims(np.random.default_rng(2), 120)
    several_batches = [make_batch(world, cora.user, claims) for _ in range(batches)]
    study_of(cora.user, several_batches, claims=first, rule="active")
    for several in (several_batches, several_batches[:1]):
        with pytest.raises(Conflict, match="fixed number of claims") as refused:
            study_of(cora.user, several, claims=20 * batches, name="Again", rule="active")
        assert refused.value.code == "choice_not_continued"
    assert ChosenClaim.objects.count() == first


def test_a_round_that_chooses_no_claim_by_chance_makes_no_study(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, unsure_claims(np.random.default_rng(2), 120))
    study_of(cora.user, batch, claims=20, rule="active", seed=5)
    with pytest.raises(Conflict, match="Request more claims") as refused:
        study_of(cora.user, batch, claims=1, rule="active", name="One more")
    assert refused.value.code == "no_claim_chosen"
    assert [*Study.objects.values_list("name", flat=True)] == ["Verify"]
    assert ClaimStudyBatch.objects.count() == 1
    assert study_of(cora.user, batch, claims=10, rule="active", name="Ten more")


def test_active_choices_of_all_claims_leave_nothing_to_verify(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, unsure_claims(np.random.default_rng(2), 12))
    study_of(cora.user, batch, claims=12, rule="active")
    with pytest.raises(Conflict, match="No claim is left"):
        study_of(cora.user, batch, name="Again", rule="active")


def test_raters_count_by_their_mean_and_unsure_ones_do_not(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, scripted(count=6))
    study = study_of(cora.user, batch, overlap=3)
    answers = {"eva": "supported", "emil": "not_enough", "edda": "not_sure"}
    for name, answer in answers.items():
        judge_claims(study, join(study, name), partial(always, answer))
    result = both(batch)
    assert result.people is not None
    assert result.people.value == pytest.approx(0.5)
    assert (result.verified, result.not_sure, result.waiting) == (6, 6, 0)
    assert result.reason == FEW_RATIONALES
    assert result.corrected is not None and result.corrected.low is None


def test_several_batches_are_strata_of_one_study(world: GroundingWorld, cora: Person) -> None:
    batches = [make_batch(world, cora.user, scripted(at, 30 * (at + 1))) for at in range(2)]
    study = study_of(cora.user, batches, claims=30)
    rows = ClaimStudyBatch.objects.filter(claim_study=study.pk)
    assert [(one.batch, one.stratum, one.claims, one.chosen.count()) for one in rows] == [
        (batches[0], 0, 30, 10),
        (batches[1], 1, 60, 20),
    ]
    judge_claims(study, join(study, "eva"))
    assert [both(one).verified for one in batches] == [10, 20]


def test_empty_cases_state_their_reason(world: GroundingWorld, cora: Person) -> None:
    empty = make_batch(world, cora.user, [], undefined=2)
    (result,) = corrected_groundedness(empty).values()
    assert (result.raw, result.reason, result.undefined) == (None, NO_CLAIMS, 2)
    unstudied = both(make_batch(world, cora.user, scripted(count=6)))
    assert (unstudied.reason, unstudied.corrected, unstudied.kappa) == (NO_STUDY, None, None)
    with pytest.raises(Conflict, match="No claim is left"):
        study_of(cora.user, empty)


def test_only_the_owner_who_coordinates_and_reads_the_sources_makes_a_study(
    world: GroundingWorld, cora: Person, administrator: Person
) -> None:
    batch = make_batch(world, cora.user, scripted(count=6))
    other = make_coordinator("carl")
    for person in (other, administrator):
        with pytest.raises(NotFound):
            study_of(person.user, batch)
    researcher = make_person("rita")
    own = make_batch(world, researcher.user, scripted(count=6))
    with pytest.raises(NotAllowed):
        study_of(researcher.user, own)
    Graph.objects.update(visibility=Graph.Visibility.PRIVATE)
    with pytest.raises(SourcesNotReadable):
        study_of(cora.user, batch)
    assert not ClaimStudy.objects.exists()


def test_administrators_make_studies_of_batches_of_the_command(
    world: GroundingWorld, administrator: Person
) -> None:
    batch = make_batch(world, None, scripted(count=6))
    assert study_of(administrator.user, batch).kind == "claims"


def test_the_owner_of_the_rationales_judges_none_of_their_claims(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, scripted(count=6))
    study = study_of(cora.user, batch)
    assert "You can read" in ClaimStudy.refuse_judge(study.pk, cora.user.pk)
    assert ClaimStudy.refuse_judge(study.pk, make_person("olga").user.pk) == ""


def test_a_study_with_a_rule_on_its_experts_is_not_copied_without_it(
    world: GroundingWorld, cora: Person
) -> None:
    study = study_of(cora.user, make_batch(world, cora.user, scripted(count=6)))
    with pytest.raises(Conflict) as refused:
        clone_study(actor=cora.user, study_id=study.pk, name="Copy")
    assert refused.value.code == "study_has_rule"


def test_administrators_judge_no_claims_whose_verdicts_they_can_read(
    world: GroundingWorld, cora: Person, administrator: Person
) -> None:
    own = study_of(cora.user, make_batch(world, cora.user, scripted(count=6)))
    assert ClaimStudy.refuse_judge(own.pk, administrator.user.pk) == ""
    shared = study_of(None, make_batch(world, None, scripted(count=6)), name="Shared")
    assert "You can read" in ClaimStudy.refuse_judge(shared.pk, administrator.user.pk)
    assert ClaimStudy.refuse_judge(shared.pk, make_person("olga").user.pk) == ""


def test_deleted_papers_and_waiting_rationales_are_refused(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, None, scripted(count=6))
    Grounding.objects.filter(batch=batch, line=1).update(state="queued")
    with pytest.raises(Conflict, match="1 rationale waits"):
        study_of(None, batch)
    Grounding.objects.update(state="ended")
    delete_collection(world.collection)
    with pytest.raises(Conflict, match="were deleted"):
        study_of(None, batch)


@pytest.mark.parametrize(
    ("budget", "counts", "expected"),
    [
        (30, [30, 60], [10, 20]),
        (100, [30, 60], [30, 60]),
        (3, [1, 98, 1], [1, 1, 1]),
        (10, [1, 98, 1], [1, 8, 1]),
        (2, [5, 5, 5], [1, 1, 1]),
        (7, [5, 5], [4, 3]),
    ],
)
def test_a_budget_is_divided_in_proportion(
    budget: int, counts: list[int], expected: list[int]
) -> None:
    assert divide_budget(budget, counts) == expected


def test_a_study_is_written_before_its_claims_are_locked(
    world: GroundingWorld, cora: Person
) -> None:
    batch = make_batch(world, cora.user, scripted(count=12))
    with tables_written_locked("evaluation_grounding") as tables:
        study_of(cora.user, batch, claims=5)
    assert tables and {one.partition("_")[0] for one in tables} == {"evaluation"}


def test_claims_that_another_study_took_meanwhile_are_in_no_second_one(
    world: GroundingWorld, cora: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = make_batch(world, cora.user, scripted(count=12))
    build = claim_entries.build_claim_entries

    def build_while_another_is_made(*arguments: Any) -> Any:
        monkeypatch.setattr(claim_studies, "build_claim_entries", build)
        study_of(cora.user, batch, claims=5, name="First")
        return build(*arguments)

    monkeypatch.setattr(claim_studies, "build_claim_entries", build_while_another_is_made)
    with pytest.raises(Conflict) as refused:
        study_of(cora.user, batch, claims=5, name="Second")
    assert refused.value.code == "claims_changed"
    assert [*Study.objects.values_list("name", flat=True)] == ["First"]
