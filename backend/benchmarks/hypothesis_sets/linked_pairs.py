"""What the literature states of each pair of entities, from statements that are sorted on the disk.

All statements of one unordered pair are in one table, so that one pass decides each pair: whether
the seen articles link it, and which labels the unseen articles give it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.benchmarks.hypothesis_sets.statements import (
    LOW_BITS,
    RELATION_NAMES,
    SHIFT,
    kind_of,
)
from backend.graphs.importers.pubtator.format import RELATIONS
from backend.graphs.snapshots.column_table import ColumnTable, TableSpool
from backend.graphs.snapshots.external_sort import ExternalSort

LABELS = {
    ("Chemical", "Gene"): ("negative_correlate", "positive_correlate"),
    ("Disease", "Gene"): ("inhibit", "stimulate"),
    ("Gene", "Gene"): ("negative_correlate", "positive_correlate"),
}
MIN_ARTICLES = 2
EDGES_AT_ONCE = 1 << 16
REVERSED = np.uint64(1) << np.uint64(63)
RELATION_BITS = np.uint64(0x7FFFFFFF)
Keys = NDArray[np.uint64]


class DatedEdge(NamedTuple):
    """A relation of two entities with all its articles, the earliest first."""

    x: str
    y: str
    relation: str
    pmids: Keys


class EdgeParts(NamedTuple):
    """Edges of one block of pairs."""

    seen_edges: Iterator[DatedEdge]
    unseen_edges: Iterator[DatedEdge]


@dataclass(frozen=True)
class Cutoffs:
    """Articles up to `seen_until` are seen, from `unseen_from` on unseen."""

    seen_until: int
    unseen_from: int


@dataclass(frozen=True)
class Hypothesis:
    """A pair, smaller text first, with its label."""

    x: str
    y: str
    label: str


@dataclass
class PairCounts:
    """outcomes: pairs that unseen articles link, by the first reason that leaves them out."""

    seen_edges: int = 0
    unseen_edges: int = 0
    linked_pairs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)


def sort_statements(
    spool: TableSpool, places: NDArray[np.uint32], folder: Path, memory: int
) -> Iterator[ColumnTable]:
    """Distinct statements by pair, relation, direction and article.

    key = the two places, the smaller one high. value = reversed, relation and PMID; the direction
    of a symmetric relation is none.
    """
    symmetric = np.array([RELATIONS[name].symmetric for name in RELATION_NAMES])
    order = ExternalSort(folder / "pairs", memory)
    for table in spool.tables():
        first, second = (
            places[table.columns[end]].astype(np.uint64) for end in ("first", "second")
        )
        value = table.columns["value"]
        reversed_ = (first > second) & ~symmetric[(value >> SHIFT).astype(np.intp)]
        key = np.minimum(first, second) << SHIFT | np.maximum(first, second)
        value = np.where(reversed_, value | REVERSED, value)
        order.add(ColumnTable({"key": key, "value": value}))
    for table in order.tables():
        key, value = table.columns["key"], table.columns["value"]
        by = np.lexsort((value, key))
        key, value = key[by], value[by]
        is_new = starts_of(key) | starts_of(value)
        yield ColumnTable({"key": key[is_new], "value": value[is_new]})


def starts_of(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each value differs from the one before it."""
    return np.concatenate(([True], values[1:] != values[:-1]))


def edge_starts(key: Keys, value: Keys) -> NDArray[np.bool_]:
    if not len(key):
        return np.zeros(0, np.bool_)
    return starts_of(key) | starts_of(value >> SHIFT)


def count_edges(key: Keys, value: Keys) -> int:
    return int(edge_starts(key, value).sum())


def in_enough_articles(key: Keys, value: Keys) -> NDArray[np.bool_]:
    """Whether each statement's pair and relation, in either direction, are in enough articles."""
    if not len(key):
        return np.zeros(0, np.bool_)
    code, pmid = value >> SHIFT & RELATION_BITS, value & LOW_BITS
    order = np.lexsort((pmid, code, key))
    is_start = starts_of(key[order]) | starts_of(code[order])
    is_article = is_start | starts_of(pmid[order])
    articles = np.add.reduceat(is_article.astype(np.intp), np.flatnonzero(is_start))
    enough = np.empty(len(key), np.bool_)
    enough[order] = (articles >= MIN_ARTICLES)[np.cumsum(is_start) - 1]
    return enough


