"""What makes two requests the same, and digests of texts."""

import json
from hashlib import sha256
from typing import Any

from backend.llm.calls import ModelRequest
from backend.llm.models import Endpoint
from backend.llm.structured_output import FORMAT


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
    parts = {
        "format": FORMAT,
        "endpoint": endpoint.identity,
        "model": endpoint.model,
        "messages": [[one.role, one.content] for one in request.messages],
        "max_tokens": request.max_tokens,
        "sampling": [request.temperature, request.top_p, request.seed],
        "schema": request.schema,
        "schema_name": request.schema_name,
        "logprobs": request.logprobs,
        "sample": request.sample,
        "prompt": [request.prompt_name, request.prompt_version],
    }
    return digest_of(to_bytes(json_text(parts)))
