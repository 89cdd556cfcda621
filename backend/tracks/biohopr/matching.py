"""Which given names are gold answers: by name, by any name, or by cosine.

A match table [given, gold] is true where a given answer is that gold answer. The first given answer
of a single-answer question is scored. With TP = given answers that match any gold answer, P = TP /
given; R = gold answers that any given answer matches / gold; F1 = 2PR / (P + R) of the question.
Nothing given: all 0. Given names of one entity are one given answer.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from backend.runtime.normal_form import normalize
from backend.tracks.biohopr.rows import GoldEntity

Matches = NDArray[np.bool_]
LONGEST_NAME = 1_000


@lru_cache(maxsize=100_000)
def normal_form(name: str) -> str:
    """A name without letters and digits is only equal to itself."""
    return normalize(name, LONGEST_NAME) or name


def drop_repetitions(names: Sequence[str]) -> list[str]:
    """The first of the names with the same normal form."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(normal_form(name), name)
    return list(first.values())


def match_names(given: Sequence[str], gold: Sequence[GoldEntity]) -> Matches:
    """By the entity's name."""
    return _match(given, [{normal_form(one.name)} for one in gold])


def match_aliases(given: Sequence[str], gold: Sequence[GoldEntity]) -> Matches:
    """By the entity's name, a synonym or its identifier."""
    return _match(given, [{normal_form(name) for name in names_of(one)} for one in gold])


def names_of(entity: GoldEntity) -> Iterator[str]:
    yield entity.name
    yield from entity.synonyms
    yield entity.id


def _match(given: Sequence[str], known: Sequence[set[str]]) -> Matches:
    """Linear in the number of names: hubs have hundreds of answers."""
    table = np.zeros((len(given), len(known)), dtype=np.bool_)
    owners: dict[str, list[int]] = {}
    for number, names in enumerate(known):
        for name in names:
            owners.setdefault(name, []).append(number)
    for row, name in enumerate(given):
        table[row, owners.get(normal_form(name), [])] = True
    return table


def group_names(
    given: Sequence[str], gold: Sequence[GoldEntity], entities: Mapping[str, tuple[str, ...]]
) -> list[int]:
    """A number from 0 for each name, equal for names of one entity: those that match one gold
    answer alone, and those that mean the same entities of the graph (`entities`, by name)."""
    numbers: dict[tuple[str, ...], int] = {}
    groups = []
    for name, matches in zip(given, match_aliases(given, gold), strict=True):
        if matches.sum() == 1:
            key: tuple[str, ...] = (gold[int(matches.argmax())].id,)
        else:
            key = entities.get(name) or ("", normal_form(name))
        groups.append(numbers.setdefault(key, len(numbers)))
    return groups


def merge_groups(matches: Matches, groups: Sequence[int]) -> Matches:
    """A row for each group: true where one of its names is."""
    merged = np.zeros((max(groups, default=-1) + 1, matches.shape[1]), dtype=np.bool_)
    np.logical_or.at(merged, list(groups), matches)
    return merged


def precision_recall_f1(matches: Matches) -> tuple[float, float, float]:
    if not matches.size:
        return 0.0, 0.0, 0.0
    precision = float(matches.any(axis=1).mean())
    recall = float(matches.any(axis=0).mean())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0
