"""The ways in which importers may have written an identifier that a file has without a prefix."""

from functools import lru_cache

from backend.graphs.identifiers import canonicalize
from backend.graphs.importers.ckg.format import make_identifier
from backend.graphs.importers.ckg.vocabulary import PREFIXES
from backend.runtime.normal_form import normalize_name

MOST_TYPES = 1_000
LABELS = {normalize_name(label): label for label in PREFIXES}
"""CKG's labels; a graph and a file may write their types otherwise."""


def identifier_variants(identifier: str, *types: str) -> list[str]:
    """The identifier as written, its canonical form, and CKG's form for these types of entity."""
    labels = filter(None, map(_label_of, types))
    variants = [identifier, canonicalize(identifier)]
    variants += [make_identifier(label, identifier) for label in labels]
    return list(dict.fromkeys(one for one in variants if one))


@lru_cache(MOST_TYPES)
def _label_of(type_: str) -> str | None:
    return LABELS.get(normalize_name(type_))
