"""What makes two requests the same, and digests of texts."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from backend.llm.calls import ModelRequest
from backend.llm.models import Endpoint
from backend.llm.structured_output import FORMAT
from backend.tracks.model_tasks import Message


def json_text(value: Any) -> str:
    """Equal for equal values."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


def to_bytes(text: str) -> bytes:
    """Lone surrogates, which JSON may have, are kept."""
    return text.encode("utf-8", "surrogatepass")


def to_text(content: bytes) -> str:
    return content.decode("utf-8", "surrogatepass")


def call_key(endpoint: Endpoint, request: ModelRequest) -> str:
    """Part of the cache: everything that may change the answer."""
    parts = {
        "endpoint": endpoint.identity,
        "messages": _pairs(request.messages),
        "schema": request.schema,
        **_common_parts(endpoint, request),
    }
    return digest_of(to_bytes(json_text(parts)))


def lasting_key(endpoint: Endpoint, request: ModelRequest) -> str:
    """Equal for requests to one endpoint that differ by no more than its address and by what was
    fitted to it, such as the size of its context: a budget that has paid for one of them does not
    pay for the other."""
    whole = request.whole_digest or digest_of_parts(request.messages, request.schema)
    parts = {"endpoint": str(endpoint.pk), "whole": whole, **_common_parts(endpoint, request)}
    return digest_of(to_bytes(json_text(parts)))


def digest_of_parts(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
    return digest_of(to_bytes(json_text([_pairs(messages), schema])))


def _pairs(messages: Sequence[Message]) -> list[list[str]]:
    return [[one.role, one.content] for one in messages]


def _common_parts(endpoint: Endpoint, request: ModelRequest) -> dict[str, Any]:
    epoch = (
        {"epoch": endpoint.cache_epoch} if endpoint.cache_epoch else {}
    )  # as before there was one
    return {
        "format": FORMAT,
        "model": endpoint.model,
        **epoch,
        "max_tokens": request.max_tokens,
        "sampling": [request.temperature, request.top_p, request.seed],
        "schema_name": request.schema_name,
        "logprobs": request.logprobs,
        "sample": request.sample,
        "prompt": [request.prompt_name, request.prompt_version],
    }
