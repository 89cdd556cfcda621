"""Relation types of claims, which have different errors of the verifier."""

from collections.abc import Mapping, Sequence
from typing import Any

ONE_ENTITY, NO_ENTITY = "one linked entity", "no linked entity"


def relation_type(mentions: Sequence[Mapping[str, Any]]) -> str:
    """The types of the first two entities that a claim names, in alphabetical order; of a claim
    with fewer, its form. mentions: as stored, in the order of the claim."""
    types: dict[str, str] = {}
    for one in mentions:
        if one.get("identifier"):
            types.setdefault(one["identifier"], one.get("type") or "untyped")
    if len(types) >= 2:
        return " and ".join(sorted([*types.values()][:2]))
    return ONE_ENTITY if types else NO_ENTITY
