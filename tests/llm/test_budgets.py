"""Budgets: what is reserved, what is refused, and that no number of processes exceeds them."""

import uuid
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.common.errors import Conflict, DomainError
from backend.llm.budgets import change_amount, open_budget, read_standing
from backend.llm.ledger import Opening, Settlement, open_calls, settle_calls, settle_dead_processes
from backend.llm.models import Budget, Call, Endpoint
from tests.llm.factories import make_budget, make_endpoint

pytestmark = pytest.mark.django_db


def make_call(budget: Budget, endpoint: Endpoint, reserved: str, key: str = "") -> Call:
    return Call(
        budget=budget,
        endpoint=endpoint,
        key=key or uuid.uuid4().hex,
        item_key="1",
        prompt_name="p",
        prompt_version="1",
        number=1,
        process=uuid.uuid4(),
        prompt="d",
        reserved=Decimal(reserved),
    )


def reserve(*calls: Call) -> list[bool]:
    return [refusal is None for refusal in open_calls([Opening(one, b"[]") for one in calls])]


def settle(call: Call, cost: str) -> None:
    fields = {
        "outcome": "answered",
        "cost": Decimal(cost),
        "status": 200,
        "latency_ms": 1,
        "flags": [],
    }
    settle_calls([Settlement(call.budget_id, call.pk, fields)])


def endpoint() -> Endpoint:
    return Endpoint.objects.first() or make_endpoint("http://127.0.0.1:1/v1")


def test_a_call_whose_worst_case_does_not_fit_is_refused() -> None:
    budget, model = make_budget("1"), endpoint()
    first, second = (make_call(budget, model, "0.6") for _ in range(2))
    assert reserve(first, second) == [True, False]
    [refusal] = open_calls([Opening(second, b"[]")])
    assert refusal is not None and not refusal.is_final  # the first may cost less
    settle(first, "0.1")
    assert reserve(second) == [True]
    standing = read_standing(budget)
    assert (standing.spent, standing.reserved) == (Decimal("0.1"), Decimal("0.6"))
    assert (standing.free, standing.typical) == (Decimal("0.3"), Decimal("0.1"))
    assert standing.typical_reserved == Decimal("0.6") and standing.calls == 2


def test_a_refusal_is_final_where_nothing_is_open() -> None:
    [refusal] = open_calls([Opening(make_call(make_budget("1"), endpoint(), "1.1"), b"")])
    assert refusal is not None and refusal.is_final


def test_one_call_of_an_exchange_is_open_at_a_time() -> None:
    budget, model = make_budget("1"), endpoint()
    calls = [make_call(budget, model, "0.1", key="same") for _ in range(2)]
    refusals = open_calls([Opening(one, b"[]") for one in calls])
    assert refusals[0] is None and refusals[1] is not None and refusals[1].is_busy


def test_a_call_never_costs_more_than_its_worst_case() -> None:
    budget = make_budget("1")
    call = make_call(budget, endpoint(), "0.1")
    reserve(call)
    with pytest.raises(ValueError, match="worst case"):
        settle(call, "0.2")


def test_the_database_itself_refuses_to_exceed_a_budget() -> None:
    budget = make_budget("1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Budget.objects.filter(pk=budget.pk).update(spent=Decimal("0.6"), reserved=Decimal("0.5"))


def test_an_answer_that_comes_after_its_process_seemed_dead_corrects_the_cost() -> None:
    budget = make_budget("1")
    call = make_call(budget, endpoint(), "0.5")
    reserve(call)
    assert settle_dead_processes(None) == 1
    budget.refresh_from_db()
    assert (budget.spent, budget.reserved) == (Decimal("0.5"), Decimal(0))
    settle(call, "0.2")
    settle(call, "0.2")
    budget.refresh_from_db()
    assert (budget.spent, budget.reserved) == (Decimal("0.2"), Decimal(0))
    assert Call.objects.get().outcome == "answered"


@given(
    steps=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 100), st.booleans()), max_size=12)
)
@settings(max_examples=15)
def test_spent_and_reserved_are_the_sums_of_the_ledger(
    steps: list[tuple[int, int, bool]],
) -> None:
    with transaction.atomic():
        budget, model = make_budget("1", subject=f"test:{uuid.uuid4()}"), endpoint()
        for worst, share, is_settled in steps:
            call = make_call(budget, model, str(Decimal(worst) / 100))
            if reserve(call) == [True] and is_settled:
                settle(call, str(Decimal(worst * share) / 10_000))
        budget.refresh_from_db()
        rows = [*Call.objects.filter(budget=budget)]
        spent = sum((one.cost for one in rows if one.state == "settled"), Decimal(0))
        reserved = sum((one.reserved for one in rows if one.state == "reserved"), Decimal(0))
        assert (budget.spent, budget.reserved) == (spent, reserved)
        assert spent + reserved <= budget.amount


def test_a_budget_is_found_again_and_can_be_raised_but_not_below_what_is_used() -> None:
    budget = make_budget("1")
    assert open_budget(subject="test:1", amount=Decimal(9)).pk == budget.pk
    reserve(make_call(budget, endpoint(), "0.6"))
    with pytest.raises(Conflict):
        change_amount(budget, Decimal("0.5"))
    assert change_amount(budget, Decimal(2)).amount == 2
    for amount in ("-1", "NaN", "1e9"):
        with pytest.raises(DomainError):
            open_budget(subject="test:2", amount=Decimal(amount))
