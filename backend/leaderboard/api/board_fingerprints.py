"""All that can change on a page of a board, read in one query."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import OuterRef, QuerySet, Subquery

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.benchmarks.policies import get_release_or_raise, visible_releases
from backend.leaderboard.models import Standing

QUERIES_IN_MEMORY = 1_024
SqlQuery = tuple[str, tuple[Any, ...]]
COLUMNS = ("state", "opens_at", "closes_at", "pk", "name", "queries", "standing")


class Fingerprint(NamedTuple):
    """standing: its number; None where there is none. The dates, since `phase` follows them."""

    phase: str
    opens_at: datetime | None
    closes_at: datetime | None
    release: uuid.UUID
    name: str
    queries: int
    standing: int | None


def fingerprint_or_raise(user: User | None, slug: str, chosen: Mapping[str, Any]) -> Fingerprint:
    """Of the standing of now or of the time that the request names. Raises NotFound."""
    split, at = chosen["split"], chosen.get("at")
    if user is None:
        query = _visitor_query(slug, split, at)
    else:
        query = _query(visible_releases(user), slug, split, at)
    with connection.cursor() as cursor:
        cursor.execute(*query)
        row = cursor.fetchone()
    if row is None:
        release = get_release_or_raise(user, slug)
        dates = release.opens_at, release.closes_at
        return Fingerprint(
            release.phase, *dates, release.pk, release.name, release.queries, standing=None
        )
    state, opens_at, closes_at, *others = row
    phase = Release(state=state, opens_at=opens_at, closes_at=closes_at).phase
    return Fingerprint(phase, opens_at, closes_at, *others)


def standings_of(split: str, at: datetime | None) -> QuerySet[Standing]:
    """Of a split, those of the time that the request names and before, the latest first."""
    standings = Standing.objects.filter(split=split)
    return standings.filter(created_at__lte=at) if at else standings


def _query(releases: QuerySet[Release], slug: str, split: str, at: datetime | None) -> SqlQuery:
    standing = standings_of(split, at).filter(release=OuterRef("pk")).values("pk")[:1]
    rows = releases.filter(slug=slug).annotate(standing=Subquery(standing))
    return rows.values_list(*COLUMNS).query.sql_with_params()


@lru_cache(QUERIES_IN_MEMORY)
def _visitor_query(slug: str, split: str, at: datetime | None) -> SqlQuery:
    """Compiled once: the ORM takes longer to write this query than PostgreSQL to answer it."""
    return _query(visible_releases(None), slug, split, at)
