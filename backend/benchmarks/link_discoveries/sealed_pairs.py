"""Pairs of a graph that nothing joins yet, and what a later version of the graph knows of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.link_discoveries.construction import (
    NEGATIVES,
    date_source_of,
    importance_of,
    pair_fields,
)
from backend.benchmarks.link_discoveries.dated_pairs import DatedPairs, read_dated_pairs
from backend.benchmarks.link_discoveries.importance import measure_importance
from backend.common.errors import DomainError
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.importance.dated_links import Longs
from backend.tracks.dyport.rows import LinkItem, LinkRow
from backend.tracks.dyport.track import ITEM_FIELDS

MOST_PAIRS = 200_000


@dataclass(frozen=True)
class SealedPairs:
    """`year`: the last one of the graph. Items are in the order of their ids."""

    year: int
    items: Sequence[LinkItem]


def list_open_pairs(graph: Snapshot, subjects: str, objects: str) -> SealedPairs:
    """All pairs of entities of two types, each with a link, that no edge joins.

    Of one type, a pair has the smaller identifier first. Raises DomainError for unknown types, for
    none and for more than MOST_PAIRS pairs, and unless edges have years.
    """
    dated = read_dated_pairs(graph)
    year = int(dated.links.years.max(initial=0))
    if not year:
        raise DomainError("No edge of this graph has a year.", code="no_years")
    rows = dated.links.until(year)
    degrees = rows.ends - rows.starts
    first, second = (_entities_of(graph, name, degrees) for name in (subjects, objects))
    if len(first) * len(second) > 2 * MOST_PAIRS:
        raise too_many_pairs(len(first) * len(second))
    pairs = np.column_stack([np.repeat(first, len(second)), np.tile(second, len(first))])
    is_open = (dated.links.find(pairs) < 0) & ~dated.is_undated(pairs)
    pairs = pairs[is_open & (pairs[:, 0] != pairs[:, 1])]
    items = [_item(graph, one, other, year, degrees) for one, other in pairs.tolist()]
    if subjects == objects:
        items = [item for item in items if item.subject < item.object]
    if not items:
        raise DomainError("All these entities are linked already.", code="no_pairs")
    if len(items) > MOST_PAIRS:
        raise too_many_pairs(len(items))
    return SealedPairs(year, sorted(items, key=lambda item: item.id))


def too_many_pairs(count: int) -> DomainError:
    message = f"These types have {count:,} pairs; at most {MOST_PAIRS:,} can be sealed."
    return DomainError(f"{message} Choose others.", code="too_many_pairs")


def _entities_of(graph: Snapshot, name: str, degrees: Longs) -> Longs:
    if name not in graph.types:
        message = "This graph has no type with this name. Choose one of its types."
        raise DomainError(message, code="no_type")
    is_of_type = graph.type_of == graph.types.index(name)
    return np.flatnonzero(is_of_type & (degrees > 0)).astype(np.int64)


def _item(graph: Snapshot, subject: int, object_: int, year: int, degrees: Longs) -> LinkItem:
    one, other = (graph.entity_summary(number) for number in (subject, object_))
    parts = ["sealed", year, one.id, other.id]
    return LinkItem(**pair_fields(graph, (subject, object_), degrees, year, parts))


@dataclass(frozen=True)
class LabelledPairs:
    """dropped: sealed pairs that became no items, by reason."""

    rows: Sequence[LinkRow]
    links: int
    until: int
    dropped: Mapping[str, int]


def label_pairs(
    items: Sequence[LinkItem], graph: Snapshot, since: int, until: int | None, seed: int
) -> LabelledPairs:
    """Pairs that were first linked after `since` and until `until`, each with negatives.

    graph: a later one. Negatives are sealed pairs of the same subject and the object's type that
    it does not join at all; each is drawn once. Raises DomainError if nothing can be compared.
    """
    dated = read_dated_pairs(graph)
    last = int(dated.links.years.max(initial=0))
    until = last if until is None else until
    if not since < until <= last:
        message = f"The later version has years until {last}. Choose one after {since}."
        raise DomainError(message, code="years")
    labels = _label(items, graph, dated, since, until)
    rows = list(_rows(items, graph, dated, labels, since, until, seed))
    links = sum(not row.negative_of for row in rows)
    if not links:
        message = "None of the sealed pairs was linked since. Wait for a later version."
        raise DomainError(message, code="no_discoveries")
    dropped = {name: int(mask.sum()) for name, mask in labels.dropped.items()}
    dropped["too_few_negatives"] = int(labels.is_positive.sum()) - links
    return LabelledPairs(sorted(rows, key=lambda row: row.id), links, until, dropped)


@dataclass(frozen=True)
class _Labels:
    """links: number of each item's link in the later graph, -1 without one."""

    links: Longs
    is_positive: NDArray[np.bool_]
    is_negative: NDArray[np.bool_]
    dropped: Mapping[str, NDArray[np.bool_]]


def _label(
    items: Sequence[LinkItem], graph: Snapshot, dated: DatedPairs, since: int, until: int
) -> _Labels:
    ends = [graph.find_numbers([getattr(item, name) for item in items]) for name in ENDS]
    pairs = np.column_stack(ends)
    is_known = (ends[0] >= 0) & (ends[1] >= 0)
    pairs = np.where(is_known[:, None], pairs, 0)
    undated = is_known & dated.is_undated(pairs)
    links = np.where(is_known, dated.links.find(pairs), -1)
    years = np.append(dated.links.years, 0)[links]
    is_linked = (links >= 0) & ~undated
    return _Labels(
        links,
        is_linked & (years > since) & (years <= until),
        is_known & (links < 0) & ~undated,
        {
            "unknown_entity": ~is_known,
            "undated": undated,
            "known_before": is_linked & (years <= since),
            "linked_later": is_linked & (years > until),
        },
    )


ENDS = ("subject", "object")


def _rows(
    items: Sequence[LinkItem],
    graph: Snapshot,
    dated: DatedPairs,
    labels: _Labels,
    since: int,
    until: int,
    seed: int,
) -> Iterator[LinkRow]:
    chosen = np.flatnonzero(labels.is_positive)
    importance = measure_importance(
        dated.links,
        labels.links[chosen],
        train=since,
        test=until,
        later=until,
        seed=seed,
        counts={},
    )
    pools: dict[tuple[str, str], list[int]] = {}
    for at in np.random.default_rng(seed).permutation(np.flatnonzero(labels.is_negative)).tolist():
        pools.setdefault((items[at].subject, items[at].object_type), []).append(at)
    used: Counter[tuple[str, str]] = Counter()
    for place, at in enumerate(chosen.tolist()):
        group = (items[at].subject, items[at].object_type)
        drawn = pools.get(group, [])[used[group] : used[group] + NEGATIVES]
        if len(drawn) < NEGATIVES:
            continue
        used[group] += NEGATIVES
        link = int(labels.links[at])
        year = int(dated.links.years[link])
        yield replace(
            to_row(items[at], year, ""),
            **importance_of(importance, place),
            date_source=date_source_of(graph, dated, link),
        )
        yield from (to_row(items[one], year, items[at].id) for one in drawn)


def to_row(item: LinkItem, year: int, negative_of: str) -> LinkRow:
    fields = {name: getattr(item, name) for name in ITEM_FIELDS} | {"year": year}
    return LinkRow(**fields, negative_of=negative_of)
