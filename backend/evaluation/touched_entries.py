"""Which entries of a board an item counts for. It reveals answers: organisers alone read it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from backend.benchmarks.models import Item, Release
from backend.benchmarks.split_rows import load_answers
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Submission
from backend.evaluation.release_items import ReleaseItems, load_items
from backend.tracks.metrics import Floats


@dataclass(frozen=True)
class TouchedEntries:
    """Models whose standing submission scores on the item, by the main metric, better than a
    missing prediction (credited), and all others."""

    credited: list[str] = field(default_factory=list)
    not_credited: list[str] = field(default_factory=list)


def find_touched_entries(release: Release, items: Collection[Item]) -> Mapping[int, TouchedEntries]:
    """By the item's primary key."""
    touched = {item.pk: TouchedEntries() for item in items}
    for split in {item.split for item in items}:
        rows = Item.objects.filter(release=release, split=split).order_by("position")
        keys = [*rows.values_list("pk", flat=True)]
        loaded = load_items(release, split)
        missing = _missing_credit(loaded, load_answers(release, split))
        for name, credit in _entry_credits(loaded, release, split):
            for pk, value, worst in zip(keys, credit, missing, strict=True):
                if pk in touched:
                    side = touched[pk].credited if value > worst else touched[pk].not_credited
                    side.append(name)
    return touched


def _missing_credit(loaded: ReleaseItems, answers: Sequence[Any]) -> Floats:
    """Where no item has a prediction, as items of a track may rest on each other."""
    items, track = loaded.table.items, loaded.track
    return track.credit(track.complete(items, track.score(items, answers, [None] * len(items))))


def _entry_credits(
    loaded: ReleaseItems, release: Release, split: str
) -> Iterator[tuple[str, Floats]]:
    standing = Submission.objects.filter(release=release, split=split).standing()
    for one in standing.select_related("model", "evaluation").order_by("model__name"):
        if one.evaluation is not None:
            yield one.model.name, loaded.track.credit(load_components(one.evaluation.key))
