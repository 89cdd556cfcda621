"""What the body of an answer means, whatever a server sent."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.llm.calls import JsonMode, ModelRequest, Outcome
from backend.llm.models.endpoints import MAX_MODEL_LENGTH

MAX_BODY = 8_000_000
MAX_DEPTH = 50
LARGEST_NUMBER = 1e300  # of a probability; not a number is none, either


@dataclass(frozen=True)
class Reply:
    """text: of the answer, or the arguments of the tool call. retry_after_s: of a refusal.
    is_unsent: the server was not reached. is_adapted: the next request will differ."""

    outcome: Outcome
    text: str = ""
    status: int | None = None
    model_returned: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    hidden_tokens: int = 0  # of reasoning that the answer does not show
    logprobs: Sequence[Mapping[str, Any]] | None = None
    retry_after_s: float | None = None
    reason: str = ""
    latency_ms: int = 0
    is_unsent: bool = False
    is_adapted: bool = False


def read_reply(body: bytes, mode: JsonMode, request: ModelRequest) -> Reply:
    """From whatever a server answered with status 200."""
    if len(body) > MAX_BODY:
        return Reply(Outcome.BROKEN, status=200, reason="The answer is too large.")
    try:
        answer = json.loads(body)
        choice = answer["choices"][0]
        message = choice["message"]
        text = _text_of(message, mode if request.schema is not None else JsonMode.TEXT)
    except (ValueError, LookupError, TypeError, RecursionError, AttributeError):
        return Reply(Outcome.BROKEN, status=200, reason="The answer is no chat completion.")
    usage = answer.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    details = usage.get("completion_tokens_details")
    model = answer.get("model")
    outcome, reason = _outcome_of(choice, message, text)
    return Reply(
        outcome,
        text=text,
        status=200,
        model_returned=storable(model)[:MAX_MODEL_LENGTH] if isinstance(model, str) else "",
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        hidden_tokens=_count((details or {}).get("reasoning_tokens")) or 0
        if isinstance(details, Mapping | None)
        else 0,
        logprobs=_read_logprobs(choice.get("logprobs")) if request.logprobs else None,
        reason=reason,
    )


def _text_of(message: Mapping[str, Any], mode: JsonMode) -> str:
    if mode == JsonMode.TOOL and message.get("tool_calls"):
        arguments = message["tool_calls"][0]["function"]["arguments"]
        return arguments if isinstance(arguments, str) else json.dumps(arguments)
    content = message.get("content")
    if isinstance(content, list):  # parts, as some servers send them
        content = "".join(part.get("text", "") for part in content)
    return content if isinstance(content, str) else ""


def _outcome_of(
    choice: Mapping[str, Any], message: Mapping[str, Any], text: str
) -> tuple[Outcome, str]:
    ended = choice.get("finish_reason")
    if ended == "content_filter" or message.get("refusal"):
        return Outcome.FILTERED, "The endpoint's filter withheld the answer."
    if ended == "length":
        return Outcome.TRUNCATED, "The answer reached the largest number of tokens."
    if not text.strip():
        return Outcome.EMPTY, "The answer is empty."
    return Outcome.ANSWERED, ""


def storable(text: str) -> str:
    """Without the characters that a text column refuses: one of them in a server's words would
    fail the transaction of every call beside it."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _read_logprobs(given: object) -> Sequence[Mapping[str, Any]] | None:
    """None where it is no list of tokens."""
    tokens = given.get("content") if isinstance(given, Mapping) else None
    if not isinstance(tokens, list) or depth(tokens) > MAX_DEPTH:
        return None
    return [_storable_json(one) for one in tokens] if _are_mappings(tokens) else None


def _are_mappings(values: Sequence[object]) -> bool:
    return all(isinstance(one, Mapping) for one in values)


def _storable_json(value: Any) -> Any:
    """Models have tokens that are parts of a character, and probabilities of zero."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(name): _storable_json(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_storable_json(one) for one in value]
    return None if isinstance(value, int | float) and not abs(value) < LARGEST_NUMBER else value


def depth(value: Any) -> int:
    """Of nested objects and lists, without recursion."""
    deepest, rest = 0, [(value, 1)]
    while rest:
        one, level = rest.pop()
        deepest = max(deepest, level)
        if level > MAX_DEPTH:
            return level
        if isinstance(one, dict):
            rest.extend((child, level + 1) for child in one.values())
        elif isinstance(one, list):
            rest.extend((child, level + 1) for child in one)
    return deepest


def _count(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < 2**31 else None
