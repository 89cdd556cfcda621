"""The order of a release's items. It follows their public keys alone: a file that is grouped by
label would else give the labels of test items away by their places."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from django.db.models import JSONField, QuerySet
from django.db.models.functions import Cast

from backend.benchmarks.models import Item, Release
from backend.tracks.key_order import natural_order


class Keyed(Protocol):
    @property
    def key(self) -> str: ...


Row = TypeVar("Row", bound=Keyed)


def in_key_order(items: Iterable[Row]) -> list[Row]:
    return sorted(items, key=lambda one: natural_order(one.key))


def list_items(release: Release, split: str) -> QuerySet[Item]:
    """For readers. Those of an older release are stored in the order of its files."""
    rows = Item.objects.filter(release=release, split=split)
    if release.is_in_key_order:
        return rows.order_by("position")
    return rows.order_by(Cast("key", JSONField()))
