"""The demo's study of a verifier's claims: public facts of known truth, some of them false.

Simulated experts give the true verdict with ACCURACY, so the corrected groundedness is near the
share of true claims, and the raw one is what the verifier finds in the demo's graph and papers.
"""

import uuid
from collections.abc import Mapping, Sequence

import numpy as np
from django.db import transaction

from annotation.demo import COORDINATOR, ensure_demo_account
from annotation.kinds.base import SimulatedAnswer, SimulatedEvent
from annotation.kinds.simulation_draws import draw_active_ms
from annotation.models import Assignment
from annotation.simulation import simulate_study
from backend.accounts.models import User
from backend.evaluation.demo_sources import CLAIMS_FILE
from backend.evaluation.grounding.annotated_claims import AnnotatedClaim, read_claims
from backend.evaluation.grounding.claim_studies import NewClaimStudy, make_claim_study
from backend.evaluation.grounding.rationale_files import FileRow
from backend.evaluation.grounding.services import GroundingSettings, request_groundings
from backend.evaluation.models.grounding import GroundedClaim, Grounding, GroundingState
from backend.graphs.literature.collections import find_collection
from backend.graphs.literature.demo import DEMO_NAME
from backend.graphs.models import Version
from backend.jobs.runner import run_job
from backend.studies.models import Member, Study
from backend.studies.services import change_study

STUDY_NAME = "Groundedness of public facts (demo)"
DESCRIPTION = (
    "Does a verifier of claims find what experts know? Simulated experts judge public facts."
)
HYPOTHESIS = "Public facts of the demo, part {}"
CLAIMS, IN_RATIONALE, STUDIED, EXPERTS, SEED = 60, 4, 40, 3, 17
ACCURACY = 0.9
MEDIAN_S, SIGMA, LIMITS_S = 60.0, 0.5, (8.0, 600.0)


def load_demo_claim_study(version: Version) -> Study:
    """Grounded by the plain verifier, judged and closed. Loading it again changes nothing."""
    study = Study.objects.filter(name=STUDY_NAME).first()
    if study is not None and study.has_ended:
        return study
    coordinator = ensure_demo_account(COORDINATOR)
    claims = choose_claims()
    study = study or _make_study(coordinator, _ground(coordinator, version, claims))
    truth = _truth_of_questions(study, claims)

    def judge(assignment: Assignment, expert: int) -> SimulatedAnswer:
        number = int(assignment.question.file_id)
        return simulate_verdict(truth[assignment.question_id], number, expert)

    simulate_study(study=study, raters=EXPERTS, seed=SEED, simulate=judge)
    return change_study(
        actor=coordinator,
        study_id=study.id,
        description=DESCRIPTION,
        status=Study.Status.CLOSED,
    )


def choose_claims() -> Sequence[AnnotatedClaim]:
    """Evenly from the file, of those that the demo's graph or papers decide."""
    decided = [one for one in read_claims(CLAIMS_FILE) if one.is_decided]
    return decided[:: max(len(decided) // CLAIMS, 1)][:CLAIMS]


def _ground(owner: User, version: Version, claims: Sequence[AnnotatedClaim]) -> uuid.UUID:
    """A batch of rationales of several claims; the one of an earlier attempt if there is one."""
    earlier = Grounding.objects.filter(owner=owner, hypothesis=HYPOTHESIS.format(1)).first()
    if earlier is not None and earlier.state == GroundingState.ENDED:
        return earlier.batch
    parts = [claims[at : at + IN_RATIONALE] for at in range(0, len(claims), IN_RATIONALE)]
    rows = [
        FileRow(line, HYPOTHESIS.format(line), " ".join(one.text for one in part))
        for line, part in enumerate(parts, start=1)
    ]
    chosen = GroundingSettings(version, find_collection(DEMO_NAME))
    groundings, job = request_groundings(actor=owner, rows=rows, settings=chosen, is_local=True)
    run_job(job.pk)
    return groundings[0].batch


def _make_study(coordinator: User, batch: uuid.UUID) -> Study:
    request = NewClaimStudy(name=STUDY_NAME, claims=STUDIED, overlap=EXPERTS, seed=SEED)
    with transaction.atomic():
        study = make_claim_study(actor=None, batches=[batch], request=request).study
        Study.objects.filter(pk=study.pk).update(is_demo=True)
        Member.objects.create(study=study, user=coordinator, role=Member.Role.COORDINATOR)
    study.refresh_from_db()
    return study


def _truth_of_questions(study: Study, claims: Sequence[AnnotatedClaim]) -> Mapping[uuid.UUID, bool]:
    """A claim of the verifier is a sentence of the rationale, or a part of one."""
    chosen = GroundedClaim.objects.filter(chosen__in_batch__claim_study__study=study)
    return {
        question: any(text.rstrip(".") in one.text and one.is_true for one in claims)
        for question, text in chosen.values_list("chosen__question", "text")
    }


def simulate_verdict(is_true: bool, question: int, expert: int) -> SimulatedAnswer:
    rng = np.random.default_rng([SEED, question, expert])
    is_right = rng.random() < ACCURACY
    verdict = "supported" if is_true == is_right else "contradicted"
    active_ms = draw_active_ms(rng, MEDIAN_S, SIGMA, limits_s=LIMITS_S)
    events = [SimulatedEvent("chose", None, verdict), SimulatedEvent("submitted", None, verdict)]
    payload = {"verdict": verdict, "because": [], "comment": ""}
    return SimulatedAnswer(verdict, payload, active_ms, events)
