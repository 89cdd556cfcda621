"""Runs whose endpoint an administrator changes while they answer items."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from backend.benchmarks.models import Release
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.attempt_scores import find_attempts
from backend.evaluation.runs.overview import read_overview
from backend.evaluation.runs.run_answers import list_answers
from backend.evaluation.runs.run_costs import read_cost
from backend.evaluation.runs.services import resume_run, start_run
from backend.jobs.runner import run_job
from backend.llm.models import Budget, Call, Endpoint, Exchange
from tests.evaluation.model_runs import file_of, new_run, skilled, work
from tests.evaluation.truthhypo_files import pair_of
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.personas import make_person

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = replace(QUICK, check_s=0.0)


def work_until(
    release: Release, server: ScriptedServer, change: Callable[[], object]
) -> tuple[Run, int]:
    """The run after the change, which is made once a third of the items is sent. The run looks
    twice a second: the other items last longer."""
    skill = skilled(release, 1.0)
    server.script = lambda body, number: replace(skill(body, number), delay_s=0.1)
    run = work(new_run(release, make_endpoint(server.url, max_in_flight=2)))
    run = start_run(run=run, budget=Decimal(1))
    assert run.job is not None
    changed: list[int] = []

    def change_once(phase: str, share: float) -> None:
        if len(server.log) >= 10 and not changed:
            changed.append(len(server.log))
            change()

    run_job(run.job.pk, on_progress=change_once, inputs={"rules": AT_ONCE})
    run.refresh_from_db()
    return run, len(server.log)


def test_a_new_price_pauses_a_run_which_then_goes_on_at_that_price(
    release: Release, server: ScriptedServer
) -> None:
    run, sent = work_until(release, server, lambda: Endpoint.objects.update(price_in=Decimal(3)))
    assert run.state == RunState.PAUSED and run.error is not None
    assert run.error["code"] == "USER_PRICE_CHANGED" and "has changed" in run.error["detail"]
    assert sent < 60
    assert not Call.objects.exclude(outcome="answered").exists()
    run = work(resume_run(run=Run.objects.get(pk=run.pk)))
    assert run.state == RunState.ENDED and len(server.log) == 60
    endpoint = Endpoint.objects.get()
    last = Call.objects.latest("started_at")
    assert last.cost == endpoint.cost(last.reported_in or 0, last.reported_out or 0)
    budget = Budget.objects.get()
    assert budget.spent == sum((one.cost for one in Call.objects.all()), Decimal(0))


def test_a_retired_endpoint_pauses_a_run_with_the_reason(
    release: Release, server: ScriptedServer
) -> None:
    run, sent = work_until(
        release, server, lambda: Endpoint.objects.update(retired_at=timezone.now())
    )
    assert run.state == RunState.PAUSED and run.error is not None
    assert run.error["code"] == "USER_ENDPOINT_RETIRED"
    assert sent < 60 and not Call.objects.filter(state=Call.State.RESERVED).exists()


def test_a_price_that_changed_after_the_estimate_pauses_the_run_once(
    release: Release, server: ScriptedServer
) -> None:
    server.script = skilled(release, 1.0)
    run = work(new_run(release, make_endpoint(server.url)))
    Endpoint.objects.update(price_out=Decimal(9))
    run = work(start_run(run=Run.objects.get(pk=run.pk), budget=Decimal(1)))
    assert run.state == RunState.PAUSED and run.error is not None
    assert run.error["code"] == "USER_PRICE_CHANGED" and len(server.log) == 5
    run = work(resume_run(run=Run.objects.get(pk=run.pk)))
    assert run.state == RunState.ENDED and len(server.log) == 60


@pytest.mark.parametrize("status", [401, 402])
def test_an_endpoint_that_refuses_access_pauses_a_run_at_once_and_nothing_is_submitted(
    release: Release, server: ScriptedServer, status: int
) -> None:
    """Near the end, where its refusals are fewer than the faults that count as a failure."""
    skill = skilled(release, 1.0)

    def script(body: dict[str, Any], number: int) -> Scripted:
        is_refused = len(server.log) > 50
        return Scripted(status=status, error="no credit") if is_refused else skill(body, number)

    server.script = skill
    run = work(new_run(release, make_endpoint(server.url, max_in_flight=2)))
    server.script = script
    run = work(start_run(run=run, budget=Decimal(1)))
    assert run.state == RunState.PAUSED and run.error is not None
    assert run.error["code"] == "USER_ENDPOINT_FAILS" and "no credit" in run.error["detail"]
    assert len(server.log) <= 54 and not run.submissions.exists()
    server.script = skill
    run = work(resume_run(run=run))
    assert run.state == RunState.ENDED
    assert len(file_of(run.submissions.get()).splitlines()) == 60


def test_an_endpoint_that_rejects_one_request_after_another_pauses_a_run(
    release: Release, server: ScriptedServer
) -> None:
    skill = skilled(release, 1.0)
    server.script = skill
    run = work(new_run(release, make_endpoint(server.url, max_in_flight=2)))
    server.script = lambda body, number: Scripted(status=404, error="no such model")
    run = work(start_run(run=run, budget=Decimal(1)))
    assert run.state == RunState.PAUSED and run.error is not None
    assert "no such model" in run.error["detail"] and len(server.log) < 60


def test_single_rejected_items_are_failures_of_a_run_that_ends(
    release: Release, server: ScriptedServer
) -> None:
    skill = skilled(release, 1.0)

    def script(body: dict[str, Any], number: int) -> Scripted:
        is_long = int(pair_of(body).removeprefix("Chemical|C")) % 20 == 7
        return Scripted(status=400, error="too long") if is_long else skill(body, number)

    server.script = script
    run = work(new_run(release, make_endpoint(server.url)))
    run = work(start_run(run=run, budget=Decimal(1)))
    assert run.state == RunState.ENDED
    assert {one["outcome"] for one in run.failures.values()} == {"rejected"}
    assert len(file_of(run.submissions.get()).splitlines()) == 57
    # Each shows what was requested, and what its attempts cost.
    attempts = Call.objects.filter(budget__subject=run.subject, item_key__in=run.failures)
    attempts.update(cost=Decimal("0.25"))
    reader = make_person("amara", is_administrator=True).user
    page = list_answers(reader, run, outcome="rejected", text="", after="", limit=10)
    assert len(page.answers) == 3
    for one in page.answers:
        assert one["item_key"].split(", ")[0] in one["messages"][-1]["content"]
        assert (one["cost"], one["is_retried"]) == ("0.250000", False)


def test_a_run_pauses_where_answers_ignore_the_limit_of_tokens_and_states_it(
    release: Release, server: ScriptedServer
) -> None:
    skill = skilled(release, 1.0)
    server.script = skill
    run = work(new_run(release, make_endpoint(server.url, max_in_flight=2)))
    server.script = lambda body, number: replace(skill(body, number), reasoning_tokens=100_000)
    run = work(start_run(run=run, budget=Decimal(2)))
    assert run.state == RunState.PAUSED and run.error is not None
    assert run.error["code"] == "USER_LIMIT_IGNORED" and "limit of tokens" in run.error["detail"]
    assert len(server.log) <= 10 and read_overview(run).flags.counts["over_limit"] >= 1
    budget = Budget.objects.get()
    assert budget.spent == sum((one.cost for one in Call.objects.all()), Decimal(0))
    assert budget.spent <= budget.amount


def test_a_run_and_its_entry_say_that_another_model_answered_and_miscounted_tokens(
    release: Release, server: ScriptedServer
) -> None:
    skill = skilled(release, 1.0)
    server.script = lambda body, number: replace(skill(body, number), model="tiny-2", lie=5.0)
    run = work(new_run(release, make_endpoint(server.url)))
    run = work(start_run(run=run, budget=Decimal(1_000)))
    flags = read_overview(run).flags
    assert flags.counts == {"model_name": 60, "token_count": 60}
    assert flags.models == ["tiny-2"]
    declared = run.submissions.get().declared["run"]
    assert (declared["flags"], declared["models_returned"]) == (flags.counts, ["tiny-2"])
    settings = {"temperature": 0.0, "max_items": None, "split": "", "sample": 0}
    assert declared["settings"] == settings


def test_a_resumed_run_counts_each_item_once_after_another_model_is_behind_the_endpoint(
    release: Release, server: ScriptedServer
) -> None:
    """One of the items that the first model answered fails with the second."""
    run, sent = work_until(release, server, lambda: Endpoint.objects.update(cache_epoch=1))
    assert run.state == RunState.PAUSED and run.error is not None
    assert run.error["code"] == "USER_MODEL_CHANGED" and sent < 60
    Exchange.objects.update(model_returned="old-1", flags=["model_name"], is_retried=True)
    failing, skill = pair_of(server.log[0].body), skilled(release, 1.0)

    def script(body: dict[str, Any], number: int) -> Scripted:
        is_long = pair_of(body) == failing
        return Scripted(status=400, error="too long") if is_long else skill(body, number)

    server.script = script
    run = work(resume_run(run=Run.objects.get(pk=run.pk)))
    assert run.state == RunState.ENDED and len(server.log) == sent + 60
    page = read_overview(run)
    assert page.outcomes == {"answered": 59, "rejected": 1}
    figures = {name: page.progress[name] for name in ("done", "failed", "retried", "left")}
    assert figures == {"done": 60, "failed": 1, "retried": 0, "left": 0}
    declared = run.submissions.get().declared["run"]
    for models in (page.flags.models, declared["models_returned"]):
        assert "scripted-1" in models
    assert find_attempts(run, "test", 60)["retried"].sum() == 1  # of the failed item
    reader = make_person("amara", is_administrator=True).user
    answers = list_answers(reader, run, outcome="", text="", after="", limit=100).answers
    assert Counter(one["outcome"] for one in answers) == page.outcomes
    # What the first model was paid stays paid.
    assert Decimal(page.cost) == Decimal(declared["cost"]) == Budget.objects.get().spent
    assert read_cost(run).calls == Call.objects.count() == sent + 60
