"""How JSON is requested in each way, and once more where an answer could not be read."""

from collections.abc import Mapping
from typing import Any

from backend.llm.calls import REASON_LENGTH, JsonMode, ModelRequest
from backend.tracks.model_tasks import Message
from backend.tracks.prompt_text import to_json
from backend.validation.faults import printable

FORMAT = 1
"""Version of what this module adds to a prompt, changed with its sentences: it is part of the key
of calls and of the recorded prompt version of a repair."""


BYTES_OF_A_TOKEN = 8  # more than words of any language have in the mean


class Unreadable(ValueError):
    """The text is not what was requested."""


def request_options(request: ModelRequest, mode: JsonMode) -> dict[str, Any]:
    """Of the chat request, for this way to request JSON."""
    if request.schema is None:
        return {}
    named = {"name": request.schema_name, "strict": True}
    if mode == JsonMode.SCHEMA:
        schema = {**named, "schema": request.schema}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    if mode == JsonMode.TOOL:
        function = {"name": request.schema_name, "parameters": request.schema}
        choice = {"type": "function", "function": {"name": request.schema_name}}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
    if mode == JsonMode.OBJECT:
        return {"response_format": {"type": "json_object"}}
    return {}


def messages_for(request: ModelRequest, mode: JsonMode) -> list[Message]:
    """With the schema in words, where the request itself cannot carry it."""
    messages = [*request.messages]
    if request.schema is None or mode in {JsonMode.SCHEMA, JsonMode.TOOL}:
        return messages
    return [*messages[:-1], with_schema(messages[-1], request.schema)]


def with_schema(message: Message, schema: Mapping[str, Any]) -> Message:
    rule = "Answer with one JSON object that is valid against this JSON Schema, and nothing else:"
    text = f"{message.content}\n\n{rule}\n{to_json(schema)}"
    return Message(message.role, text)


def most_answer_bytes(request: ModelRequest) -> int:
    return BYTES_OF_A_TOKEN * request.max_tokens


def repair_messages(
    request: ModelRequest, mode: JsonMode, answer: str, reason: str
) -> list[Message]:
    """The second request, with the answer that could not be read: as much of it as so many tokens
    have at most, whatever the server sent, so that its cost has a bound before the first one."""
    answer = answer.encode("utf-8", "replace")[: most_answer_bytes(request)].decode(
        "utf-8", "ignore"
    )
    correction = Message("user", f"This answer cannot be used: {reason}")
    if request.schema is not None:
        correction = with_schema(correction, request.schema)
    return [*messages_for(request, mode), Message("assistant", answer), correction]


def read_value(request: ModelRequest, text: str) -> tuple[Any, bool, bool]:
    """The value, whether JSON was repaired, and whether it was read from plain text.

    Raises Unreadable.
    """
    if request.read is None:
        return text, False, False
    try:
        value, reading = request.read(text)
    except ValueError as error:
        raise Unreadable(describe(error)) from error
    return value, reading == "repaired", reading == "plain_text"


def describe(error: ValueError) -> str:
    """In a sentence for the model and the ledger, shorter than pydantic's own, with what the model
    called its members."""
    listed = getattr(error, "errors", None)
    if callable(listed):
        rows = [f"{'.'.join(map(str, one['loc'])) or 'answer'}: {one['msg']}" for one in listed()]
        return printable("; ".join(rows[:5]), REASON_LENGTH)
    return printable(str(error), REASON_LENGTH) or "it is not what the schema requires."
