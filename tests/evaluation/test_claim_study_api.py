"""Routes of a batch: corrected groundedness, studies of its claims, agreement with its verifier."""

import csv
import io
import json
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.common.errors import Conflict
from backend.evaluation.grounding.services import set_public
from backend.evaluation.models import ClaimStudy, Grounding
from backend.studies.models import Member, Study
from tests.evaluation.claim_worlds import (
    claims_of_rates,
    judge_claims,
    make_batch,
    make_coordinator,
)
from tests.evaluation.grounding_worlds import GroundingWorld, make_world
from tests.evaluation.pooled_boards import join
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None, tmp_path: Path) -> GroundingWorld:
    return make_world(tmp_path)


@pytest.fixture
def cora(db: None) -> Person:
    return make_coordinator("cora")


@pytest.fixture
def batch(world: GroundingWorld, cora: Person) -> uuid.UUID:
    claims = claims_of_rates(np.random.default_rng(1), 60, truth=0.6, false=0.25, missed=0.25)
    return make_batch(world, cora.user, claims)


def address(batch: uuid.UUID) -> str:
    return f"/api/v1/grounding-batches/{batch}"


def make_study(person: Person, batch: uuid.UUID, status: int = 201, **fields: Any) -> Any:
    body = {"name": "Verify", "overlap": 1, "claims": 30, "seed": 4, **fields}
    answer = person.browser.post(f"{address(batch)}/studies", body, format="json")
    assert answer.status_code == status, answer.json()
    return answer.json()


def source_of(person: Person, batch: uuid.UUID) -> Any:
    answer = person.browser.get(address(batch))
    assert answer.status_code == 200, answer.json()
    (source,) = answer.json()["sources"]
    return source


def end(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)


def test_a_coordinator_makes_a_study_and_reads_the_corrected_groundedness(
    cora: Person, batch: uuid.UUID
) -> None:
    before = source_of(cora, batch)
    assert before["reason"].startswith("No study verifies claims")
    created = make_study(cora, batch)
    assert (created["questions"], created["seed"]) == (30, 4)
    study = Study.objects.get(pk=created["id"])
    assert Member.objects.filter(study=study, user=cora.user, role="coordinator").exists()
    judge_claims(study, join(study, "eva"))
    after = source_of(cora, batch)
    assert (after["verified"], after["chosen"], after["is_final"]) == (30, 30, False)
    corrected = after["corrected"]
    assert corrected["low"] < corrected["value"] < corrected["high"]
    assert 0 <= after["lambda_value"] <= 1
    assert after["kappa"]["n"] == after["agreement"]["n"] == 30
    assert after["plan"].endswith("this interval.") or "Ground more" in after["plan"]
    end(study)
    assert source_of(cora, batch)["is_final"] is True


def test_the_csv_has_the_figures_of_the_page(cora: Person, batch: uuid.UUID) -> None:
    study = Study.objects.get(pk=make_study(cora, batch)["id"])
    judge_claims(study, join(study, "eva"))
    shown = source_of(cora, batch)
    text = cora.browser.get(f"{address(batch)}/export.csv").content.decode()
    rows = [*csv.DictReader(io.StringIO(text, newline=""))]
    figures = {(row["figure"], row["group"]): row for row in rows}
    assert float(figures["corrected", ""]["low"]) == shown["corrected"]["low"]
    assert float(figures["raw", ""]["value"]) == shown["raw"]
    assert figures["raw", ""]["n"] == "20"
    for group in shown["confusion"]:
        row = figures["verifier_alone", group["group"]]
        assert float(row["value"]) == group["verifier_alone"]
    assert text.count("\r\n") == len(rows) + 1


def test_others_read_nothing_of_a_batch_not_even_of_a_public_one(
    cora: Person, batch: uuid.UUID
) -> None:
    other, researcher = make_coordinator("carl"), make_person("rita")
    study = Study.objects.get(pk=make_study(cora, batch)["id"])
    end(study)
    Grounding.objects.filter(batch=batch).update(is_public=True)
    for person in (other, researcher):
        assert person.browser.get(address(batch)).status_code == 404
        assert person.browser.get(f"{address(batch)}/export.csv").status_code == 404
        make_study(person, batch, 404)
    assert APIClient().get(address(batch)).status_code == 401
    Member.objects.create(study=study, user=other.user, role=Member.Role.COORDINATOR)
    assert other.browser.get(address(batch)).status_code == 200
    make_study(other, batch, 404)
    Member.objects.create(study=study, user=researcher.user, role=Member.Role.EXPERT)
    assert researcher.browser.get(address(batch)).status_code == 404


