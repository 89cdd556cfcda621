"""What each person spent at each endpoint, beside a plain sum over the rows of the ledger."""

import csv
import io
import uuid
from collections import defaultdict
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from backend.llm.budgets import open_budget
from backend.llm.calls import Flag
from backend.llm.models import Budget, Call, Endpoint
from backend.llm.spending import list_spending
from tests.llm.factories import make_endpoint
from tests.personas import Person, make_person

URL = "/api/v1/model-spending"


def write_call(budget: Budget, endpoint: Endpoint, **fields: Any) -> Call:
    known: dict[str, Any] = {
        "state": Call.State.SETTLED,
        "reserved": Decimal(1),
        "cost": Decimal("0.25"),
        "reported_in": 100,
        "reported_out": 10,
        "own_in": 90,
        "own_out": 9,
        **fields,
    }
    return Call.objects.create(
        budget=budget,
        endpoint=endpoint,
        key=uuid.uuid4().hex,
        item_key="1",
        prompt_name="p",
        prompt_version="1",
        number=1,
        process=uuid.uuid4(),
        prompt="",
        **known,
    )


def make_budget_of(person: Person | None, subject: str) -> Budget:
    budget = open_budget(subject=subject, amount=Decimal(100))
    budget.owner = person.user if person else None
    budget.save()
    return budget


@pytest.mark.django_db
def test_an_administrator_reads_it_by_person_and_endpoint_and_others_do_not(
    administrator: Person, researcher: Person
) -> None:
    endpoint = make_endpoint("http://127.0.0.1:1/v1", name="=cmd|x")
    budget = make_budget_of(researcher, "run:1")
    write_call(budget, endpoint)
    lied = {
        "flags": [Flag.TOKEN_COUNT],
        "reported_in": 1,
        "reported_out": None,
        "cost": Decimal("0.5"),
    }
    write_call(budget, endpoint, **lied)
    lost = {"flags": [Flag.UNKNOWN_COST], "reported_in": None, "reported_out": None}
    write_call(budget, endpoint, **lost)
    write_call(budget, endpoint, state=Call.State.RESERVED)
    write_call(make_budget_of(None, "run:2"), endpoint, cost=Decimal(0))
    answer = administrator.browser.get(URL)
    assert answer.status_code == 200, answer.json()
    own, of_commands = answer.json()["results"]
    assert own["person"]["email"] == researcher.user.email
    assert (own["calls"], own["tokens_in"], own["tokens_out"]) == (3, 190, 19)
    assert (own["cost"], own["unknown_cost"]) == ("1.000000", "0.250000")
    assert (of_commands["person"], of_commands["calls"]) == (None, 1)
    assert researcher.browser.get(URL).status_code == 403

    text = administrator.browser.get(f"{URL}.csv")
    assert text.headers["Content-Disposition"] == 'attachment; filename="model-spending.csv"'
    rows = [*csv.DictReader(io.StringIO(text.content.decode()))]
    assert [(one["person_email"], one["cost_usd"]) for one in rows] == [
        (researcher.user.email, "1.000000"),
        ("", "0.000000"),
    ]
    assert rows[0]["endpoint"] == "'=cmd|x"
    assert administrator.browser.get(f"{URL}.json").json() == answer.json()


@pytest.mark.django_db
def test_calls_before_the_period_are_left_out(administrator: Person) -> None:
    call = write_call(make_budget_of(None, "run:1"), make_endpoint("http://127.0.0.1:1/v1"))
    Call.objects.filter(pk=call.pk).update(started_at=timezone.now() - timedelta(days=10))
    assert administrator.browser.get(f"{URL}?days=9").json()["results"] == []
    assert len(administrator.browser.get(f"{URL}?days=11").json()["results"]) == 1
    assert administrator.browser.get(f"{URL}?days=0").status_code == 422


CALLS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.integers(0, 1),
        st.sampled_from([[], [Flag.TOKEN_COUNT], [Flag.UNKNOWN_COST]]),
        st.none() | st.integers(0, 10**6),
        st.integers(0, 10**6),
        st.decimals(0, 100, places=6),
    ),
    max_size=12,
)


class SpendingSums(TestCase):
    @settings(max_examples=25, deadline=None)
    @given(calls=CALLS)
    def test_sums_equal_those_of_a_loop_over_all_calls(self, calls: list[Any]) -> None:
        administrator = make_person("amara", is_administrator=True)
        people = [make_person("ada"), make_person("ben"), None]
        endpoints = [make_endpoint("http://127.0.0.1:1/v1", name=name) for name in "xy"]
        budgets = [make_budget_of(one, f"run:{at}") for at, one in enumerate(people)]
        expected: dict[Any, list[Any]] = defaultdict(lambda: [0, 0, Decimal(0), Decimal(0)])
        for person, endpoint, flags, reported, own, cost in calls:
            fields = {"flags": flags, "reported_in": reported, "own_in": own, "cost": cost}
            write_call(budgets[person], endpoints[endpoint], **fields)
            owner = people[person]
            row = expected[owner.user.email if owner else None, endpoints[endpoint].name]
            row[0] += 1
            row[1] += max(reported or 0, own if Flag.TOKEN_COUNT in flags else 0)
            row[2] += cost
            row[3] += cost if Flag.UNKNOWN_COST in flags else 0
        listed = {
            ((one["person"] or {}).get("email"), one["endpoint"]["name"]): [
                one["calls"],
                one["tokens_in"],
                Decimal(one["cost"]),
                Decimal(one["unknown_cost"]),
            ]
            for one in list_spending(administrator.user, days=1)
        }
        assert listed == dict(expected)
        costs = [Decimal(one["cost"]) for one in list_spending(administrator.user, days=1)]
        assert costs == sorted(costs, reverse=True)
