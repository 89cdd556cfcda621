"""A metric of all entries of a board against their cost or the size of their models."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTransform

from backend.leaderboard.anonymity import reveal_names
from backend.leaderboard.models import StandingRow

PointAxis = Literal["cost", "parameters"]
POINT_AXES: Sequence[PointAxis] = ("cost", "parameters")
MOST_POINTS = 1_000
FIELDS = ("submission", "model", "is_simulated", "cost_usd", "run_parameters")


@dataclass(frozen=True)
class BoardPoint:
    """x: US dollars or parameters. name: None while the entry is anonymous."""

    submission: str
    name: str | None
    x: float
    score: float
    low: float | None
    high: float | None
    is_simulated: bool


@dataclass(frozen=True)
class BoardPoints:
    """entries: ranked ones that the filter leaves. placed: those with an x and a score.

    points: the first MOST_POINTS of `placed` in the board's order, and the front. front: the
    submissions of the Pareto front of all of `placed`, in order of x.
    """

    entries: int
    placed: int
    points: list[BoardPoint]
    front: list[str]


def collect_points(
    rows: QuerySet[StandingRow], axis: PointAxis, score: str, *, lower_is_better: bool
) -> BoardPoints:
    """score: 'metric slice'. Declared samples are left out."""
    ranked = rows.filter(content__sample=None)
    columns = [KeyTransform(name, "content") for name in FIELDS]
    scores = KeyTransform(score, KeyTransform("scores", "content"))
    read = ranked.values_list(*columns, scores)
    named = reveal_names(dict(zip((*FIELDS, "score"), one, strict=True)) for one in read)
    placed = [point for row in named if (point := _point(row, axis)) is not None]
    front = pareto_front(placed, lower_is_better=lower_is_better)
    on_front = {one.submission for one in front}
    drawn = placed[:MOST_POINTS]
    drawn += [one for one in placed[MOST_POINTS:] if one.submission in on_front]
    return BoardPoints(len(named), len(placed), drawn, [one.submission for one in front])


def pareto_front(points: Iterable[BoardPoint], *, lower_is_better: bool) -> list[BoardPoint]:
    """Points than which none has a smaller x and a better score, or is ahead in one and as good
    in the other; in order of x. Equal points are all on it. O(n log n)."""
    sign = -1 if lower_is_better else 1
    front: list[BoardPoint] = []
    for point in sorted(points, key=lambda one: (one.x, -sign * one.score)):
        last = front[-1] if front else None
        if (
            last is None
            or sign * (point.score - last.score) > 0
            or (point.score, point.x) == (last.score, last.x)
        ):
            front.append(point)
    return front


def _point(row: Mapping[str, Any], axis: PointAxis) -> BoardPoint | None:
    model: Mapping[str, Any] = row["model"] or {}
    size = row["run_parameters"] or model.get("parameters")
    x = row["cost_usd"] if axis == "cost" else size
    if x is None or row["score"] is None:
        return None
    value, low, high, _ = row["score"]
    return BoardPoint(
        row["submission"], model.get("name"), x, value, low, high, row["is_simulated"]
    )
