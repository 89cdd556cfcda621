"""The local model: what its server can do, how it is started and how it is registered.

Requests go to the real server with the real weights; without the optional extra they are skipped.
"""

import io
import json
import socket
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import call_command

from backend.config.embedded import model_server
from backend.config.embedded.errors import ServiceError
from backend.config.local_model import (
    choose_port,
    is_requested,
    make_local_model,
    wait_until_served,
)
from backend.llm.models import Endpoint
from tests.local_model import needs_model

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = {
    "type": "object",
    "properties": {
        "label": {"enum": ["treats", "causes", "no relation"]},
        "score": {"type": "integer", "minimum": 0, "maximum": 20},
    },
    "required": ["label", "score"],
    "additionalProperties": False,
}
QUESTION = "How are aspirin and pain related?"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    model = make_local_model(tmp_path_factory.mktemp("model"), ROOT)
    child = model.start()
    try:
        wait_until_served(model.url)
        yield model.url
    finally:
        child.stop()


def post(url: str, **options: Any) -> httpx.Response:
    body = {
        "model": model_server.MODEL,
        "messages": [{"role": "user", "content": QUESTION}],
        "max_tokens": 40,
        "temperature": 0,
        **options,
    }
    return httpx.post(f"{url}/chat/completions", json=body, timeout=300)


def complete(url: str, **options: Any) -> dict[str, Any]:
    answer: dict[str, Any] = post(url, **options).raise_for_status().json()
    return answer


def text_of(answer: dict[str, Any]) -> str:
    return str(answer["choices"][0]["message"]["content"])


@needs_model
def test_an_answer_follows_a_strict_schema(url: str) -> None:
    strict = {"name": "answer", "strict": True, "schema": SCHEMA}
    answer = complete(url, response_format={"type": "json_schema", "json_schema": strict})
    value = json.loads(text_of(answer))
    assert value["label"] in {"treats", "causes", "no relation"}
    assert 0 <= value["score"] <= 20
    assert set(value) == {"label", "score"}


@needs_model
def test_a_json_object_is_one_unless_it_is_cut_off(url: str) -> None:
    answer = complete(url, response_format={"type": "json_object"})
    if answer["choices"][0]["finish_reason"] == "stop":
        assert isinstance(json.loads(text_of(answer)), dict)
    else:
        assert text_of(answer).lstrip().startswith("{")


@needs_model
def test_it_calls_no_tool_as_its_chat_template_has_none(url: str) -> None:
    tool = {"type": "function", "function": {"name": "answer", "parameters": SCHEMA}}
    answer = complete(url, tools=[tool], tool_choice="required", max_tokens=8)
    assert "tool_calls" not in answer["choices"][0]["message"]


@needs_model
def test_log_probabilities_are_those_of_the_tokens(url: str) -> None:
    answer = complete(url, logprobs=True, top_logprobs=3, max_tokens=4)
    tokens = answer["choices"][0]["logprobs"]["content"]
    assert "".join(token["token"] for token in tokens) == text_of(answer)
    for token in tokens:
        first = token["top_logprobs"][0]
        assert first["token"] == token["token"]  # the likeliest, at temperature 0
        assert first["logprob"] == token["logprob"] <= 0


@needs_model
def test_the_same_seed_gives_the_same_text_and_another_seed_another(url: str) -> None:
    texts = [text_of(complete(url, temperature=1, seed=seed, max_tokens=16)) for seed in (7, 7, 8)]
    assert texts[0] == texts[1] != texts[2]


@needs_model
def test_an_answer_does_not_depend_on_what_was_asked_before(url: str) -> None:
    first = complete(url, max_tokens=16)
    complete(url, messages=[{"role": "user", "content": f"{QUESTION} Be brief."}], max_tokens=4)
    again = complete(url, max_tokens=16)
    assert text_of(first) == text_of(again)
    assert again["usage"].get("prompt_tokens_details", {}).get("cached_tokens", 0) == 0


