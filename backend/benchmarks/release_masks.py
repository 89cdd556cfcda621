"""One masked graph for many questions: the union of their masks, as far as they agree.

What one question hides may be what another one's known answer rests on. Questions are taken in
the order of their identifiers; one that does not go together with those before it is left out,
and is told with the reason. What is kept is proved again at the end, each on the whole union.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from backend.benchmarks.masks import Edges, Mask, check_sets, cut_of, support_of
from backend.benchmarks.patterns.binding import Bound, bind
from backend.benchmarks.patterns.running import MOST_WORK, find_matches, run_pattern
from backend.benchmarks.patterns.shapes import Pattern
from backend.common.errors import DomainError, Fault
from backend.graphs.snapshots.opening import Snapshot
from backend.science.stopping import Stop

LONGEST_NUMBER = 18
Why = Literal["refused", "unanswered", "breaks_itself", "breaks_earlier", "broken_by_earlier"]
WORDS: dict[Why, str] = {
    "refused": "its pattern cannot be run, or its sets are no partition",
    "unanswered": "the graph does not give all its existing answers",
    "breaks_itself": "its own cut removes one of its existing answers",
    "breaks_earlier": "its cut removes an existing answer of an earlier question",
    "broken_by_earlier": "earlier cuts remove one of its existing answers",
}


class MaskNotProved(RuntimeError):
    """A question that was kept does not hold on the union: an error of this program."""


@dataclass(frozen=True)
class ToMask:
    """A question with one of its partitions, in numbers of the snapshot."""

    id: str
    pattern: Pattern
    serendipity: frozenset[int]
    existing: frozenset[int]


@dataclass(frozen=True)
class LeftOut:
    """`others`: the earlier questions that it does not go together with."""

    id: str
    why: Why
    others: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class ReleaseMask:
    removed: Edges
    kept: tuple[str, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def reasons(self) -> dict[Why, int]:
        return dict(Counter(one.why for one in self.left_out))

    @property
    def share_left_out(self) -> float:
        every = len(self.kept) + len(self.left_out)
        return len(self.left_out) / every if every else 0.0


@dataclass(frozen=True)
class _Kept:
    question: ToMask
    bound: Bound
    support: Edges


def in_order(identifier: str) -> tuple[int, int, str]:
    """Whole numbers by their size, and behind them other identifiers by their letters."""
    is_number = identifier.isascii() and identifier.isdigit() and len(identifier) <= LONGEST_NUMBER
    return (0, int(identifier), identifier) if is_number else (1, 0, identifier)


def mask_release(
    snapshot: Snapshot,
    questions: Iterable[ToMask],
    *,
    work: int = MOST_WORK,
    stop: Stop | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> ReleaseMask:
    """The union of the masks of the questions that go together, and those that do not."""
    union = _Union(snapshot, work, stop)
    for done, question in enumerate(sorted(questions, key=lambda one: in_order(one.id)), start=1):
        union.take(question)
        progress(done)
    union.prove()
    kept = tuple(one.question.id for one in union.kept)
    return ReleaseMask(frozenset(union.removed), kept, tuple(union.left_out))


class _Union:
    """Only links of a question's own matches can change what it finds: no others are looked at."""

    def __init__(self, snapshot: Snapshot, work: int, stop: Stop | None) -> None:
        self.snapshot, self.work, self.stop = snapshot, work, stop
        self.removed: set[int] = set()
        self.kept: list[_Kept] = []
        self.left_out: list[LeftOut] = []
        self._users: defaultdict[int, list[_Kept]] = defaultdict(list)
        self._cutters: defaultdict[int, list[str]] = defaultdict(list)

    def take(self, question: ToMask) -> None:
        """Keep it, or note why not."""
        try:
            check_sets(question.serendipity, question.existing)
            bound = bind(self.snapshot, question.pattern)
            matches = find_matches(self.snapshot, bound, work=self.work, stop=self.stop)
        except DomainError as error:
            faults = error.faults or (Fault("question", error.detail, error.code),)
            self._leave_out(question, "refused", faults=faults)
            return
        cut = cut_of(
            self.snapshot,
            matches,
            question.serendipity,
            question.existing,
            work=self.work,
            stop=self.stop,
        )
        new = _Kept(question, bound, support_of(self.snapshot, matches))
        if question.existing - matches.answers:
            self._leave_out(question, "unanswered")
        elif self._lost(new, cut):
            self._leave_out(question, "breaks_itself")
        elif broken := self._broken_by(cut):
            self._leave_out(question, "breaks_earlier", broken)
        elif self._lost(new, self.removed | cut):
            self._leave_out(question, "broken_by_earlier", self._cutters_of(new))
        else:
            self._keep(new, cut)

    def prove(self) -> None:
        """Every question that was kept, on the whole union. Raises MaskNotProved."""
        masked = self.snapshot.overlay(self.removed)
        for one in self.kept:
            mask = self._mask(one, run_pattern(masked, one.bound, work=self.work, stop=self.stop))
            if not mask.holds:
                raise MaskNotProved(f"The union does not hold for question {one.question.id}.")

    def _keep(self, new: _Kept, cut: Edges) -> None:
        self.kept.append(new)
        self.removed |= cut
        for edge in new.support:
            self._users[edge].append(new)
        for edge in cut:
            self._cutters[edge].append(new.question.id)

    def _lost(self, one: _Kept, removed: set[int] | Edges) -> frozenset[int]:
        """What of its existing answers is not found when these links are removed."""
        masked = self.snapshot.overlay(one.support & removed)
        found = run_pattern(masked, one.bound, work=self.work, stop=self.stop)
        return one.question.existing - found

    def _broken_by(self, cut: Edges) -> tuple[str, ...]:
        touched = {one.question.id: one for edge in cut for one in self._users.get(edge, ())}
        lost = (name for name, one in touched.items() if self._lost(one, self.removed | cut))
        return tuple(sorted(lost, key=in_order))

    def _cutters_of(self, one: _Kept) -> tuple[str, ...]:
        """The earlier questions whose cuts touch its matches."""
        found = {name for edge in one.support for name in self._cutters.get(edge, ())}
        return tuple(sorted(found, key=in_order))

    def _mask(self, one: _Kept, found: frozenset[int]) -> Mask:
        question = one.question
        return Mask(frozenset(), question.serendipity & found, question.existing - found)

    def _leave_out(
        self, question: ToMask, why: Why, others: Sequence[str] = (), faults: Sequence[Fault] = ()
    ) -> None:
        self.left_out.append(LeftOut(question.id, why, tuple(others), tuple(faults)))
