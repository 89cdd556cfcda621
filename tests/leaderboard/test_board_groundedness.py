"""The board's columns of groundedness, and accuracy by groundedness over its entries."""

import csv
import io
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.evaluation.component_files import components_path
from backend.evaluation.corrections import CorrectionRequest, correct_release
from backend.evaluation.grounding import claim_clusters
from backend.evaluation.grounding.claim_studies import NewClaimStudy, make_claim_study
from backend.evaluation.grounding.corrected import FEW_RATIONALES, corrected_groundedness
from backend.evaluation.grounding.submissions import ground_submission, settings_within
from backend.evaluation.grounding.verifier_agreement import verifier_agreements
from backend.evaluation.models import GroundedClaim, Grounding, Submission, SubmissionGrounding
from backend.evaluation.services import withdraw_submission
from backend.graphs.models import Collection
from backend.jobs.runner import run_job
from backend.leaderboard.board_exports import export_boards
from backend.leaderboard.standings import update_standing
from backend.science.evaluation.proportions import wilson_interval
from backend.studies.models import Study
from backend.tracks.grounding_verdicts import EvidenceSource
from tests.evaluation.claim_worlds import judge_claims
from tests.evaluation.grounding_worlds import GroundingWorld, make_world
from tests.evaluation.pooled_boards import join
from tests.evaluation.reasoned_entries import (
    SUPPORTED,
    open_release,
    prediction_file,
    rationale_of,
    submit,
)
from tests.evaluation.truthhypo_files import LABELS, key_of, label_of
from tests.llm.factories import make_endpoint
from tests.personas import make_person

pytestmark = pytest.mark.django_db
PAIRS = 60


@pytest.fixture
def world(db: None, tmp_path: Path) -> GroundingWorld:
    return make_world(tmp_path)


@pytest.fixture
def release(world: GroundingWorld, tmp_path: Path) -> Release:
    return open_release(tmp_path, world, pairs=PAIRS)


def read(split: str = "dev", slug: str = "reasons") -> dict[str, Any]:
    answer = APIClient().get(f"/api/v1/boards/{slug}/groundedness", {"split": split})
    assert answer.status_code == 200
    return dict(answer.json())


def ground(submission: Submission, collection: Collection | None) -> None:
    settings = settings_within(submission.release, version=None, collection=collection)
    _, job = ground_submission(actor=None, submission=submission, settings=settings)
    assert job is not None
    run_job(job.pk)


