"""How JSON is requested in each way, and how it is read from what models really send."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from json_repair import repair_json

from backend.llm.calls import JsonMode, ModelRequest
from backend.tracks.model_tasks import Message

MAX_TEXT = 200_000  # of an answer that is searched for JSON
MAX_DEPTH = 50
THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
FENCE = re.compile(r"```[a-zA-Z0-9_-]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)


class Unreadable(ValueError):
    """The text has no JSON value that could be what was requested."""


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
    text = f"{message.content}\n\n{rule}\n{json.dumps(schema, ensure_ascii=False)}"
    return Message(message.role, text)


def repair_messages(
    request: ModelRequest, mode: JsonMode, answer: str, reason: str
) -> list[Message]:
    """The second request, with the answer that could not be read."""
    correction = Message("user", f"This answer cannot be used: {reason}")
    if request.schema is not None:
        correction = with_schema(correction, request.schema)
    return [*messages_for(request, mode), Message("assistant", answer), correction]


def read_value(request: ModelRequest, text: str) -> tuple[Any, bool, bool]:
    """The value, whether JSON was mended, and whether it was read from plain text.

    Raises Unreadable. Strict JSON is tried first, then the parts that models wrap it in.
    """
    if request.read is not None:
        return _read_whole(request.read, text)
    if request.schema is None:
        return text, False, False
    reason = ""
    for candidate, is_mended in candidates(text):
        try:
            parsed = json.loads(candidate)
        except (ValueError, RecursionError):
            parsed = _mend(candidate)
            is_mended = True
        if parsed in ("", None) or isinstance(parsed, str) or depth(parsed) > MAX_DEPTH:
            continue
        try:
            return (request.read_json or _identity)(parsed), is_mended, False
        except ValueError as error:
            reason = reason or describe(error)
    if request.read_text is not None and len(text) <= MAX_TEXT:
        value = request.read_text(without_thinking(text))
        if value is not None:
            return value, False, True
    raise Unreadable(reason or "it holds no JSON object.")


def _read_whole(read: Callable[[str], tuple[Any, str]], text: str) -> tuple[Any, bool, bool]:
    try:
        value, reading = read(text)
    except ValueError as error:
        raise Unreadable(describe(error)) from error
    return value, reading == "repaired", reading == "plain_text"


def candidates(text: str) -> list[tuple[str, bool]]:
    """Parts of the text that may be the JSON, the most likely first; whether anything was cut."""
    whole = text.strip()
    answer = without_thinking(whole[:MAX_TEXT])
    parts = [(whole, False), (answer, True)]
    parts += [(match.group(1).strip(), True) for match in FENCE.finditer(answer)]
    start = min((place for sign in "{[" if (place := answer.find(sign)) >= 0), default=-1)
    end = max(answer.rfind("}"), answer.rfind("]"))
    if start >= 0:
        parts.append((answer[start : end + 1] if end > start else answer[start:], True))
    unique = dict.fromkeys(part for part, _ in parts if part and part[0] in "{[")
    cut = dict(reversed(parts))
    return [(part, cut[part]) for part in unique]


def without_thinking(text: str) -> str:
    return THINKING.sub("", text).strip()


def _mend(text: str) -> Any:
    """None where even that fails."""
    try:
        return repair_json(text, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None


def _identity(value: Any) -> Any:
    return value


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


def describe(error: ValueError) -> str:
    """In a sentence for the model and the ledger, shorter than pydantic's own."""
    listed = getattr(error, "errors", None)
    if callable(listed):
        rows = [f"{'.'.join(map(str, one['loc'])) or 'answer'}: {one['msg']}" for one in listed()]
        return "; ".join(rows[:5])[:300]
    return str(error)[:300] or "it is not what the schema requires."
