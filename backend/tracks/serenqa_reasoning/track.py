"""SerenQA, task 2: three texts that sum up the graph around a root, one a level.

SerenCov of an item is the share of its ground-truth serendipity paths whose first and last entity
are both named in one of the three texts. Means are over items.

Degenerate files: empty texts name nothing and are worth 0, as are missing predictions; both are
left out of the column 'of valid outputs', which never orders a board. A constant text scores only
for items whose paths it happens to name. Texts cannot tie; an item that is predicted twice is a
fault.
"""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import numpy as np
from pydantic import ConfigDict, Field, Strict, StringConstraints
from pydantic.dataclasses import dataclass

from backend.tracks.base import Track
from backend.tracks.item_table import Candidates, Masks, Source, SpellingFinder
from backend.tracks.masked_items import MaskableQuestion
from backend.tracks.metrics import Floats, share_metric
from backend.tracks.serenqa import (
    METHODS,
    PREFERRED_METHODS,
    SOURCE_COLUMNS,
    Identifier,
    Method,
    QuestionId,
)
from backend.tracks.serenqa_roots import (
    KEY_FIELDS,
    LEVELS,
    OVERALL,
    SOURCE_EXAMPLE,
    EntitySpellings,
    IsCounted,
    RootItem,
    RootSource,
    Spellings,
    Text,
    add_question_faults,
    list_roots,
    maskable_part,
    names_entity,
    parse_json_cell,
    partition_slices,
    paths_of,
    question_of,
    read_roots,
    text_spellings,
)
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault

MOST_CHARACTERS = 10_000
COMPONENTS = 3
COVERED, VALID, ITEMS = range(COMPONENTS)
Summary = Annotated[str, Strict(), StringConstraints(max_length=MOST_CHARACTERS)]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class GroundTruthPath:
    """`first` and `last`: how a text may name the two ends."""

    text: Text
    first: Spellings
    last: Spellings


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class PathsAnswer:
    """What a masked graph hides: `graph_query` is the question's pattern, `serendipity` A_s.

    others: members of A_e without an item; the first root of a question has them. All three are
    empty in older releases. is_counted: False for a question that the masked graph leaves out.
    """

    paths: Annotated[tuple[GroundTruthPath, ...], Field(min_length=1)]
    graph_query: dict[str, Any] = Field(default_factory=dict)
    serendipity: tuple[Identifier, ...] = ()
    others: tuple[Identifier, ...] = ()
    is_counted: IsCounted = True


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class SummariesPrediction:
    """One text for each level; that of a level that was not reached is empty."""

    qid: QuestionId
    partition: Method
    root: Identifier
    summaries: Annotated[tuple[Summary, ...], Field(min_length=LEVELS, max_length=LEVELS)]


metric = partial(
    share_metric,
    components=COMPONENTS,
    unit="fraction",
    section="SerenQA, section E.1",
    ties="Texts cannot tie.",
)
METRICS = (
    metric(
        "seren_cov",
        "SerenCov",
        [COVERED],
        "Share of the paths to serendipitous answers of which a summary names both ends.",
        below=[ITEMS],
    ),
    metric(
        "seren_cov_valid",
        "SerenCov of valid outputs",
        [COVERED],
        "SerenCov over the items with a summary that is not empty, as the paper averages it.",
        below=[VALID],
        missing="Left out.",
    ),
)


