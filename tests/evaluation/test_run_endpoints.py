"""Runs whose endpoint an administrator changes while they answer items."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from django.utils import timezone

from backend.benchmarks.models import Release
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.services import resume_run, start_run
from backend.jobs.runner import run_job
from backend.llm.models import Budget, Call, Endpoint
from tests.evaluation.model_runs import new_run, skilled, work
from tests.evaluation.releases import open_pairs
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = replace(QUICK, check_s=0.0)


@pytest.fixture
def pairs(transactional_db: None, tmp_path: Path) -> Release:
    return open_pairs(tmp_path)


def work_until(
    pairs: Release, server: ScriptedServer, change: Callable[[], object]
) -> tuple[Run, int]:
    """The run after the change, which is made once a third of the items is sent. The run looks
    twice a second: the other items last longer."""
    skill = skilled(pairs, 1.0)
    server.script = lambda body, number: replace(skill(body, number), delay_s=0.1)
    run = work(new_run(pairs, make_endpoint(server.url, max_in_flight=2)))
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
    pairs: Release, server: ScriptedServer
) -> None:
    run, sent = work_until(pairs, server, lambda: Endpoint.objects.update(price_in=Decimal(3)))
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
    pairs: Release, server: ScriptedServer
) -> None:
    run, sent = work_until(
        pairs, server, lambda: Endpoint.objects.update(retired_at=timezone.now())
    )
    assert run.state == RunState.PAUSED and run.error is not None
    assert run.error["code"] == "USER_ENDPOINT_RETIRED"
    assert sent < 60 and not Call.objects.filter(state=Call.State.RESERVED).exists()


def test_a_price_that_changed_after_the_estimate_pauses_the_run_once(
    pairs: Release, server: ScriptedServer
) -> None:
    server.script = skilled(pairs, 1.0)
    run = work(new_run(pairs, make_endpoint(server.url)))
    Endpoint.objects.update(price_out=Decimal(9))
    run = work(start_run(run=Run.objects.get(pk=run.pk), budget=Decimal(1)))
    assert run.state == RunState.PAUSED and run.error is not None
    assert run.error["code"] == "USER_PRICE_CHANGED" and len(server.log) == 5
    run = work(resume_run(run=Run.objects.get(pk=run.pk)))
    assert run.state == RunState.ENDED and len(server.log) == 60
