"""Runs from an endpoint to the board: scored, within the budget, paused, resumed and killed."""

import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import Release
from backend.evaluation.models import Submission
from backend.evaluation.run_models import Run
from backend.llm.models import Budget
from tests.evaluation.model_runs import PARAMETRIC, item_count, skilled
from tests.evaluation.releases import open_pairs
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pairs(transactional_db: None, tmp_path: Path) -> Release:
    return open_pairs(tmp_path)


def run_command(*arguments: object) -> Any:
    out = io.StringIO()
    call_command("run_model", *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def test_a_command_asks_about_all_items_and_submits_what_was_answered(
    pairs: Release, server: ScriptedServer
) -> None:
    server.script = skilled(pairs, 1.0)
    make_endpoint(server.url, parameters=135_000_000)
    options = ("pairs", "--endpoint", "scripted", "--task", PARAMETRIC)
    result = run_command(*options, "--budget", "1")
    assert result["state"] == "ended"
    [submitted] = result["submissions"]
    accuracy = next(one for one in submitted["scores"] if one["slice"] == "average")
    assert (accuracy["metric"], accuracy["value"]) == ("relation_accuracy", 100.0)
    assert len(server.log) == item_count(pairs) == 60
    submission = Submission.objects.get()
    declared = submission.declared
    assert declared["run"]["prompt"] == {"name": PARAMETRIC, "version": "1"}
    assert "135-million-parameter model" in declared["notes"]
    assert (declared["run"]["items"], declared["run"]["answered"]) == (60, 60)
    cost = sum(
        (Decimal(one.tokens_in) + 2 * Decimal(one.tokens_out) for one in server.log), Decimal(0)
    )
    assert declared["cost_usd"] == pytest.approx(float(cost / 1_000_000))
    assert Budget.objects.get().spent == cost / 1_000_000


def test_without_a_budget_five_items_are_asked_and_the_rest_after_it_is_given(
    pairs: Release, server: ScriptedServer
) -> None:
    server.script = skilled(pairs, 1.0)
    make_endpoint(server.url)
    options = ("pairs", "--endpoint", "scripted", "--task", PARAMETRIC)
    result = run_command(*options)
    assert result["state"] == "estimated"
    assert len(server.log) == result["estimate"]["sampled"] == 5
    result = run_command(*options, "--resume", "--budget", "0.5")
    assert (result["state"], len(server.log)) == ("ended", 60)
    assert Run.objects.count() == 1
