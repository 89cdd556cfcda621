"""What a run may cost is estimated alike from calls, from the cache, and after failures."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from pytest_django import Settings

from backend.benchmarks.models import Release
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.estimates import sample_allowance
from backend.evaluation.runs.execution import allow_sample
from backend.evaluation.runs.item_pass import ItemPass
from backend.evaluation.runs.release_tasks import get_task_or_raise
from backend.evaluation.runs.run_items import select_items
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.services import resume_run, start_run
from backend.llm.models import Budget, CachedAnswer, Call
from backend.tracks.model_tasks import ModelTask
from tests.evaluation.model_runs import new_run, skilled, work
from tests.evaluation.truthhypo_files import pair_of
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)


def check_sums() -> None:
    budget = Budget.objects.get()
    costs = sum((one.cost for one in Call.objects.all()), Decimal(0))
    assert budget.spent == costs <= budget.amount and budget.reserved == 0


def test_a_sample_from_the_cache_has_the_worst_cost_and_the_time_of_its_calls(
    release: Release, server: ScriptedServer
) -> None:
    right = skilled(release, 1.0)
    server.script = lambda body, number: replace(right(body, number), delay_s=0.1)
    endpoint = make_endpoint(server.url, max_in_flight=2)
    first, second = (work(new_run(release, endpoint)) for _ in range(2))
    assert CachedAnswer.objects.count() == len(server.log) == 5
    assert first.estimate is not None and second.estimate is not None
    assert Decimal(second.estimate["worst_cost"]) == Decimal(first.estimate["worst_cost"]) > 0
    assert second.estimate["cost"] == first.estimate["cost"]
    assert second.estimate["seconds"] >= 60 * 0.1 / 2
    largest = max(Call.objects.values_list("reserved", flat=True))
    assert Decimal(first.estimate["worst_cost"]) >= 2 * largest * 60


@pytest.mark.parametrize("text", ["I cannot write JSON. " * 20, ""], ids=["text", "empty"])
def test_a_run_whose_items_all_need_a_repair_costs_no_more_than_the_worst(
    release: Release, server: ScriptedServer, text: str
) -> None:
    right = skilled(release, 1.0)

    def answer_second(body: dict[str, Any], number: int) -> Scripted:
        is_first = len(body["messages"]) == 2 and number == 1
        return Scripted(text=text) if is_first else right(body, number)

    server.script = answer_second
    run = work(new_run(release, make_endpoint(server.url)))
    assert run.estimate is not None
    run = work(start_run(run=run, budget=Decimal(run.estimate["worst_cost"])))
    assert run.state == RunState.ENDED
    assert len(server.log) == 2 * 60
    check_sums()


def test_an_estimate_that_failed_often_is_made_once_the_endpoint_answers(
    release: Release, server: ScriptedServer
) -> None:
    """Each attempt is charged at its worst case, and leaves nothing for the next one."""
    server.script = lambda body, number: Scripted(status=502)
    run = work(new_run(release, make_endpoint(server.url)))
    for _ in range(3):
        assert run.state == RunState.FAILED and run.error is not None
        assert run.error["code"] == "USER_ENDPOINT_FAILS"
        run = work(resume_run(run=run))
    server.script = skilled(release, 1.0)
    assert work(resume_run(run=run)).state == RunState.ESTIMATED
    check_sums()


def test_the_sample_may_be_answered_anew_once_another_model_is_behind_the_endpoint(
    release: Release, server: ScriptedServer
) -> None:
    server.script = skilled(release, 1.0)
    run = work(new_run(release, make_endpoint(server.url)))
    task = get_task_or_raise(run.release, run.task)
    assert isinstance(task, ModelTask)
    selected = select_items(run.release, task, RunSettings.model_validate(run.settings))
    budget, before = Budget.objects.get(), Budget.objects.get()
    for epoch, is_raised in ((0, False), (1, True)):
        run.endpoint.cache_epoch = epoch
        one_pass = ItemPass(run, task, budget, lambda done: True)
        requests = [one for _, one in one_pass.requests(selected.sample)]
        allow_sample(run, budget, requests, QUICK)
        budget.refresh_from_db()
        assert (budget.amount > before.amount) == is_raised
    needed = sample_allowance(run.endpoint, requests, QUICK)
    assert needed > 0 and budget.amount == budget.spent + needed


def test_a_sample_item_that_failed_alone_is_answered_by_the_next_attempt(
    release: Release, server: ScriptedServer
) -> None:
    right = skilled(release, 1.0)
    failing: list[str] = []

    def fail_first(body: dict[str, Any], number: int) -> Scripted:
        failing.append(pair_of(body))
        return Scripted(status=500) if pair_of(body) == failing[0] else right(body, number)

    server.script = fail_first
    run = work(new_run(release, make_endpoint(server.url)))
    assert run.state == RunState.ESTIMATED  # from the four others
    server.script = right
    run = work(start_run(run=run, budget=Decimal(1)))
    assert (run.state, run.failures) == (RunState.ENDED, {})
    check_sums()


def test_an_estimate_whose_allowance_is_used_up_states_that(
    release: Release, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = skilled(release, 1.0)
    run = new_run(release, make_endpoint(server.url))
    place = "backend.evaluation.runs.execution.sample_allowance"
    monkeypatch.setattr(place, lambda *_: Decimal("0.000001"))
    run = work(run)
    assert run.state == RunState.FAILED and run.error is not None
    assert run.error["code"] == "USER_BUDGET_EXHAUSTED"
    monkeypatch.undo()
    assert work(resume_run(run=run)).state == RunState.ESTIMATED


def test_an_older_run_with_a_setting_that_its_task_does_not_use_goes_on_without_it(
    release: Release, server: ScriptedServer
) -> None:
    server.script = skilled(release, 1.0)
    run = work(new_run(release, make_endpoint(server.url)))
    stored = {**run.settings, "papers": "of-another-task", "cutoff": 1_999, "ranker": "vss"}
    Run.objects.filter(pk=run.pk).update(state=RunState.PAUSED, settings=stored)
    run = work(resume_run(run=run, budget=Decimal(1)))
    assert (run.state, run.failures) == (RunState.ENDED, {})
    assert run.settings == stored
    check_sums()


def test_the_sample_of_an_estimate_is_within_the_limit_of_a_person(
    release: Release, researcher: Person, settings: Settings
) -> None:
    """Its worst case is known once its requests are, which is after the run was made."""
    settings.RUN_DOLLARS_PER_PERSON = 1
    endpoint = make_endpoint("http://127.0.0.1:9/v1", usable_by="everyone", price_in=Decimal(1_000))
    run = work(new_run(release, endpoint, actor=researcher.user))
    assert run.state == RunState.FAILED and run.error is not None
    assert run.error["code"] == "USER_DOLLARS_OF_PERSON"
    assert Budget.objects.get().amount == 0 and not Call.objects.exists()
    settings.RUN_DOLLARS_PER_PERSON = 1_000
    run = work(resume_run(run=run))
    assert run.error is not None and run.error["code"] == "USER_ENDPOINT_FAILS"
    assert 1 < Budget.objects.get().amount < 1_000
