"""Dyport's items from the pair files that its authors publish, which have true links alone.

Columns: README of github.com/IlyaTyagin/Dyport. An entity is 'C4079830__venetoclax'. Negatives have
the subject of a true link and an object of the same semantic types, taken from the objects and
subjects of the file; a pair of the file is none, in either direction. Whether anything else links
them is not in the file.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import ConfigDict, Field, StringConstraints
from pydantic.dataclasses import dataclass as checked_dataclass

from backend.benchmarks.link_discoveries.construction import NEGATIVES, importance_of, usable_name
from backend.benchmarks.link_discoveries.negatives import PoolDraws
from backend.common.errors import DomainError
from backend.science.importance.combined import Importance, combine
from backend.tracks.dyport.rows import LinkRow, Name, Share
from backend.tracks.dyport.track import parse_number, split_types
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.reader import RowSchema, read_rows

COMPONENTS: Mapping[str, str] = {
    "ig": "integrated_gradients",
    "eig_cent_diff": "eigenvector_change",
    "betw_cent": "betweenness",
    "jac_2nd_train": "jaccard",
    "mentions_diff": "mentions",
    "sem_scholar_cit": "citations",
}
Value = Annotated[float, Field(allow_inf_nan=False)] | None
Entity = Annotated[str, StringConstraints(pattern=r"^C\d{7}(__[^\x00-\x1f\x7f]{0,1000})?$")]


@checked_dataclass(frozen=True, config=ConfigDict(extra="ignore"))
class PublishedPair:
    """importance: the column IMP_manh."""

    source: Entity
    target: Entity
    source_st: Name
    target_st: Name
    mentions_diff: Value = None
    sem_scholar_cit: Value = None
    ig: Value = None
    jac_2nd_train: Value = None
    eig_cent_diff: Value = None
    betw_cent: Value = None
    importance: Share | None = None

    @property
    def ends(self) -> tuple[str, str]:
        return self.source, self.target


NUMBERS = (*COMPONENTS, "importance")
SCHEMA = RowSchema(
    PublishedPair,
    Columns(
        ("source", "target", "source_st", "target_st", *NUMBERS),
        required=("source", "target", "source_st", "target_st"),
        aliases={"IMP_manh": "importance"},
        parsers=dict.fromkeys(NUMBERS, parse_number),
        ignores_others=True,
    ),
    ("source", "target"),
)


def read_published_pairs(path: Path) -> list[PublishedPair]:
    """Raises DomainError with all faults of the file."""
    faults = RowFaultList()
    with path.open("rb") as file:
        batches = read_rows(file, path.name, SCHEMA, faults)
        pairs = [pair for batch in batches for pair in batch.values]
    if faults.total:
        listed = [one.as_fault() for one in faults.listed]
        message = "This is no file of Dyport's pairs. Correct the lines that are listed."
        raise DomainError(message, code="invalid_file", faults=listed)
    return pairs


@dataclass
class PublishedLinks:
    """dropped: pairs that became no items, by reason."""

    pairs: Sequence[PublishedPair]
    year: int
    negatives: int = NEGATIVES
    seed: int = 1
    dropped: Counter[str] = field(default_factory=Counter)
    links: int = 0
    _occurrences: Counter[tuple[str, str]] = field(default_factory=Counter, init=False)
    _pools: dict[tuple[str, frozenset[str]], PoolDraws] = field(default_factory=dict, init=False)

    @cached_property
    def chosen(self) -> list[PublishedPair]:
        """Each pair of two entities once, in the order of identifiers."""
        known: set[frozenset[str]] = set()
        result = []
        for pair in sorted(self.pairs, key=lambda one: one.ends):
            ends = frozenset(map(identifier_of, pair.ends))
            reason = "same_entity" if len(ends) < 2 else "repeated" if ends in known else ""
            if reason:
                self.dropped[reason] += 1
            else:
                known.add(ends)
                result.append(pair)
        return result

    @cached_property
    def importance(self) -> Importance:
        columns = {
            name: np.array([value_of(pair, column) for pair in self.chosen])
            for column, name in COMPONENTS.items()
        }
        known = {name: values for name, values in columns.items() if not np.isnan(values).all()}
        if not known:
            message = "The file has no component of importance. Give one with such a column."
            raise DomainError(message, code="no_components")
        return combine(known)

    def rows(self) -> list[LinkRow]:
        """In the order of their keys. Raises DomainError if there are none."""
        rows = sorted(self._rows(), key=lambda row: row.id)
        if not rows:
            message = "No pair has enough negatives of its types. Choose fewer of them."
            raise DomainError(message, code="no_discoveries")
        return rows

    def _rows(self) -> Iterator[LinkRow]:
        for place, pair in enumerate(self.chosen):
            drawn = self._draw(pair)
            if drawn is None:
                self.dropped["too_few_negatives"] += 1
                continue
            self.links += 1
            fields = importance_of(self.importance, place)
            if pair.importance is not None:  # as the file has it
                fields["importance"] = pair.importance
            positive = replace(self._row(pair, pair.target, ""), **fields)
            yield positive
            yield from (self._row(pair, one, positive.id) for one in drawn)

    def _row(self, pair: PublishedPair, target: str, negative_of: str) -> LinkRow:
        subject, object_ = identifier_of(pair.source), identifier_of(target)
        place = self._occurrences[subject, object_]
        self._occurrences[subject, object_] += 1
        parts = json.dumps([self.seed, subject, object_, self.year, place])
        return LinkRow(
            id=hashlib.sha256(parts.encode()).hexdigest()[:16],
            subject=subject,
            object=object_,
            subject_type=pair.source_st,
            object_type=pair.target_st,
            year=self.year,
            subject_name=name_of(pair.source),
            object_name=name_of(target),
            negative_of=negative_of,
        )

    @cached_property
    def _linked(self) -> Mapping[str, set[str]]:
        linked: defaultdict[str, set[str]] = defaultdict(set)
        for pair in self.pairs:
            one, other = map(identifier_of, pair.ends)
            linked[one].add(other)
            linked[other].add(one)
        return linked

    @cached_property
    def _of_types(self) -> Mapping[frozenset[str], list[str]]:
        """Entities of equal types, by identifier; one that is written twice has its first name."""
        types: dict[str, tuple[str, frozenset[str]]] = {}
        for pair in self.chosen:
            for entity, kinds in ((pair.source, pair.source_st), (pair.target, pair.target_st)):
                types.setdefault(identifier_of(entity), (entity, types_of(kinds)))
        groups: defaultdict[frozenset[str], list[str]] = defaultdict(list)
        for _, (entity, kinds_of) in sorted(types.items()):
            groups[kinds_of].append(entity)
        return groups

    def _draw(self, pair: PublishedPair) -> list[str] | None:
        """A subject's draws do not repeat while there are others."""
        subject, kinds = identifier_of(pair.source), types_of(pair.target_st)
        candidates, key = self._of_types.get(kinds, []), (subject, kinds)
        if key not in self._pools:
            linked = self._linked[subject] | {subject}
            places = [at for at, one in enumerate(candidates) if identifier_of(one) not in linked]
            pool = np.array(places, dtype=np.int64)
            self._pools[key] = PoolDraws.of_subject(pool, subject, self.seed)
        drawn = self._pools[key].draw(self.negatives)
        return None if drawn is None else [candidates[at] for at in drawn.tolist()]


def identifier_of(entity: str) -> str:
    return entity.partition("__")[0]


def name_of(entity: str) -> str:
    return usable_name(entity.partition("__")[2])


def types_of(text: str) -> frozenset[str]:
    return frozenset(split_types(text))


def value_of(pair: PublishedPair, column: str) -> float:
    value: Any = getattr(pair, column)
    return float("nan") if value is None else float(value)
