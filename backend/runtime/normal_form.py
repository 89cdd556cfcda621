"""Normal forms of texts: 'β-Blocker', 'beta blocker' and 'BETA  BLOCKER' are equal."""

import unicodedata

MAX_LENGTH = 400  # characters of a text that are read, by default

NAME_PATTERN = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho "
    "sigma sigma tau upsilon phi chi psi omega"
)
GREEK = {chr(0x3B1 + place): name for place, name in enumerate(NAME_PATTERN.split(" "))}
# Letters with a stroke and ligatures, which Unicode does not decompose.
STROKED = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"}
SEPARATORS = str.maketrans(GREEK | STROKED)
DROPPED = {"Mn", "Me", "Cf"}  # accents, enclosing marks and format characters
APOSTROPHES = "'`\u2019\u02bc\u00b4"
ASCII = {
    code: chr(code).lower() if chr(code).isalnum() else " "
    for code in range(128)
    if chr(code) not in APOSTROPHES
} | {ord(one): None for one in "'`"}


def normalize(text: str, longest: int | None = MAX_LENGTH) -> str:
    """Words of letters and digits separated by one space, without case, accents and marks.

    Greek letters are spelt out and apostrophes removed ('Crohn's' becomes 'crohns'). A string
    without letters or digits has an empty normal form.
    """
    cut = text[:longest]
    spaced = cut.translate(ASCII) if cut.isascii() else strip_accents(cut)
    return " ".join(spaced.split())


def normalize_name(name: str) -> str:
    """Of a type or relation: without case, with spaces for underscores."""
    return name.casefold().replace("_", " ")


def strip_accents(text: str) -> str:
    characters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    retained = (one for one in characters if unicodedata.category(one) not in DROPPED)
    apart = "".join(one for one in retained if one not in APOSTROPHES).translate(SEPARATORS)
    return "".join(one if one.isalnum() else " " for one in apart)
