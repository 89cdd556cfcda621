"""Slices of a test split that would reveal the scores of a few items are left out."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from backend.evaluation.release_items import (
    ReleaseItems,
    hidden_scores,
    published_slices,
    revealing_slices,
    shown_slices,
)
from backend.evaluation.shown_slices import MIN_TEST_ITEMS
from backend.tracks.item_table import ItemTable
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


@pytest.mark.parametrize("seed", range(60))
def test_no_metric_is_of_a_few_items_of_a_slice_or_of_what_no_slice_has(seed: int) -> None:
    """Slices overlap, and a metric counts some of the items."""
    rng = np.random.default_rng(seed)
    masks = {f"s{n}": rng.random(60) < rng.random() * 0.5 for n in range(5)}
    masks = {"all": np.ones(60, dtype=np.bool_), **masks}
    counted = rng.random(60) < rng.choice([0.1, 0.4, 0.9])
    hidden = revealing_slices(masks, counted, "all", "test")
    shown = [name for name in masks if name != "all" and name not in hidden]
    assert all((masks[name] & counted).sum() >= MIN_TEST_ITEMS for name in shown)
    if shown:
        outside = (counted & ~np.logical_or.reduce([masks[name] for name in shown])).sum()
        assert outside == 0 or outside >= MIN_TEST_ITEMS
    assert revealing_slices(masks, counted, "all", "dev") == frozenset()


def test_a_slice_of_enough_items_has_no_metric_of_its_few_counted_ones() -> None:
    masks = {"all": np.ones(40, dtype=np.bool_), "a": np.arange(40) < 20, "b": np.arange(40) >= 20}
    assert revealing_slices(masks, np.arange(40) < 12, "all", "test") == {"b"}
    assert revealing_slices(masks, np.arange(40) < 23, "all", "test") == {"a", "b"}
    assert revealing_slices(masks, np.arange(40) < 30, "all", "test") == frozenset()


def nested_masks(*groups: Sequence[int]) -> dict[str, Any]:
    """All items, groups of them, and the parts that each group consists of, by their sizes."""
    numbers = [(group, part) for group, sizes in enumerate(groups) for part in range(len(sizes))]
    of_item = np.repeat(range(len(numbers)), [size for sizes in groups for size in sizes])
    parts = {f"{group}.{part}": of_item == at for at, (group, part) in enumerate(numbers)}
    masks = {"all": np.ones(len(of_item), dtype=np.bool_)}
    for group in range(len(groups)):
        own = [mask for name, mask in parts.items() if name.startswith(f"{group}.")]
        masks[str(group)] = np.logical_or.reduce(own)
    return masks | parts


def test_a_slice_that_equals_another_is_shown_with_it() -> None:
    """The demo's questions: one pattern alone makes the second group, one of the last is small."""
    masks = nested_masks((7, 6), (5,), (5, 5, 6), (8, 3, 5))
    shown = shown_slices(masks, "all", "test")
    assert {"1", "1.0"} <= set(shown)
    # The group less its parts of 8 and 5 would be the score of the 3.
    assert set(masks) - set(shown) == {"3.1", "3.2"}


@pytest.mark.parametrize(
    ("groups", "hidden"),
    [
        (((20,), (10, 3)), {"1.0", "1.1"}),  # a group has few more than its part
        (((20, 17), (3, 2)), {"1.0", "1.1"}),
        (((4,), (20,), (20,)), {"0", "0.0", "1", "1.0"}),  # equal slices are hidden together
    ],
)
def test_a_slice_less_its_parts_is_not_of_a_few(groups: Any, hidden: set[str]) -> None:
    masks = nested_masks(*groups)
    assert set(masks) - set(shown_slices(masks, "all", "test")) == hidden


@pytest.mark.parametrize("seed", range(40))
def test_no_sum_or_difference_of_shown_scores_is_that_of_a_few(seed: int) -> None:
    rng = np.random.default_rng(seed)
    groups = [rng.integers(1, 12, rng.integers(1, 4)).tolist() for _ in range(3)]
    masks = nested_masks(*groups)
    shown = np.array([*shown_slices(masks, "all", "test").values()], dtype=np.int64)
    signs = np.array([*product((-1, 0, 1), repeat=len(shown))])
    items = np.count_nonzero(signs @ shown, axis=1)
    assert not ((items > 0) & (items < MIN_TEST_ITEMS)).any()


def truthhypo_components(true: dict[int, int], linked: int) -> Any:
    """60 pairs of three types, the first `linked` of each are linked. true: hits by type."""
    components = np.zeros((60, 6))
    components[:, 5] = 1
    for type_ in range(3):
        own = np.arange(20 * type_, 20 * type_ + 20)
        predicted = true.get(type_, 0)
        components[own[:predicted], 0] = 1  # true positives
        components[own[predicted:linked], 2] = 1  # false negatives
        components[own[linked:], 3] = 1  # true negatives
    return components


def test_a_precision_of_few_predicted_links_of_a_slice_is_not_shown() -> None:
    track = load_tracks()["truthhypo"]
    masks = published_slices(loaded_items(20, 20, 20), [], "test")
    slices = {"type-0", "type-1", "type-2"}
    precision, recall = (track.get_metric(f"link_{name}") for name in ("precision", "recall"))
    one_of_each = truthhypo_components({0: 1, 1: 1, 2: 1}, linked=10)
    # Three predicted links, which the entry chose: their precision is shown nowhere.
    assert hidden_scores(track, precision, one_of_each, masks, "test") == slices | {track.overall}
    assert hidden_scores(track, precision, one_of_each, masks, "dev") == frozenset()
    assert hidden_scores(track, recall, one_of_each, masks, "test") == frozenset()
    main = track.get_metric(track.main_metric)
    assert track.overall not in hidden_scores(track, main, one_of_each, masks, "test")
    few = truthhypo_components({0: 10, 1: 9, 2: 2}, linked=10)
    # With the slice of few alone, the overall value less the others would be its precision.
    assert hidden_scores(track, precision, few, masks, "test") == {"type-1", "type-2"}
    none = truthhypo_components({0: 10}, linked=10)
    assert hidden_scores(track, precision, none, masks, "test") == frozenset()
