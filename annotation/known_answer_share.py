"""The share of gold questions among those that experts got, beside the share of the design."""

from django.db.models import Count, Q

from annotation.kinds.figures import Figure, Section
from annotation.models import Assignment, KnownAnswer, StudyDesign

SHARE = "Gold assignments divided by all but those of qualifications"
IS_COMPLETE = "It counts all assignments, not a sample."
NOTHING_ASSIGNED = "No question was assigned yet."


def known_answer_sections(design: StudyDesign) -> list[Section]:
    """Empty for a study without known answers beyond those of its qualification."""
    known = KnownAnswer.objects.filter(entry__batch__study=design.study_id).count()
    if known <= design.qualification_items or not design.gold_share:
        return []
    gold, total = count_assigned(design)
    figure = Figure(
        "gold_share",
        "Gold questions among those assigned",
        gold / total if total else None,
        total,
        "assignments",
        SHARE,
        reason="" if total else NOTHING_ASSIGNED,
        interval_reason=IS_COMPLETE if total else NOTHING_ASSIGNED,
        note=f"Gold: {gold:,}. Planned: {design.gold_share:.1%}.",
    )
    note = "The share is lower than planned where there were too few gold questions."
    return [Section("gold", "Gold questions", (figure,), note)]


def count_assigned(design: StudyDesign) -> tuple[int, int]:
    """Gold assignments, and all of gold, new and repeated questions.

    Left out is what was released or withdrawn without an answer.
    """
    is_returned = Q(state__in=[Assignment.State.RELEASED, Assignment.State.WITHDRAWN])
    rows = Assignment.objects.filter(
        ~is_returned | Q(response__submitted_number__gt=0),
        study=design.study_id,
        purpose__in=[Assignment.Purpose.ANSWER, Assignment.Purpose.GOLD],
    )
    is_gold = Q(purpose=Assignment.Purpose.GOLD)
    counts = rows.aggregate(gold=Count("pk", filter=is_gold), total=Count("pk"))
    return counts["gold"], counts["total"]
