"""Questions of a pool that cannot get all their answers from the experts there are."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from django.db.models import Q
from django.utils import timezone

from annotation.eligibility import find_refused
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import UNANSWERED, Assignment, BatchQuestion, ConflictOfInterest
from annotation.pool_places import answer_outcomes
from annotation.presentations import design_of
from annotation.qualification import read_qualifications
from backend.studies.models import Member, Study

Reason = Literal["experts", "expertise", "conflicts", "skips"]
Pairs = Iterable[tuple[uuid.UUID, uuid.UUID]]
ExpertsByQuestion = Mapping[uuid.UUID, set[uuid.UUID]]


@dataclass(frozen=True)
class ShortageReason:
    """experts: the study has too few. expertise: too few have the needed tags. conflicts: too many
    have a conflict of interest, with the question or the whole study. skips: too many have skipped
    or returned it."""

    reason: Reason
    questions: int


@dataclass(frozen=True)
class Shortage:
    """overlap: the answers that each question needs. missing: answers that nobody can give."""

    overlap: int
    questions: int
    missing: int
    reasons: list[ShortageReason]


def find_shortage(study: Study) -> Shortage | None:
    """None where every question can get its answers, where there is no pool, and once it ended."""
    overlap = design_of(study).overlap
    if overlap is None or study.has_ended:
        return None
    experts = _read_experts(study)
    refused = find_refused(study.pk, experts.keys())
    spent, taken = _read_assignments(study, refused)
    conflicts = _by_question(
        ConflictOfInterest.objects.filter(study=study).values_list("question", "expert")
    )
    reasons: Counter[Reason] = Counter()
    missing = 0
    entries = BatchQuestion.objects.filter(batch__study=study, known_answer=None)
    for question, needed in entries.values_list("question", "batch__needed_tags"):
        able = {expert for expert, tags in experts.items() if tags.issuperset(needed)}
        free = able - conflicts[question] - refused
        givers = (free - spent[question]) | taken[question]
        if len(givers) < overlap:
            missing += overlap - len(givers)
            former = taken[question] - experts.keys()
            reasons[_reason(overlap - len(former), experts, able, free)] += 1
    rows = [ShortageReason(reason, count) for reason, count in reasons.most_common()]
    return Shortage(overlap, reasons.total(), missing, rows) if rows else None


def _read_experts(study: Study) -> dict[uuid.UUID, set[str]]:
    """With their tags; without those who failed the qualification."""
    members = study.members.filter(role=Member.Role.EXPERT).values_list("user", "tags")
    experts = {expert: set(tags) for expert, tags in members}
    qualifications = read_qualifications(design_of(study), experts.keys())
    failed = {expert for expert, one in qualifications.items() if one.state == "failed"}
    return {expert: tags for expert, tags in experts.items() if expert not in failed}


def _reason(
    needed: int,
    experts: Collection[uuid.UUID],
    able: Collection[uuid.UUID],
    free: Collection[uuid.UUID],
) -> Reason:
    """The first that alone leaves too few. needed: answers besides those of former experts."""
    if len(experts) < needed:
        return "experts"
    if len(able) < needed:
        return "expertise"
    return "conflicts" if len(free) < needed else "skips"


def _read_assignments(
    study: Study, refused: Collection[uuid.UUID]
) -> tuple[ExpertsByQuestion, ExpertsByQuestion]:
    """By question: whoever had it and gives no answer any more, and whoever has answered it or has
    a lease of it. Who let a lease expire can get another one; who is refused answers none."""
    rows = Assignment.objects.filter(study=study, occasion=1)
    open_states = [Assignment.State.ACTIVE, Assignment.State.RELEASED]
    open_rows = Assignment.objects.answers().filter(UNANSWERED, state__in=open_states)
    spent = rows.exclude(pk__in=open_rows.values("pk"))
    outcomes = answer_outcomes(get_kind_or_raise(study.kind))
    is_leased = Q(leased_until__gt=timezone.now()) & ~Q(expert__in=refused)
    takes_place = Q(response__submitted_outcome__in=outcomes) | is_leased
    taken = Assignment.objects.counted().filter(takes_place, study=study)
    return (
        _by_question(spent.values_list("question", "expert")),
        _by_question(taken.values_list("question", "expert")),
    )


def _by_question(pairs: Pairs) -> ExpertsByQuestion:
    result: dict[uuid.UUID, set[uuid.UUID]] = defaultdict(set)
    for question, expert in pairs:
        result[question].add(expert)
    return result
