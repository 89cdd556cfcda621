"""The ways in which importers may have written an identifier that a file has without a prefix."""

from backend.graphs.identifiers import canonicalize
from backend.graphs.importers.ckg.format import make_identifier
from backend.graphs.importers.ckg.vocabulary import PREFIXES
from backend.runtime.normal_form import normalize_name

LABELS = {normalize_name(label): label for label in PREFIXES}
"""CKG's labels; a graph and a file may write their types otherwise."""


def identifier_variants(identifier: str, type_: str) -> list[str]:
    """The identifier as written, its canonical form, and CKG's form for this type of entity."""
    variants = [identifier, canonicalize(identifier)]
    if label := LABELS.get(normalize_name(type_)):
        variants.append(make_identifier(label, identifier))
    return list(dict.fromkeys(one for one in variants if one))