class SerenqaReasoning(Track[RootItem, PathsAnswer, SummariesPrediction]):
    slug = "serenqa-reasoning"
    title = "Reasoning"
    paper = "SerenQA"
    description = "Sum up the graph around the answers without losing the paths to unexpected ones."
    version = "2"
    main_metric = "seren_cov"
    overall = OVERALL
    mask_methods = METHODS
    partition_methods = PREFERRED_METHODS
    key_fields = KEY_FIELDS
    item_schema = RootItem
    answer_schema = PathsAnswer
    prediction_schema = SummariesPrediction
    prediction_columns = Columns((*KEY_FIELDS, "summaries"), parsers={"summaries": parse_json_cell})
    source_columns = SOURCE_COLUMNS
    source_example = SOURCE_EXAMPLE
    components = ("covered", "valid", "items")
    metrics = METRICS
    baselines = ("path-template",)
    model_tasks = ("serenqa-reasoning-guided",)
    folder = Path(__file__).parent

    def read_source(self, file: BinaryIO, name: str, source: Source[RootItem, PathsAnswer]) -> None:
        read_roots(file, name, source)
        self._build(source, lambda identifier, type_: ())

    def complete_source(self, source: Source[RootItem, PathsAnswer], spell: SpellingFinder) -> None:
        add_question_faults(source)
        self._build(source, spell)
        if not source.items and not source.faults.total:
            message = "No partition has a path from an existing to a serendipitous answer."
            expected = "explore_queries.paths"
            source.faults.add(RowFault(0, "explore_queries.paths", "no_paths", message, expected))

    def _build(self, source: Source[RootItem, PathsAnswer], spell: SpellingFinder) -> None:
        """Items are the roots from which a path leads to the serendipity set."""
        spellings = EntitySpellings(source, spell)
        truths = ((root, ground_truth(root, spellings)) for root in list_roots(source))
        rows = [(root, paths) for root, paths in truths if paths]
        source.items[:] = [root.item for root, _ in rows]
        others = others_by_item([root for root, _ in rows])
        source.answers[:] = [
            PathsAnswer(
                paths,
                root.question.graph_query_as_json(),
                root.split.serendipity,
                others.get(root.item, ()),
            )
            for root, paths in rows
        ]

    def cluster(self, item: RootItem) -> Hashable:
        return question_of(item)

    def partition_of(self, item: RootItem) -> str:
        return item.partition

    def question_id(self, item: RootItem) -> str:
        return item.qid

    def maskable_question(
        self, item: RootItem, answer: PathsAnswer, method: str
    ) -> MaskableQuestion | None:
        return maskable_part(item, method, answer.graph_query, answer.serendipity, answer.others)

    def keep_pattern(self, answer: PathsAnswer, earlier: PathsAnswer) -> PathsAnswer:
        return replace(
            answer,
            graph_query=answer.graph_query or earlier.graph_query,
            serendipity=answer.serendipity or earlier.serendipity,
            others=answer.others or earlier.others,
        )

    def leave_out(self, answer: PathsAnswer) -> PathsAnswer:
        return replace(answer, is_counted=False)

    def slices(self, items: Sequence[RootItem], answers: Sequence[PathsAnswer]) -> Masks:
        return partition_slices(items)

    def example_prediction(
        self, item: RootItem, candidates: Candidates | None
    ) -> SummariesPrediction:
        texts = (f"{item.root} is the root.", "", "")
        return SummariesPrediction(item.qid, item.partition, item.root, texts)

    def score(
        self,
        items: Sequence[RootItem],
        answers: Sequence[PathsAnswer],
        predictions: Sequence[SummariesPrediction | None],
    ) -> Floats:
        components = np.zeros((len(items), COMPONENTS))
        components[:, ITEMS] = [one.is_counted for one in answers]
        for row, answer, prediction in zip(components, answers, predictions, strict=True):
            if answer.is_counted and prediction is not None:
                row[COVERED] = coverage(answer.paths, prediction.summaries)
                row[VALID] = any(text.strip() for text in prediction.summaries)
        return components


def ground_truth(root: RootSource, spellings: EntitySpellings) -> tuple[GroundTruthPath, ...]:
    def named(identifier: str) -> Spellings:
        return text_spellings(spellings.of(identifier, root.types, root.item), root.types)

    return tuple(
        GroundTruthPath(path, named(root.item.root), named(last)) for path, last in paths_of(root)
    )


def others_by_item(roots: Sequence[RootSource]) -> dict[RootItem, tuple[str, ...]]:
    """Of the first root of each question and partition: members of A_e that are no root."""
    by_question: dict[tuple[str, str], list[RootSource]] = {}
    for root in roots:
        by_question.setdefault((root.item.qid, root.item.partition), []).append(root)
    result = {}
    for first, *more in by_question.values():
        own = {first.item.root, *(root.item.root for root in more)}
        result[first.item] = tuple(one for one in first.split.existing if one not in own)
    return result


def coverage(paths: Sequence[GroundTruthPath], texts: Sequence[str]) -> float:
    """The share of the paths whose two ends are named in one text."""
    named: dict[tuple[Spellings, int], bool] = {}

    def is_named(entity: Spellings, level: int) -> bool:
        key = (entity, level)
        if key not in named:
            named[key] = names_entity(texts[level], entity)
        return named[key]

    covered = sum(
        any(is_named(path.first, level) and is_named(path.last, level) for level in range(LEVELS))
        for path in paths
    )
    return covered / len(paths)


TRACK = SerenqaReasoning()
