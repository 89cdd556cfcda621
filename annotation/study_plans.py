"""What a study of a given size will show: width of its intervals, power, and hours of work."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import ceil, floor, sqrt

from backend.common.cached_results import get_or_compute
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.science.study_planner import designs, plans
from backend.science.study_planner.designs import PlannedEstimate
from backend.validation.faults import FaultList

SEED = 20_260_101
MAX_RATERS, MAX_SECONDS, MAX_HOURS = 1_000, 24 * 3600, 1_000
SECONDS_PER_HOUR, ROUNDING = 3600, 1e-9
MAX_REQUESTED = 6_000
"""Judgements of a plan that is computed while somebody waits for its page: about a second."""
PAIR_SD = 1.0
"""Of the log odds over pairs. With 0, as if all pairs were alike, a majority of several answers
would be surer than any real one."""
GOAL_HALF_WIDTH = 0.1
GOAL_POWER, POWER_QUANTILE = 0.8, 0.8416
CACHE_S = 24 * 3600


class PlanInvalid(DomainError):
    code = "plan_invalid"


@dataclass(frozen=True, kw_only=True)
class PlanRequest:
    """judgement: a name of `JUDGEMENTS`. items, or the hours that each rater has: then as many are
    planned as fit. preference: of pairs, the share that prefers one arm. candidates: of rankings,
    to each question."""

    judgement: str
    raters: int
    items: int | None = None
    hours_per_rater: float | None = None
    overlap: int = 3
    seconds: float = 45.0
    preference: float = 0.8
    candidates: int = 10


@dataclass(frozen=True)
class PlannedFigure:
    """low, high: 95 % of such studies estimate a value between them. half_width: of that."""

    name: str
    label: str
    value: float
    low: float
    high: float
    half_width: float


@dataclass(frozen=True)
class StudyPlan:
    """items: those of the request, or as many as fit into its hours. studies: how many were
    simulated. power: of the sign test, for pairs alone. notes: what the intervals leave out.
    warnings: why the study may be too small, and what would be enough."""

    judgement: str
    items: int
    judgements: int
    hours: float
    hours_per_rater: float
    studies: int
    figures: list[PlannedFigure]
    power: float | None
    sentence: str
    notes: list[str]
    warnings: list[str]


Simulation = tuple[int, Mapping[str, PlannedEstimate | None], float | None]


@dataclass(frozen=True)
class Judgement:
    """noun: what is judged. main: the figure that the sentence and the warnings are about. notes:
    what its intervals leave out."""

    label: str
    noun: str
    main: str
    figures: Mapping[str, str]
    simulate: Callable[[designs.PlannedStudy, PlanRequest], Simulation]
    notes: tuple[str, ...] = ()


def _simulate_pairs(design: designs.PlannedStudy, request: PlanRequest) -> Simulation:
    # The sum over pairs of one answer each does not depend on how they differ.
    deviation = PAIR_SD if design.overlap > 1 else 0.0
    raters = plans.PairRaters(request.preference, deviation)
    plan = plans.plan_pairs(design, raters, seed=SEED)
    return plan.studies, {"share": plan.share}, plan.power


def _simulate_rankings(design: designs.PlannedStudy, request: PlanRequest) -> Simulation:
    plan = plans.plan_rankings(design, plans.RankingRaters(request.candidates), seed=SEED)
    return plan.studies, {"top1": plan.top1, "kendall_w": plan.kendall_w}, None


def _simulate_verdicts(design: designs.PlannedStudy, request: PlanRequest) -> Simulation:
    plan = plans.plan_verdicts(design, plans.VerdictRaters(), seed=SEED)
    estimates = {"share": plan.share, "correct": plan.correct, "alpha": plan.alpha}
    return plan.studies, estimates, None


def _simulate_ratings(design: designs.PlannedStudy, request: PlanRequest) -> Simulation:
    plan = plans.plan_ratings(design, plans.RatingRaters(), seed=SEED)
    estimates = {"positive": plan.positive, "mean": plan.mean, "alpha": plan.alpha}
    return plan.studies, estimates, None


ALPHA = "Krippendorff's alpha"
OVER_PAIRS = (
    "The interval is over pairs: differences between experts are not in it, "
    "so their number does not change it. Pairs differ: the log odds of a preference vary over "
    f"them with a standard deviation of {PAIR_SD:g}."
)
JUDGEMENTS: Mapping[str, Judgement] = {
    "pairs": Judgement(
        "Pairs",
        "pair",
        "share",
        {"share": "Pairs for the first arm"},
        _simulate_pairs,
        (OVER_PAIRS,),
    ),
    "rankings": Judgement(
        "Rankings",
        "question",
        "top1",
        {"top1": "Consensus has the best candidate first", "kendall_w": "Kendall's W"},
        _simulate_rankings,
    ),
    "verdicts": Judgement(
        "Verdicts on claims",
        "claim",
        "share",
        {"share": "Claims judged true", "correct": "Majorities that are right", "alpha": ALPHA},
        _simulate_verdicts,
    ),
    "ratings": Judgement(
        "Ratings from 1 to 5",
        "item",
        "positive",
        {"positive": "Ratings of 4 or 5", "mean": "Mean rating", "alpha": ALPHA},
        _simulate_ratings,
    ),
}


def plan_study(request: PlanRequest, *, most_judgements: int = designs.MAX_JUDGEMENTS) -> StudyPlan:
    """Simulate many studies of this size; the same request has the same plan.

    Raises PlanInvalid with every fault.
    """
    items, faults = _size(request, most_judgements)
    if faults.listed:
        raise PlanInvalid("This study cannot be planned.", faults=faults.listed)
    judgement = JUDGEMENTS[request.judgement]
    design = designs.PlannedStudy(request.raters, items, request.overlap, request.seconds)
    studies, estimates, power = judgement.simulate(design, request)
    figures = [
        PlannedFigure(name, label, one.value, one.low, one.high, one.half_width)
        for name, label in judgement.figures.items()
        if (one := estimates[name]) is not None
    ]
    main = next((one for one in figures if one.name == judgement.main), None)
    return StudyPlan(
        judgement=request.judgement,
        items=items,
        judgements=design.judgements,
        hours=design.hours,
        hours_per_rater=design.hours_per_rater,
        studies=studies,
        figures=figures,
        power=power,
        sentence=_sentence(items, judgement, main, request),
        notes=list(judgement.notes),
        warnings=list(_warnings(items, judgement, main, power)),
    )


def read_plan(request: PlanRequest) -> StudyPlan:
    """As `plan_study`, of bounded cost and from the cache where it was planned before."""
    return get_or_compute(
        f"planned-study:{sha256(repr(request).encode()).hexdigest()}",
        lambda: plan_study(request, most_judgements=MAX_REQUESTED),
        form=StudyPlan,
        timeout_s=CACHE_S,
    )


def _items_in_hours(request: PlanRequest, hours: float) -> int:
    """How many items the raters judge, each as often as its overlap, in so many hours each."""
    seconds = request.raters * hours * SECONDS_PER_HOUR
    return floor(seconds / (request.seconds * request.overlap) + ROUNDING)


def _size(request: PlanRequest, most_judgements: int) -> tuple[int, FaultList]:
    """The number of items, and every fault of the request."""
    faults = _find_faults(request, most_judgements)
    if (request.items is None) == (request.hours_per_rater is None):
        sentence = "Give either the items or the hours of each rater."
        faults.add("items", sentence, "one of two")
    if faults.listed:
        return 0, faults
    place, items = "items", request.items or 0
    if request.hours_per_rater is not None:
        place, items = "hours_per_rater", _items_in_hours(request, request.hours_per_rater)
        if not items:
            faults.add(place, "No item fits into these hours.", "more hours or raters")
    if items * request.overlap > most_judgements:
        faults.add(place, "This study is too large to plan.", f"{most_judgements} judgements")
    return items, faults


def _find_faults(request: PlanRequest, most_judgements: int) -> FaultList:
    faults = FaultList()
    has_hours = request.hours_per_rater is not None
    limits: tuple[tuple[str, float, float, float], ...] = (
        ("raters", request.raters, 1, MAX_RATERS),
        ("items", 1 if request.items is None else request.items, 1, most_judgements),
        ("hours_per_rater", request.hours_per_rater or 0, 0, MAX_HOURS),
        ("overlap", request.overlap, 1, max(request.overlap, MAX_RATERS)),
        ("seconds", request.seconds, 1 if has_hours else 0, MAX_SECONDS),
        ("preference", request.preference, 0.01, 0.99),
        ("candidates", request.candidates, 2, 50),
    )
    if request.judgement not in JUDGEMENTS:
        faults.add("judgement", "There is no such judgement.", ", ".join(JUDGEMENTS))
    for name, value, low, high in limits:
        if not low <= value <= high:
            faults.add(name, "This number is out of range.", f"{low:g} to {high:g}")
    if request.overlap > max(request.raters, 1):
        expected = f"at most the number of raters, {request.raters}"
        faults.add("overlap", "An item cannot have more raters than the study.", expected)
    return faults


def _sentence(
    items: int, judgement: Judgement, main: PlannedFigure | None, request: PlanRequest
) -> str:
    """'54 pairs give 80 % ± 10 points.' With several answers of a pair, also what the share is."""
    size = pluralize(items, judgement.noun)
    if main is None:
        return f"{size} are too few for an estimate."
    points = 100 * main.half_width
    result = f"{size} give {100 * main.value:.0f} % ± {points:.0f} points"
    if judgement.noun != "pair" or request.overlap == 1:
        return f"{result}."
    return (
        f"{result}: the share whose majority of {request.overlap} prefers it, "
        f"from {100 * request.preference:.0f} % of single answers."
    )


def _warnings(
    items: int, judgement: Judgement, main: PlannedFigure | None, power: float | None
) -> Iterator[str]:
    if main is None:
        return
    if main.half_width > 1.1 * GOAL_HALF_WIDTH:
        enough = ceil(items * (main.half_width / GOAL_HALF_WIDTH) ** 2)
        yield (
            f"The interval is wide. About {pluralize(enough, judgement.noun)} would give "
            f"± {100 * GOAL_HALF_WIDTH:.0f} points."
        )
    if power is None or power >= GOAL_POWER:
        return
    lack = f"Underpowered: {100 * power:.0f} % of such studies would find the preference."
    needed = _pairs_for_power(main.value)
    yield f"{lack} About {needed:,} pairs would be enough." if needed else lack


def _pairs_for_power(share: float) -> int | None:
    """Decided pairs for which a sign test finds the share in 80 % of studies, by the normal
    approximation; None for a share of a half. Source: Noether, JASA 82 (1987)."""
    distance = abs(share - 0.5)
    if distance < 0.01:
        return None
    reach = designs.NORMAL_QUANTILE / 2 + POWER_QUANTILE * sqrt(share * (1 - share))
    return ceil((reach / distance) ** 2)
