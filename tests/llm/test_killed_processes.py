"""What is true by the server's log, whatever processes are killed."""

import json
from collections import Counter
from decimal import Decimal
from typing import Any

from backend.llm.ledger import settle_dead_processes
from backend.llm.models import Budget, Call, Endpoint, Exchange
from tests.command_processes import kill_after, start_requests
from tests.fork_server import ForkedProcess
from tests.llm.factories import COMMITTED, make_budget, make_endpoint
from tests.llm.scripted_server import Logged, Scripted, ScriptedServer, seeded_faults

pytestmark = COMMITTED

ITEMS = 60


def start(endpoint: Endpoint, budget: Budget, first: int = 0, last: int = ITEMS) -> ForkedProcess:
    return start_requests(str(endpoint.pk), str(budget.pk), str(first), str(last))


def finish(process: ForkedProcess) -> dict[int, dict[str, Any]]:
    output, _ = process.communicate()
    assert process.returncode == 0
    rows = [json.loads(line) for line in output.splitlines()]
    return {row["item"]: row for row in rows}


def bill(log: list[Logged], endpoint: Endpoint) -> Decimal:
    """What an honest server charges for the answers that it sent in full."""
    paid = [entry for entry in log if entry.is_paid]
    return sum((endpoint.cost(one.tokens_in, one.tokens_out) for one in paid), Decimal(0))


def is_usable(entry: Logged) -> bool:
    """The others are sent again by rule: no text, or no answer that could be parsed."""
    return entry.is_paid and entry.scripted.raw_body is None and entry.scripted.text != ""


def test_no_answer_that_was_received_is_paid_for_twice_and_the_budget_holds(
    server: ScriptedServer,
) -> None:
    faults = seeded_faults(7, 0.5, delay_s=0.02)
    server.script = faults
    endpoint, budget = make_endpoint(server.url, max_in_flight=8), make_budget("0.5")
    for requests in (15, 45, 80):
        kill_after(start(endpoint, budget), server.log, requests)
    answers = finish(start(endpoint, budget))
    assert len(answers) == ITEMS
    settle_dead_processes(None)
    calls = Call.objects.filter(budget=budget)
    assert not calls.filter(state=Call.State.RESERVED).exists()

    # Each paid answer is a row of the ledger; one that a kill cut off is a lost call.
    sent = Counter(json.dumps(one.body["messages"]) for one in server.log if is_usable(one))
    lost = calls.filter(outcome="lost").count()
    repeated = sum(count - 1 for count in sent.values())
    assert repeated <= lost
    assert len(server.log) <= calls.count() <= len(server.log) + lost
    budget.refresh_from_db()
    assert budget.spent == sum((one.cost for one in calls), Decimal(0)) <= budget.amount
    assert budget.reserved == 0
    assert bill(server.log, endpoint) <= budget.amount


def test_answers_are_the_same_bytes_after_kills_as_without(server: ScriptedServer) -> None:
    server.script = seeded_faults(7, 0.5, delay_s=0.02)
    endpoint, budget = make_endpoint(server.url, max_in_flight=8), make_budget("0.5")
    kill_after(start(endpoint, budget, last=20), server.log, 20)
    again = finish(start(endpoint, budget, last=20))
    requests = len(server.log)
    third = finish(start(endpoint, budget, last=20))
    assert len(server.log) == requests
    assert third == again
    assert Exchange.objects.filter(budget=budget).count() == 20


def test_two_workers_never_spend_more_than_the_budget(server: ScriptedServer) -> None:
    server.script = lambda body, number: Scripted(delay_s=0.01)
    endpoint = make_endpoint(server.url, max_in_flight=6, price_in=Decimal(1000))
    budget = make_budget("2")
    processes = [start(endpoint, budget), start(endpoint, budget)]
    kill_after(processes.pop(), server.log, 10)
    processes.append(start(endpoint, budget))
    for process in processes:
        finish(process)
    settle_dead_processes(None)
    budget.refresh_from_db()
    assert budget.spent + budget.reserved <= budget.amount
    assert bill(server.log, endpoint) <= budget.spent
    answered = Call.objects.filter(budget=budget, outcome="answered").count()
    assert 0 < answered < ITEMS  # the budget was too small for all
    # Both asked about the same items, and none was sent by both.
    paid = Counter(one.user_text for one in server.log if one.is_paid)
    lost = Call.objects.filter(budget=budget, outcome="lost").count()
    assert sum(count - 1 for count in paid.values()) <= lost


def test_two_workers_share_one_limit(server: ScriptedServer) -> None:
    server.script = lambda body, number: Scripted(delay_s=0.05)
    endpoint, budget = make_endpoint(server.url, max_in_flight=5), make_budget("0.5")
    processes = [start(endpoint, budget, 0, 40), start(endpoint, budget, 40, 80)]
    for process in processes:
        assert len(finish(process)) == 40
    assert 1 < server.most_in_flight <= 5
