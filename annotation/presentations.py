"""How items are shown: completely, or as one expert sees them; the draw of arms."""

import hashlib
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.kinds.base import AnyKind, Payload
from annotation.kinds.items import Arm, Item, Presentation
from annotation.kinds.registry import get_kind_or_raise
from annotation.models import Assignment, StudyDesign
from backend.common.prepared_queries import PreparedQuery
from backend.studies.models import Study

# How many questions of an expert have a level of an arm: by the names of both.
GivenLevels = Counter[tuple[str, str]]


@dataclass(frozen=True)
class DrawnArms:
    """The level of each arm, and the probability of this draw."""

    levels: Mapping[str, str]
    propensity: float


_design = PreparedQuery(lambda study: StudyDesign.objects.filter(study=study), study=uuid.uuid4())


# Of a design: how questions are assigned and shown, and how experts are checked.
DESIGN_FIELDS = ("seed", "arm_shares", "overlap", "lease_minutes", "adaptive_share")
CHECK_FIELDS = (
    *("repeat_share", "gold_share", "gold_feedback"),
    *("qualification_items", "qualification_minimum"),
)


def design_of(study: Study) -> StudyDesign:
    """That of the study, or the defaults."""
    design = _design.fetch_one(study=study.pk)
    if design is None:
        return StudyDesign(study=study)
    return design


def build_item_of(assignment: Assignment) -> Item:
    """The item as its expert sees it. The assignment was loaded `with_item`."""
    place = _place(assignment.seed, assignment.expert_id, assignment.question_id)
    shown = Presentation(assignment.arms, assignment.entry_payload, draw_number("order", *place))
    item: Item = get_kind_or_raise(assignment.study.kind).build_item(assignment.question, shown)
    if assignment.number is None:
        return item
    return item.model_copy(update={"number": assignment.number})


def complete_presentation(entry_payload: Payload) -> Presentation:
    """For coordinators: the first level of every arm."""
    return Presentation(fields=entry_payload)


def draw_arms(
    arms: Sequence[Arm],
    design: StudyDesign,
    expert: uuid.UUID,
    question: uuid.UUID,
    given: GivenLevels,
) -> DrawnArms:
    """Levels of the arms of one question for one expert; the same draw every time.

    An arm of which the study sets no share is not drawn. given: of the questions that the expert
    has, which balanced arms count.
    """
    levels: dict[str, str] = {}
    propensity = 1.0
    for arm in arms:
        if arm.is_balanced:
            level, probability = _draw_balanced(arm, design.seed, expert, given)
        elif arm.name not in design.arm_shares:
            continue
        else:
            shares = _shares(arm, design.arm_shares[arm.name])
            unit = draw_unit(arm.name, *_place(design.seed, expert, question))
            level, probability = _choose(arm.levels, shares, unit)
        levels[arm.name] = level
        propensity *= probability
    return DrawnArms(levels, propensity)


def repeat_arms(kind: AnyKind, levels: Mapping[str, str]) -> dict[str, str]:
    """Those of the second occasion: balanced arms have their other level, the rest the same."""
    swapped = {
        arm.name: arm.levels[1 - arm.levels.index(levels[arm.name])]
        for arm in kind.arms
        if arm.is_balanced and arm.name in levels
    }
    return {**levels, **swapped}


def _draw_balanced(arm: Arm, seed: int, expert: uuid.UUID, given: GivenLevels) -> tuple[str, float]:
    """The level that the expert has less often; a fair draw where both are level, so that of two
    questions in a row one has each. Either level is as likely before anything is drawn."""
    counts = [given[arm.name, level] for level in arm.levels]
    if counts[0] != counts[1]:
        return arm.levels[counts.index(min(counts))], 1 / 2
    is_swapped = draw_unit(arm.name, str(seed), expert.hex, str(counts[0])) < 1 / 2
    return arm.levels[int(is_swapped)], 1 / 2


def _shares(arm: Arm, others: Mapping[str, float]) -> list[float]:
    """Of each level: the first one has what is left."""
    rest = [float(others.get(level, 0)) for level in arm.levels[1:]]
    return [1 - sum(rest), *rest]


def _choose(levels: Sequence[str], shares: Sequence[float], unit: float) -> tuple[str, float]:
    reached = 0.0
    drawn = [(level, share) for level, share in zip(levels, shares, strict=True) if share > 0]
    for level, share in drawn:
        reached += share
        if unit < reached:
            return level, share
    return drawn[-1]


def _place(seed: int, expert: uuid.UUID, question: uuid.UUID) -> tuple[str, str, str]:
    return str(seed), expert.hex, question.hex


def draw_unit(*parts: str) -> float:
    """A number in [0, 1) that depends on nothing but the parts."""
    return draw_number(*parts) / 2**64


def draw_number(*parts: str) -> int:
    """A number below 2**64 that depends on nothing but the parts."""
    digest = hashlib.blake2b(":".join(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")
