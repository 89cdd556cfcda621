"""Dyport's items from a graph with years: later links, and pairs that were never linked.

Trained on what was first seen until `train_year`, tested on the links first seen after it and until
`test_year` between entities of the training graph, weighed and checked by what was seen until
`importance_year`. A pair with an undated edge is neither a later link nor a negative. The subject
is the source of the pair's first edge. The key of an item is a hash of what is public of it: its
pair, its year, and how often the pair came before. So it does not reveal which links are true.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.link_discoveries.dated_pairs import DatedPairs, read_dated_pairs
from backend.benchmarks.link_discoveries.importance import measure_importance
from backend.benchmarks.link_discoveries.negatives import NegativeDraws
from backend.benchmarks.link_discoveries.yearly_counts import YearlyCounts, read_yearly_counts
from backend.common.errors import DomainError
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.importance.combined import Importance
from backend.science.importance.dated_links import Floats, Longs
from backend.tracks.dyport.rows import LinkRow

NEGATIVES = 10
LONGEST_NAME = 1_000
USABLE_NAME = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]+")


@dataclass(frozen=True)
class DiscoveryOptions:
    train_year: int
    test_year: int
    importance_year: int
    negatives: int = NEGATIVES
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.train_year < self.test_year <= self.importance_year <= 9_999:
            message = "The years must rise: train, then test, then importance or the same as test."
            raise DomainError(message, code="years")


@dataclass
class DiscoveryFactory:
    """dropped: later links that became no items, by reason. tables: of mentions and citations."""

    graph: Snapshot
    options: DiscoveryOptions
    tables: Mapping[str, Path] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    links: int = 0
    _occurrences: Counter[tuple[str, str]] = field(default_factory=Counter, init=False)

    @cached_property
    def pairs(self) -> DatedPairs:
        return read_dated_pairs(self.graph)

    @cached_property
    def counts(self) -> dict[str, YearlyCounts]:
        """Raises DomainError for a table that is missing or has faults."""
        return {
            name: read_yearly_counts(path, self.graph, self.pairs)
            for name, path in self.tables.items()
        }

    @cached_property
    def degrees(self) -> Longs:
        """Of each entity in the training graph."""
        rows = self.pairs.links.until(self.options.train_year)
        return rows.ends - rows.starts

    @cached_property
    def is_known(self) -> NDArray[np.bool_]:
        result: NDArray[np.bool_] = self.degrees > 0
        return result

    @cached_property
    def importance(self) -> Importance:
        options = self.options
        return measure_importance(
            self.pairs.links,
            self._discoveries,
            train=options.train_year,
            test=options.test_year,
            later=options.importance_year,
            seed=options.seed,
            counts=self.counts,
        )

    @cached_property
    def _discoveries(self) -> Longs:
        """Numbers of the links that may be items."""
        links, options = self.pairs.links, self.options
        is_new = (links.years > options.train_year) & (links.years <= options.test_year)
        candidates = np.flatnonzero(is_new)
        ends = links.pairs[candidates]
        is_known = self.is_known[ends].all(axis=1)
        undated = self.pairs.is_undated(ends)
        self.dropped["new_entity"] += int((~is_known).sum())
        self.dropped["undated"] += int((is_known & undated).sum())
        return candidates[is_known & ~undated]

    def rows(self) -> list[LinkRow]:
        """In the order of their keys. Raises DomainError if there are none."""
        self._occurrences.clear()
        rows = sorted(self._rows(), key=lambda row: row.id)
        if not rows:
            message = "No link of the test years has negatives. Choose other years."
            raise DomainError(message, code="no_discoveries")
        return rows

    def _rows(self) -> Iterator[LinkRow]:
        graph, options, links = self.graph, self.options, self.pairs.links
        draws = NegativeDraws(
            self.pairs,
            lambda number: graph.entity_summary(number).id,
            graph.type_of,
            self.is_known,
            options.importance_year,
            options.seed,
        )
        for place in self._order():
            number = int(self._discoveries[place])
            subject, object_ = self.pairs.directed[number].tolist()
            drawn = draws.draw(subject, object_, options.negatives)
            if drawn is None:
                self.dropped["too_few_negatives"] += 1
                continue
            self.links += 1
            year = int(links.years[number])
            positive = replace(
                self._row(subject, object_, year, ""),
                **importance_of(self.importance, place),
                date_source=date_source_of(graph, self.pairs, number),
            )
            yield positive
            for one in drawn.tolist():
                yield self._row(subject, one, year, positive.id)

    def _order(self) -> list[int]:
        """Places of the discoveries by identifiers: later links of a subject draw after others."""
        ends: list[list[int]] = self.pairs.directed[self._discoveries].tolist()
        names = [tuple(self.graph.entity_summary(one).id for one in pair) for pair in ends]
        return sorted(range(len(names)), key=names.__getitem__)

    def _row(self, subject: int, object_: int, year: int, negative_of: str) -> LinkRow:
        one, other = (self.graph.entity_summary(number) for number in (subject, object_))
        place = self._occurrences[one.id, other.id]
        self._occurrences[one.id, other.id] += 1
        parts = [self.options.seed, one.id, other.id, year, place]
        fields = pair_fields(self.graph, (subject, object_), self.degrees, year, parts)
        return LinkRow(**fields, negative_of=negative_of)


def pair_fields(
    graph: Snapshot, pair: tuple[int, int], degrees: Longs, year: int, parts: Sequence[object]
) -> dict[str, Any]:
    """The fields that a row and an item have of a pair. parts: what its identifier is made of."""
    one, other = (graph.entity_summary(number) for number in pair)
    return {
        "id": hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16],
        "subject": one.id,
        "object": other.id,
        "subject_type": one.type,
        "object_type": other.type,
        "year": year,
        "subject_name": usable_name(one.name),
        "object_name": usable_name(other.name),
        "subject_degree": int(degrees[pair[0]]),
        "object_degree": int(degrees[pair[1]]),
    }


def importance_of(importance: Importance, place: int) -> dict[str, Any]:
    """The fields of a link at a place: the mean percentile rank, and those of the components with
    the values that they rank."""
    mean = float(importance.values[place])
    return {
        "importance": None if isnan(mean) else mean,
        "components": known_at(importance.ranks, place),
        "component_values": known_at(importance.raw, place),
    }


def date_source_of(graph: Snapshot, pairs: DatedPairs, link: int) -> str:
    """What states the year of a link, as its first edge has it."""
    return usable_name(graph.edge(int(pairs.first_edges[link])).date_source)


def known_at(values: Mapping[str, Floats], place: int) -> dict[str, float]:
    chosen = {name: float(one[place]) for name, one in values.items()}
    return {name: one for name, one in chosen.items() if not isnan(one)}


def usable_name(name: str) -> str:
    return name if USABLE_NAME.fullmatch(name) and len(name) <= LONGEST_NAME else ""
