"""Dyport: links that were first seen after a year, and pairs that were never seen.

A prediction is a number for a pair; only the order of the numbers counts. AUC counts a positive and
a negative with equal scores as ½ (`roc_auc`, which orders the board) or as 0, as the paper prints
it (`roc_auc_strict`).

Degenerate files: a missing positive comes last and a missing negative first, so an empty file has
an AUC of 0. A constant has 0.5, and 0 as printed. A pair that is a negative of two positives is two
items with an id each; the same id twice is a fault.
"""

import json
import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import BinaryIO

import numpy as np

from backend.science.evaluation.metrics import BoolArray
from backend.tracks.base import Track
from backend.tracks.dyport.metrics import METRICS
from backend.tracks.dyport.rows import BINS, Bin, LinkAnswer, LinkItem, LinkRow, ScorePrediction
from backend.tracks.dyport.scoring import (
    COMPONENTS,
    complete_components,
    derive,
    placed_shares,
    raw_components,
)
from backend.tracks.item_table import Candidates, Masks, Source, SpellingFinder
from backend.tracks.metrics import Floats
from backend.validation.faults import printable
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault
from backend.validation.row_files.reader import RowSchema, read_rows

ITEM_FIELDS = tuple(one.name for one in fields(LinkItem))
SHARED = ("subject", "subject_type", "object_type", "year")  # of a positive and its negatives
REQUIRED = ("id", "subject", "object", "subject_type", "object_type", "year")
LONGEST_SLICE = 60
AND_LATER = " and later"
YEAR, LATER = re.compile(r"\d{1,4}"), re.compile(rf"\d{{1,4}}{AND_LATER}")
PLACED_ROWS = "rows"


def parse_number(cell: str) -> object:
    try:
        return json.loads(cell) if cell else None
    except (ValueError, RecursionError):
        return cell


def parse_object(cell: str) -> object:
    return parse_number(cell) if cell else {}


OBJECTS = ("components", "component_values")
NUMBERS = ("year", "subject_degree", "object_degree", "importance")
SOURCE = RowSchema(
    LinkRow,
    Columns(
        (*ITEM_FIELDS, "negative_of", "importance", *OBJECTS, "date_source"),
        required=REQUIRED,
        parsers=dict.fromkeys(NUMBERS, parse_number) | dict.fromkeys(OBJECTS, parse_object),
        ignores_others=True,
    ),
    ("id",),
)
EXAMPLE_ROW = {
    "id": "p1",
    "subject": "DRUGBANK:1",
    "object": "DOID:1",
    "subject_type": "Drug",
    "object_type": "Disease",
    "year": 2016,
    "negative_of": "",
    "importance": 0.62,
}


class Dyport(Track[LinkItem, LinkAnswer, ScorePrediction]):
    slug = "dyport"
    title = "Link prediction"
    paper = "Dyport"
    description = (
        "Distinguish links that were discovered later from random pairs of the same types."
    )
    version = "1"
    main_metric = "roc_auc"
    overall = "all"
    key_fields = ("id",)
    item_schema = LinkItem
    answer_schema = LinkAnswer
    prediction_schema = ScorePrediction
    prediction_columns = Columns(
        ("id", "score"), aliases={"prediction": "score"}, parsers={"score": parse_number}
    )
    source_columns = SOURCE.columns
    source_example = f"{json.dumps(EXAMPLE_ROW)}\n"
    components = COMPONENTS
    metrics = tuple(METRICS)
    baselines = (
        "random",
        "degree-product",
        "common-neighbours",
        "adamic-adar",
        "propagation",
        "transe",
        "distmult",
        "complex",
        "hole",
        "node2vec",
        "gcn",
    )
    further_baselines = (
        "transe-untyped",
        "distmult-untyped",
        "complex-untyped",
        "hole-untyped",
        "node2vec-untyped",
        "gcn-untyped",
    )
    model_tasks = ("dyport-parametric", "dyport-definitions")
    folder = Path(__file__).parent

    def read_source(self, file: BinaryIO, name: str, source: Source[LinkItem, LinkAnswer]) -> None:
        """Answers are provisional until all files were read."""
        rows: dict[str, LinkRow] = source.parts.setdefault(PLACED_ROWS, {})
        for batch in read_rows(file, name, SOURCE, source.faults):
            for line, row in zip(batch.lines, batch.values, strict=True):
                if row.id in rows:
                    source.faults.add(repeated_id(line, row.id))
                rows[row.id] = row
                source.items.append(to_item(row))
                source.answers.append(LinkAnswer(not row.negative_of, 0))

    def complete_source(self, source: Source[LinkItem, LinkAnswer], spell: SpellingFinder) -> None:
        """Items are ordered by id, so that their order does not reveal which are true."""
        rows: dict[str, LinkRow] = source.parts[PLACED_ROWS]
        for fault in find_group_faults(rows):
            source.faults.add(fault)
        if source.faults.total:
            return
        ordered = [rows[id_] for id_ in sorted(rows)]
        positives = [row for row in ordered if not row.negative_of]
        groups = {row.id: number for number, row in enumerate(positives)}
        bins = assign_bins(positives)
        source.items[:] = [to_item(row) for row in ordered]
        source.answers[:] = [
            LinkAnswer(
                not row.negative_of,
                groups[group_of(row)],
                bins.get(group_of(row), ""),
                row.importance,
                row.components,
                row.component_values,
                row.date_source,
            )
            for row in ordered
        ]

    def cluster(self, item: LinkItem) -> Hashable:
        return item.subject

    def slices(self, items: Sequence[LinkItem], answers: Sequence[LinkAnswer]) -> Masks:
        """All; by importance bin; by year, and from a year on; by semantic pair, of which an item
        may have several."""
        masks: Masks = {self.overall: np.ones(len(items), dtype=np.bool_)}
        bins = np.array([answer.importance_bin for answer in answers], dtype=object)
        years = np.array([item.year for item in items], dtype=np.int64)
        masks |= {f"importance {name}": bins == name for name in BINS if (bins == name).any()}
        known: list[int] = np.unique(years).tolist()
        masks |= {str(year): years == year for year in known}
        masks |= {f"{year}{AND_LATER}": years >= year for year in known[1:]}
        pairs: dict[str, BoolArray] = {}
        for at, item in enumerate(items):
            for name in semantic_pairs(item):
                pairs.setdefault(name, np.zeros(len(items), dtype=np.bool_))[at] = True
        return masks | dict(sorted(pairs.items()))

    def slice_after(self, year: int, slices: Collection[str]) -> str | None:
        """By names: small slices may not be published, so later years may be the first ones."""
        starts = {
            int(name.removesuffix(AND_LATER)): name for name in slices if LATER.fullmatch(name)
        }
        known = {int(name) for name in slices if YEAR.fullmatch(name)} | starts.keys()
        if known and min(known) > year:
            return self.overall
        start = min((one for one in starts if one > year), default=None)
        return None if start is None else starts[start]

    def example_prediction(self, item: LinkItem, candidates: Candidates | None) -> ScorePrediction:
        return ScorePrediction(item.id, 0.5)

    def score(
        self,
        items: Sequence[LinkItem],
        answers: Sequence[LinkAnswer],
        predictions: Sequence[ScorePrediction | None],
    ) -> Floats:
        return raw_components(items, answers, predictions)

    def complete(self, items: Sequence[LinkItem], components: Floats) -> Floats:
        return complete_components(components)

    def within(self, components: Floats, mask: BoolArray) -> Floats:
        return components if mask.all() else derive(components, mask)

    def credit(self, components: Floats) -> Floats:
        return placed_shares(components)


