"""The effect of the background: what is chosen where it is shown, and where it is hidden."""

from collections import defaultdict
from collections.abc import Callable, Mapping

from annotation.kinds.arm_sections import arm_section, contrast_figure, number_places
from annotation.kinds.figures import Figure, Section
from annotation.kinds.hypothesis_pairs.measures import verdict_of
from annotation.kinds.items import EVIDENCE_ARM
from annotation.kinds.study_table import StudyAnswer, StudyTable
from backend.science.judgements.contrasts import Row

HIDDEN = EVIDENCE_ARM.levels[1]
IsSo = Callable[[StudyAnswer], bool | None]


def evidence_sections(
    table: StudyTable, first: str, first_listed: Mapping[str, bool]
) -> list[Section]:
    """first: what the first of each pair is; first_listed: whether that is 'a' of the listed pair.
    None where the arm was not drawn."""
    if not any(EVIDENCE_ARM.name in one.arms for one in table.answers):
        return []

    def prefers_first(answer: StudyAnswer) -> bool | None:
        verdict = verdict_of(answer.payload["choice"])
        return (verdict == "a") == first_listed[answer.question] if verdict in ("a", "b") else None

    shares: Mapping[str, tuple[str, IsSo]] = {
        "share_first": (f"Choices for {first}, of those for one", prefers_first),
        **{
            f"share_{verdict}": (f"Share of '{label}'", _is(verdict))
            for verdict, label in (("tie", "tie"), ("both_bad", "both bad"))
        },
        "share_not_sure": ("Share of 'not sure'", lambda one: one.outcome == "not_sure"),
    }
    effects = [_effect(table, name, label, is_so) for name, (label, is_so) in shares.items()]
    return [arm_section(EVIDENCE_ARM, effects)]


def _is(verdict: str) -> IsSo:
    """Of the answers that are sure."""

    def check(answer: StudyAnswer) -> bool | None:
        given = verdict_of(answer.payload["choice"])
        return None if given == "not_sure" else given == verdict

    return check


def _effect(table: StudyTable, name: str, label: str, is_so: IsSo) -> Figure:
    raters, items = number_places(table)
    rows: dict[str, list[Row]] = defaultdict(list)
    for one in table.answers:
        value = is_so(one)
        if value is not None and EVIDENCE_ARM.name in one.arms:
            row = (items[one.question], (raters[one.rater],), float(value), 1 / one.propensity)
            rows[one.arms[EVIDENCE_ARM.name]].append(row)
    return contrast_figure(table, EVIDENCE_ARM, HIDDEN, name, label, "answers", "Share", rows)
