"""Whether an expert may answer the questions of a study that has a qualification."""

import uuid
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.db.models import Exists, OuterRef

from annotation.known_answers import qualification_entries
from annotation.models import (
    Assignment,
    CheckedAnswer,
    ConflictOfInterest,
    QualificationWaiver,
    StudyDesign,
)
from backend.accounts.models import User
from backend.common.errors import Conflict, NotFound
from backend.studies.models import Member
from backend.studies.notifications import notify_on_commit
from backend.studies.policies import NOT_FOUND_MESSAGE, get_coordinated_study_or_raise

QualificationState = Literal["open", "passed", "failed", "waived"]


@dataclass(frozen=True)
class Qualification:
    """right of the `answered` first questions of `items`; `minimum` are needed.

    Questions that the expert cannot answer any more, for a conflict of interest or because what
    they had begun is withdrawn, are left out of `items`, and of `minimum` in proportion; who has
    none left fails, unless the qualification is waived.
    """

    state: QualificationState
    right: int
    answered: int
    items: int
    minimum: int

    @property
    def is_over(self) -> bool:
        """Whether the expert may go on to the questions of the study."""
        return self.state in ("passed", "waived")


def read_qualifications(
    design: StudyDesign, experts: Collection[uuid.UUID]
) -> dict[uuid.UUID, Qualification]:
    """Of each expert; empty where the study has no qualification."""
    if not design.qualification_items:
        return {}
    checks = CheckedAnswer.objects.filter(
        assignment__study=design.study_id,
        assignment__purpose=Assignment.Purpose.QUALIFICATION,
        assignment__expert__in=experts,
    ).values_list("assignment__expert", "is_right")
    answered = Counter(expert for expert, _ in checks)
    right = Counter(expert for expert, is_right in checks if is_right)
    waivers = QualificationWaiver.objects.filter(study=design.study_id, expert__in=experts)
    waived = set(waivers.values_list("expert", flat=True))
    unfinished = [one for one in experts if answered[one] < design.qualification_items]
    lost = _count_lost(design, unfinished)
    return {
        expert: _qualification(
            design,
            right=right[expert],
            answered=answered[expert],
            lost=lost[expert],
            is_waived=expert in waived,
        )
        for expert in experts
    }


def own_qualifications(
    expert: uuid.UUID, studies: Collection[uuid.UUID]
) -> dict[uuid.UUID, Qualification]:
    """By study, of those that have one."""
    designs = StudyDesign.objects.filter(study__in=studies, qualification_items__gt=0)
    return {one.study_id: read_qualifications(one, [expert])[expert] for one in designs}


def may_answer(design: StudyDesign, expert: uuid.UUID) -> bool:
    qualification = read_qualifications(design, [expert]).get(expert)
    return qualification is None or qualification.is_over


@transaction.atomic
def waive_qualification(*, actor: User, study_id: uuid.UUID, expert_id: uuid.UUID) -> Qualification:
    """Let the expert go on to the questions; repeating it changes nothing."""
    study = get_coordinated_study_or_raise(actor, study_id)
    if not study.members.filter(user=expert_id, role=Member.Role.EXPERT).exists():
        raise NotFound(NOT_FOUND_MESSAGE)
    design = StudyDesign.objects.filter(study=study, qualification_items__gt=0).first()
    if design is None:
        raise Conflict("This study has no qualification.", code="no_qualification")
    QualificationWaiver.objects.get_or_create(
        study=study, expert_id=expert_id, defaults={"actor": actor}
    )
    notify_on_commit(study.id, "board")
    return read_qualifications(design, [expert_id])[expert_id]


def _count_lost(design: StudyDesign, experts: Collection[uuid.UUID]) -> Counter[uuid.UUID]:
    """How many of the qualification's questions each expert has not answered and never can."""
    checked = CheckedAnswer.objects.filter(
        assignment__study=OuterRef("study"),
        assignment__question=OuterRef("question"),
        assignment__expert=OuterRef("expert"),
    )
    of_experts = {"study": design.study_id, "expert__in": experts}
    conflicts = ConflictOfInterest.objects.filter(~Exists(checked), **of_experts)
    withdrawn = Assignment.objects.filter(
        purpose=Assignment.Purpose.QUALIFICATION,
        state=Assignment.State.WITHDRAWN,
        response__isnull=False,
        check_result=None,
        **of_experts,
    )
    rows = {
        pair for one in (conflicts, withdrawn) for pair in one.values_list("expert", "question")
    }
    entries = {one.question_id for one in qualification_entries(design)} if rows else set()
    return Counter(expert for expert, question in rows if question in entries)


def _qualification(
    design: StudyDesign, *, right: int, answered: int, lost: int, is_waived: bool
) -> Qualification:
    items = max(design.qualification_items - lost, 0)
    minimum = -(-design.qualification_minimum * items // design.qualification_items)
    state: QualificationState = "open"
    if is_waived:
        state = "waived"
    elif answered >= items:
        state = "passed" if items and right >= minimum else "failed"
    return Qualification(state, right, answered, items, minimum)
