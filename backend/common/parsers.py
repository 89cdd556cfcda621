"""JSON bodies, read with a limit and only if their text can be stored.

DRF's own parser streams whatever it is sent into memory, and lets through what makes Python or
PostgreSQL give up later: nesting without end, half of a surrogate pair, a zero character.
"""

import io
import json
import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request

from backend.common.errors import DomainError
from backend.validation.faults import Fault, printable
from backend.validation.json_files import UNSTORABLE

MAX_JSON_DEPTH = 32
UNREADABLE_JSON = f"The JSON is not valid UTF-8, or is nested deeper than {MAX_JSON_DEPTH} levels."
ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


def require_body_size(request: Request, most: int) -> None:
    """Before a form is read. Raises RequestDataTooBig (413) by the length that is stated."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > most:
        raise RequestDataTooBig


class BoundedJSONParser(JSONParser):
    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise RequestDataTooBig
        data: Any = None
        try:
            # JSON between systems is UTF-8 (RFC 8259, 8.1), whatever charset the request names.
            data = super().parse(io.BytesIO(body), media_type, {"encoding": "utf-8"})
            require_storable(body, data)
        except (RecursionError, UnicodeError) as error:
            if place := find_unstorable(data):
                raise unstorable_fault(place) from error
            raise ParseError(UNREADABLE_JSON) from error
        return data


def unstorable_fault(place: str) -> DomainError:
    message = "This text has a zero character or half of a surrogate pair. Remove it."
    faults = [Fault(printable(place), message, "unstorable_text")]
    return DomainError(message, code="parse_error", status=HTTPStatus.BAD_REQUEST, faults=faults)


def find_unstorable(data: object, depth: int = 0) -> str:
    """The place of the first text that cannot be stored, such as `tags[0].name`; else empty."""
    if depth > MAX_JSON_DEPTH or not isinstance(data, dict | list):
        return ""
    is_object = isinstance(data, dict)
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        own = f".{key}" if is_object else f"[{key}]"
        texts = [one for one in (key, value) if isinstance(one, str)]
        if any(UNSTORABLE.search(one) for one in texts):
            return own.removeprefix(".") if not depth else own
        if inner := find_unstorable(value, depth + 1):
            return (own + inner).removeprefix(".") if not depth else own + inner
    return ""


def require_storable(body: bytes, data: object) -> None:
    """Neither deeper than anything that is sent here, nor text that PostgreSQL cannot keep.

    Both kinds of broken text can only be written with an escape, which most bodies have not.
    """
    if body.count(b"[") + body.count(b"{") > MAX_JSON_DEPTH:
        _require_depth(data)
    if rb"\u" not in body:
        return
    text = json.dumps(data, ensure_ascii=False)
    text.encode()
    if ESCAPED_NUL.search(text):
        raise UnicodeError("a zero character")


def _require_depth(data: object) -> None:
    level = [data]
    for _ in range(MAX_JSON_DEPTH):
        level = [part for whole in level for part in _children(whole)]
        if not level:
            return
    raise RecursionError


def _children(whole: object) -> Iterable[object]:
    if isinstance(whole, dict):
        return whole.values()
    return whole if isinstance(whole, list) else ()
