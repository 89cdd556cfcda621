"""Faults between the ledger and its database, and items whose requests are equal."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import psycopg
import pytest
from django.db import OperationalError

from backend.llm import ledger_writer
from backend.llm.calls import ModelAnswer, ModelRequest, Outcome
from backend.llm.client import ModelSession
from backend.llm.ledger import Opening, open_calls, settle_dead_processes
from backend.llm.ledger_writer import Work
from backend.llm.models import Budget, Call, Exchange
from tests.llm.factories import COMMITTED, QUICK, SHORT, make_budget, make_endpoint, make_request
from tests.llm.scripted_server import Scripted, ScriptedServer, scripts
from tests.llm.sessions import LONGEST_S, complete

pytestmark = COMMITTED


def lose_confirmation(
    monkeypatch: pytest.MonkeyPatch, work: Work, meanwhile: Callable[[], object] = lambda: None
) -> list[int]:
    """The first commit of this kind succeeds, and the connection breaks before that is known."""
    lost: list[int] = []
    function = ledger_writer.FUNCTIONS[work]

    def commit_and_break(arguments: Any) -> Any:
        result = function(arguments)
        if not lost:
            lost.append(len(arguments))
            meanwhile()
            raise OperationalError("server closed the connection unexpectedly")
        return result

    monkeypatch.setitem(ledger_writer.FUNCTIONS, work, commit_and_break)
    monkeypatch.setattr(ledger_writer, "PAUSE_S", 0.01)
    return lost


def check_sums(budget: Budget) -> None:
    budget.refresh_from_db()
    rows = [*Call.objects.filter(budget=budget)]
    assert all(one.state == Call.State.SETTLED for one in rows)
    assert budget.spent == sum((one.cost for one in rows), Decimal(0)) <= budget.amount
    assert budget.reserved == 0


@pytest.mark.parametrize("work", [Work.OPEN, Work.SETTLE])
def test_a_lost_confirmation_of_a_commit_neither_stops_nor_repeats_a_call(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, work: Work
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    lost = lose_confirmation(monkeypatch, work)
    answers = complete(endpoint, budget, *map(make_request, range(4)))
    assert lost and all(one.is_answered for one in answers)
    assert len(server.log) == Call.objects.count() == 4
    check_sums(budget)


def fail(
    monkeypatch: pytest.MonkeyPatch, work: Work, times: int, sqlstate: str | None
) -> list[int]:
    """The first transactions of this kind, with an error of the database."""
    failed: list[int] = []
    function = ledger_writer.FUNCTIONS[work]

    def fail_first(arguments: Any) -> Any:
        if len(failed) < times:
            failed.append(len(arguments))
            cause = psycopg.OperationalError("the connection failed")
            cause.sqlstate = sqlstate
            raise OperationalError("the connection failed") from cause
        return function(arguments)

    monkeypatch.setitem(ledger_writer.FUNCTIONS, work, fail_first)
    monkeypatch.setattr(ledger_writer, "PAUSE_S", 0.001)
    return failed


@pytest.mark.parametrize("work", [Work.LOOK_UP, Work.OPEN, Work.SETTLE])
@pytest.mark.parametrize("sqlstate", [None, "57P03", "53300"])
def test_the_ledger_waits_for_a_database_that_is_away_however_long_and_loses_no_answer(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, work: Work, sqlstate: str | None
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    times = 5 * ledger_writer.ATTEMPTS
    failed = fail(monkeypatch, work, times, sqlstate)
    answers = complete(endpoint, budget, *map(make_request, range(4)))
    assert len(failed) == times and all(one.is_answered for one in answers)
    assert len(server.log) == Call.objects.count() == Exchange.objects.count() == 4
    check_sums(budget)


@pytest.mark.parametrize("sqlstate", ["54000", "57014"])
def test_what_the_database_refuses_for_good_is_raised_and_not_tried_for_ever(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, sqlstate: str
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    failed = fail(monkeypatch, Work.OPEN, 1_000, sqlstate)
    with pytest.raises(OperationalError):
        complete(endpoint, budget, make_request())
    assert len(failed) == ledger_writer.ATTEMPTS and not server.log


def test_a_call_that_others_took_for_lost_meanwhile_is_sent_and_corrected(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the connection the process has lost the lock by which others see that it lives."""
    endpoint, budget = make_endpoint(server.url), make_budget()
    taken: list[int] = []

    def sweep() -> None:
        monkeypatch.setattr("backend.llm.ledger.try_lock", always_free)
        taken.append(settle_dead_processes(None))
        monkeypatch.undo()

    lost = lose_confirmation(monkeypatch, Work.OPEN, sweep)
    [answer] = complete(endpoint, budget, make_request())
    assert lost and taken == [1]
    assert answer.is_answered and len(server.log) == Call.objects.count() == 1
    assert Call.objects.get().outcome == Outcome.ANSWERED
    check_sums(budget)


@contextmanager
def always_free(*_: object) -> Iterator[bool]:
    yield True


