"""JSON bodies, read with a limit and only if their text can be stored.

DRF's own parser streams whatever it is sent into memory, and lets through what makes Python or
PostgreSQL give up later: nesting without end, half of a surrogate pair, a zero character.
"""

import io
import json
import re
from collections.abc import Iterable, Mapping
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

MAX_JSON_DEPTH = 32
UNREADABLE_JSON = f"The JSON is not valid UTF-8, or is nested deeper than {MAX_JSON_DEPTH} levels."
ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


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
        try:
            # JSON between systems is UTF-8 (RFC 8259, 8.1), whatever charset the request names.
            data = super().parse(io.BytesIO(body), media_type, {"encoding": "utf-8"})
            require_storable(body, data)
        except (RecursionError, UnicodeError) as error:
            raise ParseError(UNREADABLE_JSON) from error
        return data


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
