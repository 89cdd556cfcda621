"""Which entries of a board an item counts for. It reveals answers: organisers alone read it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from backend.benchmarks.models import Item, Release
from backend.benchmarks.split_rows import load_answers
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Evaluation, Submission
from backend.evaluation.release_items import ReleaseItems, load_items
from backend.evaluation.standing import best_first
from backend.jobs.faults import PlatformFault
from backend.tracks.metrics import Floats

MOST_ENTRIES = 100  # of a board, the best ones: the reports of a large board must be quick to read


@dataclass(frozen=True)
class TouchedEntries:
    """Models whose standing submission scores on the item, by the main metric, better than a
    missing prediction (credited), and others, the best first. lost: those whose scores by item
    are lost. total: standing submissions, of which the best MOST_ENTRIES are read."""

    total: int
    credited: list[str] = field(default_factory=list)
    not_credited: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def find_touched_entries(release: Release, items: Collection[Item]) -> Mapping[int, TouchedEntries]:
    """By the item's primary key."""
    touched: dict[int, TouchedEntries] = {}
    for split in {item.split for item in items}:
        touched |= _find_in_split(release, split, {one.pk for one in items if one.split == split})
    return touched


def _find_in_split(
    release: Release, split: str, items: Collection[int]
) -> Mapping[int, TouchedEntries]:
    standing = Submission.objects.filter(release=release, split=split).standing()
    total = standing.count()
    touched = {item: TouchedEntries(total) for item in items}
    rows = Item.objects.filter(release=release, split=split).order_by("position")
    places = {pk: at for at, pk in enumerate(rows.values_list("pk", flat=True))}
    loaded, positions = load_items(release, split), [places[item] for item in touched]
    missing = _missing_credit(loaded, load_answers(release, split))[positions]
    for one in best_first(standing, release).select_related("model", "evaluation")[:MOST_ENTRIES]:
        credit = None if one.evaluation is None else _credit(loaded, one.evaluation, positions)
        for at, sides in enumerate(touched.values()):
            if credit is None:
                sides.lost.append(one.model.name)
            else:
                is_better = credit[at] > missing[at]
                (sides.credited if is_better else sides.not_credited).append(one.model.name)
    return touched


def _missing_credit(loaded: ReleaseItems, answers: Sequence[Any]) -> Floats:
    """Where no item has a prediction, as items of a track may rest on each other."""
    items, track = loaded.table.items, loaded.track
    return track.credit(track.complete(items, track.score(items, answers, [None] * len(items))))


def _credit(
    loaded: ReleaseItems, evaluation: Evaluation, positions: Sequence[int]
) -> Floats | None:
    """Rests on all items of the split, as an item's credit may on the others."""
    try:
        return loaded.track.credit(load_components(evaluation.key))[positions]
    except PlatformFault:
        return None
