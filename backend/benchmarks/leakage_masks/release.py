"""One leakage mask for many questions: the union of their masks.

The cut of one question may remove an existing answer of another one. Questions are added in the
order of their identifiers; a question that conflicts with earlier ones is excluded, with the
reason. At the end every included question is verified on the whole union.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from backend.benchmarks.leakage_masks.question import (
    Edges,
    Mask,
    check_sets,
    choose_cut,
    support_edges,
)
from backend.benchmarks.patterns.binding import BoundPattern, bind_pattern
from backend.benchmarks.patterns.joins import PatternTooLarge, WorkBudget
from backend.benchmarks.patterns.matching import (
    MAX_WORK,
    Matches,
    find_matches,
    find_matches_within,
    run_pattern,
)
from backend.common.errors import DomainError
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.cancellation import CancellationToken
from backend.tracks.serenqa_patterns import Pattern
from backend.validation.faults import Fault

MAX_NUMBER_DIGITS = 18
SEARCH_WORK = 10 * MAX_WORK  # of all searches for the mask of one question
ExclusionReason = Literal[
    "refused", "too_costly", "unanswered", "breaks_itself", "breaks_earlier", "broken_by_earlier"
]
EXCLUSION_REASONS: dict[ExclusionReason, str] = {
    "refused": "its pattern cannot be run, or its sets are not a partition",
    "too_costly": "its mask takes too many searches: name entities with fewer links",
    "unanswered": "the graph lacks some of its existing answers",
    "breaks_itself": "its own cut removes one of its existing answers",
    "breaks_earlier": "its cut removes an existing answer of an earlier question",
    "broken_by_earlier": "earlier cuts remove one of its existing answers",
}


class MaskNotVerified(RuntimeError):
    """An included question fails on the union: a bug of this program."""


@dataclass(frozen=True)
class MaskInput:
    """A question with one of its partitions, as entity numbers of the snapshot."""

    id: str
    pattern: Pattern
    serendipity: frozenset[int]
    existing: frozenset[int]


@dataclass(frozen=True)
class ExcludedQuestion:
    """`conflicts`: the earlier questions that it conflicts with."""

    id: str
    reason: ExclusionReason
    conflicts: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class ReleaseMask:
    removed: Edges
    included: tuple[str, ...]
    excluded: tuple[ExcludedQuestion, ...]

    @property
    def reasons(self) -> dict[ExclusionReason, int]:
        return dict(Counter(one.reason for one in self.excluded))

    @property
    def excluded_share(self) -> float:
        every = len(self.included) + len(self.excluded)
        return len(self.excluded) / every if every else 0.0


@dataclass(frozen=True)
class _Included:
    question: MaskInput
    bound: BoundPattern
    support: Edges


def natural_key(identifier: str) -> tuple[int, int, str]:
    """Sort key: integers by value, then other identifiers alphabetically."""
    is_number = (
        identifier.isascii() and identifier.isdigit() and len(identifier) <= MAX_NUMBER_DIGITS
    )
    return (0, int(identifier), identifier) if is_number else (1, 0, identifier)


def mask_release(
    snapshot: Snapshot,
    questions: Iterable[MaskInput],
    *,
    work: int = MAX_WORK,
    search_work: int = SEARCH_WORK,
    stop: CancellationToken | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> ReleaseMask:
    """The union of all masks without conflicts, and the excluded questions.

    work: entries that one search may read; search_work: all searches for one question, whose number
    grows with its answers and with the earlier questions that share edges with it.
    """
    union = _MaskUnion(snapshot, work, search_work, stop)
    for done, question in enumerate(
        sorted(questions, key=lambda one: natural_key(one.id)), start=1
    ):
        union.add(question)
        progress(done)
    union.verify()
    masked = tuple(one.question.id for one in union.included)
    return ReleaseMask(frozenset(union.removed), masked, tuple(union.left_out))


class _MaskUnion:
    """Only edges of a question's own matches can change its answers; no others are examined."""

    def __init__(
        self, snapshot: Snapshot, work: int, search_work: int, stop: CancellationToken | None
    ) -> None:
        self.snapshot, self.work, self.search_work, self.stop = snapshot, work, search_work, stop
        self.removed: set[int] = set()
        self.included: list[_Included] = []
        self.left_out: list[ExcludedQuestion] = []
        self._users: defaultdict[int, list[_Included]] = defaultdict(list)
        self._cutters: defaultdict[int, list[str]] = defaultdict(list)

    def add(self, question: MaskInput) -> None:
        try:
            check_sets(question.serendipity, question.existing)
            bound = bind_pattern(self.snapshot, question.pattern)
            matches = find_matches(self.snapshot, bound, work=self.work, stop=self.stop)
        except DomainError as error:
            if error.code == "pattern_stopped":
                raise
            faults = error.faults or (Fault("question", error.detail, error.code),)
            self._exclude(question, "refused", faults=faults)
            return
        try:
            self._add_matched(question, matches, WorkBudget(self.search_work, self.stop))
        except PatternTooLarge:
            self._exclude(question, "too_costly")

    def _add_matched(self, question: MaskInput, matches: Matches, budget: WorkBudget) -> None:
        cut = choose_cut(self.snapshot, matches, question.serendipity, question.existing, budget)
        new = _Included(question, matches.bound, support_edges(self.snapshot, matches))
        if question.existing - matches.answers:
            self._exclude(question, "unanswered")
        elif self._lost_answers(new, cut, budget):
            self._exclude(question, "breaks_itself")
        elif broken := self._conflicting_questions(cut, budget):
            self._exclude(question, "breaks_earlier", broken)
        elif self._lost_answers(new, self.removed | cut, budget):
            self._exclude(question, "broken_by_earlier", self._cutting_questions(new))
        else:
            self._include(new, cut)

    def verify(self) -> None:
        """Run every included question on the whole union. Raises MaskNotVerified."""
        masked = Overlay(self.snapshot, self.removed)
        for one in self.included:
            mask = self._mask(one, run_pattern(masked, one.bound, work=self.work, stop=self.stop))
            if not mask.holds:
                raise MaskNotVerified(f"The union does not hold for question {one.question.id}.")

    def _include(self, new: _Included, cut: Edges) -> None:
        self.included.append(new)
        self.removed |= cut
        for edge in new.support:
            self._users[edge].append(new)
        for edge in cut:
            self._cutters[edge].append(new.question.id)

    def _lost_answers(
        self, one: _Included, removed: set[int] | Edges, budget: WorkBudget
    ) -> frozenset[int]:
        """Existing answers that are not found without these edges."""
        budget.spend(len(one.support))
        masked = Overlay(self.snapshot, one.support & removed)
        result = find_matches_within(masked, one.bound, budget)
        return one.question.existing - result.answers

    def _conflicting_questions(self, cut: Edges, budget: WorkBudget) -> tuple[str, ...]:
        """Those that use an edge that no earlier cut has removed already."""
        new, union = cut - self.removed, self.removed | cut
        touched = {one.question.id: one for edge in new for one in self._users.get(edge, ())}
        lost = (name for name, one in touched.items() if self._lost_answers(one, union, budget))
        return tuple(sorted(lost, key=natural_key))

    def _cutting_questions(self, one: _Included) -> tuple[str, ...]:
        """Earlier questions whose cuts remove edges of its matches."""
        result = {name for edge in one.support for name in self._cutters.get(edge, ())}
        return tuple(sorted(result, key=natural_key))

    def _mask(self, one: _Included, result: frozenset[int]) -> Mask:
        question = one.question
        return Mask(frozenset(), question.serendipity & result, question.existing - result)

    def _exclude(
        self,
        question: MaskInput,
        why: ExclusionReason,
        others: Sequence[str] = (),
        faults: Sequence[Fault] = (),
    ) -> None:
        self.left_out.append(ExcludedQuestion(question.id, why, tuple(others), tuple(faults)))