def to_item(row: LinkRow) -> LinkItem:
    return LinkItem(**{name: getattr(row, name) for name in ITEM_FIELDS})


def group_of(row: LinkRow) -> str:
    """The id of its positive."""
    return row.negative_of or row.id


def find_group_faults(rows: Mapping[str, LinkRow]) -> Iterator[RowFault]:
    positives = {pair_of(row) for row in rows.values() if not row.negative_of}
    yield from find_repeated_links(rows)
    for row in rows.values():
        if len(pair_of(row)) < 2:
            message, expected = "This pair has one entity twice.", "two entities"
            yield source_fault(row, "object", "same_entity", message, expected)
        if row.negative_of and pair_of(row) in positives:
            message, expected = "This negative is a true link.", "a pair that was never linked"
            yield source_fault(row, "negative_of", "is_positive", message, expected)
        if row.negative_of:
            yield from compare_group(row, rows.get(row.negative_of))
    if not any(row.negative_of for row in rows.values()):
        message = "The files have no negatives, so nothing can be compared."
        yield RowFault(0, "negative_of", "no_negatives", message, "rows with negative_of")


def pair_of(row: LinkRow) -> frozenset[str]:
    return frozenset((row.subject, row.object))


def find_repeated_links(rows: Mapping[str, LinkRow]) -> Iterator[RowFault]:
    links: set[frozenset[str]] = set()
    for row in rows.values():
        if not row.negative_of and pair_of(row) in links:
            message, expected = "This link is given twice.", "each link once, in one direction"
            yield source_fault(row, "subject+object", "duplicate_item", message, expected)
        if not row.negative_of:
            links.add(pair_of(row))


def compare_group(row: LinkRow, own: LinkRow | None) -> Iterator[RowFault]:
    """The fault of a negative whose positive does not fit."""
    if own is None or own.negative_of:
        message, expected = "This names no positive.", "the id of a row without negative_of"
        yield source_fault(row, "negative_of", "unknown_item", message, expected)
    elif any(getattr(own, name) != getattr(row, name) for name in SHARED):
        message = "A negative has the subject, the year and both types of its positive."
        shared = (f"{name} {getattr(own, name)}" for name in SHARED)
        expected = printable(", ".join(shared), 200)
        yield source_fault(row, "negative_of", "other_group", message, expected)


def source_fault(row: LinkRow, field: str, code: str, message: str, expected: str) -> RowFault:
    given = printable(f"{row.subject}, {row.object}")
    return RowFault(0, field, code, message, expected, given, row.id)


def repeated_id(line: int, id_: str) -> RowFault:
    return RowFault(line, "id", "duplicate_item", "This id was given before.", "each id once", id_)


def assign_bins(positives: Sequence[LinkRow]) -> dict[str, Bin]:
    """Three bins of equal size of those with an importance, ties by id; their sizes differ by one
    at most."""
    known = [(row.importance, row.id) for row in positives if row.importance is not None]
    return {id_: BINS[at * len(BINS) // len(known)] for at, (_, id_) in enumerate(sorted(known))}


def semantic_pairs(item: LinkItem) -> set[str]:
    """Each of the subject's types with each of the object's: 'Disease -- Gene', in this order."""
    return {
        " -- ".join(sorted((one, other)))[:LONGEST_SLICE]
        for one in split_types(item.subject_type)
        for other in split_types(item.object_type)
    }


def split_types(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()] or [text]


TRACK = Dyport()
