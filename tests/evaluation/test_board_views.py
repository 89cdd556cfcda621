"""The board as a reader wants it: sorted, filtered, exported, announced."""

import csv
import io
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from celery.schedules import crontab
from django.core.management import call_command
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Score, Submission
from backend.leaderboard.models import Standing, StandingRow
from backend.leaderboard.standings import rank_reason, update_standing
from backend.validation.csv_escaping import unescape
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

pytestmark = pytest.mark.django_db
BOARD = "/api/v1/boards/pairs"
ENTRIES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("perfect", 0, {"cost_usd": 9.0}),
    ("=good", 1, {"cost_usd": 2.5, "latency_s": 0.5}),
    ("poor", 30, {}),
)
SAMPLE = ("sampled", 0, {"sample": "10 %"})


@pytest.fixture
def submit(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> Callable[[str, int, dict[str, Any]], str]:
    def send(name: str, wrong: int, declared: dict[str, Any]) -> str:
        model = register_model(actor=researcher.user, name=name, organisation="Lab of Colombo")
        lines = prediction_lines(range(60), wrong=range(wrong))
        return str(
            submit_and_score(researcher.browser, form(lines, model=model.slug, **declared))["id"]
        )

    release.queries_per_day = 10
    release.save()
    return send


@pytest.fixture
def entries(submit: Callable[..., str]) -> dict[str, str]:
    return {entry[0]: submit(*entry) for entry in (*ENTRIES, SAMPLE)}


def names(visitor: APIClient, **query: Any) -> list[str]:
    board = visitor.get(BOARD, query).json()
    return [row["model"]["name"] for row in board["results"]]


def test_a_declared_sample_is_listed_last_without_a_rank(
    visitor: APIClient, entries: dict[str, str]
) -> None:
    rows = visitor.get(BOARD).json()["results"]
    assert [row["model"]["name"] for row in rows] == ["perfect", "=good", "poor", "sampled"]
    assert rows[3]["rank"] is None
    assert rows[0]["rank"] == {"best": 1, "worst": 2}
    for order in ("ascending", "descending"):
        shown = names(visitor, sort="relation_accuracy", order=order)
        assert shown[-1] == "sampled"


def test_a_board_of_samples_alone_has_no_ranks(
    visitor: APIClient, submit: Callable[..., str]
) -> None:
    submit(*SAMPLE)
    board = visitor.get(BOARD).json()
    assert (board["entries"], board["audit"]) == (1, None)


def test_any_column_sorts_and_unknown_values_come_last(
    visitor: APIClient, entries: dict[str, str]
) -> None:
    assert names(visitor, sort="relation_accuracy", slice="gene-gene") == [
        "poor",
        *("perfect", "=good", "sampled"),
    ]
    assert names(visitor, sort="cost")[:3] == ["=good", "perfect", "poor"]
    assert names(visitor, sort="cost", order="descending")[:3] == ["perfect", "=good", "poor"]
    assert names(visitor, sort="latency")[0] == "=good"
    assert names(visitor, sort="model")[:3] == ["=good", "perfect", "poor"]
    assert names(visitor, sort="date", order="descending")[:3] == ["poor", "=good", "perfect"]
    assert names(visitor, sort="queries", order="descending")[:3] == ["poor", "=good", "perfect"]
    refused = visitor.get(BOARD, {"sort": "beauty"})
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_column")


def test_filters_leave_what_they_name_and_count_it(
    visitor: APIClient, entries: dict[str, str]
) -> None:
    Model.objects.filter(name="poor").update(is_simulated=True)
    Standing.objects.all().delete()
    assert visitor.get(BOARD, {"text": "OOR"}).json()["matching"] == 0
    update_standing(Release.objects.get(), "test")
    assert names(visitor, text="OOR") == ["poor"]
    assert names(visitor, text="colombo")[:1] == ["perfect"]
    assert names(visitor, text="100%_") == []
    assert names(visitor, hide="simulated") == ["perfect", "=good", "sampled"]
    assert names(visitor, hide=["simulated", "sampled"]) == ["perfect", "=good"]
    assert names(visitor, provenance="baseline") == []
    assert len(names(visitor, provenance=["baseline", "evaluated"])) == 4
    board = visitor.get(BOARD, {"hide": "sampled"}).json()
    assert (board["entries"], board["matching"]) == (4, 3)


def test_the_name_of_an_anonymous_entry_is_not_searchable(
    visitor: APIClient, submit: Callable[..., str]
) -> None:
    submit("hidden", 0, {"anonymous_until": "2099-01-01T00:00:00Z"})
    board = visitor.get(BOARD).json()
    assert board["results"][0]["model"] is None
    for text in ("hidden", "Colombo"):
        assert visitor.get(BOARD, {"text": text}).json()["matching"] == 0
    assert "hidden" not in visitor.get(f"{BOARD}/entries.csv").content.decode()


def test_rows_say_which_query_of_the_submitter_they_are(
    visitor: APIClient, entries: dict[str, str]
) -> None:
    board = visitor.get(BOARD).json()
    assert board["queries"] == 10
    assert [row["query"] for row in board["results"]] == [1, 2, 3, 4]
    Submission.objects.filter(pk=entries["=good"]).update(is_free=True)
    Standing.objects.all().delete()
    update_standing(Release.objects.get(), "test")
    rows = visitor.get(BOARD).json()["results"]
    assert [row["query"] for row in rows] == [1, None, 2, 3]


def test_the_table_of_a_board_reads_back_as_it_was(
    visitor: APIClient, entries: dict[str, str]
) -> None:
    board = visitor.get(BOARD).json()
    text = visitor.get(f"{BOARD}/entries.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [unescape(row["model"]) for row in rows] == ["perfect", "=good", "poor", "sampled"]
    assert rows[1]["model"] == "'=good"
    value, low, high, n = board["results"][1]["scores"]["relation_accuracy average"]
    key = "relation_accuracy average"
    assert [float(rows[1][f"{key} {part}"]) for part in ("value", "low", "high")] == [
        value,
        low,
        high,
    ]
    assert int(rows[1][f"{key} n"]) == n
    few, reason = next(iter(board["results"][2]["interval_reasons"].items()))
    assert (rows[1][f"{key} interval"], rows[2][f"{few} interval"]) == ("", reason)
    assert reason == "few_clusters"
    assert {row["evaluator_version"] for row in rows} == {board["evaluator_version"]}
    assert {row["release_digest"] for row in rows} == {board["release_digest"]}
    part = visitor.get(f"{BOARD}/entries.csv", {"slice": "gene-gene"}).content.decode()
    assert "relation_accuracy average" not in part.partition("\r\n")[0]
    whole = visitor.get(f"{BOARD}/entries.json").json()
    assert whole["results"] == board["results"]
    assert (whole["judged"]["depth"], whole["groundedness"]["judges"]) == (None, [])


def test_the_table_has_the_year_that_an_entry_may_know(
    visitor: APIClient, submit: Callable[..., str]
) -> None:
    submit("dated", 0, {"knowledge_until": 2019})
    text = visitor.get(f"{BOARD}/entries.csv").content.decode()
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert row["knowledge_until"] == "2019"


def test_rows_and_ranks_state_why_they_are_approximate_or_undefined(
    visitor: APIClient, submit: Callable[..., str]
) -> None:
    submission = submit("poor", 30, {})
    scores = Score.objects.filter(evaluation__submissions=Submission.objects.get(pk=submission))
    scores.filter(metric="link_precision", slice="average").update(
        low=None, high=None, method="", reason="undefined"
    )
    Standing.objects.all().delete()
    update_standing(Release.objects.get(), "test")
    board = visitor.get(BOARD).json()
    reasons = board["results"][0]["interval_reasons"]
    for score in scores:
        expected = "few_clusters" if score.method == "jackknife" else score.reason or None
        assert reasons.get(f"{score.metric} {score.slice}") == expected
    assert set(reasons.values()) == {"few_clusters", "undefined"}
    assert (board["audit"]["clusters"], board["audit"]["rank_reason"]) == (60, None)
    assert [rank_reason(clusters) for clusters in (4, 5, 49, 50)] == [
        "too_few_clusters",
        "few_clusters",
        "few_clusters",
        None,
    ]


def test_all_boards_are_files_that_equal_what_the_api_answers(
    visitor: APIClient, entries: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "boards"
    for _ in range(2):  # an earlier export is replaced
        call_command("export_boards", str(folder))
    index = json.loads((folder / "index.json").read_text())
    (board,) = index["boards"]
    assert (board["release"], board["split"], board["entries"]) == ("pairs", "test", 4)
    assert board["standing"] == Standing.objects.all()[0].digest
    for suffix in ("csv", "json"):
        name = f"pairs-test.{suffix}"
        content = (folder / name).read_bytes()
        assert content == visitor.get(f"{BOARD}/entries.{suffix}").content
        assert board["files"][name] == sha256(content).hexdigest()
    Release.objects.update(state=Release.State.DRAFT)
    call_command("export_boards", str(folder))
    assert [one.name for one in folder.iterdir()] == ["index.json"]


def test_all_boards_are_written_every_night(
    visitor: APIClient, entries: dict[str, str], settings: Settings, tmp_path: Path
) -> None:
    settings.BOARD_EXPORTS = tmp_path / "boards"
    (nightly,) = (one for one in settings.CELERY_BEAT_SCHEDULE.values() if "export" in one["task"])
    assert nightly["schedule"] == crontab(hour=2, minute=30)
    for _ in range(2):  # delivered twice
        current_app.tasks[nightly["task"]]()
    written = (settings.BOARD_EXPORTS / "pairs-test.csv").read_bytes()
    assert written == visitor.get(f"{BOARD}/entries.csv").content


def test_a_standing_of_an_earlier_version_is_a_table_without_reasons(
    visitor: APIClient, entries: dict[str, str]
) -> None:
    for row in StandingRow.objects.all():
        del row.content["interval_reasons"]
        row.save()
    (head, *rows) = csv.reader(io.StringIO(visitor.get(f"{BOARD}/entries.csv").content.decode()))
    places = [at for at, name in enumerate(head) if name.endswith(" interval")]
    assert places and len(rows) == 4
    assert {row[at] for row in rows for at in places} == {""}


def test_an_empty_board_is_a_table_of_columns(visitor: APIClient, release: Release) -> None:
    text = visitor.get(f"{BOARD}/entries.csv").content.decode()
    assert len(text.splitlines()) == 1
    assert text.startswith("model,model_slug,")
