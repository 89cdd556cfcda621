"""Create a study of the questions of an existing set."""

import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from django.db import transaction

from annotation.imports import create_study, get_checked_name
from annotation.kinds.base import AnyKind
from annotation.kinds.items import EVIDENCE_ARM
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import (
    MAX_ADAPTIVE_SHARE,
    SEED_BITS,
    Batch,
    BatchQuestion,
    KnownAnswer,
    StudyDesign,
)
from annotation.study_graph import pin_to_study
from backend.accounts.models import User
from backend.benchmarks.models import Partition, Question, QuestionSet
from backend.benchmarks.partitions import newest_set_partitions, ordered_groups
from backend.benchmarks.policies import require_set_owner
from backend.common.errors import Conflict, DomainError
from backend.graphs.version_lookup import find_version_or_raise
from backend.studies.models import Study
from backend.validation.faults import Fault, FaultList

MAX_OVERLAP = 1_000
MAX_REPEAT_SHARE = 0.1  # test and retest need no more, and each repeat costs an answer
MIN_REPEAT_SHARE = 0.05
MAX_GOLD_SHARE = 0.5
CHECK_SHARES = {"repeat_share": MAX_REPEAT_SHARE, "gold_share": MAX_GOLD_SHARE}

ArmShares = Mapping[str, Mapping[str, float]]


class DesignInvalid(DomainError):
    code = "design_invalid"


@dataclass(frozen=True, kw_only=True)
class Design:
    """What `StudyDesign` stores, in fields of the same names. seed: drawn if None."""

    overlap: int | None = None
    arm_shares: ArmShares = field(default_factory=dict)
    seed: int | None = None
    lease_minutes: int = 60
    adaptive_share: float = 0.0
    repeat_share: float = 0
    gold_share: float = 0.05
    gold_feedback: str = StudyDesign.GoldFeedback.NEVER
    qualification_items: int = 0
    qualification_minimum: int = 0


@dataclass(frozen=True)
class CreatedStudy:
    """left_out: questions of the set that the study kind cannot use. undrawn_arms: arms with a
    share that no question can draw, such as an order to hide where none has one."""

    study: Study
    batches: int
    questions: int
    with_prior: int
    left_out: int
    seed: int
    undrawn_arms: tuple[str, ...] = ()


@transaction.atomic
def create_study_from_set(
    *,
    actor: User | None,
    name: str,
    question_set: QuestionSet,
    kind: str = "",
    graph: str = "",
    design: Design | None = None,
    is_demo: bool = False,
    is_draft: bool = False,
) -> CreatedStudy:
    """The order shown first is that of the newest partition of a language model, if there is one.

    The actor must own the set, and becomes the study's coordinator; the actor None is the
    command line. Raises Conflict if a study of this name exists, DesignInvalid with every fault.
    """
    if actor is not None:
        require_set_owner(actor, question_set)
    get_checked_name(name)
    study, is_new = create_study(
        actor, name, kind, question_set=question_set, is_demo=is_demo, is_draft=is_draft
    )
    if not is_new:
        raise _name_taken()
    stored = set_design(study, design or Design())
    result = _add_questions(study, question_set)
    undrawn = _leave_undrawn_arms_out(stored)
    if graph:
        pin_to_study(actor=actor, study=study, version=find_version_or_raise(actor, graph))
    return CreatedStudy(study, *result, seed=stored.seed, undrawn_arms=undrawn)


def _leave_undrawn_arms_out(design: StudyDesign) -> tuple[str, ...]:
    """Arms with a share that no question of the study can draw. They leave the design."""
    kind = get_kind_or_raise(design.study.kind)
    payloads = BatchQuestion.objects.filter(batch__study=design.study_id).values_list(
        "payload", flat=True
    )
    drawn = {arm.name for fields in payloads for arm in kind.arms_of(fields)}
    undrawn = tuple(name for name in design.arm_shares if name not in drawn)
    if undrawn:
        design.arm_shares = {name: it for name, it in design.arm_shares.items() if name in drawn}
        design.save(update_fields=["arm_shares"])
    return undrawn


def require_new_name(name: str) -> None:
    if Study.objects.filter(name=name).exists():
        raise _name_taken()


def _name_taken() -> Conflict:
    return Conflict("Another study has this name. Choose another name.", code="name_taken")


def set_design(study: Study, design: Design) -> StudyDesign:
    """Store the design of a study that has no assignments yet."""
    known = KnownAnswer.objects.filter(entry__batch__study=study).count()
    faults = find_design_faults(get_kind_or_raise(study.kind), design)
    faults += find_check_faults(design, known)
    if faults:
        raise DesignInvalid("The study was not created: its design is invalid.", faults=faults)
    stored = asdict(design)
    if design.seed is None:
        stored["seed"] = secrets.randbits(SEED_BITS)
    study.hides_evidence = any(design.arm_shares.get(EVIDENCE_ARM.name, {}).values())
    study.save(update_fields=["hides_evidence"])
    return StudyDesign.objects.update_or_create(study=study, defaults=stored)[0]


