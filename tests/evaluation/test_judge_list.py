"""The page of judges: experts' agreement with verifiers, and checks whether they drifted."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rest_framework.test import APIClient

from backend.evaluation.models import Grounding, JudgeCheck
from backend.llm.models import Endpoint
from backend.studies.models import Study
from tests.evaluation.claim_worlds import (
    claims_of_rates,
    judge_claims,
    make_batch,
    make_coordinator,
)
from tests.evaluation.grounding_worlds import make_world
from tests.evaluation.pooled_boards import join
from tests.evaluation.test_claim_studies import study_of
from tests.llm.factories import make_endpoint
from tests.personas import Person

pytestmark = pytest.mark.django_db
COMPARISON = {"difference": {"value": -0.2, "low": -0.3, "high": -0.1}}


def read(client: APIClient) -> dict[str, Any]:
    answer = client.get("/api/v1/judges")
    assert answer.status_code == 200
    return dict(answer.json())


def judge_two_endpoints(tmp_path: Path, addresses: tuple[str, str]) -> None:
    """Six claims each: of 'there', whose answers may not be published, and later of 'here'."""
    world, cora = make_world(tmp_path), make_coordinator("cora")
    claims = claims_of_rates(np.random.default_rng(1), 6, truth=0.5, false=0.0, missed=0.0)
    for url, name in zip(addresses, ("there", "here"), strict=True):
        endpoint = make_endpoint(url, name, may_publish=name == "here")
        batch = make_batch(world, cora.user, claims)
        Grounding.objects.filter(batch=batch).update(
            endpoint=endpoint, verifier="model", model=endpoint.model
        )
        study = study_of(cora.user, batch, name=name)
        judge_claims(study, join(study, f"eva-{name}"))
        Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)


def test_verifiers_are_listed_once_their_studies_have_ended(tmp_path: Path, db: None) -> None:
    world, cora = make_world(tmp_path), make_coordinator("cora")
    claims = claims_of_rates(np.random.default_rng(1), 20, truth=0.6, false=0.25, missed=0.25)
    batch = make_batch(world, cora.user, claims, per_rationale=(5,))
    study = study_of(cora.user, batch)
    judge_claims(study, join(study, "eva"))
    visitor = APIClient()
    assert read(visitor) == {"verifiers": [], "checks": []}
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)
    (verifier,) = read(visitor)["verifiers"]
    assert (verifier["verifier"], verifier["endpoint"]) == ("plain", "")
    (agreement,) = verifier["agreements"]
    assert (agreement["source"], agreement["verdicts"]) == ("both", 20)
    assert agreement["agreement"]["value"] == pytest.approx(0.75)


def test_verifiers_at_two_servers_are_apart_and_private_ones_are_administrators_alone(
    tmp_path: Path, administrator: Person
) -> None:
    judge_two_endpoints(tmp_path, ("http://127.0.0.1:9", "http://127.0.0.1:10"))
    assert [one["endpoint"] for one in read(APIClient())["verifiers"]] == ["here"]
    shown = read(administrator.browser)["verifiers"]
    assert [one["endpoint"] for one in shown] == ["here", "there"]
    assert [one["agreements"][0]["verdicts"] for one in shown] == [6, 6]


def test_a_private_endpoint_at_the_same_address_is_in_no_public_figure(
    tmp_path: Path, administrator: Person
) -> None:
    judge_two_endpoints(tmp_path, ("http://127.0.0.1:9", "http://127.0.0.1:9"))
    (shown,) = read(administrator.browser)["verifiers"]
    assert shown["agreements"][0]["verdicts"] == 12
    (public,) = read(APIClient())["verifiers"]
    assert (public["endpoint"], public["agreements"][0]["verdicts"]) == ("here", 6)
    Grounding.objects.filter(endpoint__name="here").update(is_public=True)
    assert agreement_beside("here", APIClient()) == 6
    owner = Grounding.objects.filter(endpoint__name="there").first()
    assert owner is not None and owner.owner is not None
    assert agreement_beside("there", Person(owner.owner).browser) == 12


def agreement_beside(endpoint: str, reader: APIClient) -> int:
    """The number of verdicts that a grounding by this endpoint has beside it."""
    grounding = Grounding.objects.filter(endpoint__name=endpoint).first()
    assert grounding is not None
    (agreement,) = reader.get(f"/api/v1/groundings/{grounding.pk}/agreement").json()
    return int(agreement["verdicts"])


def test_an_endpoint_whose_answers_are_no_longer_published_is_in_no_public_figure_at_once(
    tmp_path: Path, db: None
) -> None:
    judge_two_endpoints(tmp_path, ("http://127.0.0.1:9", "http://127.0.0.1:9"))
    Endpoint.objects.update(may_publish=True)
    (both,) = read(APIClient())["verifiers"]
    assert both["agreements"][0]["verdicts"] == 12
    Endpoint.objects.filter(name="there").update(may_publish=False)
    (one,) = read(APIClient())["verifiers"]
    assert one["agreements"][0]["verdicts"] == 6


def test_checks_of_private_endpoints_are_for_administrators_alone(administrator: Person) -> None:
    endpoint = make_endpoint("http://127.0.0.1:9")
    report = {"agreement": COMPARISON, "support": COMPARISON, "p_agreement": 0.01}
    report |= {"p_support": 0.02, "changed": 0.25, "smallest_drift": 0.1}
    JudgeCheck.objects.create(
        endpoint=endpoint,
        model=endpoint.model,
        prompt_version="1",
        votes=1,
        frozen="claims.jsonl",
        frozen_digest="0" * 64,
        occasion="2026-11-24",
        claims=60,
        has_drifted=True,
        report=json.loads(json.dumps(report)),
    )
    assert read(APIClient())["checks"] == []
    (check,) = read(administrator.browser)["checks"]
    assert (check["has_drifted"], check["difference"], check["low"]) == (True, -0.2, -0.3)
