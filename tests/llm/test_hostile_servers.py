"""Servers that redirect, repeat the key with escapes, or send headers and members of no use."""

import asyncio
import json
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from backend.evaluation.runs.estimates import worst_call, worst_repair
from backend.llm.calls import Outcome
from backend.llm.key_removal import KeyRemoval
from backend.llm.keys import KeyMissing
from backend.llm.models import Call, Exchange, StoredText
from backend.llm.probe import probe
from tests.llm.factories import COMMITTED, make_budget, make_endpoint, make_request, read_as
from tests.llm.scripted_server import Scripted, ScriptedServer, scripts
from tests.llm.sessions import complete

pytestmark = COMMITTED
KEY = "sk/live+5d1f\\7a90c2=="
ORDERS = "\x1b]0;rm -rf\x07\u202e\rDone"
GSON = str.maketrans({"=": "\\u003d", "/": "\\/", "+": "\\u002B"})


def all_escaped(text: str) -> str:
    return "".join(f"\\u{ord(one):04x}" for one in text)


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(KEY)[1:-1],
        json.dumps(KEY)[1:-1].translate(GSON),
        all_escaped(KEY),
        json.dumps(all_escaped(KEY))[1:-1],
        json.dumps(json.dumps(json.dumps(KEY)))[1:-1],
    ],
    ids=["plain", "gson", "numbers", "numbers twice", "json in json"],
)
def test_a_key_that_comes_with_escapes_is_whole_in_no_answer_and_no_row(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    monkeypatch.setenv("A_MODEL_KEY", KEY)
    content = '"You sent ' + written + ' to me."'
    choice = '{"message": {"content": %s}, "finish_reason": "stop"}'
    server.script = scripts(Scripted(raw_body='{"choices": [' + choice % content + "]}"))
    endpoint = make_endpoint(server.url, key_env="A_MODEL_KEY")
    [answer] = complete(endpoint, make_budget(), make_request(schema=None, read=None))
    assert answer.is_answered and answer.text.startswith("You sent ")
    assert "[key]" in answer.text and "7a90c2" not in read_fully(answer.text)
    rows = [bytes(one.content).decode() for one in StoredText.objects.all()]
    assert not [one for one in rows if "7a90c2" in read_fully(one)]


def test_a_key_that_is_too_short_to_be_cut_from_what_servers_repeat_is_never_sent(
    server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a variable, or stored before such keys were refused."""
    short = "sk-1234"
    monkeypatch.setenv("A_MODEL_KEY", short)
    in_variable = make_endpoint(server.url, key_env="A_MODEL_KEY")
    monkeypatch.setattr("backend.llm.keys.SHORTEST_KEY", 1)
    stored = make_endpoint(server.url, "stored", key=short)
    monkeypatch.undo()
    monkeypatch.setenv("A_MODEL_KEY", short)
    for endpoint in (in_variable, stored):
        with pytest.raises(KeyMissing) as refused:
            complete(endpoint, make_budget(), make_request())
        assert short not in repr(refused.value.detail)
    assert not server.log


def read_fully(text: str) -> str:
    """What a reader of JSON in JSON would end with."""
    for _ in range(4):
        text = text.encode().decode("unicode_escape")
    return text


def test_what_is_no_key_stays_as_it_is() -> None:
    content = json.dumps({"text": 'é "=" \\u003d sk/live+'}).encode()
    assert KeyRemoval(KEY).clean(content) == content
    assert KeyRemoval("").clean(content) == content


@pytest.mark.parametrize(
    "fault",
    [
        Scripted(status=400, error=ORDERS),
        Scripted(status=500, error=ORDERS),
        Scripted(text=json.dumps({"scores": {ORDERS: "none"}})),
    ],
)
def test_what_a_server_gives_as_a_reason_has_no_control_characters(
    server: ScriptedServer, fault: Scripted
) -> None:
    """Commands print it: it could write a command into the terminal, or hide a line."""
    server.script = lambda body, number: fault
    request = make_request(read=read_as(Scores))
    [answer] = complete(make_endpoint(server.url), budget := make_budget(), request)
    reasons = [answer.reason, *Call.objects.filter(budget=budget).values_list("reason", flat=True)]
    assert all(one.isprintable() and "\\x1b]0;" in one for one in reasons)


class Scores(BaseModel):
    scores: dict[str, int]


def test_an_answer_of_any_length_is_repaired_within_the_worst_case(server: ScriptedServer) -> None:
    """Millions of bytes for 64 tokens: the repair would have cost more than the whole run. Answers
    are free, as one of this length stops an endpoint that charges for it."""
    long = "\U0001f600" * 600_000
    server.script = scripts(Scripted(text=long), Scripted(text='{"answer": "no"}'))
    endpoint, request = make_endpoint(server.url, price_out=Decimal(0)), make_request()
    most = worst_call(endpoint, request) + worst_repair(endpoint, request)
    [answer] = complete(endpoint, make_budget(str(most)), request)
    assert (answer.outcome, answer.is_retried) == (Outcome.ANSWERED, True)
    sent = server.log[1].body["messages"][1]["content"]
    assert sent == long[: 64 * 8 // 4]
    assert answer.cost <= most


def test_a_redirection_is_not_followed(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(status=307, headers={"location": f"{server.url}/other"}))
    budget = make_budget()
    [answer] = complete(make_endpoint(server.url), budget, make_request())
    budget.refresh_from_db()
    assert answer.outcome == Outcome.REJECTED and answer.reason.startswith("Status 307")
    assert len(server.log) == 1 and budget.spent == 0


@pytest.mark.parametrize(
    "value",
    [
        *("nan", "-7", "soon", "", "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"),
        *("Mon, 01 Jan 2001 00:00:00 +9999999", "Mon, 01 Jan 0001 00:00:00 +2300", "1e999 s"),
    ],
)
def test_a_time_to_wait_that_is_none_is_as_if_it_were_missing(
    server: ScriptedServer, value: str
) -> None:
    server.script = scripts(Scripted(status=429, headers={"retry-after": value}), Scripted())
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    assert answer.is_answered and len(server.log) == 2


def test_all_calls_in_flight_learn_the_newer_name_of_the_limit(server: ScriptedServer) -> None:
    message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."

    def script(body: dict[str, Any], number: int) -> Scripted:
        return Scripted(status=400, error=message) if "max_tokens" in body else Scripted()

    server.script = script
    answers = complete(make_endpoint(server.url), make_budget(), *map(make_request, range(8)))
    assert [one.outcome for one in answers] == [Outcome.ANSWERED] * 8
    assert all("max_tokens" not in one.body for one in server.log[8:])


def test_a_server_that_refuses_both_names_of_the_limit_ends_the_request(
    server: ScriptedServer,
) -> None:
    server.script = scripts(Scripted(status=400, error="max_completion_tokens is unknown"))
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request())
    assert answer.outcome == Outcome.REJECTED and len(server.log) == 2


def test_probabilities_that_nobody_requested_are_not_stored(server: ScriptedServer) -> None:
    server.script = scripts(Scripted(logprobs=[{"token": "yes", "logprob": -0.1}]))
    endpoint = make_endpoint(server.url)
    complete(endpoint, make_budget(), make_request(1), make_request(2, logprobs=True))
    stored = Exchange.objects.order_by("item_key").values_list("logprobs", flat=True)
    assert [*stored] == [None, [{"token": "yes", "logprob": -0.1}]]


@pytest.mark.parametrize(
    "content", [5, "x", {"a": 1}, [1], [None], [[{"token": "a"}]]], ids=json.dumps
)
def test_probabilities_of_another_shape_are_none(server: ScriptedServer, content: object) -> None:
    """Also the probe, which looks into them, ends."""
    choice = {"message": {"content": "Yes."}, "logprobs": {"content": content}}
    server.script = scripts(Scripted(raw_body=json.dumps({"choices": [choice]})))
    endpoint = make_endpoint(server.url)
    request = make_request(schema=None, read=None, logprobs=True)
    [answer] = complete(endpoint, make_budget(), request)
    assert answer.is_answered and answer.logprobs is None
    assert asyncio.run(probe(endpoint)).logprobs is False


def test_numbers_that_no_probability_has_are_dropped(server: ScriptedServer) -> None:
    tokens = [{"token": "a", "logprob": -(10**400)}, {"token": "b", "logprob": -0.5}]
    server.script = scripts(Scripted(logprobs=tokens))
    [answer] = complete(make_endpoint(server.url), make_budget(), make_request(logprobs=True))
    assert answer.logprobs == [{"token": "a", "logprob": None}, {"token": "b", "logprob": -0.5}]
