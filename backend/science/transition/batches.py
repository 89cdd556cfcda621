"""Which questions share a block of whole rows, so that a common candidate is computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

OPEN = 64  # batches that are looked through for a place


@dataclass(slots=True)
class Batch:
    """sources: candidates whose rows are made together; questions: those that they suffice for."""

    sources: list[int] = field(default_factory=list)
    questions: list[int] = field(default_factory=list)

    def new_of(self, candidates: Sequence[int]) -> list[int]:
        return [one for one in dict.fromkeys(candidates) if one not in self.sources]


def batches_of(questions: Sequence[Sequence[int]], width: int) -> list[Batch]:
    """Put questions, given by their candidates, into batches of at most `width` sources.

    Each goes where the most of its candidates are already, then where the least room is left; a
    question of more candidates than the width has a batch of its own, which `rows` makes in several
    blocks. The same questions give the same batches.
    """
    if width < 1:
        raise ValueError("a batch needs room for a source")
    done: list[Batch] = []
    room: list[Batch] = []
    for number, candidates in enumerate(questions):
        fitting = [one for one in room if len(one.sources) + len(one.new_of(candidates)) <= width]
        if fitting:
            batch = min(fitting, key=lambda one: (len(one.new_of(candidates)), -len(one.sources)))
        else:
            batch = Batch()
            done.append(batch)
            room = [*room, batch][-OPEN:]
        batch.sources += batch.new_of(candidates)
        batch.questions.append(number)
    return done
