"""What an administrator changes while calls are made reaches them; those in flight end."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from backend.accounts.models import User
from backend.llm.budgets import open_budget
from backend.llm.client import ModelSession
from backend.llm.endpoints import EndpointChanged
from backend.llm.models import Call, Endpoint
from tests.llm.factories import COMMITTED, QUICK, SHORT, make_endpoint, make_request
from tests.llm.scripted_server import Scripted, ScriptedServer

pytestmark = COMMITTED
AT_ONCE = replace(QUICK, check_s=0.0)
ITEMS = 12


@pytest.fixture
def owner(transactional_db: None) -> User:
    return User.objects.create_user(email="owner@example.org", password=None)


def work(server: ScriptedServer, owner: User, change: Callable[[], Any]) -> list[Any]:
    """The change is made while the first two of twelve calls are in flight."""
    server.script = lambda body, number: Scripted(delay_s=1.0 if len(server.log) <= 2 else 0.0)
    endpoint = Endpoint.objects.get()
    budget = open_budget(subject="test:1", amount=Decimal(1), owner=owner)

    async def run() -> list[Any]:
        async with ModelSession(budget, rules=AT_ONCE, times=SHORT) as session:
            requests = [make_request(item) for item in range(ITEMS)]
            tasks = [asyncio.create_task(session.complete(endpoint, one)) for one in requests]
            while len(server.log) < 2:
                await asyncio.sleep(0.01)
            await asyncio.to_thread(change)
            return await asyncio.gather(*tasks, return_exceptions=True)

    ended = asyncio.run(run())
    budget.refresh_from_db()
    assert budget.reserved == 0 and not Call.objects.exclude(outcome="answered").exists()
    return ended


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"retired_at": timezone.now()}, "endpoint_retired"),
        ({"price_in": Decimal("1.5")}, "price_changed"),
        ({"price_out": None}, "price_changed"),
        ({"is_private": False}, "endpoint_moved"),
        ({"base_url": "http://127.0.0.1:9/v1"}, "endpoint_moved"),
        ({"usable_by": "administrators"}, "endpoint_not_allowed"),
        ({"usable_by": "named"}, "endpoint_not_allowed"),
    ],
    ids=["retired", "price", "no price", "not private", "moved", "administrators", "named"],
)
def test_a_change_that_ends_the_right_to_call_stops_new_calls_alone(
    server: ScriptedServer, owner: User, fields: dict[str, Any], code: str
) -> None:
    make_endpoint(server.url, max_in_flight=2, usable_by="everyone")
    ended = work(server, owner, lambda: Endpoint.objects.update(**fields))
    faults = [one for one in ended if isinstance(one, EndpointChanged)]
    assert {one.code for one in faults} == {code} and len(faults) == ITEMS - 2
    assert sum(one.is_answered for one in ended if not isinstance(one, Exception)) == 2
    assert len(server.log) == 2


def test_an_owner_who_was_removed_makes_no_further_call(
    server: ScriptedServer, owner: User
) -> None:
    make_endpoint(server.url, max_in_flight=2, usable_by="everyone")
    work(server, owner, lambda: User.objects.update(is_active=False))
    assert len(server.log) == 2


def test_other_changes_stop_nothing(server: ScriptedServer, owner: User) -> None:
    make_endpoint(server.url, max_in_flight=2, usable_by="everyone")
    ended = work(server, owner, lambda: Endpoint.objects.update(may_publish=True, timeout_s=60))
    assert all(one.is_answered for one in ended) and len(server.log) == ITEMS


def test_the_endpoint_is_read_again_after_a_time_and_not_for_each_call(
    server: ScriptedServer, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = []
    monkeypatch.setattr("backend.llm.session.require_unchanged", lambda *_: checks.append(1))
    endpoint = make_endpoint(server.url, usable_by="everyone")
    budget = open_budget(subject="test:1", amount=Decimal(1), owner=owner)

    async def run() -> None:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            calls = [session.complete(endpoint, make_request(item)) for item in range(ITEMS)]
            await asyncio.gather(*calls)
            access = await session._resources.access(endpoint)
            access.checked_at -= QUICK.check_s
            calls = [session.complete(endpoint, make_request(-item)) for item in range(1, ITEMS)]
            await asyncio.gather(*calls)

    asyncio.run(run())
    assert len(checks) == 2
