"""A key is cut from what its server repeats, also where JSON writes it with escapes."""

import re

MARK = b"[key]"
BACKSLASH = b"\\"
ESCAPE = re.compile(rb"\\u00([0-9a-fA-F]{2})")  # of the characters that a key has


class KeyRemoval:
    """Gateways escape more than JSON demands: `/` as `\\/`, `=` as `\\u003d`; and the text of an
    answer is JSON in JSON, so that backslashes double. The key would be whole once it is read."""

    def __init__(self, key: str) -> None:
        self._bare = _without_escapes(key.encode())
        self._pattern = re.compile(_pattern_of(key)) if key else None

    def clean(self, content: bytes) -> bytes:
        """The pattern is slow, and few contents have the key."""
        if self._pattern is None or self._bare not in _without_escapes(content):
            return content
        return self._pattern.sub(MARK, content)

    def clean_text(self, text: str) -> str:
        return self.clean(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")


def _without_escapes(content: bytes) -> bytes:
    if b"u00" in content:
        content = ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()), content)
    return content.replace(BACKSLASH, b"")


def _pattern_of(key: str) -> bytes:
    """Each character itself or its number, after any backslashes; its own are among these."""
    return rb"(?<!\\)" + b"".join(map(_written, re.sub(r"\\+", "\\\\", key)))


def _written(character: str) -> bytes:
    digits = b"".join(b"[%c%c]" % (ord(one), ord(one.upper())) for one in f"{ord(character):02x}")
    number = rb"(?<=\\)u00" + digits
    if character == "\\":
        return rb"\\++(?:" + number + rb"\\*+)*+"
    return rb"\\*+(?:" + re.escape(character.encode()) + rb"|" + number + rb")"