def skilled(release: Release, name: str) -> Submission:
    """Two of three hypotheses are right where the rationale is supported, else one of three."""
    rationales = {number: rationale_of(number % 2, 1) for number in range(PAIRS)}
    content = prediction_file(rationales, lambda n: n // 2 % 3 < (2 if n % 2 else 1))
    return submit(release, content, model=get_or_create_model(name))


def test_a_board_without_rationales_has_no_columns(release: Release) -> None:
    submit(release, prediction_file({1: "", 2: ""}))
    assert read() == {"split": "dev", "judges": []}


def test_columns_of_judges_are_never_mixed(release: Release, world: GroundingWorld) -> None:
    first, second = skilled(release, "One"), skilled(release, "Two")
    ground(first, world.collection)
    ground(second, None)
    Grounding.objects.filter(collection=None).update(verifier_version="1")
    judges = read()["judges"]
    assert [(one["judge"]["version"], one["judge"]["literature"]) for one in judges] == [
        ("3", world.collection.slug),
        ("1", ""),
    ]
    assert [[one["submission"] for one in it["entries"]] for it in judges] == [
        [str(first.pk)],
        [str(second.pk)],
    ]
    assert [cell["source"] for cell in judges[0]["entries"][0]["cells"]] == [
        "graph",
        "literature",
        "both",
    ]
    assert [cell["value"] for cell in judges[0]["entries"][0]["cells"]] == [50.0] * 3


def test_exports_have_the_columns_of_each_judge(release: Release, world: GroundingWorld) -> None:
    first, second = skilled(release, "One"), skilled(release, "Two")
    ground(first, world.collection)
    ground(second, None)
    Grounding.objects.filter(collection=None).update(verifier_version="1")
    update_standing(release, "dev")
    visitor, path = APIClient(), "/api/v1/boards/reasons/entries"
    exported = visitor.get(f"{path}.json", {"split": "dev"}).json()
    assert exported["groundedness"] == read()
    text = visitor.get(f"{path}.csv", {"split": "dev"}).content.decode()
    rows = {row["model"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}
    for name, number, other, version in (("One", 1, 2, "3"), ("Two", 2, 1, "1")):
        row, judge = rows[name], f"groundedness {number}"
        assert row[f"{judge} judge"] == f"plain verifier {version}"
        assert (row[f"{judge} graph value"], row[f"{judge} graph n"]) == ("50.0", str(PAIRS))
        assert row[f"groundedness {other} judge"] == row[f"groundedness {other} graph value"] == ""
    chosen = visitor.get(f"{path}.json", {"split": "dev", "text": "One"}).json()["groundedness"]
    assert [len(one["entries"]) for one in chosen["judges"]] == [1, 0]


def test_a_board_is_written_without_figures_whose_file_is_lost(
    release: Release, world: GroundingWorld, tmp_path: Path
) -> None:
    entry = skilled(release, "One")
    ground(entry, world.collection)
    update_standing(release, "dev")
    assert entry.evaluation is not None
    components_path(entry.evaluation.key).unlink()
    visitor, path = APIClient(), f"/api/v1/boards/{release.slug}/entries"
    table = visitor.get(f"{path}.csv", {"split": "dev"})
    assert (table.status_code, b"groundedness 1 graph value" in table.content) == (200, True)
    exported = visitor.get(f"{path}.json", {"split": "dev"})
    assert (exported.status_code, exported.json()["groundedness"]) == (200, None)
    assert len(exported.json()["results"]) == 1
    (board,) = export_boards(tmp_path / "boards")["boards"]
    text = (tmp_path / "boards" / f"{release.slug}-dev.csv").read_text()
    assert (board["entries"], text.count("One"), "groundedness" in text) == (1, 1, False)


def test_models_of_one_name_at_two_servers_are_two_judges(
    release: Release, world: GroundingWorld
) -> None:
    ground(skilled(release, "One"), None)
    ground(skilled(release, "Two"), None)
    here, there = (
        make_endpoint(f"http://127.0.0.1:{port}", name, may_publish=True)
        for port, name in ((9, "here"), (10, "there"))
    )
    again = make_endpoint(here.base_url, "here again", may_publish=True)
    batches = SubmissionGrounding.objects.order_by("created_at").values_list("batch", flat=True)
    first, second = batches
    model = {"verifier": "model", "model": here.model}
    Grounding.objects.filter(batch=first).update(endpoint=here, **model)
    Grounding.objects.filter(batch=second).update(endpoint=there, **model)
    judges = read()["judges"]
    assert [(one["judge"]["endpoint"], len(one["entries"])) for one in judges] == [
        ("here", 1),
        ("there", 1),
    ]
    Grounding.objects.filter(batch=second).update(endpoint=again)  # the same server
    assert [len(one["entries"]) for one in read()["judges"]] == [2]


def test_bins_are_the_planted_skill_with_wilsons_intervals(
    release: Release, world: GroundingWorld
) -> None:
    ground(skilled(release, "One"), world.collection)
    bins = read()["judges"][0]["bins"]
    assert (bins["source"], bins["entries"], bins["overall"]["n"]) == ("both", 1, PAIRS)
    low, high = bins["bins"]
    assert (low["groundedness"], high["groundedness"]) == (0, 100)
    for one, right in ((low, 10), (high, 20)):
        accuracy = one["accuracy"]
        assert (accuracy["n"], accuracy["method"]) == (30, "wilson")
        assert accuracy["value"] == pytest.approx(100 * right / 30)
        expected = [100 * value for value in wilson_interval(right, 30)]
        assert [accuracy["low"], accuracy["high"]] == pytest.approx(expected)


def test_bins_of_a_board_are_over_all_entries(release: Release, world: GroundingWorld) -> None:
    for name in ("One", "Two"):
        ground(skilled(release, name), world.collection)
    bins = read()["judges"][0]["bins"]
    assert (bins["entries"], bins["overall"]["n"]) == (2, 2 * PAIRS)
    assert [one["accuracy"]["n"] for one in bins["bins"]] == [PAIRS, PAIRS]


def test_groups_have_ten_hypotheses_or_more(release: Release, world: GroundingWorld) -> None:
    rationales = {n: rationale_of(0 if n < 9 else 5 if n < 25 else 10, 10) for n in range(PAIRS)}
    ground(submit(release, prediction_file(rationales)), None)
    counts = [one["accuracy"]["n"] for one in read()["judges"][0]["bins"]["bins"]]
    assert counts == [25, 35]


def test_a_test_split_has_columns_and_no_bins_until_it_is_closed(
    world: GroundingWorld, tmp_path: Path
) -> None:
    release = open_release(tmp_path, world, test_share=1.0)
    rationales = {number: rationale_of(number % 2, 1) for number in range(PAIRS)}
    ground(submit(release, prediction_file(rationales), split=ReleaseSplit.TEST), None)
    (columns,) = read("test")["judges"]
    assert columns["entries"][0]["cells"][0]["value"] == 50
    assert columns["bins"] is None
    Release.objects.update(state=Release.State.CLOSED)
    assert read("test")["judges"][0]["bins"]["overall"]["value"] == 100


def correct(release: Release, rows: Sequence[Mapping[str, Any]], slug: str) -> None:
    """Correct it and score what it has again."""
    request = CorrectionRequest(name=slug, slug=slug, rows=rows)
    _, job = correct_release(actor=None, release=release, request=request)
    run_job(job.pk)


def test_a_corrected_board_has_the_columns_without_the_rationales_of_withdrawn_items(
    release: Release, world: GroundingWorld
) -> None:
    rationales = {number: rationale_of(number % 2, 1) for number in range(PAIRS)}
    ground(submit(release, prediction_file(rationales)), None)
    before = read()["judges"][0]
    # Those with the odd numbers are the supported ones.
    withdrawn = [{"key": [*key_of(number)], "action": "withdraw"} for number in (1, 3, 5)]
    correct(release, withdrawn, "once")
    label = next(one for one in LABELS if one != label_of(2))
    again = Release.objects.get(slug="once")
    correct(again, [{"key": [*key_of(2)], "action": "answer", "answer": {"label": label}}], "twice")
    for slug, (supported, n) in {"once": (27, 57), "twice": (27, 57)}.items():
        (columns,) = read(slug=slug)["judges"]
        assert columns["judge"] == before["judge"]
        (entry,) = columns["entries"]
        (cell,) = [one for one in entry["cells"] if one["source"] == "graph"]
        assert (cell["value"], cell["n"]) == (pytest.approx(100 * supported / n), n)
    assert read()["judges"] == [before]
    low, high = read(slug="twice")["judges"][0]["bins"]["bins"]
    assert (low["accuracy"]["n"], high["accuracy"]["n"]) == (30, 27)
    assert low["accuracy"]["value"] == pytest.approx(100 * 29 / 30)  # item 2 has another answer


def test_withdrawn_entries_and_private_papers_and_endpoints_leave_the_board(
    release: Release, world: GroundingWorld
) -> None:
    first, second = skilled(release, "One"), skilled(release, "Two")
    ground(first, world.collection)
    ground(second, None)
    Collection.objects.update(is_public=False)
    assert [one["judge"]["literature"] for one in read()["judges"]] == [""]
    Collection.objects.update(is_public=True)
    endpoint = make_endpoint("http://127.0.0.1:9", may_publish=False)
    Grounding.objects.filter(collection=None).update(endpoint=endpoint)
    assert [one["judge"]["literature"] for one in read()["judges"]] == [world.collection.slug]
    admin = make_person("admin", is_administrator=True)
    withdraw_submission(actor=admin.user, submission=first)
    assert read()["judges"] == []


def batch_of(submission: Submission) -> uuid.UUID:
    return SubmissionGrounding.objects.get(submission=submission).batch


def first_of(submission: Submission) -> Grounding:
    return Grounding.objects.get(batch=batch_of(submission), line=1)


def verify(submission: Submission, claims: int, seed: int) -> Study:
    """Experts find half of the claims that the verifier supports without support."""
    request = NewClaimStudy(
        name=f"Verify {seed}", overlap=1, seed=seed, claims=claims, source=EvidenceSource.GRAPH
    )
    study = make_claim_study(actor=None, batches=[batch_of(submission)], request=request).study

    def verdict(claim: GroundedClaim) -> str:
        is_known = claim.text == SUPPORTED and (claim.grounding.line or 1) % 4 == 0
        return "supported" if is_known else "contradicted"

    assert judge_claims(study, join(study, f"eva-{seed}"), verdict) == claims
    return study


def end(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)


def test_ended_studies_correct_the_column_and_more_verdicts_narrow_it(
    release: Release, world: GroundingWorld
) -> None:
    submission = skilled(release, "One")
    ground(submission, world.collection)

    def cells() -> list[dict[str, Any]]:
        (entry,) = read()["judges"][0]["entries"]
        assert entry["cells"][0]["value"] == 50  # the verifier's own figure stays
        return list(entry["corrected"])

    assert cells() == []
    study = verify(submission, 20, 1)
    assert cells() == []  # open
    end(study)
    (early,) = cells()
    assert (early["source"], early["verified"]) == ("graph", 20)
    end(verify(submission, 30, 2))
    (late,) = cells()
    assert late["verified"] > 20
    assert late["high"] - late["low"] < early["high"] - early["low"]
    assert late["low"] < 25 < late["high"]
    # What the verifier is worth beside the verdicts: they agree on three of four claims.
    assert late["effective_verdicts"] > late["verified"]
    assert late["kappa"]["low"] < 0.5 < late["kappa"]["high"]


def test_verdicts_on_all_claims_are_the_experts_figure(
    release: Release, world: GroundingWorld
) -> None:
    submission = skilled(release, "One")
    ground(submission, None)
    end(verify(submission, PAIRS, 1))
    ((cell,),) = [one["corrected"] for one in read()["judges"][0]["entries"]]
    numbers = Grounding.objects.filter(rationale=SUPPORTED).values_list("line", flat=True)
    known = sum((line or 1) % 4 == 0 for line in numbers)
    assert cell["value"] == pytest.approx(100 * known / PAIRS)
    # Half is supported by the verifier. With all claims verified it adds nothing.
    share, chance = (known + PAIRS / 2) / PAIRS, 0.5
    assert cell["kappa"]["value"] == pytest.approx((share - chance) / (1 - chance))
    assert cell["kappa"]["low"] < cell["kappa"]["value"] < cell["kappa"]["high"]
    assert (cell["kappa"]["n"], cell["effective_verdicts"]) == (PAIRS, pytest.approx(PAIRS))


def test_verdicts_of_one_cluster_of_items_are_one_also_when_corrected(
    release: Release, world: GroundingWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a pair and its reverse are: four clusters are too few for an interval."""
    monkeypatch.setattr(claim_clusters, "cluster_numbers", lambda *_: np.arange(PAIRS) % 4)
    submission = skilled(release, "One")
    ground(submission, None)
    end(verify(submission, PAIRS, 1))
    ((cell,),) = [one["corrected"] for one in read()["judges"][0]["entries"]]
    assert (cell["low"], cell["high"], cell["verified"]) == (None, None, PAIRS)
    page = corrected_groundedness(batch_of(submission))[EvidenceSource.GRAPH]
    assert page.corrected is not None and page.kappa is not None
    assert (page.corrected.low, page.kappa.low, page.reason) == (None, None, FEW_RATIONALES)
    assert "fewer than 5" in verifier_agreements(first_of(submission))[0].reason


def test_the_page_of_a_batch_has_the_figures_of_the_board(
    release: Release, world: GroundingWorld
) -> None:
    submission = skilled(release, "One")
    ground(submission, None)
    study = verify(submission, 40, 1)
    (before,) = read()["judges"][0]["agreements"]
    assert (before["verdicts"], before["kappa"]) == (0, None)
    end(study)
    (judged,) = read()["judges"]
    ((cell,),) = [one["corrected"] for one in judged["entries"]]
    (agreement,) = judged["agreements"]
    assert (agreement["verdicts"], agreement["simulated"]) == (40, 40)
    assert agreement["kappa"] == cell["kappa"]
    page = corrected_groundedness(batch_of(submission))[EvidenceSource.GRAPH]
    assert page.corrected is not None and page.kappa is not None
    figures = (page.corrected.value, page.corrected.low, page.corrected.high)
    assert [100 * one for one in figures if one is not None] == pytest.approx(
        [cell["value"], cell["low"], cell["high"]], abs=1e-12
    )
    assert page.effective_verdicts == cell["effective_verdicts"]
    assert asdict(page.kappa) == cell["kappa"]