@pytest.mark.parametrize(
    "fields",
    [
        {"claims": 0},
        {"claims": 2_001},
        {"overlap": 0},
        {"rule": "clever"},
        {"source": "internet"},
        {"seed": -1},
        {"name": "two\nlines"},
        {"claims": "many"},
    ],
)
def test_bad_numbers_name_their_place(
    cora: Person, batch: uuid.UUID, fields: dict[str, Any]
) -> None:
    (name,) = fields
    answer = make_study(cora, batch, 422, **fields)
    assert name in json.dumps(answer)
    assert not ClaimStudy.objects.exists()


def test_agreement_with_the_verifier_is_of_ended_studies_alone(
    world: GroundingWorld, cora: Person, batch: uuid.UUID
) -> None:
    study = Study.objects.get(pk=make_study(cora, batch, claims=60)["id"])
    judge_claims(study, join(study, "eva"))
    grounding = Grounding.objects.filter(batch=batch).first()
    assert grounding is not None
    visitor, path = APIClient(), f"/api/v1/groundings/{grounding.pk}/agreement"
    (open_study,) = cora.browser.get(path).json()
    assert open_study["reason"] == "No expert has judged such claims yet."
    assert (open_study["verdicts"], open_study["agreement"]) == (0, None)
    end(study)
    set_public(actor=cora.user, grounding=grounding, is_public=True)
    (ended,) = visitor.get(path).json()
    assert (ended["verdicts"], ended["rationales"], ended["source"]) == (60, 20, "both")
    assert ended["agreement"]["value"] == pytest.approx(0.75)
    # Of 36 true claims 27 are supported, of 24 false ones 6.
    chance = 0.6 * 0.55 + 0.4 * 0.45
    assert ended["kappa"]["value"] == pytest.approx((0.75 - chance) / (1 - chance))
    Grounding.objects.filter(pk=grounding.pk).update(verifier_version="another")
    (other,) = visitor.get(path).json()
    assert (other["verdicts"], other["rationales"], other["agreement"]["low"]) == (3, 1, None)
    assert "no interval" in other["reason"]


def test_verdicts_on_claims_that_experts_judge_are_not_public(
    cora: Person, batch: uuid.UUID
) -> None:
    grounding = Grounding.objects.filter(batch=batch).first()
    assert grounding is not None
    set_public(actor=cora.user, grounding=grounding, is_public=True)
    assert make_study(cora, batch, 409)["code"] == "groundings_are_public"
    set_public(actor=cora.user, grounding=grounding, is_public=False)
    study = Study.objects.get(pk=make_study(cora, batch)["id"])
    with pytest.raises(Conflict, match="until their study has ended"):
        set_public(actor=cora.user, grounding=grounding, is_public=True)
    end(study)
    assert set_public(actor=cora.user, grounding=grounding, is_public=True).is_public


def test_the_command_makes_the_study_of_several_batches(
    world: GroundingWorld, cora: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = claims_of_rates(np.random.default_rng(1), 12, truth=0.5, false=0.5, missed=0.5)
    batches = [str(make_batch(world, None, claims)) for _ in range(2)]
    options = ["--name", "By command", "--coordinator", cora.user.email, "--claims", "10"]
    call_command("make_claim_study", *batches, *options, "--seed", "5", "--json")
    payload = json.loads(capsys.readouterr().out)
    assert (payload["claims"], payload["seed"], payload["source"]) == (10, 5, "both")
    study = Study.objects.get(pk=payload["study"])
    assert Member.objects.filter(study=study, user=cora.user, role="coordinator").exists()
    with pytest.raises(SystemExit):
        call_command("make_claim_study", str(uuid.uuid4()), *options, "--json")
    assert "does not exist" in capsys.readouterr().out
