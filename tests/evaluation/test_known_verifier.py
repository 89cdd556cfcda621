"""A verifier of known rates on a scripted server, from rationales to the corrected groundedness."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.evaluation.grounding.claim_studies import NewClaimStudy, make_claim_study
from backend.evaluation.grounding.corrected import CorrectedGroundedness, corrected_groundedness
from backend.evaluation.grounding.rationale_files import FileRow
from backend.evaluation.grounding.services import GroundingSettings, request_groundings
from backend.evaluation.models import GroundedClaim, Grounding, GroundingState
from backend.jobs.runner import run_job
from backend.tracks.grounding_verdicts import EvidenceSource
from tests.evaluation.claim_worlds import ScriptedClaim, claims_of_rates, judge_claims
from tests.evaluation.grounding_worlds import GroundingWorld, make_world
from tests.evaluation.pooled_boards import join
from tests.evaluation.test_grounding_model import is_for_claims
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Script, Scripted, ScriptedServer

CLAIMS, IN_RATIONALE = 60, 3
TRUTH, FALSE, MISSED = 0.6, 0.25, 0.5
RAW = TRUTH * (1 - MISSED) + (1 - TRUTH) * FALSE
NUMBER = re.compile(r"patient (\d+)")


def text_of(number: int) -> str:
    return f"Aspirin inhibits COX-1 in patient {number}."


def rationale_of(number: int) -> str:
    return " ".join(map(text_of, range(number * IN_RATIONALE, (number + 1) * IN_RATIONALE)))


def verifying(claims: list[ScriptedClaim]) -> Script:
    """Divides a rationale into its sentences, and judges each claim as it is scripted."""

    def script(body: dict[str, Any], number: int) -> Scripted:
        named = [int(one) for one in NUMBER.findall(body["messages"][1]["content"])]
        if is_for_claims(body):
            listed = [{"quote": text_of(one), "claim": text_of(one)} for one in named]
            return Scripted(text=json.dumps({"claims": listed}))
        verdict = "supported" if claims[named[0]].is_supported else "not_enough"
        evidence = ["E1"] if verdict == "supported" else []
        return Scripted(text=json.dumps({"evidence": evidence, "verdict": verdict}))

    return script


@pytest.fixture
def world(transactional_db: None, tmp_path: Path) -> GroundingWorld:
    return make_world(tmp_path)


def test_raw_is_the_arithmetic_of_the_rates_and_experts_bring_the_truth(
    world: GroundingWorld, server: ScriptedServer
) -> None:
    claims = claims_of_rates(
        np.random.default_rng(1), CLAIMS, truth=TRUTH, false=FALSE, missed=MISSED
    )
    server.script = verifying(claims)
    rationales = [rationale_of(number) for number in range(CLAIMS // IN_RATIONALE)]
    settings = GroundingSettings(world.version, None, None, make_endpoint(server.url), Decimal(1))
    rows = [FileRow(line, "H", one) for line, one in enumerate(rationales, start=1)]
    groundings, job = request_groundings(actor=None, rows=rows, settings=settings, is_local=True)
    run_job(job.pk, inputs={"rules": QUICK})
    batch = groundings[0].batch
    states = Grounding.objects.filter(batch=batch).values_list("state", flat=True)
    assert {*states} == {GroundingState.ENDED}

    def read() -> CorrectedGroundedness:
        return corrected_groundedness(batch)[EvidenceSource.GRAPH]

    def verdict(claim: GroundedClaim) -> str:
        (number,) = NUMBER.findall(claim.text)
        return "supported" if claims[int(number)].is_true else "contradicted"

    assert read().raw == pytest.approx(RAW)
    assert read().claims == CLAIMS
    assert pytest.approx(0.2) == TRUTH - RAW
    for name, count, verified in (("First", 40, 40), ("Rest", 20, CLAIMS)):
        request = NewClaimStudy(name, claims=count, overlap=1, seed=5)
        study = make_claim_study(actor=None, batches=[batch], request=request).study
        judge_claims(study, join(study, f"expert-{name.lower()}"), verdict)
        result = read()
        assert result.raw == pytest.approx(RAW)
        assert result.verified == verified
        assert result.corrected is not None
        assert result.corrected.low is not None and result.corrected.high is not None
        assert result.corrected.low <= TRUTH <= result.corrected.high
    assert result.corrected is not None
    assert result.corrected.value == pytest.approx(TRUTH)
    (overall,) = result.confusion
    assert overall.false_support is not None and overall.missed_support is not None
    assert overall.false_support.value == pytest.approx(FALSE)
    assert overall.missed_support.value == pytest.approx(MISSED)
