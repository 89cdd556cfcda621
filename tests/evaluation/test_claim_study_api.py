"""Routes of a batch: corrected groundedness, studies of its claims, agreement with its verifier."""

import csv
import io
import json
import uuid
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation.exports import export_json
from annotation.models import BatchQuestion
from annotation.question_decisions import QuestionAction, decide_on_questions
from backend.accounts.models import User
from backend.common.errors import Conflict
from backend.evaluation.grounding.batch_figures import FULLY_VERIFIED, describe_plan
from backend.evaluation.grounding.claim_verdicts import PeopleVerdicts
from backend.evaluation.grounding.services import set_public
from backend.evaluation.judging.frozen_claims import read_frozen_set
from backend.evaluation.models import ClaimStudy, ClaimVerdict, GroundedClaim, Grounding
from backend.graphs.models import Graph
from backend.science.judged_scores.claims import JudgedClaims
from backend.science.judged_scores.corrected_mean import corrected_mean
from backend.studies.models import Member, Study
from tests.evaluation.claim_worlds import (
    claims_of_rates,
    judge_claims,
    make_batch,
    make_coordinator,
    truth_of,
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
    assert (after["more_to_halve"], after["plan"]) == (None, FULLY_VERIFIED)
    end(study)
    assert source_of(cora, batch)["is_final"] is True


def test_an_interval_by_few_disagreements_has_no_plan() -> None:
    """The plan is of a normal interval, which no disagreement would make a point."""
    truth = np.random.default_rng(3).integers(0, 2, 2_000).astype(np.float64)
    verdicts = np.where(np.arange(2_000) < 100, truth, np.nan)
    claims = JudgedClaims.of(truth, verdicts, clusters=np.arange(2_000) // 2)
    mean = corrected_mean(claims)
    assert mean.method == "few_events"
    assert describe_plan(claims, mean, PeopleVerdicts({}, 100, 100, 0, 0, 0)) == (None, "")


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
    Member.objects.create(study=study, user=other.user, role=Member.Role.EXPERT)
    assert other.browser.get(address(batch)).status_code == 200
    Study.objects.filter(pk=study.pk).update(status=Study.Status.OPEN)
    assert (
        other.browser.get(address(batch)).status_code == 404
    )  # its figures would give answers away
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
    groups = {(one["kind"], one["group"]): one for one in ended["groups"]}
    assert {key: one["verdicts"] for key, one in groups.items()} == {
        ("entities", "Drug and Gene"): 20,
        ("entities", "one linked entity"): 40,
        ("graph", grounding.version.graph.name): 60,
    }
    whole = groups["graph", grounding.version.graph.name]
    assert (whole["agreement"], whole["kappa"]) == (ended["agreement"], ended["kappa"])
    parts = [groups["entities", name] for name in ("Drug and Gene", "one linked entity")]
    agreed = sum(one["verdicts"] * one["agreement"]["value"] for one in parts)
    assert agreed == pytest.approx(60 * ended["agreement"]["value"])
    Grounding.objects.filter(pk=grounding.pk).update(verifier_version="another")
    (other,) = visitor.get(path).json()
    assert (other["verdicts"], other["rationales"], other["agreement"]["low"]) == (3, 1, None)
    assert "no interval" in other["reason"]


def test_verdicts_of_simulated_experts_are_counted_where_their_figures_are(
    cora: Person, batch: uuid.UUID
) -> None:
    study = Study.objects.get(pk=make_study(cora, batch, claims=30)["id"])
    judge_claims(study, join(study, "eva"))
    end(study)
    simulated = source_of(cora, batch)
    assert (simulated["verified"], simulated["simulated"]) == (30, 30)
    read = partial(APIClient().get, "/api/v1/judges")
    before = read().json()["verifiers"][0]["agreements"][0]
    assert (before["verdicts"], before["simulated"]) == (30, 30)
    User.objects.filter(is_simulated=True).update(is_simulated=False)
    cache.clear()
    assert source_of(cora, batch) == {**simulated, "simulated": 0}
    assert read().json()["verifiers"][0]["agreements"][0] == {**before, "simulated": 0}


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


def test_agreement_names_nothing_of_graphs_that_are_not_public(
    world: GroundingWorld, cora: Person, batch: uuid.UUID
) -> None:
    study = Study.objects.get(pk=make_study(cora, batch, claims=60)["id"])
    judge_claims(study, join(study, "eva"))
    end(study)
    # The figures are in the cache while the graph is public, and of no use once it is not.
    assert world.version.graph.name in APIClient().get("/api/v1/judges").content.decode()
    Graph.objects.filter(pk=world.version.graph_id).update(visibility=Graph.Visibility.PRIVATE)
    answer = APIClient().get("/api/v1/judges")
    (verifier,) = answer.json()["verifiers"]
    (agreement,) = verifier["agreements"]
    listed = [(one["kind"], one["group"], one["verdicts"]) for one in agreement["groups"]]
    assert listed == [("entities", "others", 60), ("graph", "others", 60)]
    assert world.version.graph.name not in answer.content.decode()


def test_a_reopened_study_hides_the_verdicts_that_were_published_while_it_was_closed(
    cora: Person, administrator: Person, batch: uuid.UUID
) -> None:
    study = Study.objects.get(pk=make_study(cora, batch)["id"])
    expert, visitor = make_person("eva"), APIClient()
    end(study)
    GroundedClaim.objects.update(mentions=[])
    grounding = Grounding.objects.filter(batch=batch).first()
    assert grounding is not None
    set_public(actor=cora.user, grounding=grounding, is_public=True)
    paths = [
        f"/api/v1/groundings/{grounding.pk}{part}"
        for part in ("", "/agreement", "/export.json", "/export.csv", "/citation.bib")
    ]
    everybody = (expert.browser, administrator.browser, visitor)
    assert {one.get(path).status_code for one in everybody for path in paths} == {200}
    Study.objects.filter(pk=study.pk).update(status=Study.Status.OPEN)
    assert {one.get(path).status_code for one in everybody for path in paths} == {404}
    assert {cora.browser.get(path).status_code for path in paths} == {200}
    assert "You can read" in ClaimStudy.refuse_judge(study.pk, administrator.user.pk)
    end(study)
    assert {one.get(path).status_code for one in everybody for path in paths} == {200}


def test_publishing_locks_the_grounding_as_making_a_study_does(
    cora: Person, batch: uuid.UUID
) -> None:
    grounding = Grounding.objects.filter(batch=batch).first()
    assert grounding is not None
    with CaptureQueriesContext(connection) as captured:
        set_public(actor=cora.user, grounding=grounding, is_public=True)
    statements = [one["sql"] for one in captured.captured_queries]
    (lock,) = (at for at, one in enumerate(statements) if "FOR NO KEY UPDATE" in one)
    (check,) = (at for at, one in enumerate(statements) if "claimstudybatch" in one)
    assert lock < check


def test_verdicts_of_a_study_are_frozen_with_those_of_the_verifier_by_rationale(
    cora: Person, batch: uuid.UUID, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = Study.objects.get(pk=make_study(cora, batch, claims=60)["id"])
    judge_claims(study, join(study, "eva"))
    file = tmp_path / "frozen.jsonl"
    with pytest.raises(SystemExit):
        call_command("freeze_verdicts", "Verify", str(file), "--json")
    end(study)
    ClaimVerdict.objects.filter(pk=ClaimVerdict.objects.earliest("pk").pk).update(fault="empty")
    capsys.readouterr()
    call_command("freeze_verdicts", "Verify", str(file), "--json")
    payload = json.loads(capsys.readouterr().out)
    assert payload == {"claims": 60, "clusters": 20, "unstored": 1}
    frozen = read_frozen_set(file.read_bytes())
    claims = {str(one.pk): one for one in GroundedClaim.objects.all()}
    for one in frozen.claims:
        claim = claims[one.id]
        assert one.people == truth_of(claim)
        assert one.cluster == f"cluster {claim.grounding_id}"
        assert one.weight == pytest.approx(1)
        assert [it.id for it in one.documents] == claim.context["papers"]
        verdict = claim.verdicts.get()
        stored = None if verdict.fault else float(verdict.verdict == "supported")
        assert one.before == stored
    scores = tmp_path / "now.jsonl"
    lines = [{"id": one.id, "score": one.before} for one in frozen.claims]
    scores.write_text("".join(json.dumps(one) + "\n" for one in lines))
    call_command("check_judge_drift", str(file), "--scores", str(scores), "--json")
    drift = json.loads(capsys.readouterr().out)["drift"]
    assert (drift["claims"], drift["left_out"], drift["drifted"]) == (59, 1, False)


def test_a_claim_that_a_coordinator_left_out_is_in_no_frozen_set(
    cora: Person, batch: uuid.UUID
) -> None:
    study = Study.objects.get(pk=make_study(cora, batch)["id"])
    judge_claims(study, join(study, "eva"))
    entry = BatchQuestion.objects.filter(batch__study=study).select_related("question")[0]
    whole, one = frozen_claims(study), entry.question.file_id
    assert one in whole

    def decide(action: QuestionAction) -> set[str]:
        decide_on_questions(
            actor=cora.user,
            study_id=study.pk,
            action=action,
            question_ids=[entry.question_id],
            reason="Not a claim.",
        )
        return frozen_claims(study)

    assert decide("exclude") == whole - {one}
    assert decide("include") == whole


def frozen_claims(study: Study) -> set[str]:
    content = "".join(export_json(study)).encode()
    return {one.id for one in read_frozen_set(content).claims}


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
