"""Types and relations as names that one writes in Cypher without quoting.

`Biological process` becomes BiologicalProcess, `gene/protein` GeneProtein; `treats` stays, and
`has part` becomes has_part. The engine has one space of names for labels and relations and does
not tell upper from lower case in it, so a name that is taken gets a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

WORDS = re.compile(r"[A-Za-z0-9]+")
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# Words that the engine's grammar does not take as a bare name (found by trying each).
# fmt: off
RESERVED = frozenset({
    "all", "and", "any", "asc", "ascending", "case", "cast", "column", "create", "default",
    "desc", "descending", "distinct", "else", "end", "ends", "exists", "false", "glob", "group",
    "hint", "in", "install", "join", "macro", "multi_join", "none", "not", "null", "on", "only",
    "optional", "or", "order", "primary", "profile", "shortest", "single", "starts", "table",
    "then", "true", "union", "unwind", "when", "where", "with", "xor",
})
# fmt: on


def labels_of(types: Sequence[str]) -> tuple[str, ...]:
    """A label for each type, none twice."""
    return _unique([_label(one) for one in types], set(RESERVED))


def names_of(relations: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """A name for each relation that is not a label either."""
    taken = RESERVED | {label.casefold() for label in labels}
    return _unique([_name(one) for one in relations], set(taken))


def _label(text: str) -> str:
    words = [text] if PLAIN.fullmatch(text) else WORDS.findall(text)
    return "".join(word[0].upper() + word[1:] for word in words)


def _name(text: str) -> str:
    return text if PLAIN.fullmatch(text) else "_".join(WORDS.findall(text))


def _unique(wanted: Sequence[str], taken: set[str]) -> tuple[str, ...]:
    """Each name or, where it is taken, the name with the lowest number that is free."""
    given = []
    for name in wanted:
        begun = name if name[:1].isalpha() else f"X{name}"
        free, number = begun, 1
        while free.casefold() in taken:
            number += 1
            free = f"{begun}_{number}"
        taken.add(free.casefold())
        given.append(free)
    return tuple(given)
