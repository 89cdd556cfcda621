"""Graded choices between two arms, free of the side on which each stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Choice = Literal[
    "left_much_better",
    "left_better",
    "tie",
    "right_better",
    "right_much_better",
    "both_bad",
    "not_sure",
]
Preference = Literal["first", "second", "tie", "both_bad", "not_sure"]
Outcome = Literal["first", "second", "tie", "both_bad", "split", "undecided"]

LEFT_GRADES: dict[Choice, int] = {
    "left_much_better": 2,
    "left_better": 1,
    "tie": 0,
    "right_better": -1,
    "right_much_better": -2,
}


@dataclass(frozen=True)
class PairChoice:
    """One rater's choice on one pair; first_on_left: where the pair's first arm stood."""

    pair: str
    rater: str
    choice: Choice
    first_on_left: bool

    @property
    def grade(self) -> int | None:
        """From 2, first much better, to -2, second much better; None for both bad and not sure."""
        grade = LEFT_GRADES.get(self.choice)
        return grade if grade is None or self.first_on_left else -grade

    @property
    def preference(self) -> Preference:
        if self.choice == "both_bad" or self.choice == "not_sure":
            return self.choice
        grade = self.grade or 0
        return "first" if grade > 0 else "second" if grade < 0 else "tie"


def outcome_by_pair(choices: Iterable[PairChoice]) -> dict[str, Outcome]:
    """The outcome that more than half of a pair's choices have, without those that are not sure.

    `split`: no outcome has more than half. `undecided`: nobody was sure. Pairs are sorted by name.
    Raises ValueError if a rater judged a pair twice.
    """
    by_pair: dict[str, Counter[Preference]] = {}
    judged = set()
    for one in choices:
        if (one.pair, one.rater) in judged:
            raise ValueError(f"rater {one.rater} judged pair {one.pair} twice")
        judged.add((one.pair, one.rater))
        by_pair.setdefault(one.pair, Counter())[one.preference] += 1
    return {pair: _majority(by_pair[pair]) for pair in sorted(by_pair)}


def _majority(counts: Counter[Preference]) -> Outcome:
    sure = sum(count for preference, count in counts.items() if preference != "not_sure")
    if sure == 0:
        return "undecided"
    for preference, count in counts.items():
        if preference != "not_sure" and 2 * count > sure:
            return preference
    return "split"
