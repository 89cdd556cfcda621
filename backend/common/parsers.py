"""JSON bodies, read with a limit and only if their text can be stored.

DRF's own parser streams whatever it is sent into memory, and lets through what makes Python or
PostgreSQL give up later: nesting without end, half of a surrogate pair, a zero character.
"""

import io
import json
import re
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

ZERO = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class BoundedJSON(JSONParser):
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
            data = super().parse(io.BytesIO(body), media_type, parser_context)
            require_storable_text(body, data)
        except (RecursionError, UnicodeError) as error:
            raise ParseError("This JSON is nested too deeply, or is not Unicode.") from error
        return data


def require_storable_text(body: bytes, data: object) -> None:
    """Both kinds of broken text can only be written with an escape, which most bodies have not."""
    if rb"\u" not in body:
        return
    text = json.dumps(data, ensure_ascii=False)
    text.encode()
    if ZERO.search(text):
        raise UnicodeError("a zero character")
