"""Messages of the Model Context Protocol that are refused before the SDK reads them.

The SDK answers a malformed message without its id and with a dump of its own types.
"""

import json
from typing import Any

INVALID_REQUEST, INVALID_PARAMS = -32600, -32602


def find_message_fault(body: bytes) -> dict[str, Any] | None:
    """The JSON-RPC error to answer with; None for what the SDK reads, or is no JSON at all."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict):
        return _error(None, INVALID_REQUEST, "Send one JSON-RPC message as a JSON object.")
    if "method" not in message:
        return _error(_id_of(message), INVALID_REQUEST, "The member 'method' is missing.")
    return _find_member_fault(message)


def _find_member_fault(message: dict[str, Any]) -> dict[str, Any] | None:
    identifier = _id_of(message)
    if "id" in message and identifier is None:
        text = "The member 'id' must be a text or a whole number."
    elif message.get("jsonrpc") != "2.0":
        text = "The member 'jsonrpc' must be \"2.0\"."
    elif not isinstance(message["method"], str):
        text = "The member 'method' must be a text."
    elif not isinstance(message.get("params", {}), dict | None):
        text = "The member 'params' must be a JSON object."
        return _error(identifier, INVALID_PARAMS, text)
    else:
        return None
    return _error(identifier, INVALID_REQUEST, text)


def _id_of(message: dict[str, Any]) -> str | int | None:
    """None without a valid one: JSON-RPC's null."""
    identifier = message.get("id")
    is_valid = isinstance(identifier, str | int) and not isinstance(identifier, bool)
    return identifier if is_valid else None


def _error(identifier: str | int | None, code: int, text: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identifier, "error": {"code": code, "message": text}}