def test_the_removal_of_an_unsent_call_is_safe_to_repeat(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = scripts(Scripted(delay_s=0.5))
    endpoint, budget = make_endpoint(server.url, max_in_flight=1), make_budget()

    async def run() -> list[Any]:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            requests = [make_request(item) for item in range(3)]
            tasks = [asyncio.create_task(session.complete(endpoint, one)) for one in requests]
            while await Call.objects.acount() < 2 or not server.log:  # one sent, one reserved
                await asyncio.sleep(0.01)
            lose_confirmation(monkeypatch, Work.SETTLE)
            session.stop_calls()
            return await asyncio.gather(*tasks, return_exceptions=True)

    ended = [type(one).__name__ for one in asyncio.run(run())]
    assert sorted(ended) == ["CallsStopped", "CallsStopped", "ModelAnswer"]
    assert len(server.log) == Call.objects.count() == 1
    check_sums(budget)


def test_a_call_that_its_own_process_gave_up_blocks_no_other(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was reserved, and whoever waited for the reservation was cancelled."""
    endpoint, budget = make_endpoint(server.url), make_budget()

    async def run() -> ModelAnswer:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            ledger = session._resources.ledger
            opened: list[Call] = []

            async def open_twice(opening: Opening) -> Any:
                if not opened:
                    call = Call(**{one: getattr(opening.call, one) for one in COLUMNS})
                    opened.append(call)
                    await ledger.run(lambda: open_calls([Opening(call, b"[]")]))
                return await type(ledger).open(ledger, opening)

            monkeypatch.setattr(ledger, "open", open_twice)  # puts a call before it
            async with asyncio.timeout(LONGEST_S):
                return await session.complete(endpoint, make_request())

    assert asyncio.run(run()).is_answered
    assert [*Call.objects.order_by("started_at").values_list("outcome", flat=True)] == [
        Outcome.LOST,
        Outcome.ANSWERED,
    ]
    check_sums(budget)


COLUMNS = (
    *("budget_id", "endpoint_id", "key", "item_key", "prompt_name", "prompt_version", "number"),
    *("json_mode", "process", "prompt", "reserved", "own_in"),
)


def equal_requests(count: int) -> list[ModelRequest]:
    return [make_request("of all", item_key=f"dev:{one}") for one in range(count)]


def test_items_with_equal_prompts_have_an_exchange_each_and_one_paid_call(
    server: ScriptedServer,
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    answers = complete(endpoint, budget, *equal_requests(3))
    assert [one.is_answered for one in answers] == [True] * 3 and len(server.log) == 1
    rows = {one.item_key: one for one in Exchange.objects.all()}
    assert sorted(rows) == ["dev:0", "dev:1", "dev:2"]
    paid = [one for one in rows.values() if not one.is_cached]
    assert len(paid) == 1 and Call.objects.get().item_key == paid[0].item_key
    assert {one.text for one in rows.values()} == {paid[0].text}
    assert sum((one.cost for one in rows.values()), Decimal(0)) == Call.objects.get().cost
    check_sums(budget)
    again = complete(endpoint, budget, *equal_requests(3))
    assert [one.text for one in again] == [one.text for one in answers] and len(server.log) == 1
    assert Exchange.objects.count() == 3


def test_a_failure_of_equal_prompts_is_recorded_for_each_item_and_paid_for_once(
    server: ScriptedServer,
) -> None:
    server.script = scripts(Scripted(text="I cannot help with that."))
    endpoint, budget = make_endpoint(server.url), make_budget()
    answers = complete(endpoint, budget, *equal_requests(2))
    assert [one.outcome for one in answers] == [Outcome.UNREADABLE] * 2
    assert len(server.log) == 2  # the call and its repair
    first, second = Exchange.objects.order_by("is_cached")
    assert (first.is_cached, second.is_cached, second.cost, second.calls) == (False, True, 0, 0)
    assert (first.reason, first.text) == (second.reason, second.text) and first.reason
    check_sums(budget)


def test_calls_of_an_item_that_failed_stay_its_own_when_an_equal_one_is_answered(
    server: ScriptedServer,
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    first, second = equal_requests(2)
    server.script = scripts(Scripted(status=500))
    [failed] = complete(endpoint, budget, first)
    server.script = scripts(Scripted())
    [answered] = complete(endpoint, budget, second)
    [copied] = complete(endpoint, budget, first)
    assert not failed.is_answered and failed.cost > 0
    assert (answered.calls, answered.is_retried, answered.is_cached) == (1, False, False)
    assert (copied.cost, copied.calls) == (failed.cost, QUICK.most_failures + 1)
    assert copied.is_answered and copied.is_cached and copied.is_retried
    costs = Exchange.objects.values_list("cost", flat=True)
    budget.refresh_from_db()
    assert sum(costs, Decimal(0)) == budget.spent
    check_sums(budget)


@pytest.mark.parametrize("subject", ["test:1", "test:2"], ids=["own budget", "another"])
def test_an_answer_that_came_after_the_look_up_is_not_paid_for_again(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, subject: str
) -> None:
    """Another worker, of the same run or of another one, is faster by less than a transaction."""
    endpoint, budget = make_endpoint(server.url), make_budget()
    other = make_budget(subject=subject)
    opened: list[bool] = []
    function = ledger_writer.FUNCTIONS[Work.OPEN]

    def open_late(openings: Sequence[Opening]) -> Any:
        if not opened:
            opened.append(True)
            complete(endpoint, other, make_request())
        return function(openings)

    monkeypatch.setitem(ledger_writer.FUNCTIONS, Work.OPEN, open_late)
    [answer] = complete(endpoint, budget, make_request())
    assert opened and answer.is_answered and len(server.log) == Call.objects.count() == 1
    assert answer.is_cached == (subject == "test:2")