@needs_model
def test_usage_counts_every_token(url: str) -> None:
    answer = complete(url, max_tokens=5)
    usage = answer["usage"]
    assert usage["completion_tokens"] == 5
    assert usage["total_tokens"] == usage["prompt_tokens"] + 5
    longer = complete(url, messages=[{"role": "user", "content": f"{QUESTION} {QUESTION}"}])
    assert longer["usage"]["prompt_tokens"] > usage["prompt_tokens"]


@needs_model
def test_a_prompt_beyond_the_context_is_refused_with_its_length(url: str) -> None:
    answer = post(url, messages=[{"role": "user", "content": "word " * 9_000}])
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "exceed_context_size_error"
    assert answer.json()["error"]["n_ctx"] == model_server.CONTEXT_TOKENS


@needs_model
def test_pages_of_other_sites_and_other_people_read_nothing(url: str) -> None:
    answer = httpx.get(f"{url}/models", headers={"Origin": "https://example.org"})
    assert answer.headers["Access-Control-Allow-Origin"] == ""
    assert httpx.get(f"{url.removesuffix('/v1')}/slots").status_code == 501


@needs_model
@pytest.mark.django_db
def test_it_is_registered_free_and_private_with_its_size_and_may_move(url: str) -> None:
    old = "http://127.0.0.1:9/v1"
    call_command("add_local_model", url=url, stdout=io.StringIO())
    Endpoint.objects.update(base_url=old, model="another")
    output = io.StringIO()
    call_command("add_local_model", url=url, stdout=output)
    endpoint = Endpoint.objects.get(name="local")
    assert endpoint.base_url == url
    assert endpoint.model == model_server.MODEL
    assert endpoint.cost(1_000_000, 1_000_000) == Decimal(0)
    assert endpoint.is_private
    assert endpoint.context_tokens == model_server.CONTEXT_TOKENS
    assert endpoint.parameters == 134_515_008
    assert endpoint.size_label == "135-million-parameter model"
    line = output.getvalue()
    assert "first answer after" in line
    assert "tokens a second (endpoint 'local', a 135-million-parameter model)." in line


def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(ServiceError, match="No model answers at"):
        wait_until_served("http://127.0.0.1:9/v1", limit_s=0)


def test_the_port_of_the_last_start_is_used_again_unless_it_is_taken(tmp_path: Path) -> None:
    stored = tmp_path / "model_port"
    port = choose_port(stored)
    assert choose_port(stored) == port
    with socket.create_server(("127.0.0.1", port)):
        other = choose_port(stored)
    assert other != port
    assert choose_port(stored) == other


@pytest.mark.parametrize("text", ["", "many", "-1", "70000"])
def test_a_stored_port_that_is_none_is_replaced(tmp_path: Path, text: str) -> None:
    stored = tmp_path / "model_port"
    stored.write_text(text)
    assert 0 < choose_port(stored) < 65536
    assert int(stored.read_text()) > 0


def test_another_model_than_local_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL", "gigantic")
    with pytest.raises(ServiceError, match="MODEL must be 'local' or left out, not 'gigantic'"):
        is_requested()
    monkeypatch.delenv("MODEL")
    assert not is_requested()


def test_without_the_extra_the_way_to_install_it_is_stated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MODEL", "local")
    monkeypatch.setattr("backend.config.embedded.model_server.find_spec", lambda name: None)
    with pytest.raises(ServiceError, match="Run 'make run MODEL=local'"):
        is_requested()


def test_other_weights_are_refused_and_the_package_is_never_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (model_server.WEIGHTS_PACKAGE, model_server.SERVER_PACKAGE):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('it must not be run')")
    (tmp_path / model_server.WEIGHTS_PACKAGE / model_server.WEIGHTS).write_bytes(b"other weights")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, model_server.SERVER_PACKAGE, raising=False)
    with pytest.raises(ServiceError, match="has other weights than expected"):
        model_server.find_weights()


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 1), (4, 2), (8, 4), (64, 4)])
def test_half_of_the_cores_are_left_to_the_others(cores: int, threads: int) -> None:
    assert model_server.choose_threads(cores) == threads
