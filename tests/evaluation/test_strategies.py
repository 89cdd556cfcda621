"""Strategies of guided exploration beside each other: who is listed, and what is computed."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.utils import timezone
from pytest_django.plugin import DjangoDbBlocker
from rest_framework.test import APIClient

from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.evaluation.baselines import open_baselines
from backend.evaluation.component_files import load_components
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.services import NewRun, create_run
from backend.evaluation.services import get_job
from backend.leaderboard.comparisons import compare_evaluations
from backend.llm.models import Endpoint
from backend.tracks.serenqa_exploration.track import ITEMS, TYPE_SHARE
from tests.evaluation.exploration_releases import make_exploration_release
from tests.evaluation.guided_runs import GUIDED, play_to_end
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.played_runs import committed_data
from tests.evaluation.rule_player import RulePlayer
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer
from tests.saved_rows import SavedRows

pytestmark = pytest.mark.django_db(transaction=True)
WIDE: Mapping[str, Any] = {"width": 12, "edges": 30, "relations": 6}
NARROW: Mapping[str, Any] = {"width": 2, "edges": 4, "relations": 1, "without_summaries": True}
SAMPLE: Mapping[str, Any] = {**WIDE, "max_items": 6}
LAST = slice(36, None)
"""Demo questions, of which the masked graph leaves some out."""
STRATEGIES = {"Wide": WIDE, "Narrow": NARROW, "A sample": SAMPLE}


def play(masked: MaskedRelease, endpoint: Endpoint, name: str, settings: Mapping[str, Any]) -> None:
    chosen = RunSettings(depth=1, split="dev", **settings)
    model = get_or_create_model(name)
    new = NewRun(masked.release, endpoint, GUIDED, model, chosen)
    run = play_to_end(create_run(actor=None, new=new))
    assert run.state == RunState.ENDED, run.error
    for submission in run.submissions.all():
        run_or_await(get_job(submission))


@pytest.fixture(scope="module")
def saved_rows(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> SavedRows:
    with committed_data(django_db_blocker):
        masked = make_exploration_release(tmp_path_factory.mktemp("release"), questions=LAST)
        with ScriptedServer(RulePlayer(nodes=12, relations=6)) as server:
            endpoint = make_endpoint(server.url, max_in_flight=4, may_publish=True)
            for name, settings in STRATEGIES.items():
                play(masked, endpoint, name, settings)
        for name in ("degree", "rns-beam"):
            with open_baselines(masked.release, is_local=True) as runs:
                _, job = runs.run(name, ReleaseSplit.DEV)
            run_or_await(job)
        return SavedRows.of_database()


@pytest.fixture(autouse=True)
def rows(saved_rows: SavedRows, transactional_db: None) -> None:
    saved_rows.restore()


def read_table(**query: str) -> Any:
    answer = APIClient().get("/api/v1/boards/exploration/strategies", {"split": "dev", **query})
    assert answer.status_code == 200, answer.content
    return answer.json()


def names(table: Any) -> set[str]:
    return {one["name"] for one in table["strategies"]}


def test_runs_and_baselines_stand_beside_the_rns_beam_and_no_sample() -> None:
    table = read_table()
    assert names(table) == {"Wide", "Narrow", "Baseline: degree", "Baseline: rns beam"}
    by_name = {one["name"]: one for one in table["strategies"]}
    assert table["reference"] == by_name["Baseline: rns beam"]["submission"]
    assert by_name["Baseline: rns beam"]["difference"] is None
    assert by_name["Baseline: degree"]["beam"] is None
    assert by_name["Narrow"]["beam"] == {
        "relations": 1,
        "edges": 4,
        "width": 2,
        "depth": 1,
        "has_summaries": False,
        "has_weights": True,
    }
    assert by_name["Wide"]["answered_by"] == Endpoint.objects.get().model
    values = [one["score"]["value"] for one in table["strategies"]]
    assert values == sorted(values, reverse=True)


def test_each_difference_is_that_of_the_board_and_p_is_corrected_over_the_table() -> None:
    release = Run.objects.all()[0].release
    table = read_table(metric="type_match_share")
    evaluations = {
        str(one.pk): one.evaluation for one in Submission.objects.select_related("evaluation")
    }
    reference = evaluations[table["reference"]]
    assert reference is not None
    shown = [one for one in table["strategies"] if one["difference"]]
    for one in shown:
        evaluation = evaluations[one["submission"]]
        assert evaluation is not None
        overall = compare_evaluations(release, table["metric"], evaluation, reference)[0]
        assert overall.slice == "all"
        paired = one["difference"]
        assert paired["difference"] == pytest.approx(overall.difference)
        assert (paired["low"], paired["high"]) == (
            pytest.approx(overall.low),
            pytest.approx(overall.high),
        )
        assert paired["p"] == pytest.approx(overall.p)
        rows = [load_components(it.key) for it in (evaluation, reference)]
        is_counted = rows[0][:, ITEMS] == 1  # not of a question that the masked graph leaves out
        assert 0 < is_counted.sum() < len(is_counted)
        shares = [one[is_counted, TYPE_SHARE] for one in rows]
        assert paired["difference"] == pytest.approx(float(np.mean(shares[0] - shares[1])))
    ordered = sorted(shown, key=lambda one: one["difference"]["p"])
    largest = 0.0
    for left, one in zip(range(len(ordered), 0, -1), ordered, strict=True):
        largest = max(largest, min(1.0, left * one["difference"]["p"]))
        assert one["difference"]["p_adjusted"] == pytest.approx(largest)
    assert any(one["difference"]["difference"] != 0 for one in shown)


def test_another_reference_negates_the_difference() -> None:
    by_name = {one["name"]: one for one in read_table(metric="type_match_share")["strategies"]}
    wide = by_name["Wide"]["difference"]["difference"]
    other = read_table(metric="type_match_share", reference=by_name["Wide"]["submission"])
    turned = {one["name"]: one for one in other["strategies"]}
    assert turned["Baseline: rns beam"]["difference"]["difference"] == pytest.approx(-wide)
    assert turned["Wide"]["difference"] is None


def test_a_run_that_may_not_be_published_and_an_anonymous_entry_are_in_no_table() -> None:
    Submission.objects.filter(model__name="Narrow").update(
        anonymous_until=timezone.now() + timedelta(days=3)
    )
    assert "Narrow" not in names(read_table())
    Submission.objects.filter(model__name="Narrow").update(anonymous_until=timezone.now())
    assert "Narrow" in names(read_table())  # it has its name since
    Endpoint.objects.update(may_publish=False)
    assert read_table()["strategies"] == []  # baselines alone are no comparison


def test_an_unknown_metric_or_reference_is_refused() -> None:
    path = "/api/v1/boards/exploration/strategies?split=dev"
    assert APIClient().get(f"{path}&metric=speed").status_code == 422
    unknown = APIClient().get(f"{path}&reference=00000000-0000-0000-0000-000000000000")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "no_strategy")
    assert read_table(split="test")["strategies"] == []
