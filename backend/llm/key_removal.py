"""A key is cut from what its server repeats, also where JSON writes it with escapes."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

MARK = b"[key]"
ESCAPE = re.compile(rb"\\(?:u00([0-9a-fA-F]{2})|(.))", re.DOTALL)  # keys are ASCII
MOST_READINGS = 10


class KeyRemoval:
    """Gateways escape more than JSON demands: `/` as `\\/`, `=` as `\\u003d`, a backslash as
    `\\u005c`; and the text of an answer is JSON in JSON. The key would be whole once it is read,
    so it is looked for in the content and in what up to ten readings of escapes make of it."""

    def __init__(self, key: str) -> None:
        self._keys = {one for one in _readings(key.encode()) if one}

    def clean(self, content: bytes) -> bytes:
        """Finding the places is slow, and few contents have the key."""
        if not self._keys or not any(
            key in one for one in _readings(content) for key in self._keys
        ):
            return content
        return b"".join(_cut(content, sorted(self._places(content))))

    def clean_text(self, text: str) -> str:
        return self.clean(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def _places(self, content: bytes) -> Iterator[tuple[int, int]]:
        """Starts and ends in the content, which may overlap."""
        for read, starts in _readings_with_starts(content):
            for key in self._keys:
                for match in re.finditer(re.escape(key), read):
                    yield starts[match.start()], starts[match.end()]


def _readings(content: bytes) -> Iterator[bytes]:
    """The content, and what each reading of the one before gives, until nothing is escaped."""
    yield content
    for _ in range(MOST_READINGS):
        if b"\\" not in content:
            return
        content = ESCAPE.sub(_character, content)
        yield content


def _character(match: re.Match[bytes]) -> bytes:
    return bytes.fromhex(match[1].decode()) if match[1] else match[2]


def _readings_with_starts(content: bytes) -> Iterator[tuple[bytes, Sequence[int]]]:
    """With where in the content each byte of the reading starts, and the end."""
    starts: Sequence[int] = range(len(content) + 1)
    yield content, starts
    for before, after in pairwise(_readings(content)):
        starts = _starts_after(before, starts)
        yield after, starts


def _starts_after(content: bytes, starts: Sequence[int]) -> list[int]:
    """Of the bytes that a reading of the content gives."""
    escapes = [*ESCAPE.finditer(content)]
    begins = [0, *(one.end() for one in escapes)]
    ends = [*(one.start() + 1 for one in escapes), len(starts)]
    return [*chain(*(starts[begin:end] for begin, end in zip(begins, ends, strict=True)))]


def _cut(content: bytes, places: Sequence[tuple[int, int]]) -> Iterator[bytes]:
    at = 0
    for start, end in places:
        if start >= at:
            yield content[at:start] + MARK
        at = max(at, end)
    yield content[at:]
