"""A language model that judges claims of known truth."""

import io
import json
import math
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.evaluation.grounding.annotated_claims import AnnotatedClaim, read_claims
from backend.evaluation.management.commands import measure_verifier
from backend.llm.calls import Capabilities
from backend.llm.endpoints import store_capabilities
from backend.llm.models import Budget
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Script, Scripted, ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)
CLAIMS = read_claims(measure_verifier.FILE)
EDGE_LABEL = re.compile(r"\bE1\b")


def knows_the_truth(claims: list[AnnotatedClaim]) -> Script:
    """A model that is right, and sure of it, wherever it is given an edge."""

    def script(body: dict[str, Any], number: int) -> Scripted:
        text = body["messages"][-1]["content"]
        claim = next(one for one in claims if json.dumps(one.text)[1:-1] in text)
        verdict = "supported" if claim.is_true else "contradicted"
        label = "E1" if EDGE_LABEL.search(text) else "P1.1"
        begin = f'{{"evidence": ["{label}"], "verdict": "'
        tokens = [(begin, 0.0), (f'{verdict}"}}', math.log(0.95))]
        logprobs = [{"token": token, "logprob": value} for token, value in tokens]
        return Scripted(text=begin + f'{verdict}"}}', logprobs=logprobs)

    return script


def test_a_model_that_knows_the_truth_is_right_and_calibrated(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [one for one in CLAIMS if one.edges][::12]
    path = tmp_path / "claims.jsonl"
    path.write_text("".join(f"{one.model_dump_json()}\n" for one in few), encoding="utf-8")
    monkeypatch.setattr(measure_verifier, "FILE", path)
    server.script = knows_the_truth(few)
    endpoint = make_endpoint(server.url)
    store_capabilities(endpoint, Capabilities(logprobs=True))
    output = io.StringIO()
    call_command(
        "measure_verifier", verifier="scripted", budget=Decimal(1), json=True, stdout=output
    )
    payload = json.loads(output.getvalue())
    graph = payload["graph"]
    assert graph["accuracy"]["count"] == graph["accuracy"]["total"] == len(few)
    assert graph["kappa"]["value"] == pytest.approx(1.0) and graph["faults"] == 0
    (only,) = graph["confidence"]
    assert (only["low"], only["high"]) == (0.9, 1.0)
    assert only["mean"] == pytest.approx(0.95) and only["right"]["value"] == 1.0
    assert Budget.objects.filter(subject__startswith="measured-verifier:").count() == 1


def test_an_endpoint_that_fails_ends_the_command_with_a_sentence(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text(f"{CLAIMS[0].model_dump_json()}\n", encoding="utf-8")
    monkeypatch.setattr(measure_verifier, "FILE", path)
    server.script = lambda body, number: Scripted(status=401)
    make_endpoint(server.url)
    errors = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("measure_verifier", verifier="scripted", budget=Decimal(1), stderr=errors)
    assert "The endpoint rejected the request: Status 401" in errors.getvalue()
