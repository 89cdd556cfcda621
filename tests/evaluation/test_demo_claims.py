"""The demo's study of claims: what a coordinator and a visitor see corrected at the first start."""

import pytest
from rest_framework.test import APIClient

from annotation.demo import COORDINATOR
from annotation.models import Response
from backend.accounts.models import User
from backend.evaluation.demo_claims import EXPERTS, STUDIED, choose_claims, load_demo_claim_study
from backend.evaluation.models import ClaimStudy
from backend.evaluation.models.grounding import Grounding
from backend.graphs.models import Version
from backend.studies.models import Study

pytestmark = pytest.mark.django_db


def test_corrected_groundedness_is_there_to_look_at(demo_graph: Version) -> None:
    study = load_demo_claim_study(demo_graph)
    assert (study.status, study.is_demo) == ("closed", True)
    answered = Response.objects.filter(assignment__study=study, submitted_number=1)
    assert answered.count() == STUDIED * EXPERTS
    assert all(one.assignment.expert.is_simulated for one in answered)
    batch = ClaimStudy.objects.get(study=study).batches.get().batch
    browser = APIClient()
    browser.force_authenticate(User.objects.by_email(COORDINATOR.email))
    (graph,) = browser.get(f"/api/v1/grounding-batches/{batch}").json()["sources"]
    share = sum(one.is_true for one in choose_claims()) / len(choose_claims())
    corrected = graph["corrected"]
    assert corrected["low"] <= share <= corrected["high"]
    assert graph["raw"] < corrected["value"]  # the graph lacks a part of what is true
    judges = APIClient().get("/api/v1/judges").json()
    assert any(one["agreement"] for row in judges["verifiers"] for one in row["agreements"])

    assert load_demo_claim_study(demo_graph) == study
    assert Study.objects.filter(name=study.name).count() == 1
    assert Grounding.objects.values("batch").distinct().count() == 1
