"""Which questions of a pool come next: those whose answers inform most, and some by chance.

A worker computes the information of each question after every answer, so that a draw reads numbers
and computes none. Questions without a number yet count as much as the best.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from django.db.models import QuerySet

from annotation.kinds.base import AnyKind
from annotation.kinds.submissions import LatestSubmissions
from annotation.models import Assignment, Batch, BatchAgreement, BatchQuestion, StudyDesign
from annotation.presentations import draw_number
from backend.science.allocation import MIN_RANDOM_SHARE, Allocation, allocate_item

Draws = Mapping[int, Allocation]
"""By the id of a question's row in its batch; propensities are among those that could be drawn."""

NO_DRAWS: Draws = MappingProxyType({})


def measure_information(kind: AnyKind, batch: Batch, latest: LatestSubmissions) -> dict[str, float]:
    """By question of the batch; empty unless the study draws by it."""
    designs = StudyDesign.objects.filter(study=batch.study_id, adaptive_share__gt=0)
    if not kind.can_adapt or not designs.exists():
        return {}
    entries = batch.entries.filter(known_answer=None).select_related("question").order_by("id")
    questions = [one.question for one in entries.prefetch_related("question__candidates")]
    answers = [latest.answers.get(one.id, []) for one in questions]
    numbers = kind.information(questions, answers) if questions else []
    return {str(one.id): number for one, number in zip(questions, numbers, strict=True)}


@dataclass
class Selection:
    """Questions that can be drawn for an expert, each once. scores: their information.

    locked_by_others: the first that could not be locked.
    """

    entries: list[int]
    scores: list[float]
    random_share: float
    rng: np.random.Generator
    locked_by_others: dict[int, Allocation] = field(default_factory=dict)

    def draw(self, count: int) -> Draws:
        """Up to `count`, one after the other, locked. What others lock is drawn no more, so that
        propensities are over the questions that nobody else is taking."""
        draws: dict[int, Allocation] = {}
        while self.entries and len(draws) < count:
            drawn = allocate_item(self.scores, self.rng, random_share=self.random_share)
            self.scores.pop(drawn.index)
            draws[self.entries.pop(drawn.index)] = drawn
        rows = BatchQuestion.objects.filter(pk__in=draws).select_for_update(skip_locked=True)
        locked = set(rows.values_list("pk", flat=True))
        for entry, drawn in draws.items():
            if entry not in locked and not self.locked_by_others:
                self.locked_by_others[entry] = drawn
        return {entry: drawn for entry, drawn in draws.items() if entry in locked}


def select_among(
    design: StudyDesign, expert: uuid.UUID, entries: QuerySet[BatchQuestion]
) -> Selection:
    rows = list(entries.order_by("id").values_list("id", "question_id"))
    batches = BatchAgreement.objects.filter(batch__study=design.study_id)
    stored = batches.values_list("information", flat=True)
    known = {question: number for one in stored for question, number in one.items()}
    highest = max(known.values(), default=0.0)
    number = Assignment.objects.filter(study=design.study_id, expert=expert).count()
    seed = draw_number("selection", str(design.seed), expert.hex, str(number))
    return Selection(
        entries=[entry for entry, _ in rows],
        scores=[known.get(str(question), highest) for _, question in rows],
        random_share=max(1 - design.adaptive_share, MIN_RANDOM_SHARE),
        rng=np.random.default_rng(seed),
    )
