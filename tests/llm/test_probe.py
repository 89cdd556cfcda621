"""What the probe finds out, by servers that differ in one thing each."""

import asyncio
import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from backend.jobs.runner import run_job
from backend.jobs.services import request_job
from backend.llm.calls import Capabilities, JsonMode
from backend.llm.job_kinds import probe_request
from backend.llm.ledger import settle_dead_processes
from backend.llm.models import Budget, Call, Exchange, StoredText
from backend.llm.probe import probe
from tests.llm.factories import CANARY, COMMITTED, make_endpoint
from tests.llm.scripted_server import Script, Scripted, ScriptedServer
from tests.personas import make_person

pytestmark = COMMITTED

GOOD = json.dumps({"relation_holds": True, "evidence_sentences": 2})
TOKENS = [{"token": "a", "logprob": -0.1}]


def honest(body: dict[str, Any], number: int) -> Scripted:
    is_json = "response_format" in body or "tools" in body
    return Scripted(text=GOOD if is_json else "Yes, it does.", logprobs=TOKENS)


def without(word: str) -> Script:
    def script(body: dict[str, Any], number: int) -> Scripted:
        if word in json.dumps(body):
            return Scripted(status=400, error=f"{word} is not supported")
        return honest(body, number)

    return script


def run(server: ScriptedServer, **fields: Any) -> Capabilities:
    return asyncio.run(probe(make_endpoint(server.url, timeout_s=5, **fields)))


def test_a_server_that_can_everything_is_found_so_in_six_calls(server: ScriptedServer) -> None:
    server.script = honest
    results = run(server)
    assert len(server.log) == 6
    assert results.notes == {} and results.first_mode() == JsonMode.SCHEMA
    checks = (results.schema_output, results.object_output, results.tool_calls, results.logprobs)
    assert checks == (True,) * 4 and results.repeats and results.counts_tokens
    assert results.token_ratio is not None and 0.7 < results.token_ratio < 1.4
    assert results.model_returned == "scripted-1"


@pytest.mark.parametrize(
    ("word", "name", "mode"),
    [
        ("json_schema", "schema_output", JsonMode.TOOL),
        ("json_object", "object_output", JsonMode.SCHEMA),
        ("tool_choice", "tool_calls", JsonMode.SCHEMA),
    ],
)
def test_what_a_server_refuses_is_noted(
    server: ScriptedServer, word: str, name: str, mode: JsonMode
) -> None:
    server.script = without(word)
    results = run(server)
    assert getattr(results, name) is False and word in results.notes[name]
    assert results.first_mode() == mode


def test_a_schema_that_is_accepted_and_ignored_is_not_believed(server: ScriptedServer) -> None:
    server.script = lambda body, number: Scripted(text='{"answer": "yes", "reason": "…"}')
    results = run(server)
    assert (results.schema_output, results.tool_calls, results.object_output) == (
        False,
        False,
        True,
    )
    assert results.logprobs is False and results.first_mode() == JsonMode.OBJECT


@pytest.mark.parametrize("lie", [0.1, 5.0])
def test_counts_that_no_tokenizer_gives_are_not_believed(
    server: ScriptedServer, lie: float
) -> None:
    server.script = lambda body, number: Scripted(text="Yes.", lie=lie)
    assert run(server).counts_tokens is False


def test_a_server_without_counts_is_found_so(server: ScriptedServer) -> None:
    server.script = lambda body, number: Scripted(text="Yes.", has_usage=False)
    assert run(server).counts_tokens is False


def test_answers_that_vary_are_found(server: ScriptedServer) -> None:
    def vary(body: dict[str, Any], number: int) -> Scripted:
        return Scripted(text=f"Yes, {len(server.log)}.")

    server.script = vary
    assert run(server).repeats is False


