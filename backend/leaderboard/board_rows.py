"""Rows of a standing as a reader wants them: filtered, in order of one column, page by page."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import (
    Case,
    ExpressionWrapper,
    F,
    FloatField,
    Q,
    QuerySet,
    TextField,
    When,
)
from django.db.models.expressions import Expression, OrderBy
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import Cast, Lower

from backend.benchmarks.models import SplitSlices
from backend.common.errors import DomainError
from backend.common.prepared_queries import fetch_prepared
from backend.leaderboard.entry_names import model_field, positions_named
from backend.leaderboard.models import AFTER_CUTOFF, Standing, StandingRow

NUMBERS = {
    "coverage": "coverage",
    "queries": "query",
    "cost": "cost_usd",
    "latency": "latency_s",
}
STANDINGS_IN_MEMORY = 256
CONTENTS_AT = (
    "SELECT position, content::text FROM leaderboard_standingrow"
    " WHERE standing_id = %s AND position = ANY(%s::integer[])"
)
# In the text of a content whose entry has no name yet; a string would have its quotes escaped.
UNNAMED = '"model": null'


@dataclass(frozen=True)
class BoardQuery:
    """sort: a column; without it the order of the main metric. slice: of a sort by a metric."""

    slice: str
    sort: str = ""
    is_descending: bool = False
    text: str = ""
    provenances: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    @property
    def has_all_in_order(self) -> bool:
        """Whether every entry is shown, in order of the main metric."""
        return self.is_search and not self.text

    @property
    def is_search(self) -> bool:
        """Whether nothing but a text chooses the entries, in order of the main metric."""
        return not (self.sort or self.provenances or self.hidden)


class UnknownColumn(DomainError):
    code = "unknown_column"


def select_rows(
    standing: Standing, query: BoardQuery, metrics: Collection[str]
) -> QuerySet[StandingRow]:
    """Declared samples come last in any order. Raises UnknownColumn."""
    rows = standing.rows.filter(_filters(standing, query))
    if not query.sort:
        return rows.order_by("position")
    column = _column(query, metrics)
    direction = OrderBy(column, descending=query.is_descending, nulls_last=True)
    is_sample = Case(When(content__sample=None, then=0), default=1)
    return rows.order_by(is_sample, direction, "position")


def rows_between(standing: Standing, start: int, end: int) -> QuerySet[StandingRow]:
    """In order of the main metric, found by the index, however far down they are."""
    rows = standing.rows.filter(position__gt=start, position__lte=end)
    return rows.order_by("position")


def list_contents(rows: QuerySet[StandingRow]) -> list[str]:
    """As PostgreSQL writes them: parsing a page of them takes longer than all else about it."""
    text = ExpressionWrapper(F("content"), TextField())
    return list(rows.values_list(text, flat=True))


def contents_at(standing: Standing, positions: Sequence[int]) -> list[str]:
    """The same of rows by their positions, in the order of these."""
    rows = fetch_prepared(CONTENTS_AT, [standing.pk, list(positions)])
    by_position: dict[int, str] = dict(rows)
    return [by_position[position] for position in positions]


@lru_cache(STANDINGS_IN_MEMORY)
def slices_of(standing: Standing | None) -> Sequence[str]:
    """The slices of the entries' scores in the track's order: as submissions list their scores.

    All entries have the same, but for that which begins after the entry's knowledge.
    """
    if standing is None or (row := standing.rows.order_by("position").first()) is None:
        return []
    # A stored object has its keys in another order.
    present = {key.split(" ", 1)[1] for key in row.content["scores"]}
    names = dict.fromkeys(sorted(present, key=slice_order(standing)))
    if names and AFTER_CUTOFF not in names:
        metric = next(iter(row.content["scores"])).split(" ", 1)[0]
        if standing.rows.filter(content__scores__has_key=f"{metric} {AFTER_CUTOFF}").exists():
            names[AFTER_CUTOFF] = None
    return list(names)


def slice_order(standing: Standing) -> Callable[[str], tuple[int, str]]:
    """A key to sort by: unknown ones, as of an earlier version of the track, come last."""
    stored = SplitSlices.objects.filter(release=standing.release_id, split=standing.split)
    names: list[str] = stored.order_by("pk").values_list("names", flat=True).last() or []
    places = {name: place for place, name in enumerate(names)}
    return lambda name: (places.get(name, len(places)), name)


def _column(query: BoardQuery, metrics: Collection[str]) -> F | Expression:
    if query.sort == "model":
        return Lower(model_field("name"))
    if query.sort == "date":
        return F("content__submitted_at")
    if query.sort in NUMBERS:
        return Cast(KeyTextTransform(NUMBERS[query.sort], "content"), FloatField())
    if query.sort not in metrics:
        known = ", ".join([*metrics, "model", *NUMBERS, "date"])
        raise UnknownColumn(f"There is no column '{query.sort}' to sort by. Known are: {known}.")
    score = KeyTransform(f"{query.sort} {query.slice}", KeyTransform("scores", "content"))
    return Cast(KeyTextTransform(0, score), FloatField())


def _filters(standing: Standing, query: BoardQuery) -> Q:
    chosen = Q()
    if query.text:
        chosen &= Q(position__in=list(positions_named(standing, query.text)))
    if query.provenances:
        chosen &= Q(content__provenance__in=list(query.provenances))
    if "simulated" in query.hidden:
        chosen &= Q(content__is_simulated=False)
    if "sampled" in query.hidden:
        chosen &= Q(content__sample=None)
    return chosen
