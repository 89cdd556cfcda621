"""Raters who choose twice, for kinds whose answers are choices."""

from collections.abc import Callable, Sequence

from annotation.kinds.figures import Figure, Section, estimate_figure
from annotation.kinds.study_table import StudyAnswer, number_values
from backend.science.rater_checks.retest import retest_choices

SCOTT = "Same choice twice, and Scott's pi (Scott, 1955), intervals by question"

CodeOf = Callable[[StudyAnswer], int | None]
Repeats = Sequence[tuple[StudyAnswer, StudyAnswer]]


def choice_retest_section(repeats: Repeats, code_of: CodeOf, *, seed: int) -> Section:
    """code_of: the number of the choice; answers without one are left out."""
    figures, number = choice_retest_figures(repeats, code_of, seed=seed)
    note = f"Questions that a rater answered twice: {number}."
    return Section("retest", "Test and retest", tuple(figures), note)


def choice_retest_figures(
    repeats: Repeats, code_of: CodeOf, *, seed: int, prefix: str = ""
) -> tuple[list[Figure], int]:
    """With the number of the repeated answers that have a choice both times."""
    used = [
        (one.question, first, second)
        for one, other in repeats
        if (first := code_of(one)) is not None and (second := code_of(other)) is not None
    ]
    share = corrected = None
    if used:
        questions, earlier, later = zip(*used, strict=True)
        share, corrected = retest_choices(number_values(questions), earlier, later, seed=seed)
    name, label = (f"{prefix}.", f"{prefix}: ") if prefix else ("", "")
    unit = "repeated questions"
    return [
        estimate_figure(f"{name}retest_same", f"{label}Same choice twice", unit, SCOTT, share),
        estimate_figure(f"{name}retest_pi", f"{label}Corrected for chance", unit, SCOTT, corrected),
    ], len(used)
