"""Coverage stands beside every score of a board, wherever the score is read."""

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.leaderboard import standings
from backend.leaderboard.coverage import cell_coverage, coverage_note
from backend.leaderboard.job_kinds import request_missing_standings
from backend.leaderboard.models import Standing, StandingRow
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
BOARD = "/api/v1/boards/pairs"
MAIN = "relation_accuracy"
# Items 50 to 59 have no prediction; types of relation take turns.
EXPECTED = {"average": 50 / 60, "chemical-gene": 17 / 20, "disease-gene": 17 / 20}
EXPECTED["gene-gene"] = 16 / 20


@pytest.fixture
def submitted(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> dict[str, str]:
    ids = {}
    for name, answered in (("whole", 60), ("partial", 50)):
        model = register_model(actor=researcher.user, name=name)
        body = form(prediction_lines(range(answered)), model=model.slug)
        ids[name] = submit_and_score(researcher.browser, body)["id"]
    return ids


def rows_by_name(visitor: APIClient, **query: str) -> dict[str, dict[str, Any]]:
    return {row["model"]["name"]: row for row in visitor.get(BOARD, query).json()["results"]}


def test_each_metric_and_slice_of_a_row_has_the_coverage_of_its_items(
    visitor: APIClient, submitted: dict[str, str]
) -> None:
    rows = rows_by_name(visitor)
    assert rows["whole"]["coverages"] == {}
    partial = rows["partial"]
    assert partial["coverages"].keys() == partial["scores"].keys()
    for key, share in partial["coverages"].items():
        assert share == pytest.approx(EXPECTED[key.split(" ", 1)[1]]), key
    result = visitor.get(f"/api/v1/results/{submitted['partial']}").json()
    assert result["entry"]["coverages"] == partial["coverages"]


def test_the_table_of_a_board_has_a_column_of_coverage_for_each_score(
    visitor: APIClient, submitted: dict[str, str]
) -> None:
    text = visitor.get(f"{BOARD}/entries.csv").content.decode()
    rows = {row["model"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}
    for slice_, share in EXPECTED.items():
        column = f"{MAIN} {slice_} coverage"
        assert float(rows["partial"][column]) == pytest.approx(share)
        assert rows["whole"][column] == "1.0"


def test_badge_citation_and_overview_state_a_coverage_below_one(
    visitor: APIClient, submitted: dict[str, str]
) -> None:
    paths = {name: f"/api/v1/results/{id_}" for name, id_ in submitted.items()}
    for name, path in paths.items():
        badge = visitor.get(f"{path}/badge.svg").content.decode()
        title = badge.partition("<title>")[2].partition("</title>")[0]
        citation = visitor.get(f"{path}/citation.bib").content.decode()
        for text in (title, citation):
            assert ("coverage 83" in text) == (name == "partial"), text
    (track,) = [
        one
        for one in visitor.get("/api/v1/leaderboards").json()["results"]
        if one["track"] == "truthhypo"
    ]
    notes = {one["name"]: one["note"] for one in track["evaluated"]["best"]}
    assert notes == {"whole": "", "partial": "coverage 83%"}


def test_a_record_for_other_sites_has_the_coverage_of_each_score(
    visitor: APIClient, submitted: dict[str, str]
) -> None:
    id_ = submitted["partial"]
    record = visitor.get(f"/api/v1/results/{id_}/every_eval_ever.json").json()
    for one in record["evaluation_results"]:
        slice_ = one["evaluation_name"].partition("/")[2]
        share = float(one["score_details"]["details"]["coverage"])
        assert share == pytest.approx(EXPECTED[slice_])


def test_an_earlier_entry_has_no_coverage_by_slice(
    visitor: APIClient, submitted: dict[str, str]
) -> None:
    for row in StandingRow.objects.all():
        del row.content["coverages"]
        row.save()
    text = visitor.get(f"{BOARD}/entries.csv").content.decode()
    rows = {row["model"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}
    column = f"{MAIN} gene-gene coverage"
    assert (rows["whole"][column], rows["partial"][column]) == ("1.0", "")
    result = visitor.get(f"/api/v1/results/{submitted['partial']}").json()
    assert result["entry"]["coverages"] is None


def test_boards_of_an_earlier_form_are_ranked_again_and_stay_readable_by_date(
    visitor: APIClient,
    submitted: dict[str, str],
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = Release.objects.get()
    monkeypatch.setattr(standings, "FORM", standings.FORM - 1)
    Standing.objects.all().delete()
    earlier = standings.update_standing(release, "test")
    assert earlier is not None
    for row in earlier.rows.all():
        del row.content["coverages"]
        row.save()
    earlier.pages.all().delete()
    monkeypatch.undo()
    assert rows_by_name(visitor)["partial"].get("coverages") is None
    with django_capture_on_commit_callbacks(execute=True):
        request_missing_standings()
    run_queued_tasks()
    assert len(rows_by_name(visitor)["partial"]["coverages"]) > 0
    assert Standing.objects.count() == 2
    past = rows_by_name(visitor, at=earlier.created_at.isoformat())
    assert "coverages" not in past["partial"]


def test_a_coverage_just_below_one_is_not_rounded_to_all() -> None:
    content = {"coverage": 0.9999, "coverages": {"mrr all": 0.9999}}
    assert coverage_note(content, "mrr all") == "coverage 99%"
    assert coverage_note(content, "mrr other") == ""
    assert cell_coverage(content, "mrr other") == 1
    assert cell_coverage({"coverage": 0.5}, "mrr all") is None
    assert cell_coverage({"coverage": 1.0}, "mrr all") == 1
