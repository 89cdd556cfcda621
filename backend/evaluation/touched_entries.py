"""Which entries of a board an item counts for. It reveals answers: organisers alone read it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from backend.benchmarks.models import Item, Release
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Submission
from backend.evaluation.release_items import ReleaseItems, load_answers, load_items
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
        positions = _positions(release, split, {item.pk for item in items})
        missing = _missing_values(load_items(release, split), release, split, positions)
        for name, values in _entry_values(release, split, positions):
            for pk, value, worst in zip(positions, values, missing, strict=True):
                side = touched[pk].credited if value > worst else touched[pk].not_credited
                side.append(name)
    return touched


def _positions(release: Release, split: str, chosen: Collection[int]) -> dict[int, int]:
    """Rows of the components, by the item's primary key."""
    rows = Item.objects.filter(release=release, split=split).order_by("position")
    numbered = enumerate(rows.values_list("pk", flat=True))
    return {pk: at for at, pk in numbered if pk in chosen}


def _missing_values(
    loaded: ReleaseItems, release: Release, split: str, positions: Mapping[int, int]
) -> Floats:
    answers = load_answers(release, split)
    places = [*positions.values()]
    components = loaded.track.score(
        [loaded.table.items[at] for at in places],
        [answers[at] for at in places],
        [None] * len(places),
    )
    return _better_is_more(loaded, components)


def _entry_values(
    release: Release, split: str, positions: Mapping[int, int]
) -> Iterator[tuple[str, Floats]]:
    loaded = load_items(release, split)
    standing = Submission.objects.filter(release=release, split=split).standing()
    for one in standing.select_related("model", "evaluation").order_by("model__name"):
        if one.evaluation is not None:
            components = load_components(one.evaluation.key)[[*positions.values()]]
            yield one.model.name, _better_is_more(loaded, components)


def _better_is_more(loaded: ReleaseItems, components: Floats) -> Floats:
    metric = loaded.track.get_metric(loaded.track.main_metric)
    values = np.asarray(metric.value(components))
    return values if metric.direction == "higher" else -values
