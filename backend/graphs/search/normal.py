"""The normal form of a text, made beside it for search: what a person types and what a file has
meet there. 'β-Blocker', 'beta blocker' and 'BETA  BLOCKER' are one.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 400  # characters of a name that are searched; the snapshot keeps all of it

NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma sigma tau upsilon phi chi psi omega"
)
GREEK = {chr(0x3B1 + place): name for place, name in enumerate(NAMES.split(" "))}
# Letters that are a letter with a stroke or two letters in one, which Unicode does not take apart.
STROKED = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"}
APART = str.maketrans(GREEK | STROKED)
DROPPED = {"Mn", "Me", "Cf"}  # accents, enclosing marks, and what only steers the display
APOSTROPHES = "'`\u2019\u02bc\u00b4"
ASCII = {
    code: chr(code).lower() if chr(code).isalnum() else " "
    for code in range(128)
    if chr(code) not in APOSTROPHES
} | {ord(one): None for one in "'`"}
COMPOUND = re.compile(r"[^\W_]+(?:[-\u2010\u2011\u2013/][^\W_]+)+")  # each kind of hyphen


def normal(text: str, longest: int | None = LONGEST) -> str:
    """Words of letters and digits with one space between: case, accents and marks are gone.

    Greek letters are spelt out, apostrophes closed up ('Crohn's' is 'crohns'). A text without
    letters or digits has an empty normal form.
    """
    cut = text[:longest]
    spaced = cut.translate(ASCII) if cut.isascii() else unaccented(cut)
    return " ".join(spaced.split())


def unaccented(text: str) -> str:
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    kept = (one for one in letters if unicodedata.category(one) not in DROPPED)
    apart = "".join(one for one in kept if one not in APOSTROPHES).translate(APART)
    return "".join(one if one.isalnum() else " " for one in apart)


def compounds(text: str) -> list[str]:
    """Words joined by hyphens, in one: 'IL-6' can also be met as 'il6'."""
    if "-" not in text and text.isascii():
        return []
    found = COMPOUND.findall(text[:LONGEST])
    return [one for word in found if (one := normal(word).replace(" ", ""))]


def local_part(identifier: str) -> str:
    """What of an identifier stands behind its scheme, whatever its case: 'db00945'."""
    return scheme_and_rest(identifier)[1]


def scheme_and_rest(identifier: str) -> tuple[str, str]:
    """'DRUGBANK:DB00945' as ('drugbank', 'db00945'); the scheme is empty where there is none."""
    scheme, colon, rest = identifier[:LONGEST].strip().casefold().partition(":")
    return (scheme, rest) if colon else ("", scheme)