@dataclass
class PairPass:
    """One pass over sorted statements: the edges of both graphs, all linked pairs, and labels."""

    names: Sequence[str]
    cutoffs: Cutoffs
    linked: IO[bytes]
    hypotheses: list[Hypothesis] = field(default_factory=list)
    counts: PairCounts = field(default_factory=PairCounts)

    def __post_init__(self) -> None:
        codes = {name: code for code, name in enumerate(RELATION_NAMES)}
        kinds = sorted({kind_of(name) for name in self.names})
        number = {kind: at for at, kind in enumerate(kinds)}
        self._kinds = np.array([number[kind_of(name)] for name in self.names], np.intp)
        self._is_label = np.zeros((len(kinds), len(kinds), len(codes)), np.bool_)
        for (x, y), labels in LABELS.items():
            if x in number and y in number:
                self._is_label[number[x], number[y], [codes[one] for one in labels]] = True

    def run(self, tables: Iterator[ColumnTable]) -> Iterator[EdgeParts]:
        """Yields the edges of both graphs in blocks, sorted by pair."""
        for table in tables:
            key, value = table.columns["key"], table.columns["value"]
            pmid = value & LOW_BITS
            is_seen = pmid <= np.uint64(self.cutoffs.seen_until)
            starts = np.flatnonzero(starts_of(key))
            pair_of = np.cumsum(starts_of(key)) - 1
            self.linked.write(np.ascontiguousarray(key[starts]).data)
            self.counts.linked_pairs += len(starts)
            has_seen = np.logical_or.reduceat(is_seen, starts)[pair_of]
            self._collect(key, value, has_seen)
            is_new = ~has_seen & (pmid >= np.uint64(self.cutoffs.unseen_from))
            is_new[is_new] = in_enough_articles(key[is_new], value[is_new])
            old, new = (key[is_seen], value[is_seen]), (key[is_new], value[is_new])
            self.counts.seen_edges += count_edges(*old)
            self.counts.unseen_edges += count_edges(*new)
            yield EdgeParts(self._edges(*old), self._edges(*new))

    def _edges(self, key: Keys, value: Keys) -> Iterator[DatedEdge]:
        """The articles of an edge are sorted, so the first is the earliest."""
        starts = np.flatnonzero(edge_starts(key, value))
        pmids = value & LOW_BITS
        for at in range(0, len(starts), EDGES_AT_ONCE):
            part = starts[at : at + EDGES_AT_ONCE]
            ends = np.append(starts[at + 1 : at + EDGES_AT_ONCE + 1], len(key))[: len(part)]
            columns = (
                key[part] >> SHIFT,
                key[part] & LOW_BITS,
                value[part] & REVERSED,
                value[part] >> SHIFT & RELATION_BITS,
                part,
                ends,
            )
            rows = zip(*(column.tolist() for column in columns), strict=True)
            for low, high, turned, code, first, end in rows:
                x, y = self._ends(low, high, bool(turned))
                yield DatedEdge(x, y, RELATION_NAMES[code], pmids[first:end])

    def _ends(self, low: int, high: int, turned: bool) -> tuple[str, str]:
        ends = self.names[low], self.names[high]
        return ends[::-1] if turned else ends

    def _collect(self, key: Keys, value: Keys, has_seen: NDArray[np.bool_]) -> None:
        """The pairs whose unseen articles give exactly one label, in enough articles."""
        low, high = (key >> SHIFT).astype(np.intp), (key & LOW_BITS).astype(np.intp)
        code = (value >> SHIFT & RELATION_BITS).astype(np.intp)
        is_unseen = value & LOW_BITS >= np.uint64(self.cutoffs.unseen_from)
        is_label = self._is_label[self._kinds[low], self._kinds[high], code]
        self._count_unlabelled(key, is_unseen, is_unseen & is_label)
        at = np.flatnonzero(is_unseen & is_label)
        if not len(at):
            return
        at = at[np.lexsort((value[at] & LOW_BITS, code[at], key[at]))]
        pair, label, pmid = key[at], code[at], value[at] & LOW_BITS
        # One article may state a relation in both directions.
        is_article = starts_of(pair) | starts_of(label) | starts_of(pmid)
        at, pair, label = at[is_article], pair[is_article], label[is_article]
        starts = np.flatnonzero(starts_of(pair) | starts_of(label))
        enough = np.diff(np.append(starts, len(pair))) >= MIN_ARTICLES
        labels = np.where(enough, label[starts], -1)
        first = np.flatnonzero(starts_of(pair[starts]))
        self._judge(
            pair[starts][first],
            np.add.reduceat(enough.astype(np.intp), first),
            np.maximum.reduceat(labels, first),
            has_seen[at[starts][first]],
        )

    def _count_unlabelled(
        self, key: Keys, is_unseen: NDArray[np.bool_], is_label: NDArray[np.bool_]
    ) -> None:
        """Pairs of which the unseen articles state no relation that is a label of their types."""
        starts = np.flatnonzero(starts_of(key))
        linked, labelled = (np.logical_or.reduceat(one, starts) for one in (is_unseen, is_label))
        pair = key[starts][linked & ~labelled]
        low, high = (self._kinds[end.astype(np.intp)] for end in (pair >> SHIFT, pair & LOW_BITS))
        has_labels = self._is_label[low, high].any(axis=-1)
        self.counts.outcomes["of_other_types"] += int((~has_labels).sum())
        self.counts.outcomes["of_other_relations"] += int(has_labels.sum())

    def _judge(
        self,
        pair: Keys,
        label_count: NDArray[np.intp],
        label: NDArray[np.intp],
        is_seen: NDArray[np.bool_],
    ) -> None:
        low, high = (pair >> SHIFT).astype(np.intp), (pair & LOW_BITS).astype(np.intp)
        rules = {
            "with_itself": low == high,
            "linked_in_seen": is_seen,
            "too_few_articles": label_count == 0,
            "contradictory": label_count > 1,
        }
        remains = np.ones(len(pair), np.bool_)
        for name, applies in rules.items():
            self.counts.outcomes[name] += int((remains & applies).sum())
            remains &= ~applies
        self.counts.outcomes["hypotheses"] += int(remains.sum())
        columns = [column[remains].tolist() for column in (low, high, label)]
        self.hypotheses += [
            Hypothesis(self.names[x], self.names[y], RELATION_NAMES[code])
            for x, y, code in zip(*columns, strict=True)
        ]
