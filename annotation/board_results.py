"""What the board shows of how questions were answered, beside how many and how far answers agree.

While a question can still be adjudicated blind, nothing: figures of one question, or of several
that were answered alike, are how these were answered.
"""

from collections.abc import Mapping, Sequence

from annotation.kinds.base import AnyKind
from annotation.kinds.measures import Measure
from annotation.models import Assignment, QuestionDecision
from backend.studies.models import Study

ANSWERED = "answered"
"""Instead of the outcomes that are part of an answer."""


def are_results_shown(study: Study) -> bool:
    """Once the study has ended, and no question waits for its adjudication."""
    if not study.has_ended:
        return False
    if study.status == Study.Status.FROZEN:
        return True  # nothing can be adjudicated any more
    adjudications = Assignment.objects.adjudications().filter(study=study)
    blind = set(adjudications.blind().values_list("question", flat=True))
    adjudicated = set(adjudications.values_list("question", flat=True)) - blind
    return not blind and adjudicated.issuperset(QuestionDecision.objects.to_adjudicate(study))


def without_results(kind: AnyKind, measures: Sequence[Measure]) -> list[Measure]:
    return [one for one in measures if not kind.is_result(one["name"])]


def merge_answers(kind: AnyKind, outcomes: Mapping[str, int]) -> Mapping[str, int]:
    """The outcomes that are part of an answer as one; as they are where the kind has one alone."""
    parts = [one.name for one in kind.outcomes if one.is_measured]
    if len(parts) < 2:
        return outcomes
    others = {name: count for name, count in outcomes.items() if name not in parts}
    return {ANSWERED: sum(outcomes.get(name, 0) for name in parts), **others}
