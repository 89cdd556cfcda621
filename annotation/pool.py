"""Studies whose experts take questions from a pool, in an order of their own."""

import uuid
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import MD5, Cast, Concat
from django.utils import timezone

from annotation.assignments import new_assignment
from annotation.eligibility import require_eligible
from annotation.kinds.base import AnyKind
from annotation.kinds.registry import get_kind_or_raise, study_kinds
from annotation.known_answers import gold_entries, qualification_entries
from annotation.models import (
    UNANSWERED,
    Assignment,
    AssignmentQuerySet,
    BatchQuestion,
    ConflictOfInterest,
    StudyDesign,
)
from annotation.pool_places import answerable_by, full_questions, is_leased, with_free_place
from annotation.presentations import design_of, draw_unit
from annotation.qualification import may_answer
from annotation.repeats import assign_repeats, find_due_repeats
from annotation.selection import NO_DRAWS, Draws, select_among
from backend.accounts.models import User
from backend.common.errors import NotFound
from backend.common.prepared_queries import PreparedQuery
from backend.studies.models import Member, Study
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import (
    NOT_FOUND_MESSAGE,
    check_open,
    check_up_to_date_expert,
)

MAX_LEASES = 20
ATTEMPTS = 5
RETURNED = Q(state=Assignment.State.RELEASED, purpose=Assignment.Purpose.ANSWER, occasion=1)
"""Of leases that ended, and of skipped questions."""
LEASE_FIELDS = ("state", "leased_until", "is_adaptive", "selection_propensity")


@dataclass(frozen=True)
class Pool:
    """The questions of a study for one of its experts."""

    study: Study
    design: StudyDesign
    kind: AnyKind
    expert: uuid.UUID

    def available(self, batch: uuid.UUID | None = None) -> QuerySet[BatchQuestion]:
        """With a free place, that the expert does not have and never skipped, who has the
        expertise and no conflict of interest; in the expert's order, and last what was returned
        unanswered, so that others can have it."""
        own = Assignment.objects.filter(
            ~RETURNED | Q(response__submitted_number__gt=0),
            study=self.study,
            question=OuterRef("question"),
            expert=self.expert,
        )
        full = full_questions(self.study, self.kind, self.design.overlap or 0)
        entries = answerable_by(
            self.expert,
            BatchQuestion.objects.filter(~Exists(own), batch__study=self.study, known_answer=None),
        )
        if batch is not None:
            entries = entries.filter(batch=batch)
        seed = Value(f"{self.design.seed}:{self.expert}:")
        order = MD5(Concat(seed, Cast("question_id", TextField()), output_field=TextField()))
        returned = Exists(self._returned())
        return entries.exclude(question__in=full).order_by(returned, order, "id")

    def _returned(self) -> AssignmentQuerySet:
        """Of the question of an outer query."""
        return Assignment.objects.filter(
            RETURNED, study=self.study, question=OuterRef("question"), expert=self.expert
        )

    def lease_end(self) -> datetime:
        return timezone.now() + timedelta(minutes=self.design.lease_minutes)

    def with_free_place(self, entries: QuerySet[BatchQuestion]) -> QuerySet[BatchQuestion]:
        return with_free_place(entries, self.kind, self.design.overlap or 0)

    def with_returned(self, entries: QuerySet[BatchQuestion]) -> QuerySet[BatchQuestion]:
        """Annotate returned: the expert's own assignment, of a lease that ended without an
        answer."""
        annotated: QuerySet[BatchQuestion] = entries.annotate(
            **{"returned": Subquery(self._returned().values("pk")[:1])}
        )
        return annotated


_locked_member = PreparedQuery(
    lambda study, user: Member.objects.select_for_update().filter(
        study=study, user=user, role=Member.Role.EXPERT
    ),
    study=uuid.uuid4(),
    user=uuid.uuid4(),
)


