"""The ledger of work whose worker was killed, beside the server's own log."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from backend.llm.calls import Flag, Outcome
from backend.llm.models import Budget, Call
from tests.evaluation.stormed_ledger import price, prompt_of
from tests.llm.scripted_server import Logged


def assert_ledger_of_killed(subject: str, log: Sequence[Logged], most_lost: int) -> None:
    """Each answer that was received is paid for once, by what the server counted. The server has
    answered nothing else but calls that are lost, at most `most_lost`."""
    budget = Budget.objects.get(subject=subject)
    calls = [*Call.objects.filter(budget=budget).select_related("endpoint")]
    assert {one.state for one in calls} == {Call.State.SETTLED}
    assert budget.spent == sum((one.cost for one in calls), Decimal(0)) <= budget.amount
    assert budget.reserved == 0
    answered = {place_of_call(one): one for one in calls if one.outcome == Outcome.ANSWERED}
    lost = Counter(place_of_call(one) for one in calls if one.outcome == Outcome.LOST)
    assert len(calls) == len(answered) + lost.total()
    assert lost.total() <= most_lost
    paid = {place_of_request(one): one for one in log if one.is_paid}
    assert {*answered} == {*paid}
    repeated = Counter(place_of_request(one) for one in log if one.is_paid) - Counter([*paid])
    assert repeated <= lost
    for place, call in answered.items():
        entry = paid[place]
        assert (call.reported_in, call.reported_out) == (entry.tokens_in, entry.tokens_out)
        assert call.cost == price(entry.tokens_in, entry.tokens_out)
    for call in calls:
        if call.outcome == Outcome.LOST:
            assert (call.cost, call.flags) == (call.reserved, [Flag.UNKNOWN_COST])


def place_of_call(call: Call) -> tuple[str, str]:
    return call.endpoint.model, call.prompt


def place_of_request(entry: Logged) -> tuple[str, str]:
    return entry.body["model"], prompt_of(entry)
