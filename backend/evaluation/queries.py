"""Queries: how many scores on a test split a person or a team has used, and how many are left."""

import uuid
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus

from django.db.models import Count, F, Max, Min, Q
from django.utils import timezone

from backend.accounts.models import TeamMember, User
from backend.accounts.teams import find_team
from backend.benchmarks.models import Release
from backend.common.errors import DomainError
from backend.evaluation.models import Submission

DAY = timedelta(days=1)


@dataclass(frozen=True)
class QueryUse:
    """Queries over all models. `next_at` is when the daily limit frees one.

    team: its name, if the queries are those of all its members.
    """

    team: str | None
    used: int
    limit: int
    used_today: int
    limit_per_day: int
    next_at: datetime | None

    @property
    def is_used_up(self) -> bool:
        return self.left <= 0

    @property
    def left(self) -> int:
        """Of this day."""
        return min(self.limit - self.used, self.limit_per_day - self.used_today)


@dataclass(frozen=True)
class SubmitterQueries:
    """One person's submissions to a release. `used`: those that cost a query; team: theirs then."""

    name: str
    email: str
    team: str | None
    submissions: int
    used: int
    used_today: int
    first_at: datetime
    last_at: datetime


class QueriesUsedUp(DomainError):
    code = "queries_used_up"
    status = HTTPStatus.TOO_MANY_REQUESTS


def queries_of(user: User) -> Q:
    """Submissions that count for a user: those of everyone in the team, whatever the model.

    Also those of teams that the user has left, up to then: leaving brings no new queries.
    """
    counted = Q(submitted_by=user)
    for member in TeamMember.objects.filter(user=user):
        if member.left_at is None:
            mates = TeamMember.objects.current().filter(team=member.team_id).values("user")
            counted |= Q(team=member.team_id) | Q(submitted_by__in=mates)
        else:
            counted |= Q(team=member.team_id, created_at__lt=member.left_at)
    return counted


def list_corrected(release: Release) -> list[uuid.UUID]:
    """The release and those that it corrects: their answers are the same but for the faults."""
    chain = [release]
    while chain[-1].corrects is not None:
        chain.append(chain[-1].corrects)
    return [one.pk for one in chain]


def count_queries(user: User, release: Release) -> QueryUse:
    """Those of the releases that it corrects as well."""
    team = find_team(user)
    chain = list_corrected(release)
    counted = Submission.objects.filter(queries_of(user), release__in=chain).counted()
    since = timezone.now() - DAY
    today = list(
        counted.filter(created_at__gt=since)
        .order_by("created_at")
        .values_list("created_at", flat=True)
    )
    is_full = len(today) >= release.queries_per_day > 0
    return QueryUse(
        team=team.name if team else None,
        used=counted.count(),
        limit=release.queries,
        used_today=len(today),
        limit_per_day=release.queries_per_day,
        next_at=today[-release.queries_per_day] + DAY if is_full else None,
    )


def number_queries(release: Release) -> dict[uuid.UUID, int]:
    """Which query each counted submission was, from 1: of its submitter and their team then.

    One that was scored again has the number of the first one.
    """
    of_chain = Submission.objects.filter(release__in=list_corrected(release))
    counted = of_chain.counted().order_by("created_at", "pk")
    by_person: Counter[uuid.UUID] = Counter()
    by_team: Counter[uuid.UUID] = Counter()
    by_both: Counter[tuple[uuid.UUID, uuid.UUID]] = Counter()
    numbers: dict[uuid.UUID, int] = {}
    for submission_id, person, team in counted.values_list("pk", "submitted_by", "team"):
        by_person[person] += 1
        numbers[submission_id] = by_person[person]
        if team is not None:
            by_team[team] += 1
            by_both[person, team] += 1
            numbers[submission_id] += by_team[team] - by_both[person, team]
    copies = of_chain.filter(rescored_from__isnull=False).order_by("release__created_at")
    for submission_id, origin_id in copies.values_list("pk", "rescored_from"):
        if origin_id in numbers:
            numbers[submission_id] = numbers[origin_id]
    return numbers


def require_query(user: User, release: Release) -> None:
    """Raises QueriesUsedUp with the limit, what is used, and when the next one is free.

    The rows of the account and of its team must be locked, so that two requests cannot share the
    last query.
    """
    use = count_queries(user, release)
    if not use.is_used_up:
        return
    data = {
        "used": use.used,
        "limit": use.limit,
        "used_today": use.used_today,
        "limit_per_day": use.limit_per_day,
        "next_at": use.next_at,
    }
    who = "Your team has" if use.team else "You have"
    if use.used >= use.limit:
        raise QueriesUsedUp(f"{who} used all {use.limit} queries of this release.", data=data)
    when = f"{use.next_at:%Y-%m-%d %H:%M} UTC" if use.next_at else "never"
    raise QueriesUsedUp(
        f"{who} used {use.used_today} of {use.limit_per_day} queries of this day. "
        f"Submit again after {when}.",
        data=data,
    )


def list_submitters(release: Release) -> list[SubmitterQueries]:
    """Everyone who submitted to a release or one that it corrects, the most queries first."""
    sent = Submission.objects.filter(release__in=list_corrected(release), rescored_from=None)
    counted = Q(pk__in=sent.counted().order_by().values("pk"))
    today = Q(created_at__gt=timezone.now() - DAY)
    people = sent.filter(submitted_by__isnull=False).order_by()
    named = people.values(name=F("submitted_by__name"), email=F("submitted_by__email"))
    rows = named.annotate(
        team=Max("team__name"),
        submissions=Count("pk"),
        used=Count("pk", filter=counted),
        used_today=Count("pk", filter=counted & today),
        first_at=Min("created_at"),
        last_at=Max("created_at"),
    )
    return [SubmitterQueries(**row) for row in rows.order_by("-used", "-last_at")]
