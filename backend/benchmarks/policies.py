"""Who may see which question sets and their scores, and who may have something computed."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Protocol

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.accounts import studies
from backend.accounts.models import User
from backend.benchmarks.models import Computation, Partition, Question, QuestionSet, Work
from backend.common.errors import Missing, NotAllowed
from backend.graphs.policies import visible_graphs

NOTHING_HERE = "There is nothing here, or it is not yours to see."
DEV = ("dev", "development", "valid", "validation", "train", "training")


class StudySets(Protocol):
    """Question sets that studies use, as a room below knows them."""

    def open_sets(self) -> QuerySet[QuestionSet]:
        """Those whose experts still answer."""

    def coordinated_sets(self, user: User) -> QuerySet[QuestionSet]:
        """Those of the studies that she coordinates."""


class NoStudies:
    """An installation without the room that has studies."""

    def open_sets(self) -> QuerySet[QuestionSet]:
        return QuestionSet.objects.none()

    def coordinated_sets(self, user: User) -> QuerySet[QuestionSet]:
        return QuestionSet.objects.none()


_studies: StudySets = NoStudies()


def register(studies_: StudySets) -> StudySets:
    """Called once, when the room that has studies is ready; returns what it replaces."""
    global _studies
    earlier, _studies = _studies, studies_
    return earlier


def public_questions() -> QuerySet[Question]:
    """Those of dev splits and of the demo, unless a study still asks experts about them.

    A question that is also in another split is hidden: that one may be a test.
    """
    partitions = Partition.objects.filter(question=OuterRef("pk"))
    dev = Exists(partitions.filter(split__in=DEV))
    other = Exists(partitions.exclude(split__in=("", *DEV)))
    shown = Question.objects.filter(dev | Q(question_set__is_demo=True)).exclude(other)
    return shown.exclude(question_set__in=_studies.open_sets())


def visible_questions(user: User | None) -> QuerySet[Question]:
    """Public ones; those of her own sets and of the studies that she coordinates."""
    if user is None or not user.is_active:
        return public_questions()
    if user.is_administrator:
        return Question.objects.all()
    hers = Q(question_set__in=own_sets(user))
    return Question.objects.filter(Q(pk__in=public_questions().order_by().values("pk")) | hers)


def own_sets(user: User) -> QuerySet[QuestionSet]:
    coordinated = Q(pk__in=_studies.coordinated_sets(user).values("pk"))
    return QuestionSet.objects.filter(Q(created_by=user) | coordinated)


def visible_sets(user: User | None) -> QuerySet[QuestionSet]:
    """Sets of which there is a question that she may see."""
    seen = visible_questions(user).order_by().filter(question_set=OuterRef("pk"))
    return QuestionSet.objects.filter(Exists(seen))


def get_set_or_raise(user: User | None, set_id: uuid.UUID) -> QuestionSet:
    found = visible_sets(user).filter(pk=set_id).first()
    if found is None:
        raise Missing(NOTHING_HERE)
    return found


def get_question_or_raise(user: User | None, question_id: uuid.UUID) -> Question:
    found = visible_questions(user).filter(pk=question_id).select_related("question_set").first()
    if found is None:
        raise Missing(NOTHING_HERE)
    return found


def visible_partitions(user: User | None) -> QuerySet[Partition]:
    """Of questions that she may see anyway: not those over a graph that she may not see, for a
    partition names its graph."""
    seen = Q(version=None) | Q(version__graph__in=visible_graphs(user))
    return Partition.objects.filter(seen)


def may_see_calibration(user: User | None, question_set: QuestionSet) -> bool:
    """What experts' partitions of hidden questions speak for is hidden with them."""
    if user is not None and _is_hers(user, question_set):
        return True
    experts = Partition.objects.filter(
        question__question_set=question_set, method=Partition.Method.EXPERT
    )
    learnt_from = experts.filter(split__in=("", *DEV))
    public = public_questions().order_by().values("pk")
    return not learnt_from.exclude(question__in=public).exists()


def is_public(question: Question) -> bool:
    return public_questions().filter(pk=question.pk).exists()


def may_compute(user: User) -> bool:
    """Administrators, and whoever coordinates a study."""
    if not user.is_active:
        return False
    coordinates = ("coordinator" in membership.roles for membership in studies.memberships_of(user))
    return user.is_administrator or any(coordinates)


def require_computing(user: User) -> None:
    if not may_compute(user):
        raise NotAllowed("Only administrators and coordinators may have this computed.")


def require_scoring(user: User) -> None:
    if not (user.is_researcher and user.is_active) and not may_compute(user):
        raise NotAllowed("Only researchers, coordinators and administrators may send files.")


def own_computations(user: User) -> QuerySet[Computation]:
    """Hers, the latest first; all of them for administrators."""
    found = Computation.objects.select_related("version__graph", "question_set")
    found = found.order_by("-created_at")
    return found if user.is_administrator else found.filter(actor=user)


def get_computation_or_raise(user: User, computation_id: uuid.UUID) -> Computation:
    """Her own; and what another began of a graph and a set that she may see, if she might have."""
    rows = Computation.objects.select_related("version__graph", "question_set")
    found = rows.filter(pk=computation_id).first()
    if found is None or not (may_cancel(user, found) or _might_have_begun(user, found)):
        raise Missing(NOTHING_HERE)
    return found


def _might_have_begun(user: User, computation: Computation) -> bool:
    if computation.kind == Work.SCORING or not may_compute(user):
        return False
    of_set = computation.question_set is None or _is_hers(user, computation.question_set)
    return of_set and visible_graphs(user).filter(pk=computation.version.graph_id).exists()


def ids_of_own_sets(user: User | None, sets: Collection[QuestionSet]) -> set[uuid.UUID]:
    """Those of them that are hers, as `require_own_set` has it."""
    ids = {one.pk for one in sets}
    if user is None or user.is_administrator:
        return ids if user else set()
    return set(own_sets(user).filter(pk__in=ids).values_list("pk", flat=True))


def _is_hers(user: User, question_set: QuestionSet) -> bool:
    return bool(ids_of_own_sets(user, [question_set]))


def require_own_set(user: User, question_set: QuestionSet) -> None:
    """Its scores say more than its public questions do."""
    if not _is_hers(user, question_set):
        raise NotAllowed("Only who has this question set may have all of it computed.")


def may_cancel(user: User, computation: Computation) -> bool:
    return user.is_active and (user.is_administrator or computation.actor_id == user.pk)
