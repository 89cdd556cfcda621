"""One process that makes calls: answers, faults, the ladder, the cache and the ledger."""

import asyncio
import threading
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from backend.llm.call_keys import call_key, digest_of, json_text, to_bytes
from backend.llm.call_results import is_same_model
from backend.llm.calls import Capabilities, Flag, JsonMode, Outcome
from backend.llm.client import ModelSession
from backend.llm.endpoints import set_endpoint, store_capabilities
from backend.llm.ledger import open_calls
from backend.llm.ledger_writer import FUNCTIONS, Work
from backend.llm.models import CachedAnswer, Call, Endpoint, Exchange, StoredText
from backend.llm.structured_output import FORMAT, repair_messages
from tests.llm.factories import (
    CANARY,
    COMMITTED,
    QUICK,
    SHORT,
    YesOrNo,
    make_budget,
    make_endpoint,
    make_request,
    read_as,
)
from tests.llm.scripted_server import Scripted, ScriptedServer, scripts
from tests.llm.sessions import complete

pytestmark = COMMITTED


def test_an_answer_is_read_paid_for_and_in_the_ledger(server: ScriptedServer) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    [answer] = complete(endpoint, budget, make_request())
    assert answer.value == YesOrNo(answer="yes")
    [entry] = server.log
    call = Call.objects.get()
    assert (call.reported_in, call.reported_out) == (entry.tokens_in, entry.tokens_out)
    cost = (entry.tokens_in * Decimal(1) + entry.tokens_out * Decimal(2)) / 1_000_000
    budget.refresh_from_db()
    assert budget.spent == call.cost == answer.cost == cost > 0
    assert budget.reserved == 0
    assert bytes(StoredText.objects.get(digest=call.text).content) == b'{"answer": "yes"}'
    assert b"Is item 1 a gene" in bytes(StoredText.objects.get(digest=call.prompt).content)
    assert not call.flags


def test_equal_requests_are_sent_once_and_found_in_the_cache_by_other_budgets(
    server: ScriptedServer,
) -> None:
    endpoint = make_endpoint(server.url)
    first = make_budget(subject="test:1")
    answers = complete(endpoint, first, *[make_request() for _ in range(5)])
    assert len(server.log) == 1 and all(one.is_answered for one in answers)
    second = make_budget("0", subject="test:2")
    [cached] = complete(endpoint, second, make_request())
    assert len(server.log) == 1
    assert cached.is_cached and cached.value == YesOrNo(answer="yes") and cached.cost == 0
    assert Exchange.objects.get(budget=second).is_cached


def test_an_answer_of_the_cache_has_the_name_that_the_server_gave_its_model(
    server: ScriptedServer,
) -> None:
    server.script = scripts(Scripted(model="scripted-1-2026-01-01"))
    endpoint = make_endpoint(server.url)
    complete(endpoint, make_budget(subject="test:1"), make_request())
    [answer] = complete(endpoint, make_budget(subject="test:2"), make_request())
    assert answer.is_cached and answer.model_returned == "scripted-1-2026-01-01"
    assert CachedAnswer.objects.get().model_returned == "scripted-1-2026-01-01"


def test_no_answer_is_used_again_once_another_model_is_behind_the_name(
    server: ScriptedServer,
) -> None:
    """By the probe, whose first name changes nothing, or as an administrator states it."""
    endpoint = make_endpoint(server.url)

    def calls_of(subject: str) -> int:
        before = len(server.log)
        complete(Endpoint.objects.get(), make_budget(subject=subject), make_request())
        return len(server.log) - before

    assert calls_of("test:1") == 1
    store_capabilities(endpoint, Capabilities(model_returned="scripted-1-2026-01-01"))
    assert calls_of("test:2") == 0
    store_capabilities(endpoint, Capabilities(model_returned=""))  # it did not answer
    store_capabilities(endpoint, Capabilities(model_returned="scripted-1-2026-01-01"))
    assert calls_of("test:3") == 0
    store_capabilities(endpoint, Capabilities(model_returned="scripted-1-2026-02-02"))
    assert calls_of("test:1") == 1, "not even by the budget that has paid for one"
    assert calls_of("test:4") == 0
    set_endpoint(name=endpoint.name, given={"cache_epoch": 7})
    assert calls_of("test:5") == 1


