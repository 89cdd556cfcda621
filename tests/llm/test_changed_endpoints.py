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
from backend.llm.call_keys import digest_of_parts, lasting_key
from backend.llm.client import ModelSession
from backend.llm.endpoints import EndpointChanged
from backend.llm.models import Call, Endpoint, Exchange
from backend.tracks.model_tasks import Message
from tests.llm.factories import (
    COMMITTED,
    QUICK,
    SHORT,
    YES_OR_NO,
    make_budget,
    make_endpoint,
    make_request,
)
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.llm.sessions import complete

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
        ({"cache_epoch": 1}, "model_changed"),
        ({"usable_by": "administrators"}, "endpoint_not_allowed"),
        ({"usable_by": "named"}, "endpoint_not_allowed"),
    ],
    ids=["retired", "price", "no price", "not private", "moved", "model", "admins", "named"],
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


def test_a_budget_pays_for_no_answer_again_after_the_endpoint_has_moved(
    server: ScriptedServer,
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    server.script = lambda body, number: (
        Scripted(text="perhaps") if "item 3 " in body["messages"][0]["content"] else Scripted()
    )
    first = complete(endpoint, budget, *[make_request(item) for item in range(4)])
    paid = len(server.log)
    with ScriptedServer() as moved:
        Endpoint.objects.update(base_url=moved.url)
        endpoint = Endpoint.objects.get()
        equal = make_request(2, item_key="equal to 2")
        again = complete(endpoint, budget, *[make_request(item) for item in range(5)], equal)
        assert [one.user_text for one in moved.log] == [make_request(4).messages[0].content]
        assert [one.text for one in again[:4]] == [one.text for one in first]
        assert again[3].outcome == first[3].outcome == "unreadable"
        assert again[5].is_cached and again[5].cost == 0
        other = make_budget(subject="test:2")
        complete(endpoint, other, make_request(1))
        assert len(moved.log) == 2, "other budgets pay for answers of the new address"
    assert len(server.log) == paid and Exchange.objects.filter(budget=budget).count() == 6


def test_a_truncated_answer_is_requested_again_once_the_endpoint_may_read_more(
    server: ScriptedServer,
) -> None:
    server.script = lambda body, number: Scripted(text='{"answer": "y', finish_reason="length")
    endpoint, budget = make_endpoint(server.url), make_budget()
    [cut] = complete(endpoint, budget, make_request())
    assert cut.outcome == "truncated" and len(server.log) == 2  # the second is the repair
    complete(endpoint, budget, make_request())
    assert len(server.log) == 2
    server.script = lambda body, number: Scripted()
    longer = make_request(messages=[Message("user", "Is item 1, or what else was cut, a gene?")])
    longer = replace(longer, whole_digest=digest_of_parts(make_request().messages, YES_OR_NO))
    assert lasting_key(endpoint, longer) == lasting_key(endpoint, make_request())
    for _ in range(2):
        [answer] = complete(endpoint, budget, longer)
        assert answer.is_answered and len(server.log) == 3
    [again] = complete(endpoint, budget, make_request())
    assert again.outcome == "truncated" and len(server.log) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"messages": make_request(2).messages},
        {"prompt_version": "2"},
        {"whole_digest": "0" * 64},
        {"sample": 1},
        {"temperature": 0.5},
        {"max_tokens": 65},
    ],
)
def test_a_moved_endpoint_answers_another_prompt_anew(
    server: ScriptedServer, change: dict[str, Any]
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    complete(endpoint, budget, make_request())
    with ScriptedServer() as moved:
        Endpoint.objects.update(base_url=moved.url)
        complete(Endpoint.objects.get(), budget, replace(make_request(), **change))
        assert len(moved.log) == 1


def test_neither_another_model_nor_another_endpoint_has_answers_of_the_first(
    server: ScriptedServer,
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    complete(endpoint, budget, make_request())
    twin = make_endpoint(server.url.replace("127.0.0.1", "localhost"), "twin")
    complete(twin, budget, make_request())
    Endpoint.objects.filter(pk=endpoint.pk).update(model="scripted-2")
    complete(Endpoint.objects.get(pk=endpoint.pk), budget, make_request())
    assert len(server.log) == 3
