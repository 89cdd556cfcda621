"""How often a verifier of claims is right, on claims from public facts."""

import time
import uuid
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from django.conf import settings

from backend.common.command_utils import JsonCommand, Output, parse_count
from backend.common.errors import DomainError
from backend.evaluation.grounding.annotated_claims import (
    AnnotatedClaim,
    draw_claims,
    read_claims,
)
from backend.evaluation.grounding.context import Knowledge
from backend.evaluation.grounding.model_verifier import open_model_verifier
from backend.evaluation.grounding.pipeline import go_on
from backend.evaluation.grounding.verifier_accuracy import (
    Kappa,
    VerifierAccuracy,
    judge_annotated_claims,
)
from backend.evaluation.grounding.verifiers import ClaimVerifier, PlainVerifier
from backend.graphs.demo import load_demo_graph
from backend.graphs.literature.demo import load_demo_papers
from backend.jobs.faults import PlatformFault
from backend.llm.budgets import open_budget
from backend.llm.endpoints import get_endpoint_by_name_or_raise, require_price
from backend.llm.management.commands.add_endpoint import parse_budget
from backend.tracks.grounding_plain import PLAIN
from backend.tracks.grounding_verdicts import EvidenceSource, Verdict

FILE = settings.FIXTURES / "claims.jsonl"


def name_decided(claim: AnnotatedClaim) -> str:
    return "decided by the demo" if claim.is_decided else "not decided by the demo"


GROUPS = {
    "truth": lambda claim: "true" if claim.is_true else "false",
    "form": lambda claim: claim.form,
    "relation": lambda claim: claim.relation,
    "demo": name_decided,
}


class Command(JsonCommand):
    help = "Accuracy, kappa and calibration of a verifier on claims of known truth, on the demo."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--verifier",
            default=PLAIN,
            metavar="plain|ENDPOINT",
            help="the plain verifier, or the name of an endpoint",
        )
        parser.add_argument(
            "--budget", type=parse_budget, metavar="DOLLARS", default=Decimal(0), help="of a model"
        )

        parser.add_argument(
            "--sample", type=parse_count, metavar="N", help="so many claims, half of them false"
        )
        parser.add_argument(
            "--evidence",
            choices=[*EvidenceSource],
            nargs="+",
            default=[*EvidenceSource],
            help="default: all",
        )

    def run(self, options: dict[str, Any]) -> Output:
        claims = read_claims(FILE)
        if options["sample"]:
            claims = draw_claims(claims, options["sample"])
        name = options["verifier"]
        opened = (
            nullcontext(PlainVerifier()) if name == PLAIN else open_model(name, options["budget"])
        )
        knowledge = Knowledge(load_demo_graph()[0], load_demo_papers())
        sources = [EvidenceSource(one) for one in options["evidence"]]
        began = time.monotonic()
        try:
            with opened as verifier:
                measured = judge_annotated_claims(claims, knowledge, verifier, sources)
        except PlatformFault as fault:
            raise DomainError(fault.detail, code=fault.code) from fault
        seconds = time.monotonic() - began
        rate = len(claims) / seconds * 60
        payload: dict[str, Any] = {"verifier": name, "claims": len(claims), "a_minute": rate}
        lines = [f"{len(claims)} claims, verifier {name}: {rate:,.0f} claims a minute."]
        for source, accuracy in measured.items():
            payload[source] = as_json(accuracy)
            lines += ["", f"Evidence: {source}", *describe(accuracy)]
        return payload, lines


def open_model(name: str, amount: Decimal) -> AbstractContextManager[ClaimVerifier]:
    """Raises NotFound, or DomainError where the endpoint has no price."""
    endpoint = get_endpoint_by_name_or_raise(name)
    require_price(endpoint)
    budget = open_budget(subject=f"measured-verifier:{uuid.uuid4()}", amount=amount)
    return open_model_verifier(endpoint, budget, go_on)


def as_json(accuracy: VerifierAccuracy) -> dict[str, Any]:
    return {
        "accuracy": accuracy.accuracy.as_json(),
        "kappa": asdict(accuracy.kappa),
        "faults": accuracy.faults,
        "evidence_in_context": accuracy.reached.as_json(),
        "accuracy_with_evidence": accuracy.accuracy_if_reached.as_json(),
        "verdicts": {
            verdict: {
                "true": accuracy.confusion[True][verdict],
                "false": accuracy.confusion[False][verdict],
                "share_true": accuracy.truth_of(verdict).as_json(),
            }
            for verdict in Verdict
        },
        "confidence": [
            {"low": one.low, "high": one.high, "mean": one.mean, "right": one.right.as_json()}
            for one in accuracy.confidence_bins()
        ],
        "groups": {
            title: {name: one.accuracy.as_json() for name, one in accuracy.by(group).items()}
            for title, group in GROUPS.items()
        },
    }


def describe(accuracy: VerifierAccuracy) -> Iterator[str]:
    faults = f", {accuracy.faults} without a verdict" if accuracy.faults else ""
    yield f"accuracy {accuracy.accuracy}, kappa {describe_kappa(accuracy.kappa)}{faults}"
    yield f"what decides the claim was in the context: {accuracy.reached}"
    yield f"of these, right: {accuracy.accuracy_if_reached}"
    yield f"{'verdict':<26}{'true':>6}{'false':>7}   share of true claims"
    for verdict in Verdict:
        counts = (accuracy.confusion[truth][verdict] for truth in (True, False))
        name = verdict.replace("_", " ")
        yield f"{name:<26}{next(counts):>6}{next(counts):>7}   {accuracy.truth_of(verdict)}"
    bins = list(accuracy.confidence_bins())
    if not bins:
        yield "The verifier states no probabilities: its verdicts are the calibration table."
    for one in bins:
        yield f"probability {one.low:.1f} to {one.high:.1f}, mean {one.mean:.2f}: right {one.right}"
    for group in GROUPS.values():
        for name, part in accuracy.by(group).items():
            yield f"{name:<26}right {part.accuracy}"


def describe_kappa(kappa: Kappa) -> str:
    if kappa.value is None:
        return f"undefined ({kappa.reason})"
    if kappa.low is None or kappa.high is None:
        return f"{kappa.value:z.2f}"
    return f"{kappa.value:z.2f} ({kappa.low:z.2f} to {kappa.high:z.2f})"
