"""Labels and relation names that need no quotes in Cypher.

`Biological process` becomes BiologicalProcess, `gene/protein` GeneProtein; `treats` is unchanged,
and `has part` becomes has_part. The engine has one case-insensitive namespace for labels and
relations, so a duplicate name gets a number.
"""

import re
from collections.abc import Sequence

WORD = re.compile(r"[A-Za-z0-9]+")
UNQUOTED_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# Words that the engine's grammar does not accept as an unquoted name (tested one by one).
# fmt: off
RESERVED_WORDS = frozenset({
    "all", "and", "any", "asc", "ascending", "case", "cast", "column", "create", "default",
    "desc", "descending", "distinct", "else", "end", "ends", "exists", "false", "glob", "group",
    "hint", "in", "install", "join", "macro", "multi_join", "none", "not", "null", "on", "only",
    "optional", "or", "order", "primary", "profile", "shortest", "single", "starts", "table",
    "then", "true", "union", "unwind", "when", "where", "with", "xor",
})
# fmt: on


def make_labels(types: Sequence[str]) -> tuple[str, ...]:
    """A distinct label for each type."""
    return _make_unique([_label(one) for one in types], set(RESERVED_WORDS))


def make_relation_names(relations: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """A distinct name for each relation, different from all labels."""
    taken = RESERVED_WORDS | {label.casefold() for label in labels}
    return _make_unique([_relation_name(one) for one in relations], set(taken))


def _label(text: str) -> str:
    words = [text] if UNQUOTED_NAME.fullmatch(text) else WORD.findall(text)
    return "".join(word[0].upper() + word[1:] for word in words)


def _relation_name(text: str) -> str:
    return text if UNQUOTED_NAME.fullmatch(text) else "_".join(WORD.findall(text))


def _make_unique(names: Sequence[str], taken: set[str]) -> tuple[str, ...]:
    """Each name or, if it is taken, the name with the lowest free number."""
    given = []
    for name in names:
        begun = name if name[:1].isalpha() else f"X{name}"
        free, number = begun, 1
        while free.casefold() in taken:
            number += 1
            free = f"{begun}_{number}"
        taken.add(free.casefold())
        given.append(free)
    return tuple(given)
