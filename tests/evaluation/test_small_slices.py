"""Slices of a test split that would reveal the scores of a few items are left out."""

from typing import Any

import pytest

from backend.evaluation.release_items import MIN_TEST_ITEMS, ReleaseItems, published_slices
from backend.tracks.base import ItemTable
from backend.tracks.registry import load_tracks
from backend.tracks.truthhypo.track import PairItem


def loaded_items(*sizes: int) -> ReleaseItems:
    items = [
        PairItem(f"x{type_}", f"y{number}", "X", "Y", f"Type {type_}", "How?", ("no_relation",))
        for type_, size in enumerate(sizes)
        for number in range(size)
    ]
    return ReleaseItems(load_tracks()["truthhypo"], ItemTable(items, {}))


def slices_of(split: str, *sizes: int) -> dict[str, int]:
    masks: dict[str, Any] = published_slices(loaded_items(*sizes), [], split)
    return {name: int(mask.sum()) for name, mask in masks.items()}


@pytest.mark.parametrize(
    ("sizes", "shown"),
    [
        ((30, 20), {"type-0": 30, "type-1": 20}),
        ((30, 20, 3, 2), {"type-0": 30, "type-1": 20}),
        # With one small slice hidden, overall less the others would be its score.
        ((30, 20, 3), {"type-0": 30}),
        ((30, 20, 4, 4), {"type-0": 30, "type-1": 20}),
        ((30, 1), {}),
    ],
)
def test_neither_a_slice_nor_a_difference_is_of_a_few_test_items(
    sizes: tuple[int, ...], shown: dict[str, int]
) -> None:
    result = slices_of("test", *sizes)
    assert result.pop("average") == sum(sizes)
    assert result == shown
    hidden = sum(sizes) - sum(result.values())
    assert hidden == 0 or hidden >= MIN_TEST_ITEMS or not result


def test_a_dev_split_has_every_slice() -> None:
    assert slices_of("dev", 3, 1) == {"average": 4, "type-0": 3, "type-1": 1}
    assert next(iter(slices_of("dev", 3, 1))) == "average"
