"""The ways in which importers may have written an identifier that a file has without a prefix."""

from backend.graphs.identifiers import canonicalize
from backend.graphs.importers.ckg.format import make_identifier
from backend.graphs.importers.ckg.vocabulary import PREFIXES


def identifier_variants(identifier: str, type_: str) -> list[str]:
    """The identifier as written, its canonical form, and CKG's form for this type of entity."""
    variants = [identifier, canonicalize(identifier)]
    if type_ in PREFIXES:
        variants.append(make_identifier(type_, identifier))
    return list(dict.fromkeys(one for one in variants if one))
