"""Biolink's categories and predicates as types and relations in plain words, and the inverse."""

import re
from collections.abc import Sequence

from backend.graphs.importers.common.base import RelationPhrases, relation_table
from backend.runtime.data_file import DataFile

PREFIX = "biolink:"
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class BiolinkVocabulary(DataFile):
    generic_categories: frozenset[str]
    identical_categories: frozenset[str]
    relations: tuple[RelationPhrases, ...]
    types: dict[str, str]
    categories: dict[str, str]
    predicates: dict[str, str]


VOCABULARY = BiolinkVocabulary.load(__file__)
GENERIC_CATEGORIES, TYPES = VOCABULARY.generic_categories, VOCABULARY.types
CATEGORIES = {words.casefold(): name for name, words in reversed(TYPES.items())} | (
    VOCABULARY.categories
)
RELATIONS = relation_table(*VOCABULARY.relations)


def type_for_categories(categories: Sequence[str]) -> str:
    """The first category that is not generic, in words; the first of all if all are generic."""
    names = [category.removeprefix(PREFIX) for category in categories]
    specific = [name for name in names if name not in GENERIC_CATEGORIES] or names
    return _type_in_words(specific[0]) if specific else ""


def _type_in_words(name: str) -> str:
    if name in TYPES:
        return TYPES[name]
    words = CAMEL.split(name)
    return " ".join([words[0], *(word if word.isupper() else word.lower() for word in words[1:])])


def relation_for_predicate(predicate: str) -> str:
    return predicate.removeprefix(PREFIX)


def category_for(kind: str) -> str:
    """The category nearest to a type; NamedThing if there is none."""
    folded = kind.casefold()
    if folded in VOCABULARY.identical_categories:
        return PREFIX + folded.capitalize()
    return PREFIX + CATEGORIES.get(folded, "NamedThing")


def predicate_for(relation: str, forward: str) -> str:
    """The predicate equal to a relation or its phrase; `related_to` if there is none."""
    if relation in RELATIONS:
        return PREFIX + relation
    by_phrase = {info.forward: name for name, info in reversed(RELATIONS.items())}
    return PREFIX + (VOCABULARY.predicates | by_phrase).get(forward, "related_to")
