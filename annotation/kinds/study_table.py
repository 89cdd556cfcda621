"""The answers of a study as statistics read them."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np

from backend.benchmarks.models import Question
from backend.science.judgements.tables import IntArray

Payload = dict[str, Any]


@dataclass(frozen=True)
class StudyAnswer:
    """A submission of an assignment that is no skip, the newest but for repeats; payload: to the
    complete item.

    question and rater are identifiers. seconds: active time at the first answer, if it is known.
    is_adaptive: whether the question was drawn because it informs, not by chance.
    """

    question: str
    rater: str
    outcome: str
    payload: Payload
    submitted_at: datetime
    arms: Mapping[str, str]
    propensity: float
    seconds: float | None
    is_adaptive: bool = False


@dataclass(frozen=True)
class StudyQuestion:
    """label: 'batch 1, question 2'. fields: what the study adds to the question."""

    label: str
    question: Question
    fields: Payload


@dataclass(frozen=True)
class CheckedStudyAnswer:
    """An answer to a question with a known answer, unless it is 'not sure'.

    is_mixed_in: among the other questions, not as a qualification before them.
    """

    answer: StudyAnswer
    is_right: bool
    is_mixed_in: bool = True


@dataclass(frozen=True)
class StudyTable:
    """questions: by identifier, with their candidates prefetched, in the order of the study.

    answers: those that count, in order of time. repeats: of a question that a rater got
    again, the answer that stood then and the first one that followed; neither is as it was revised
    later. seed: of all that is resampled. checks, known: answers to the questions with a
    known answer, and that answer by question.
    """

    questions: Mapping[str, StudyQuestion]
    answers: Sequence[StudyAnswer]
    repeats: Sequence[tuple[StudyAnswer, StudyAnswer]]
    is_open: bool
    seed: int
    checks: Sequence[CheckedStudyAnswer] = ()
    known: Mapping[str, Payload] = field(default_factory=dict)

    def random_part(self) -> "StudyTable":
        """Answers to questions that were drawn by chance. Reliability and agreement are of these
        alone: over questions that were drawn because they inform they depend on the draw."""
        return replace(
            self,
            answers=[one for one in self.answers if not one.is_adaptive],
            repeats=[pair for pair in self.repeats if not pair[0].is_adaptive],
        )

    @property
    def is_adaptive(self) -> bool:
        """Whether some questions were drawn because they inform."""
        return any(one.is_adaptive for one in self.answers)

    @property
    def random_note(self) -> str:
        """Empty where all questions were."""
        random, total = len(self.random_part().answers), len(self.answers)
        if random == total:
            return ""
        return f" From {random} of {total} answers: those to questions drawn by chance."

    def with_mixed_in(self) -> "StudyTable":
        """The answers of raters to be checked: also those to known questions among the others.

        Without those of a qualification: whoever passed it did well there, and less well after.
        """
        checked = [one.answer for one in self.checks if one.is_mixed_in]
        answers = sorted([*self.answers, *checked], key=lambda one: one.submitted_at)
        return replace(self, answers=answers)

    def by_question(
        self, has_value: Callable[[StudyAnswer], bool]
    ) -> list[tuple[str, list[StudyAnswer]]]:
        """Each question with answers of this sort, in the order of the study."""
        result: dict[str, list[StudyAnswer]] = defaultdict(list)
        for one in self.answers:
            if has_value(one):
                result[one.question].append(one)
        return [(name, result[name]) for name in self.questions if name in result]


def number_values(values: Iterable[Hashable]) -> IntArray:
    """The place of each value among the distinct ones, in order of appearance."""
    places: dict[Hashable, int] = {}
    return np.array([places.setdefault(value, len(places)) for value in values], dtype=np.int64)