def find_design_faults(kind: AnyKind, design: Design) -> list[Fault]:
    faults = FaultList()
    if design.overlap is not None and not 1 <= design.overlap <= MAX_OVERLAP:
        faults.add("overlap", "The overlap is out of range.", f"1 to {MAX_OVERLAP}")
    if design.seed is not None and not 0 <= design.seed < 2**SEED_BITS:
        faults.add("seed", "The seed is out of range.", f"0 to {2**SEED_BITS - 1}")
    known = {arm.name: arm.levels for arm in kind.arms if not arm.is_balanced}
    for arm, shares in design.arm_shares.items():
        if arm not in known:
            expected = ", ".join(known) or "no arm"
            message = f"Studies of {kind.title} have no such arm."
            faults.add(f"arm_shares.{arm}", message, expected)
            continue
        levels = known[arm][1:]
        for level, share in shares.items():
            if level not in levels or not 0 <= share <= 1:
                place, names = f"arm_shares.{arm}.{level}", ", ".join(levels)
                message = "This is not the share of a level."
                faults.add(place, message, f"a share from 0 to 1 of {names}")
        if sum(shares.values()) > 1:
            faults.add(f"arm_shares.{arm}", "These shares are more than the whole.", "at most 1")
    return faults.listed + _adaptive_faults(kind, design)


def _adaptive_faults(kind: AnyKind, design: Design) -> list[Fault]:
    faults = FaultList()
    if not 0 <= design.adaptive_share <= MAX_ADAPTIVE_SHARE:
        expected = f"0 to {MAX_ADAPTIVE_SHARE}"
        faults.add("adaptive_share", "At least a fifth is left to chance.", expected)
    elif design.adaptive_share and design.overlap is None:
        faults.add("adaptive_share", "Only pools draw questions by information.", "0, or a pool")
    elif design.adaptive_share and not kind.can_adapt:
        message = f"Studies of {kind.title} do not measure the information of a question."
        faults.add("adaptive_share", message, "0")
    return faults.listed


def find_check_faults(design: Design, known: int) -> list[Fault]:
    """known: how many questions of the study have a known answer."""
    faults = FaultList()
    for name, most in CHECK_SHARES.items():
        if not 0 <= getattr(design, name) <= most:
            faults.add(name, "The share is out of range.", f"0 to {most}")
    if 0 < design.repeat_share < MIN_REPEAT_SHARE:
        expected = f"0, or {MIN_REPEAT_SHARE} to {MAX_REPEAT_SHARE}"
        faults.add("repeat_share", "So few repeats measure nothing.", expected)
    if design.gold_feedback not in StudyDesign.GoldFeedback:
        expected = ", ".join(StudyDesign.GoldFeedback)
        faults.add("gold_feedback", "There is no such rule.", expected)
    if not 0 <= design.qualification_items <= known:
        message = "The qualification needs more questions with a known answer."
        faults.add("qualification_items", message, f"0 to {known}")
    if not 0 <= design.qualification_minimum <= design.qualification_items:
        message = "More right answers are needed than there are questions."
        faults.add("qualification_minimum", message, f"0 to {design.qualification_items}")
    if design.qualification_items and design.overlap is None:
        message = "Only studies with a pool have a qualification."
        faults.add("overlap", message, f"1 to {MAX_OVERLAP}")
    return faults.listed


def _add_questions(study: Study, question_set: QuestionSet) -> tuple[int, int, int, int]:
    """Batches, questions, those with a prior, and questions left out."""
    kind = get_kind_or_raise(study.kind)
    every = list(question_set.questions.prefetch_related("candidates"))
    used = [one for one in every if kind.can_use(one)]
    if not used:
        raise Conflict(
            f"No question of this set can be answered in a study of {kind.title}.",
            code="no_questions",
        )
    priors = _prior_orders(question_set)
    by_batch: dict[int, list[Question]] = defaultdict(list)
    for one in used:
        by_batch[one.study_batch].append(one)
    fields = {one.pk: kind.fields_of(one, priors.get(one.pk)) for one in used}
    for number, questions in sorted(by_batch.items()):
        batch = Batch.objects.create(study=study, number=number)
        BatchQuestion.objects.bulk_create(
            BatchQuestion(batch=batch, question=one, payload=fields[one.pk]) for one in questions
        )
    with_prior = sum(
        one.pk in priors and fields[one.pk] != kind.fields_of(one, None) for one in used
    )
    return len(by_batch), len(used), with_prior, len(every) - len(used)


def _prior_orders(question_set: QuestionSet) -> dict[object, Sequence[Sequence[int]]]:
    """By question: positions of candidates, in the order of the models' scores where the partition
    has them, else in two groups, the serendipity set first."""
    newest = newest_set_partitions(question_set, Partition.Method.LLM)
    return {one.question_id: ordered_groups(one) for one in newest}
