"""Assignment of questions to blocks of whole rows, so that a common candidate is computed once."""

from collections.abc import Sequence
from dataclasses import dataclass, field

MAX_OPEN_BATCHES = 64  # open batches considered for each question


@dataclass(slots=True)
class RowBatch:
    """sources: candidates whose rows are computed together; questions: those that they
    suffice for."""

    sources: list[int] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)

    def new_of(self, candidates: Sequence[int]) -> list[int]:
        return [one for one in dict.fromkeys(candidates) if one not in self.sources]


def plan_batches(questions: Sequence[Sequence[int]], width: int) -> list[RowBatch]:
    """Pack questions, given by their candidates, into batches of at most `width` sources.

    Each question goes to the batch that has most of its candidates, then to the fullest one; a
    question with more candidates than the width has its own batch, which `rows` computes in several
    blocks. Deterministic.
    """
    if width < 1:
        raise ValueError("a batch must hold at least one source")
    batches: list[RowBatch] = []
    open_batches: list[RowBatch] = []
    for number, candidates in enumerate(questions):
        fitting = [
            one for one in open_batches if len(one.sources) + len(one.new_of(candidates)) <= width
        ]
        if fitting:
            batch = min(fitting, key=lambda one: (len(one.new_of(candidates)), -len(one.sources)))
        else:
            batch = RowBatch()
            batches.append(batch)
            open_batches = [*open_batches, batch][-MAX_OPEN_BATCHES:]
        batch.sources += batch.new_of(candidates)
        batch.questions.append(number)
    return batches
