"""Pattern templates on a graph of a few entities."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from backend.tracks.named_graphs import NamedRelation
from backend.tracks.serenqa_retrieval.baselines import answer_question

NAMES = ["aspirin", "ibuprofen", "headache", "fever", "ptgs2", "inflammation"]
TYPES = ["Drug", "Drug", "Disease", "Disease", "Gene", "Biological process"]
EDGES = {
    ("treats", 0, 2),
    ("treats", 1, 2),
    ("treats", 1, 3),
    ("inhibits", 0, 4),
    ("takes part in", 4, 5),
    ("resembles", 2, 3),
}


class SmallGraph:
    types: Sequence[str] = sorted({*TYPES})
    relations = [
        NamedRelation("inhibits", "inhibits", "is inhibited by"),
        NamedRelation("resembles", "resembles", "resembles", is_symmetric=True),
        NamedRelation("takes part in", "takes part in", "involves"),
        NamedRelation("treats", "treats", "is treated by"),
    ]

    def normalize(self, text: str) -> str:
        return " ".join(text.lower().replace("?", "").split())

    def find_by_name(self, name: str) -> Sequence[int]:
        return [number for number, one in enumerate(NAMES) if one == name]

    def type_of(self, number: int) -> str:
        return TYPES[number]

    def neighbours(self, number: int, relation: str, *, outgoing: bool) -> Sequence[int]:
        forward = {end for name, start, end in EDGES if (name, start) == (relation, number)}
        backward = {start for name, start, end in EDGES if (name, end) == (relation, number)}
        if relation == "resembles":
            return sorted(forward | backward)
        return sorted(forward if outgoing else backward)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which diseases does ibuprofen treat?", {"headache", "fever"}),
        ("Which drugs treat headache?", {"aspirin", "ibuprofen"}),
        ("Which drugs treat headache and treat fever?", {"ibuprofen"}),
        ("Which diseases resemble fever?", {"headache"}),
        ("Which genes does aspirin inhibit?", {"ptgs2"}),
        ("Which biological processes involve a gene inhibited by aspirin?", {"inflammation"}),
        ("Which drugs treat the common cold?", set()),
        ("", set()),
    ],
)
def test_the_template_that_fits_the_words_is_followed(question: str, expected: set[str]) -> None:
    assert {NAMES[number] for number in answer_question(SmallGraph(), question)} == expected
