"""What search reads of names and identifiers beside their normal form."""

import re

from backend.runtime.normal_form import MAX_LENGTH, normalize

__all__ = ["MAX_LENGTH", "compounds", "local_part", "normalize", "scheme_and_rest"]

COMPOUND = re.compile(r"[^\W_]+(?:[-\u2010\u2011\u2013/][^\W_]+)+")  # all hyphens and dashes


def compounds(text: str) -> list[str]:
    """Hyphenated words as one word: 'IL-6' also matches 'il6'."""
    if "-" not in text and text.isascii():
        return []
    result = COMPOUND.findall(text[:MAX_LENGTH])
    return [one for word in result if (one := normalize(word).replace(" ", ""))]


def local_part(identifier: str) -> str:
    """The part of an identifier after its scheme, in lower case: 'db00945'."""
    return scheme_and_rest(identifier)[1]


def scheme_and_rest(identifier: str) -> tuple[str, str]:
    """'DRUGBANK:DB00945' as ('drugbank', 'db00945'); the scheme is empty if absent."""
    scheme, colon, rest = identifier[:MAX_LENGTH].strip().casefold().partition(":")
    return (scheme, rest) if colon else ("", scheme)
