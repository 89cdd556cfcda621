"""Concepts of UMLS as identifiers."""

import re

from backend.graphs.identifiers import canonicalize, make_curie

CUI = re.compile(r"C\d{7}", re.ASCII)  # as files write it
UNKNOWN_TYPE = "Concept"


def concept_of(raw: str) -> str:
    """The CURIE of a concept: 'C0004057' and 'UMLS:C0004057' are one."""
    return make_curie("UMLS", raw) if CUI.fullmatch(raw) else canonicalize(raw)