@transaction.atomic
def lease_questions(
    *,
    actor: User,
    study_id: uuid.UUID,
    count: int = 1,
    batch: uuid.UUID | None = None,
    at: datetime | None = None,
) -> list[Assignment]:
    """Up to `count` assignments to answer next: leases that are open are renewed, then new ones.

    Of the study, or of one of its batches. Fewer if the pool has no more for this expert. Where
    whole batches are assigned, repeated questions alone are.

    `at` is the time of the visit: now, except for simulated experts. Raises Conflict for who must
    not judge the study.
    """
    check_up_to_date_expert(actor, study_id)
    require_eligible(study_id, actor.pk)
    study = Study.objects.lock_for_share(study_id)
    check_open(study)
    design = design_of(study)
    if design.overlap is None and not design.repeat_share:
        return []
    # Two windows of one expert wait for each other.
    if _locked_member.fetch_one(study=study_id, user=actor.pk) is None:
        raise NotFound(NOT_FOUND_MESSAGE)  # the expert has just left
    pool = Pool(study, design, get_kind_or_raise(study.kind), actor.pk)
    result = _lease(pool, min(count, MAX_LEASES), batch, at)
    notify_on_commit(study.id, "board")
    return result


def _lease(
    pool: Pool, count: int, batch: uuid.UUID | None, at: datetime | None
) -> list[Assignment]:
    """Of what is new, at most a quarter is repeated questions, as long as there are others."""
    if not may_answer(pool.design, pool.expert):
        return _lease_qualification(pool, count, batch)
    result = _open_checks(pool, batch)
    has_expired = False
    if pool.design.overlap is not None:
        renewed, has_expired = _renew_leases(pool, batch)
        result += renewed
    missing = max(count - len(result), 0)
    due = find_due_repeats(pool.kind, pool.design, pool.expert, batch, at)[:missing]
    gold = _draw_gold(pool, missing, batch)
    reserved = len(gold) + min(len(due), -(-missing // 4))
    new = _lease_new(pool, missing - reserved, batch, may_wait=not has_expired)
    new += _assign_checks(pool, gold, Assignment.Purpose.GOLD)
    until = None if pool.design.overlap is None else pool.lease_end()
    return result + new + assign_repeats(pool.kind, due[: missing - len(new)], until)


def _open_checks(pool: Pool, batch: uuid.UUID | None) -> list[Assignment]:
    """Gold and repeated questions, which need no place."""
    rows = _checks.fetch(study=pool.study.pk, expert=pool.expert)
    return [row for row in rows if batch in (None, row.batch_id)]


def _find_open_checks(study: uuid.UUID, expert: uuid.UUID) -> QuerySet[Assignment]:
    is_check = Q(occasion=2) | Q(purpose=Assignment.Purpose.GOLD)
    rows = Assignment.objects.not_released().filter(is_check, UNANSWERED)
    return rows.filter(study=study, expert=expert)


_checks = PreparedQuery(_find_open_checks, study=uuid.uuid4(), expert=uuid.uuid4())


def _draw_gold(pool: Pool, places: int, batch: uuid.UUID | None) -> list[BatchQuestion]:
    """Each of so many places is one of a gold question with the chance of the study's share, as
    long as there are other questions."""
    if pool.design.overlap is None or not pool.design.gold_share:
        return []
    first = Assignment.objects.filter(study=pool.study, expert=pool.expert).count()
    seed = ("gold", str(pool.design.seed), pool.expert.hex)
    drawn = sum(
        draw_unit(*seed, str(first + place)) < pool.design.gold_share for place in range(places)
    )
    if not drawn or not pool.available(batch).exists():
        return []
    entries = gold_entries(pool.design, pool.expert)
    return [entry for entry in entries if batch in (None, entry.batch_id)][:drawn]


def _lease_qualification(pool: Pool, count: int, batch: uuid.UUID | None) -> list[Assignment]:
    """Nothing else before it is passed; nothing more once it is failed."""
    own = Assignment.objects.filter(
        study=pool.study, expert=pool.expert, purpose=Assignment.Purpose.QUALIFICATION
    )
    # What was returned when the expert left the study is theirs again once they are back; of what
    # was withdrawn, that which they had not begun.
    returned = Q(state=Assignment.State.RELEASED, check_result=None)
    unopened = Q(state=Assignment.State.WITHDRAWN, response=None)
    conflicts = ConflictOfInterest.questions_of(pool.study, pool.expert)
    left = own.filter(returned | unopened).exclude(question__in=conflicts)
    left.update(state=Assignment.State.ACTIVE)
    waiting = list(own.not_withdrawn().filter(UNANSWERED))
    entries = _open_qualification(pool, batch)[: max(count - len(waiting), 0)]
    return waiting + _assign_checks(pool, entries, Assignment.Purpose.QUALIFICATION)


def _open_qualification(pool: Pool, batch: uuid.UUID | None) -> list[BatchQuestion]:
    """What the expert does not have yet."""
    own = Assignment.objects.filter(study=pool.study, expert=pool.expert)
    conflicts = ConflictOfInterest.questions_of(pool.study, pool.expert)
    known = {*own.values_list("question", flat=True), *conflicts.values_list("question", flat=True)}
    return [
        entry
        for entry in qualification_entries(pool.design)
        if entry.question_id not in known and batch in (None, entry.batch_id)
    ]


def _assign_checks(
    pool: Pool, entries: Sequence[BatchQuestion], purpose: Assignment.Purpose
) -> list[Assignment]:
    """A lease of gold looks like any other; a skipped qualification question stays."""
    if not entries:
        return []
    given = Assignment.objects.count_levels(pool.study.pk, pool.expert, purpose)
    rows = [
        new_assignment(pool.kind, pool.design, entry, pool.expert, given, purpose)
        for entry in entries
    ]
    if purpose == Assignment.Purpose.GOLD:
        for row in rows:
            row.leased_until = pool.lease_end()
    return Assignment.objects.bulk_create(rows)


def _find_pools(expert: uuid.UUID, **of: uuid.UUID) -> QuerySet[StudyDesign]:
    """Designs of the expert's open studies that have more questions for some experts."""
    joined = Member.objects.filter(user=expert, role=Member.Role.EXPERT).values("study")
    has_more = Q(overlap__isnull=False) | Q(repeat_share__gt=0)
    designs = StudyDesign.objects.filter(has_more, study__in=joined, **of)
    return designs.filter(study__status=Study.Status.OPEN).select_related("study")


_pools_of_batch = PreparedQuery(_find_pools, expert=uuid.uuid4(), study__batches=uuid.uuid4())


def count_available(expert: User, batch: uuid.UUID | None = None) -> dict[uuid.UUID, int]:
    """By batch of the expert's open studies: how many more questions the expert could take now,
    of a pool or a second time."""
    if batch is None:
        designs = list(_find_pools(expert.pk))
    else:
        designs = _pools_of_batch.fetch(expert=expert.pk, study__batches=batch)
    result: Counter[uuid.UUID] = Counter()
    for design in designs:
        kind = study_kinds().get(design.study.kind)
        if kind is None:  # no longer installed: its questions cannot be shown
            continue
        pool = Pool(design.study, design, kind, expert.pk)
        if not may_answer(design, expert.pk):
            result.update(entry.batch_id for entry in _open_qualification(pool, batch))
            continue
        entries = pool.available(batch).order_by()
        result.update(dict(entries.values_list("batch").annotate(Count("id"))))
        due = find_due_repeats(kind, design, expert.pk, batch)
        result.update(row.batch_id for row in due)
    return result


def _find_open_leases(expert: uuid.UUID, **of: uuid.UUID) -> QuerySet[Assignment]:
    rows = Assignment.objects.counted().filter(UNANSWERED, expert=expert, **of)
    return rows.select_for_update(of=("self",)).order_by("id")


_open_leases = PreparedQuery(_find_open_leases, expert=uuid.uuid4(), batch=uuid.uuid4())


def _renew_leases(pool: Pool, batch: uuid.UUID | None) -> tuple[list[Assignment], bool]:
    """The expert's questions that are neither answered nor skipped, with a new lease, and whether
    a lease had expired: then locks of questions are held.

    An expired lease is renewed if its place is free. Otherwise a question that the expert has not
    begun is released; one with a draft stays, and its answer may become surplus.
    """
    now = timezone.now()
    if batch is None:
        locked = list(_find_open_leases(pool.expert, study=pool.study.pk))
    else:
        locked = _open_leases.fetch(expert=pool.expert, batch=batch)
    expired = {row.question_id: row for row in locked if not is_leased(row, now)}
    free = _lock_free(pool, expired)
    lost = [row.pk for question, row in expired.items() if question not in free]
    begun = Assignment.objects.filter(pk__in=lost, response__isnull=False)
    valid = [row for row in locked if row.pk not in lost]
    Assignment.objects.filter(pk__in=[row.pk for row in valid]).update(
        leased_until=pool.lease_end()
    )
    Assignment.objects.filter(pk__in=lost).exclude(pk__in=begun.values("pk")).update(
        state=Assignment.State.RELEASED
    )
    return sorted(valid, key=lambda row: (row.created_at, row.pk)), bool(expired)


def _lock_free(pool: Pool, questions: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Of these questions those with a free place, locked. Nobody is waited for."""
    if not questions:
        return set()
    entries = BatchQuestion.objects.filter(batch__study=pool.study, question__in=questions)
    locked = [row.pk for row in entries.select_for_update(of=("self",), skip_locked=True)]
    free = pool.with_free_place(BatchQuestion.objects.filter(pk__in=locked))
    return {entry.question_id for entry in free}


def _lease_new(
    pool: Pool, count: int, batch: uuid.UUID | None, *, may_wait: bool
) -> list[Assignment]:
    """Questions that others lock are passed over. Only an expert who holds no lock of a question
    waits for one, so experts never wait for each other in a circle."""
    if count <= 0:
        return []
    entries = pool.available(batch)
    if pool.design.adaptive_share:
        return _lease_drawn(pool, count, entries, may_wait=may_wait)
    taken: list[Assignment] = []
    attempts: list[int] = []  # what could not be taken hides no other question
    for _ in range(ATTEMPTS):  # others may take the last place of a question before its lock
        free = entries.exclude(pk__in=attempts).select_for_update(of=("self",), skip_locked=True)
        passing = [one.pk for one in free[: count - len(taken)]]
        attempts += passing
        taken += _take_places(pool, passing)
        if not passing or len(taken) == count:
            break
        may_wait = False  # it holds locks
    if taken or not may_wait:
        return taken
    waiting = entries.select_for_update(of=("self",))[:1]
    return _take_places(pool, [entry.pk for entry in waiting])


def _lease_drawn(
    pool: Pool, count: int, entries: QuerySet[BatchQuestion], *, may_wait: bool
) -> list[Assignment]:
    """As `_lease_new`, of questions that are drawn instead of in the expert's order."""
    selection = select_among(pool.design, pool.expert, entries)
    taken: list[Assignment] = []
    for _ in range(ATTEMPTS):
        draws = selection.draw(count - len(taken))
        taken += _take_places(pool, list(draws), draws)
        may_wait = may_wait and not draws
        if not selection.entries or len(taken) == count:
            break
    if may_wait:
        draws = selection.locked_by_others
        waiting = BatchQuestion.objects.filter(pk__in=draws).select_for_update()
        taken = _take_places(pool, [entry.pk for entry in waiting], draws)
    return taken


def _take_places(pool: Pool, locked: Collection[int], draws: Draws = NO_DRAWS) -> list[Assignment]:
    """Places are counted again after the lock: others may have taken one before it."""
    entries = pool.with_free_place(BatchQuestion.objects.filter(pk__in=locked))
    free = {entry.pk: entry for entry in pool.with_returned(entries)}
    again = _lock_returned([one.returned for one in free.values() if one.returned])
    answer = Assignment.Purpose.ANSWER
    given = Assignment.objects.count_levels(pool.study.pk, pool.expert, answer)
    for row in again.values():
        given.update(row.arms.items())
    taken: list[Assignment] = []
    for entry in (free[key] for key in locked if key in free):
        if entry.returned is None:
            row = new_assignment(pool.kind, pool.design, entry, pool.expert, given)
        elif entry.returned in again:
            row = again[entry.returned]
        else:
            continue  # its expert writes it in another window
        row.state, row.leased_until = Assignment.State.ACTIVE, pool.lease_end()
        if entry.pk in draws:
            row.is_adaptive = not draws[entry.pk].random
            row.selection_propensity = draws[entry.pk].propensity
        taken.append(row)
    Assignment.objects.bulk_create([row for row in taken if row.pk not in again])
    Assignment.objects.bulk_update([row for row in taken if row.pk in again], LEASE_FIELDS)
    return taken


def _lock_returned(assignments: Collection[uuid.UUID]) -> dict[uuid.UUID, Assignment]:
    """Those that are still returned. Nobody is waited for: a submission locks its assignment
    before the question, which is locked here."""
    if not assignments:
        return {}
    rows = Assignment.objects.filter(RETURNED, pk__in=assignments)
    locked = [row.pk for row in rows.select_for_update(of=("self",), skip_locked=True)]
    return Assignment.objects.filter(UNANSWERED, pk__in=locked).in_bulk()
