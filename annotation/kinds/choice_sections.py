"""Agreement on choices, and raters who choose twice, for kinds whose answers are choices."""

from collections.abc import Mapping, Sequence

from annotation.kinds.figures import TWO_WAY, Figure, Section, estimate_figure, figure_of
from annotation.kinds.study_table import StudyAnswer, number_values
from backend.science.judgements.alpha import AlphaLevel, krippendorff_alpha
from backend.science.judgements.tables import JudgementTable
from backend.science.rater_checks.retest import retest_choices

ALPHA = "Krippendorff's alpha with gaps (Krippendorff, 2011)"
SCOTT = "Same choice twice, and Scott's pi (Scott, 1955), intervals by question"


def alpha_figure(
    name: str,
    label: str,
    answers: Sequence[StudyAnswer],
    numbers: Sequence[float],
    level: AlphaLevel,
    *,
    seed: int,
) -> Figure:
    """numbers: of the answers: of categories, or grades."""
    table = JudgementTable.of(
        (one.question, one.rater, value) for one, value in zip(answers, numbers, strict=True)
    )
    alpha = krippendorff_alpha(table.values, level=level, seed=seed)
    return figure_of(name, label, "paired answers", f"{ALPHA}; {TWO_WAY}", alpha)


def choice_retest_section(
    repeats: Sequence[tuple[StudyAnswer, StudyAnswer]], codes: Mapping[str, int], *, seed: int
) -> Section:
    """codes: numbers of the choices in `payload['choice']`; answers with others are left out."""
    used = [
        (one.question, codes[one.payload["choice"]], codes[other.payload["choice"]])
        for one, other in repeats
        if one.payload["choice"] in codes and other.payload["choice"] in codes
    ]
    share = corrected = None
    if used:
        questions, first, second = zip(*used, strict=True)
        share, corrected = retest_choices(number_values(questions), first, second, seed=seed)
    unit = "repeated questions"
    figures = (
        estimate_figure("retest_same", "Same choice twice", unit, SCOTT, share),
        estimate_figure("retest_pi", "Corrected for chance", unit, SCOTT, corrected),
    )
    note = f"Questions that a rater answered twice: {len(used)}."
    return Section("retest", "Test and retest", figures, note)