def test_a_server_that_is_down_leaves_everything_unknown_and_names_no_key(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script = lambda body, number: Scripted(status=500, error=f"bad key {CANARY}")
    monkeypatch.setenv("A_MODEL_KEY", CANARY)
    results = run(server, key_env="A_MODEL_KEY")
    assert (results.schema_output, results.repeats, results.counts_tokens) == (None, None, None)
    assert CANARY not in results.model_dump_json() and "[key]" in results.model_dump_json()
    assert server.log[0].headers["authorization"] == f"Bearer {CANARY}"
    assert CANARY not in repr([*Call.objects.values(), *StoredText.objects.values()])


def test_the_six_calls_are_in_the_ledger_with_what_they_cost(server: ScriptedServer) -> None:
    server.script = honest
    run(server)
    calls = [*Call.objects.order_by("number")]
    assert [one.number for one in calls] == [1, 2, 3, 4, 5, 6]
    assert {(one.prompt_name, one.state, one.outcome) for one in calls} == {
        ("probe", "settled", "answered")
    }
    assert [one.reported_in for one in calls] == [one.tokens_in for one in server.log]
    for call in calls:
        reported = call.endpoint.cost(call.reported_in or 0, call.reported_out or 0)
        assert call.reserved >= call.cost >= reported > 0
    budget = Budget.objects.get()
    assert budget.subject.startswith(f"probe:{calls[0].endpoint_id}")
    assert budget.spent == sum((one.cost for one in calls), Decimal(0)) <= budget.amount
    assert budget.reserved == 0 and not Exchange.objects.exists()
    digests = {one.prompt for one in calls} | {one.text for one in calls}
    assert {*StoredText.objects.values_list("digest", flat=True)} == digests


def test_administrators_read_the_calls_of_a_probe_like_others(server: ScriptedServer) -> None:
    server.script = honest
    endpoint = make_endpoint(server.url, usable_by="everyone")
    asyncio.run(probe(endpoint))
    administrator, outsider = make_person("ada", is_administrator=True), make_person("olga")
    place = f"/api/v1/endpoints/{endpoint.pk}/calls"
    assert outsider.browser.get(place).status_code == 403
    first = administrator.browser.get(place, {"limit": 4}).json()
    rest = administrator.browser.get(first["next"]).json()
    rows = [*first["results"], *rest["results"]]
    assert rest["next"] is None and len({one["id"] for one in rows}) == 6
    assert {(one["prompt_name"], one["subject"].split(":")[0]) for one in rows} == {
        ("probe", "probe")
    }
    costs = {one["item_key"]: Decimal(one["cost"]) for one in rows}
    assert costs == dict(Call.objects.values_list("item_key", "cost")) and min(costs.values()) > 0
    administrator.browser.delete(f"/api/v1/endpoints/{endpoint.pk}")
    assert len(administrator.browser.get(place).json()["results"]) == 6


def test_a_probe_is_spent_by_who_requested_it(server: ScriptedServer) -> None:
    server.script = honest
    endpoint = make_endpoint(server.url)
    administrator = make_person("ada", is_administrator=True)
    for owner in (administrator.user, None):
        requested = request_job(owner=owner, request=probe_request(endpoint), is_queued=False)
        run_job(requested.job.pk)
    rows = administrator.browser.get("/api/v1/model-spending").json()["results"]
    people = {(one["person"] or {}).get("email"): one["calls"] for one in rows}
    assert people == {administrator.user.email: 6, None: 6}


def test_a_probe_notes_answers_beyond_their_limit_and_makes_all_its_calls(
    server: ScriptedServer,
) -> None:
    def reason(body: dict[str, Any], number: int) -> Scripted:
        return replace(honest(body, number), reasoning_tokens=5_000)

    server.script = reason
    results = run(server, price_out=Decimal(50))
    assert len(server.log) == 6 and results.schema_output and results.tool_calls
    notes = [*results.notes.values()]
    assert len(notes) == 6 and notes[0].startswith("It answered with 5,0")
    assert all(one.endswith("Runs end at such an answer.") for one in notes)
    calls, budget = [*Call.objects.order_by("number")], Budget.objects.get()
    assert all("over_limit" in one.flags and one.cost >= one.reserved for one in calls)
    spent = sum((one.cost for one in calls), Decimal(0))
    assert (budget.spent, budget.reserved) == (spent, 0) and spent <= budget.amount
    assert calls[0].cost > calls[0].reserved


def test_a_probe_without_a_price_is_in_the_ledger_without_a_cost(server: ScriptedServer) -> None:
    server.script = honest
    run(server, price_in=None, price_out=None)
    assert [*Call.objects.values_list("cost", "reserved")] == [(0, 0)] * 6


def test_each_probe_has_its_own_calls_and_budget(server: ScriptedServer) -> None:
    server.script = honest
    endpoint = make_endpoint(server.url)
    for _ in range(2):
        asyncio.run(probe(endpoint))
    assert (Call.objects.count(), Budget.objects.count(), len(server.log)) == (12, 2, 12)


def test_the_call_of_a_probe_that_was_cut_off_is_settled_at_its_worst_case(
    server: ScriptedServer,
) -> None:
    server.script = lambda body, number: Scripted(delay_s=30)
    endpoint = make_endpoint(server.url)

    async def cut_off() -> None:
        task = asyncio.create_task(probe(endpoint))
        while not server.log:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cut_off())
    assert settle_dead_processes(None) == 1
    call, budget = Call.objects.get(), Budget.objects.get()
    assert call.outcome == "lost" and budget.spent == call.cost == call.reserved > 0
    assert budget.reserved == 0
