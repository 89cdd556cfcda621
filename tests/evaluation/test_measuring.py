"""What the commands that measure linkers and verifiers print."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from backend.evaluation.grounding.annotated_claims import read_claims
from backend.evaluation.grounding.verifier_accuracy import JudgedClaim, VerifierAccuracy
from backend.evaluation.management.commands import measure_verifier
from backend.graphs.models import Version
from backend.tracks.grounding_verdicts import Judgement, Verdict

CLAIMS = read_claims(measure_verifier.FILE)


def measure(command: str, **options: Any) -> dict[str, Any]:
    output = io.StringIO()
    call_command(command, stdout=output, json=True, **options)
    payload: dict[str, Any] = json.loads(output.getvalue())
    return payload


def judged(*rows: tuple[bool, Verdict, float | None]) -> VerifierAccuracy:
    """Of claims with these truths, verdicts and probabilities."""
    true, false = (next(one for one in CLAIMS if one.is_true is it) for it in (True, False))
    return VerifierAccuracy(
        [
            JudgedClaim(true if is_true else false, Judgement(verdict, probability=probability))
            for is_true, verdict, probability in rows
        ]
    )


def test_accuracy_kappa_and_truth_by_verdict_are_those_of_a_hand_case() -> None:
    accuracy = judged(
        (True, Verdict.SUPPORTED, 0.95),
        (True, Verdict.SUPPORTED, 0.92),
        (True, Verdict.NOT_ENOUGH, 0.99),
        (False, Verdict.SUPPORTED, 0.55),
        (False, Verdict.CONTRADICTED, 0.91),
        (False, Verdict.NOT_ENOUGH, None),
        (False, Verdict.CONTRADICTED, 0.0),
        (False, Verdict.NOT_ENOUGH, None),
    )
    assert (accuracy.accuracy.count, accuracy.accuracy.total) == (6, 8)
    # Observed agreement 6/8; by chance 3/8 · 3/8 + 5/8 · 5/8 = 34/64.
    assert accuracy.kappa.value == pytest.approx((6 / 8 - 34 / 64) / (1 - 34 / 64))
    shares = {verdict: accuracy.truth_of(verdict) for verdict in Verdict}
    assert {verdict: (one.count, one.total) for verdict, one in shares.items()} == {
        Verdict.SUPPORTED: (2, 3),
        Verdict.CONTRADICTED: (0, 2),
        Verdict.NOT_ENOUGH: (1, 3),
    }
    bins = [
        (one.low, one.high, one.right.count, one.right.total) for one in accuracy.confidence_bins()
    ]
    assert bins == [(0.0, 0.5, 1, 1), (0.5, 0.6, 0, 1), (0.9, 1.0, 3, 3)]


def test_kappa_of_a_verifier_that_supports_nothing_is_zero() -> None:
    rows = [(truth, Verdict.NOT_ENOUGH, None) for truth in (True, False) * 5]
    assert judged(*rows).kappa.value == pytest.approx(0.0)
    assert list(judged(*rows).confidence_bins()) == []


@pytest.mark.django_db
def test_both_linkers_are_measured_on_the_half_that_is_asked_for(demo_graph: Version) -> None:
    payload = measure("measure_linking")
    assert (payload["half"], payload["sentences"]) == ("test", 112)
    search, paper = (payload[name]["sentences"]["all"] for name in ("search", "bm25"))
    assert search["recall"]["total"] == paper["recall"]["total"] == 139
    assert search["recall"]["value"] > paper["recall"]["value"]
    low, high = search["precision"]["interval"]
    assert low < search["precision"]["value"] < high
    output = io.StringIO()
    call_command("measure_linking", half="dev", stdout=output)
    assert "112 sentences of the half: dev." in output.getvalue()
    assert "symbol that is a word" in output.getvalue()


@pytest.mark.django_db
def test_the_plain_verifier_is_measured_on_all_claims(demo_graph: Version) -> None:
    payload = measure("measure_verifier")
    assert (payload["verifier"], payload["claims"]) == ("plain", len(CLAIMS))
    both = payload["both"]
    counted = sum(it["true"] + it["false"] for it in both["verdicts"].values())
    assert counted == both["accuracy"]["total"] == len(CLAIMS)
    assert both["evidence_in_context"]["total"] == sum(one.is_decided for one in CLAIMS)
    assert both["evidence_in_context"]["value"] > 0.9
    papers = payload["literature"]["evidence_in_context"]
    assert papers["total"] == sum(bool(one.papers) for one in CLAIMS)
    # What it supports is more often true than what it leaves open or contradicts.
    shares = {name: it["share_true"]["value"] for name, it in both["verdicts"].items()}
    assert shares["supported"] > 0.7 > shares["not_enough"] > shares["contradicted"]
    assert both["kappa"]["low"] > 0 and both["confidence"] == []
    sample = measure("measure_verifier", sample=20, evidence=["graph"])
    assert sample["claims"] == 20 and "both" not in sample
    output = io.StringIO()
    call_command("measure_verifier", stdout=output)
    assert "states no probabilities" in output.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("as_json", [True, False])
def test_an_unknown_endpoint_ends_the_command_with_a_sentence(*, as_json: bool) -> None:
    output, errors = io.StringIO(), io.StringIO()
    with pytest.raises(SystemExit):
        call_command(
            "measure_verifier", verifier="nobody", json=as_json, stdout=output, stderr=errors
        )
    assert "There is no endpoint 'nobody'" in output.getvalue() + errors.getvalue()