@pytest.mark.parametrize(
    "change",
    [
        {"sample": 1},
        {"temperature": 0.5},
        {"prompt_version": "2"},
        {"prompt_name": "no-or-yes"},
        {"seed": 1},
        {"max_tokens": 65},
        {"logprobs": True},
        {"schema": {"type": "object"}},
        {"top_p": 0.5},
    ],
)
def test_whatever_changes_the_answer_is_part_of_the_cache_key(
    server: ScriptedServer, change: dict[str, Any]
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    complete(endpoint, budget, make_request())
    complete(endpoint, budget, make_request(**change))
    assert len(server.log) == 2


UNSUPPORTED = Scripted(status=400, error="response_format json_schema is not supported")


def test_ways_to_request_json_are_tried_from_the_strictest_to_text(server: ScriptedServer) -> None:
    no_tools = Scripted(status=400, error="tool_choice is not supported")
    no_object = Scripted(status=422, error="unknown field response_format")
    server.script = scripts(UNSUPPORTED, no_tools, no_object, Scripted())
    endpoint, budget = make_endpoint(server.url), make_budget()
    [answer] = complete(endpoint, budget, make_request())
    assert answer.json_mode == JsonMode.TEXT and answer.is_answered and not answer.is_retried
    sent = [entry.body for entry in server.log]
    assert sent[0]["response_format"]["type"] == "json_schema"
    assert sent[1]["tool_choice"]["function"]["name"] == "answer"
    assert sent[2]["response_format"] == {"type": "json_object"}
    assert "response_format" not in sent[3] and "JSON Schema" in sent[3]["messages"][-1]["content"]
    outcomes = Call.objects.order_by("number").values_list("outcome", "cost")
    assert [*outcomes[:3]] == [(Outcome.UNSUPPORTED, 0)] * 3
    # The next item begins where this one ended only in the same session; the probe stores it.
    assert Call.objects.count() == 4


def test_arguments_of_a_tool_call_are_the_answer(server: ScriptedServer) -> None:
    server.script = scripts(UNSUPPORTED, Scripted())
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    assert answer.json_mode == JsonMode.TOOL and answer.value == YesOrNo(answer="yes")


def test_an_unreadable_answer_is_repaired_in_one_turn_and_counts_as_retried(
    server: ScriptedServer,
) -> None:
    server.script = scripts(Scripted(text='{"answer": "maybe"}'), Scripted())
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    assert answer.is_answered and answer.is_retried and answer.calls == 2
    turn = server.log[1].body["messages"]
    assert [one["role"] for one in turn] == ["user", "assistant", "user"]
    assert turn[1]["content"] == '{"answer": "maybe"}'
    assert "answer:" in turn[2]["content"]
    calls = Call.objects.order_by("number").values_list("is_repair", "prompt_version")
    assert [*calls] == [(False, "1"), (True, "1 repair 1")]
    assert Exchange.objects.get().prompt_version == "1"


def test_what_a_repair_is_requested_in_has_a_version_that_no_answer_outlives(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other sentences need another version: then nothing of the cache is used any more."""
    sent = repair_messages(make_request(), JsonMode.TEXT, "maybe", "it is neither.")
    text = json_text([[one.role, one.content] for one in sent])
    assert {FORMAT: digest_of(to_bytes(text))[:16]} == {1: "e0000caa423b44e1"}
    endpoint, request = make_endpoint(server.url), make_request()
    keys = {call_key(endpoint, request)}
    complete(endpoint, make_budget(subject="test:1"), request)
    monkeypatch.setattr("backend.llm.call_keys.FORMAT", 2)
    keys.add(call_key(endpoint, request))
    assert len(keys) == 2
    [answer] = complete(endpoint, make_budget(subject="test:2"), request)
    assert len(server.log) == 2 and not answer.is_cached


@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        (Scripted(text="I cannot help with that."), Outcome.UNREADABLE),
        (Scripted(text='{"answer": "perhaps"}'), Outcome.UNREADABLE),
        (Scripted(text='{"answer": "y', finish_reason="length"), Outcome.TRUNCATED),
        (Scripted(text=""), Outcome.EMPTY),
        (Scripted(text="x", finish_reason="content_filter"), Outcome.FILTERED),
    ],
)
def test_failures_are_recorded_never_cached_and_never_paid_for_again(
    server: ScriptedServer, step: Scripted, outcome: Outcome
) -> None:
    server.script = scripts(step)
    endpoint, budget = make_endpoint(server.url), make_budget()
    [answer] = complete(endpoint, budget, make_request())
    assert (answer.outcome, answer.value) == (outcome, None)
    paid = len(server.log)
    [again] = complete(endpoint, budget, make_request())
    assert again.outcome == outcome and len(server.log) == paid
    other = make_budget(subject="test:2")
    complete(endpoint, other, make_request())
    assert len(server.log) > paid


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ('Sure!\n```json\n{"answer": "yes"}\n```\nBye', set()),
        ('<think>{"answer": "no"}</think>{"answer": "yes"}', set()),
        ("{'answer': 'yes',}", {Flag.REPAIRED}),
        ('{"answer": "yes"', {Flag.REPAIRED}),
        ("Yes.", {Flag.PLAIN_TEXT}),
    ],
)
def test_what_models_wrap_json_in_is_read_and_flagged(
    server: ScriptedServer, text: str, flags: set[Flag]
) -> None:
    server.script = scripts(Scripted(text=text))

    def read_text(answer: str) -> YesOrNo | None:
        return YesOrNo(answer="yes") if answer == "Yes." else None

    request = make_request(read=read_as(YesOrNo, read_text))
    [answer] = complete(make_endpoint(server.url), make_budget(), request)
    assert answer.value == YesOrNo(answer="yes") and answer.flags == flags
    assert len(server.log) == 1


@pytest.mark.parametrize(
    "fault",
    [
        Scripted(status=429, headers={"retry-after": "0.05"}),
        Scripted(status=429),
        Scripted(status=500),
        Scripted(status=503, headers={"retry-after": "0.05"}),
        Scripted(is_cut=True),
        Scripted(raw_body="<html>busy</html>"),
        Scripted(raw_body='{"choices": []}'),
        Scripted(raw_body='{"choices": [{"message": {"content": null}}], "usage": 7, "model": 1}'),
        Scripted(delay_s=5),
    ],
    ids=lambda fault: f"{fault.status}-{fault.raw_body}-{fault.is_cut}-{fault.delay_s}",
)
def test_faults_that_pass_are_retried(server: ScriptedServer, fault: Scripted) -> None:
    server.script = scripts(fault, Scripted())
    budget = make_budget()
    [answer] = complete(make_endpoint(server.url, timeout_s=1), budget, make_request())
    assert answer.is_answered and len(server.log) == Call.objects.count() == 2
    budget.refresh_from_db()
    paid = sum(call.cost for call in Call.objects.all())
    assert budget.spent == paid == answer.cost and budget.reserved == 0
    assert answer.is_retried == (fault.status != 429 and not fault.headers)


def test_a_server_that_stays_broken_ends_the_request_and_a_later_run_tries_again(
    server: ScriptedServer,
) -> None:
    server.script = scripts(Scripted(status=500))
    endpoint, budget = make_endpoint(server.url), make_budget()
    [answer] = complete(endpoint, budget, make_request())
    assert answer.outcome == Outcome.SERVER_ERROR and len(server.log) == QUICK.most_failures + 1
    assert not Exchange.objects.exists()
    server.script = scripts(Scripted())
    [answer] = complete(endpoint, budget, make_request())
    assert answer.is_answered


def test_nobody_listening_costs_nothing() -> None:
    budget = make_budget()
    [answer] = complete(make_endpoint("http://127.0.0.1:9/v1"), budget, make_request())
    budget.refresh_from_db()
    assert answer.outcome == Outcome.BROKEN and budget.spent == 0
    assert answer.reason == "No connection to the server could be made."


def test_another_model_than_the_requested_one_is_flagged(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(model="tiny-0"))
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    assert answer.flags == {Flag.MODEL_NAME} and answer.model_returned == "tiny-0"


@pytest.mark.parametrize(
    ("requested", "returned", "is_same"),
    [
        ("gpt-4o", "gpt-4o", True),
        ("gpt-4o", "GPT-4o-2024-08-06", True),
        ("gpt-4", "gpt-4-0613", True),
        ("mistral-large-latest", "mistral-large-2411", True),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022", True),
        ("gemini-1.5-pro", "models/gemini-1.5-pro-002", True),
        ("org/llama3", "llama3:latest", True),
        ("deepseek/deepseek-r1:free", "deepseek-r1", True),
        ("deepseek-r1", "deepseek/deepseek-r1:nitro", True),
        ("deepseek/deepseek-chat-v3-0324:free", "deepseek/deepseek-chat-v3", True),
        ("gpt-4o-2024-08-06", "gpt-4o", True),
        ("gpt-4o-2024-08-06", "gpt-4o-20240806", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4o-mini", "gpt-4o", False),
        ("gpt-4", "gpt-4o", False),
        ("gpt-4", "gpt-4-32k", False),
        ("gpt-4o", "gpt-4o-mini-2024-07-18", False),
        ("gpt-4o-2024-08-06", "gpt-4o-2024-05-13", False),
        ("qwen2.5", "qwen2.5:72b", False),
        ("deepseek/deepseek-r1:free", "deepseek-v3", False),
        ("llama3:text", "llama3:instruct", False),
        ("llama-3.1-8b", "llama-3.1", False),
        ("gpt-4o", "", False),
        ("gpt-4o", "g", False),
    ],
)
def test_snapshots_of_a_model_are_that_model_and_longer_names_are_others(
    requested: str, returned: str, is_same: bool
) -> None:
    assert is_same_model(requested, returned) is is_same


def test_flags_of_a_request_are_those_of_its_answers_and_distinguish_no_requests(
    server: ScriptedServer,
) -> None:
    endpoint, cut = make_endpoint(server.url), frozenset({Flag.CUT_CONTEXT})
    [answer] = complete(endpoint, make_budget(), replace(make_request(), flags=cut))
    assert answer.flags == cut and Call.objects.get().flags == [Flag.CUT_CONTEXT]
    [again] = complete(endpoint, make_budget(subject="test:2"), make_request())
    assert again.is_cached and again.flags == cut


def test_the_own_count_is_near_that_of_a_tokenizer(server: ScriptedServer) -> None:
    complete(make_endpoint(server.url), make_budget(), make_request())
    [entry] = server.log
    assert abs(Call.objects.get().own_in - entry.tokens_in) <= 0.2 * entry.tokens_in


def test_a_server_may_count_no_schema_as_grammars_enforce_it(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(counts_schema=False))
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    [entry] = server.log
    assert (answer.flags, answer.tokens_in) == (frozenset(), entry.tokens_in)
    assert 2 * entry.tokens_in < Call.objects.get().own_in  # which has the schema


def test_missing_counts_are_replaced_by_the_own_count(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(has_usage=False))
    complete(make_endpoint(server.url), make_budget(), make_request())
    call = Call.objects.get()
    assert call.flags == [Flag.TOKEN_COUNT] and call.cost > 0 and call.reported_in is None


def test_hidden_reasoning_is_no_lie(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(reasoning_tokens=50))
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    assert answer.flags == frozenset() and answer.tokens_out > 50


def test_a_server_that_wants_the_newer_name_of_the_limit_gets_it(server: ScriptedServer) -> None:
    message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    server.script = scripts(Scripted(status=400, error=message), Scripted())
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    assert answer.json_mode == JsonMode.SCHEMA
    assert server.log[1].body["max_completion_tokens"] == 64
    assert "max_tokens" not in server.log[1].body


def test_another_refusal_ends_the_request_at_once(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(status=401, error="no such key"))
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    assert answer.outcome == Outcome.REJECTED and "no such key" in answer.reason
    assert len(server.log) == 1


def test_text_is_requested_where_there_is_no_schema(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(text="A hypothesis.\0\ud800"))
    [answer] = complete(
        make_endpoint(server.url), make_budget(), make_request(schema=None, read=None)
    )
    assert answer.value == answer.text == "A hypothesis.\0\ud800"
    assert "response_format" not in server.log[0].body


def test_a_cancelled_call_is_settled_at_its_worst_case(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(delay_s=30))
    endpoint, budget = make_endpoint(server.url), make_budget()

    async def run() -> None:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            task = asyncio.create_task(session.complete(endpoint, make_request()))
            while not server.log:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(run())
    call = Call.objects.get()
    budget.refresh_from_db()
    assert (call.state, call.outcome) == ("settled", Outcome.LOST)
    assert budget.spent == call.cost == call.reserved and budget.reserved == 0


def test_a_call_that_is_cancelled_before_it_is_sent_costs_nothing(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(delay_s=30))
    endpoint, budget = make_endpoint(server.url, max_in_flight=1), make_budget()

    async def run() -> None:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            tasks = [
                asyncio.create_task(session.complete(endpoint, make_request(item)))
                for item in range(3)
            ]
            while await Call.objects.acount() < 2:  # one is sent, one is reserved
                await asyncio.sleep(0.01)
            while not server.log:
                await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    call = Call.objects.get()
    budget.refresh_from_db()
    assert len(server.log) == 1 and call.outcome == Outcome.LOST
    assert budget.spent == call.reserved and budget.reserved == 0


def test_a_call_that_is_cancelled_while_it_is_reserved_reserves_nothing(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint, budget = make_endpoint(server.url), make_budget()
    is_written, is_cancelled = threading.Event(), threading.Event()

    def open_slowly(openings: Any) -> Any:
        results = open_calls(openings)
        is_written.set()
        is_cancelled.wait(30)
        return results

    monkeypatch.setitem(FUNCTIONS, Work.OPEN, open_slowly)

    async def run() -> None:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:
            task = asyncio.create_task(session.complete(endpoint, make_request(0)))
            await asyncio.to_thread(is_written.wait, 30)
            task.cancel()
            await asyncio.sleep(0)
            is_cancelled.set()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    budget.refresh_from_db()
    assert is_written.is_set() and server.log == []
    assert not Call.objects.exists() and budget.spent == budget.reserved == 0


def test_characters_that_no_column_takes_harm_no_call_beside_them(server: ScriptedServer) -> None:
    probabilities: list[dict[str, Any]] = [{"token": "\0\ud83d", "logprob": float("-inf")}]

    def script(body: dict[str, Any], number: int) -> Scripted:
        if "item 1 " in body["messages"][0]["content"]:
            return Scripted(status=400, error="a\0b\ud800")
        return Scripted(model="scripted-1\ud800\0", logprobs=probabilities)

    server.script = script
    endpoint, budget = make_endpoint(server.url), make_budget()
    requests = [make_request(item, logprobs=True) for item in range(4)]
    answers = complete(endpoint, budget, *requests)
    assert [one.is_answered for one in answers] == [True, False, True, True]
    assert answers[1].reason == r"Status 400: a\x00b\ud800"
    assert Exchange.objects.all()[0].logprobs == [{"token": "?", "logprob": None}]


def test_a_key_that_a_server_repeats_is_in_no_answer_and_no_row(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_MODEL_KEY", CANARY)
    server.script = scripts(Scripted(status=401, error=f"the key {CANARY} is unknown"))
    endpoint, budget = make_endpoint(server.url, key_env="A_MODEL_KEY"), make_budget()
    [answer] = complete(endpoint, budget, make_request())
    assert server.log[0].headers["authorization"] == f"Bearer {CANARY}"
    assert "[key]" in answer.reason and CANARY not in repr(answer)
    [call] = Call.objects.values()
    assert CANARY not in repr(call) and "[key]" in call["reason"]


def test_a_name_that_is_resolved_to_a_private_address_is_not_connected_to(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the name of a public endpoint were pointed at this machine after it was added."""
    public = make_endpoint("https://models.example.org/v1", is_private=False)

    async def resolve(*_: Any, **__: Any) -> list[dict[str, Any]]:
        return [{"host": "127.0.0.1", "port": server.port, "hostname": "models.example.org"}]

    monkeypatch.setattr("aiohttp.resolver.ThreadedResolver.resolve", resolve)
    budget = make_budget()
    [answer] = complete(public, budget, make_request())
    budget.refresh_from_db()
    assert answer.outcome == Outcome.BROKEN and "not public" in answer.reason
    assert not server.log and budget.spent == 0
