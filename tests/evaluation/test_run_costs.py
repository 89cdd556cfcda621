"""The entry, the page and the table state the same tokens and dollars of a run."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from backend.benchmarks.models import Release
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.model_costs import group_costs
from backend.evaluation.runs.overview import read_overview
from backend.evaluation.runs.run_costs import read_cost
from backend.evaluation.runs.services import resume_run, start_run
from backend.jobs.runner import run_job
from backend.llm.calls import Flag
from backend.llm.models import Budget, Call, Endpoint, Exchange
from tests.evaluation.model_runs import new_run, skilled, work
from tests.evaluation.truthhypo_files import pair_of
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Script, Scripted, ScriptedServer
from tests.personas import Person

pytestmark = pytest.mark.django_db(transaction=True)
Figures = tuple[int, int, Decimal]


def number_of(body: dict[str, Any]) -> int:
    return int(pair_of(body).removeprefix("Chemical|C"))


def with_repairs(right: Script) -> Script:
    """A third of the pairs is answered at the second call, which is paid for as well; one in four
    of the counts of tokens is a lie."""

    def script(body: dict[str, Any], number: int) -> Scripted:
        if number_of(body) % 3 == 0 and len(body["messages"]) == 2:
            return Scripted(text='{"label": "a label of nobody"}')
        return right(body, number)

    return script


def stopped_at(share: int, server: ScriptedServer, run: Run) -> Run:
    def pause(phase: str, done: float) -> None:
        if len(server.log) >= share:
            Run.objects.filter(pk=run.pk, state=RunState.RUNNING).update(state=RunState.PAUSED)

    assert run.job is not None
    run_job(run.job.pk, on_progress=pause, inputs={"rules": QUICK})
    run.refresh_from_db()
    assert run.state == RunState.PAUSED
    return run


def from_ledger(run: Run, endpoint: Endpoint) -> Figures:
    """Row by row, in Python."""
    tokens_in = tokens_out = 0
    cost = Decimal(0)
    for call in Call.objects.filter(budget__subject=run.subject, state="settled"):
        is_own = Flag.TOKEN_COUNT in call.flags
        reported_in, reported_out = call.reported_in or 0, call.reported_out or 0
        tokens_in += max(reported_in, call.own_in) if is_own else reported_in
        tokens_out += max(reported_out, call.own_out) if is_own else reported_out
        cost += call.cost
    for row in Exchange.objects.filter(budget__subject=run.subject, is_cached=True):
        tokens_in, tokens_out = tokens_in + row.tokens_in, tokens_out + row.tokens_out
        cost += endpoint.cost(row.tokens_in, row.tokens_out)
    return tokens_in, tokens_out, cost


def stated(run: Run) -> dict[str, Figures]:
    declared = [one.declared["run"] for one in run.submissions.all()]
    page = read_overview(run)
    [row] = group_costs([run])
    return {
        "entry": (
            sum(one["tokens_in"] for one in declared),
            sum(one["tokens_out"] for one in declared),
            sum((Decimal(one["cost"]) for one in declared), Decimal(0)),
        ),
        "page": (page.tokens["in"], page.tokens["out"], Decimal(page.cost)),
        "table": (row.total.tokens_in, row.total.tokens_out, round(row.total.cost, 6)),
    }


def test_entry_page_and_table_agree_after_a_resume_with_repairs_and_cached_answers(
    release: Release, server: ScriptedServer
) -> None:
    server.script = with_repairs(skilled(release, 1.0))
    endpoint = make_endpoint(server.url, max_in_flight=2)
    other = work(new_run(release, endpoint, max_items=20))
    other = work(start_run(run=other, budget=Decimal(1)))
    assert other.state == RunState.ENDED

    run = work(new_run(release, endpoint))
    before = len(server.log)
    run = stopped_at(before + 15, server, start_run(run=run, budget=Decimal(1)))
    run = work(resume_run(run=run))
    assert run.state == RunState.ENDED
    assert Exchange.objects.filter(budget__subject=run.subject, is_cached=True).count() == 20
    assert Exchange.objects.filter(budget__subject=run.subject, is_retried=True).exists()

    tokens_in, tokens_out, cost = from_ledger(run, endpoint)
    expected = (tokens_in, tokens_out, round(cost, 6))
    assert stated(run) == {"entry": expected, "page": expected, "table": expected}
    assert read_cost(run).cost > Budget.objects.get(subject=run.subject).spent


def test_without_the_cache_the_figures_are_those_of_the_server(
    release: Release, server: ScriptedServer
) -> None:
    server.script = with_repairs(skilled(release, 1.0))
    run = work(new_run(release, make_endpoint(server.url)))
    run = work(start_run(run=run, budget=Decimal(1)))
    figures = stated(run)["entry"]
    assert figures[:2] == (
        sum(one.tokens_in for one in server.log),
        sum(one.tokens_out for one in server.log),
    )
    assert figures[2] == Budget.objects.get(subject=run.subject).spent
    assert stated(run)["page"] == stated(run)["table"] == figures


def as_listed(row: dict[str, Any]) -> Figures:
    return row["tokens_in"], row["tokens_out"], Decimal(row["cost"])


@pytest.mark.parametrize(
    ("lie", "reasoning"), [(0.1, 0), (3.0, 0), (0.5, 40)], ids=["low", "high", "hidden"]
)
def test_flagged_calls_have_the_tokens_that_were_charged_wherever_costs_are_stated(
    release: Release,
    server: ScriptedServer,
    researcher: Person,
    administrator: Person,
    lie: float,
    reasoning: int,
) -> None:
    """Of two counts the larger is charged; reasoning adds to the text, whose count is a lie."""
    right = skilled(release, 1.0)

    def script(body: dict[str, Any], number: int) -> Scripted:
        return replace(right(body, number), lie=lie, reasoning_tokens=reasoning)

    server.script = script
    endpoint = make_endpoint(server.url, usable_by="everyone")
    run = work(new_run(release, endpoint, actor=researcher.user))
    run = work(start_run(run=run, budget=Decimal(1)))
    calls = Call.objects.filter(budget__subject=run.subject)
    assert all(Flag.TOKEN_COUNT in one.flags for one in calls)
    charged = Exchange.objects.filter(budget__subject=run.subject)
    expected = (
        sum(one.tokens_in for one in charged),
        sum(one.tokens_out for one in charged),
        sum((one.cost for one in charged), Decimal(0)),
    )
    assert endpoint.cost(*expected[:2]) == expected[2]
    [costs] = researcher.browser.get("/api/v1/model-costs?own=true").json()["results"]
    [spending] = administrator.browser.get("/api/v1/model-spending").json()["results"]
    assert as_listed(costs) == as_listed(spending) == expected
    assert stated(run) == {"entry": expected, "page": expected, "table": expected}


def test_costs_of_many_runs_take_as_many_queries_as_those_of_one(
    release: Release,
    server: ScriptedServer,
    django_assert_num_queries: Callable[[int], Any],
) -> None:
    endpoint = make_endpoint(server.url)
    for _ in range(5):
        new_run(release, endpoint)
    runs = [*Run.objects.select_related("release", "endpoint")]
    for chosen in (runs[:1], runs):
        with django_assert_num_queries(2):
            group_costs(chosen)


def test_costs_of_ended_runs_are_summed_up_once_for_each_price(
    release: Release,
    server: ScriptedServer,
    django_assert_num_queries: Callable[[int], Any],
) -> None:
    server.script = skilled(release, 1.0)
    endpoint = make_endpoint(server.url)
    for _ in range(2):  # the second from the cache of answers
        work(start_run(run=work(new_run(release, endpoint)), budget=Decimal(1)))
    runs = Run.objects.select_related("release", "endpoint")
    [first] = group_costs(runs.all())
    with django_assert_num_queries(1):
        assert group_costs(runs.all()) == [first]
    Endpoint.objects.update(price_in=Decimal(3))
    [dearer] = group_costs(runs.all())
    assert (dearer.runs, dearer.total.cost > first.total.cost) == (2, True)
    Run.objects.update(state=RunState.PAUSED)
    with django_assert_num_queries(3):
        assert group_costs(runs.all()) == [dearer]


def test_the_page_counts_the_latest_runs_and_its_files_all(
    release: Release, server: ScriptedServer, researcher: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.evaluation.api.runs.MOST_RUNS", 2)
    endpoint = make_endpoint(server.url)
    for _ in range(3):
        new_run(release, endpoint)
    Run.objects.update(owner=researcher.user)

    def count(path: str) -> int:
        [row] = researcher.browser.get(f"/api/v1/{path}?own=true").json()["results"]
        return int(row["runs"])

    assert (count("model-costs"), count("model-costs.json")) == (2, 3)
