"""Changes of a board by a correction or a new evaluator version: ranks before and after.

Either the release corrects an earlier one, or its evaluator has a new version.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, Self

from backend.accounts.models import User
from backend.benchmarks.models import Correction, Release
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.models import Submission
from backend.leaderboard.anonymity import reveal_names
from backend.leaderboard.models import Standing
from backend.leaderboard.pool_bounds import BoardBounds, PoolBounds

Ids = Mapping[uuid.UUID, uuid.UUID | None]


@dataclass(frozen=True)
class EntryOnBoard:
    """place: among the entries of both standings. best, worst: ranks that cannot be excluded; null
    for an entry that is not ranked. low, high: interval of the value. bounds: over the unjudged
    answers of the board's pool; null where it has none of this value."""

    place: int
    best: int | None
    worst: int | None
    value: float
    low: float | None
    high: float | None
    bounds: PoolBounds | None


@dataclass(frozen=True)
class EntryChange:
    """model: null for an anonymous entry. before or after is null where the entry did not stand."""

    submission: uuid.UUID
    model: Mapping[str, Any] | None
    before: EntryOnBoard | None
    after: EntryOnBoard | None

    @property
    def is_reordered(self) -> bool:
        if self.before is None or self.after is None:
            return False
        return self.before.place != self.after.place


@dataclass(frozen=True)
class BoardChange:
    """withdrawn, changed: how many items of the split; elsewhere: of the other split, of both."""

    kind: Literal["correction", "version"]
    before: Standing
    after: Standing
    withdrawn: int
    changed: int
    elsewhere: int
    entries: Sequence[EntryChange]

    @property
    def reordered(self) -> int:
        return sum(one.is_reordered for one in self.entries)


def list_changes(release: Release, split: str, reader: User | None = None) -> list[BoardChange]:
    """The latest first, with the bounds that the reader may see."""
    pairs = version_changes(release, split)
    changes = [
        BoardChange("version", *pair, 0, 0, 0, _compare(*pair, {}, reader)) for pair in pairs
    ]
    correction = find_correction(release, split, reader)
    return [*reversed(changes), *([correction] if correction else [])]


def is_change_pending(release: Release, split: str) -> bool:
    """Whether the entries are scored again and the job that ranks them has not ended yet."""
    standing = Submission.objects.filter(release=release, split=split).standing()
    if not standing.exists():
        return False
    latest = Standing.objects.filter(release=release, split=split).first()
    return latest is None or latest.evaluator_version != release.evaluator_version


def version_changes(release: Release, split: str) -> list[tuple[Standing, Standing]]:
    """The last standing by one evaluator version, with the first by the next."""
    standings = Standing.objects.filter(release=release, split=split).order_by("created_at")
    pairs = pairwise(standings.select_related("release"))
    return [(old, new) for old, new in pairs if old.evaluator_version != new.evaluator_version]


def find_correction(release: Release, split: str, reader: User | None = None) -> BoardChange | None:
    carried = Submission.objects.filter(release=release, split=split, rescored_from__isnull=False)
    pairs = dict(carried.values_list("pk", "rescored_from"))
    standings = Standing.objects.filter(split=split).select_related("release")
    after = (
        standings.filter(release=release, rows__submission_id__in=pairs)
        .order_by("created_at")
        .first()
    )
    if after is None:
        return None
    earlier = standings.filter(release=release.corrects_id, created_at__lt=after.created_at)
    before = earlier.first()
    if before is None:
        return None
    corrections = Correction.objects.filter(release=release)
    actions = corrections.filter(split=split)
    withdrawn = actions.filter(action=Correction.Action.WITHDRAW).count()
    return BoardChange(
        kind="correction",
        before=before,
        after=after,
        withdrawn=withdrawn,
        changed=actions.count() - withdrawn,
        elsewhere=corrections.exclude(split=split).count(),
        entries=_compare(before, after, pairs, reader),
    )


def _compare(
    before: Standing, after: Standing, earlier_ids: Ids, reader: User | None
) -> list[EntryChange]:
    """Entries in the order of the later standing, then those that only the earlier one has.

    earlier_ids: of the later standing's submissions, where they are not the same.
    """
    old, new = _rows(before), _rows(after)
    origins = {pk: earlier_ids.get(pk) or pk for pk in new}
    in_both = {origin for origin in origins.values() if origin in old}
    old_places = _places(old, in_both)
    new_places = _places(new, {pk for pk, origin in origins.items() if origin in in_both})
    entry_before, entry_after = (_EntryReader.of(one, reader) for one in (before, after))
    changes = [
        EntryChange(
            submission=pk,
            model=row["model"],
            before=entry_before.read(old.get(origins[pk]), old_places.get(origins[pk], 0)),
            after=entry_after.read(row, new_places.get(pk, 0)),
        )
        for pk, row in new.items()
    ]
    left = [pk for pk in old if pk not in in_both]
    return changes + [
        EntryChange(pk, old[pk]["model"], entry_before.read(old[pk], 0), None) for pk in left
    ]


def _rows(standing: Standing) -> dict[uuid.UUID, Any]:
    """The ranked entries that the board showed, in its order. Declared samples have no rank."""
    contents = reveal_names(standing.rows.values_list("content", flat=True))
    return {uuid.UUID(row["submission"]): row for row in contents if row["rank"]}


def _places(rows: Mapping[uuid.UUID, Any], chosen: set[uuid.UUID]) -> dict[uuid.UUID, int]:
    order = [pk for pk in rows if pk in chosen]
    return {pk: place for place, pk in enumerate(order, start=1)}


@dataclass(frozen=True)
class _EntryReader:
    """Of the rows of one standing. score: the key of the main metric over all items."""

    score: str
    bounds: BoardBounds

    @classmethod
    def of(cls, standing: Standing, reader: User | None) -> Self:
        track = get_track_or_raise(standing.release.track)
        return cls(f"{track.main_metric} {track.overall}", BoardBounds.of(standing, reader))

    def read(self, row: Any, place: int) -> EntryOnBoard | None:
        if row is None:
            return None
        value, low, high, _ = row["scores"][self.score]
        rank = row["rank"] or {"best": None, "worst": None}
        bounds = self.bounds.find(uuid.UUID(row["submission"]), value)
        return EntryOnBoard(place, rank["best"], rank["worst"], value, low, high, bounds)
