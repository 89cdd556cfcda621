"""The items of a release that a run answers, and which of them are the sample."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from backend.benchmarks.models import Item, Release, ReleaseSplit
from backend.evaluation.models.runs import Run
from backend.evaluation.release_items import ReleaseItems, load_items, mark_left_out
from backend.evaluation.runs.run_settings import RunSettings
from backend.tracks.model_tasks import AnyTrackTask

SAMPLE_ITEMS = 5


@dataclass(frozen=True)
class RunItem:
    """position: in the split. key: of the ledger, `test:12`."""

    split: ReleaseSplit
    position: int
    item: Any

    @property
    def key(self) -> str:
        return f"{self.split}:{self.position}"

    @cached_property
    def draw(self) -> str:
        return sha256(self.key.encode()).hexdigest()


@dataclass(frozen=True)
class SelectedItems:
    """items: in the order of the release. loaded: all items, by split; their tables name those that
    count in no metric, which no run answers."""

    items: Sequence[RunItem]
    loaded: dict[ReleaseSplit, ReleaseItems]

    def of(self, split: ReleaseSplit) -> list[RunItem]:
        return [one for one in self.items if one.split == split]

    def is_part_of(self, split: ReleaseSplit) -> bool:
        """Whether some that count are not answered."""
        return len(self.of(split)) < self.count(split)

    def count(self, split: ReleaseSplit) -> int:
        """Of the split's items that count."""
        table = self.loaded[split].table
        return len(table.items) - len(table.left_out)

    @property
    def sample(self) -> list[RunItem]:
        return draw_items(self.items, SAMPLE_ITEMS)


def select_items(release: Release, task: AnyTrackTask, settings: RunSettings) -> SelectedItems:
    splits = [one for one in ReleaseSplit if settings.split in ("", one.value)]
    loaded = {split: mark_left_out(release, load_items(release, split)) for split in splits}
    covered = [
        RunItem(split, at, item)
        for split in splits
        for at, item in enumerate(loaded[split].table.items)
        if at not in loaded[split].table.left_out and task.covers(item)
    ]
    return SelectedItems(draw_items(covered, settings.max_items), loaded)


def draw_items(items: Sequence[RunItem], most: int | None) -> list[RunItem]:
    """The same of equal releases, whatever the order of their items means."""
    if most is None or len(items) <= most:
        return [*items]
    drawn = {one.key for one in sorted(items, key=lambda one: one.draw)[:most]}
    return [one for one in items if one.key in drawn]


def find_items(run: Run, item_keys: Sequence[str]) -> Mapping[str, Item]:
    """By the key of the ledger: the number of the item in its split."""
    items = dict[str, Item]()
    for split in ReleaseSplit:
        numbers = [int(key.partition(":")[2]) for key in item_keys if key.startswith(f"{split}:")]
        rows = Item.objects.filter(release=run.release_id, split=split)
        for item in rows.filter(number__in=numbers) if numbers else ():
            items[f"{split}:{item.number}"] = item
    return items
