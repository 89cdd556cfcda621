"""What a track is: schemas of its files, line-level checks, scoring and metrics.

A track is a folder `backend/tracks/<name>/` with a module `track` that defines TRACK, or the same
in a plugin's `tracks/`. It imports neither Django nor Celery.
"""

import struct
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Generic, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from backend.tracks.item_table import (
    Answer,
    Candidates,
    EntityFinder,
    IdentifierFinder,
    Item,
    ItemTable,
    Masks,
    NameFinder,
    Prediction,
    Source,
    SpellingFinder,
)
from backend.tracks.masked_items import MaskedItems
from backend.tracks.metrics import EvaluatedMetric, Floats
from backend.tracks.text_vectors import TextEmbedder
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault, RowFaultList, shorten
from backend.validation.row_files.limits import ReadLimits
from backend.validation.row_files.number_lists import NumberLists
from backend.validation.row_files.reader import RowSchema, list_adapter, read_rows


class ListScoring(ABC, Generic[Answer]):
    """A quicker way through lists of numbers, with the results of the track's own methods."""

    @abstractmethod
    def normalize(self, lists: NumberLists, candidates: Candidates | None) -> NumberLists | None:
        """As `Track.normalize`; None if one may have a fault."""

    @abstractmethod
    def encode(
        self, keys: NDArray[np.int64], lists: NumberLists
    ) -> tuple[bytes | memoryview, NDArray[np.int64]]:
        """As `Track.encode`, of all of them, with the number of bytes of each."""

    @abstractmethod
    def score(self, answers: Sequence[Answer], lists: NumberLists) -> Floats:
        """As `Track.score`."""


class Track(MaskedItems[Item, Answer], ABC, Generic[Item, Answer, Prediction]):
    """One task of one paper.

    Schemas are pydantic dataclasses. `key_fields` are the data set's own key of an item, fields of
    items and of predictions. `version` is the evaluator's: a change of any score raises it.
    `overall` is the slice of all items, which boards rank by and show first.
    `slices_by_complexity`: slices from the simplest questions to the most complex, if it has them.
    `embedder_name`: what `score` needs, see `with_embedder`; `most_texts`: of a file that it may
    have to embed, 0 for any number. `predicts_entities`: predictions name entities of the release's
    graph. `reads_entity_types`: checks of predictions need the types of its entities.
    `reads_edges`: they need the edges of the graph that is walked as well.
    `model_tasks`: names of tasks for language models, see `registry.load_model_tasks`.
    `source_columns` and `source_example` are of the files that a release is made of.
    `list_scoring`: for columns of predictions that are `lists`, with the key as their number.
    `has_queries`: predictions may be Cypher queries. `has_one_split`: the answer of an item reveals
    those of others, so a release has dev items or test items alone. `merges_names`: predictions
    are names, of which those of one entity of the release's graph count once.

    More of a track: `masked_items.MaskedItems`, `pooled_track.PooledTrack` where predictions rank
    answers, and `outcome_track.OutcomeTrack` where items are shown as cases.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    description: ClassVar[str]
    version: ClassVar[str]
    main_metric: ClassVar[str]
    overall: ClassVar[str]
    key_fields: ClassVar[tuple[str, ...]]
    item_schema: type[Item]
    answer_schema: type[Answer]
    prediction_schema: type[Prediction]
    prediction_columns: ClassVar[Columns]
    source_columns: ClassVar[Columns] = Columns(())
    source_example: ClassVar[str] = ""
    components: ClassVar[tuple[str, ...]]
    metrics: ClassVar[tuple[EvaluatedMetric, ...]]
    baselines: ClassVar[tuple[str, ...]] = ()
    further_baselines: ClassVar[tuple[str, ...]] = ()  # run by command alone
    model_tasks: ClassVar[tuple[str, ...]] = ()
    predicts_entities: ClassVar[bool] = False
    reads_entity_types: ClassVar[bool] = False
    reads_edges: ClassVar[bool] = False
    slices_by_complexity: ClassVar[Sequence[str]] = ()
    embedder_name: ClassVar[str] = ""
    most_texts: ClassVar[int] = 0
    list_scoring: ClassVar[ListScoring[Any] | None] = None
    has_queries: ClassVar[bool] = False
    has_one_split: ClassVar[bool] = False
    merges_names: ClassVar[bool] = False
    folder: ClassVar[Path]

    @abstractmethod
    def read_source(self, file: BinaryIO, name: str, source: Source[Item, Answer]) -> None:
        """Append the items and answers of one file of the data set, with its faults."""

    def complete_source(self, source: Source[Item, Answer], spell: SpellingFinder) -> None:
        """Once every file was read: join them, report what one lacks, spell out the answers."""

    @abstractmethod
    def cluster(self, item: Item) -> Hashable:
        """The unit that is resampled; a split never divides one."""

    @abstractmethod
    def slices(self, items: Sequence[Item], answers: Sequence[Answer]) -> Masks:
        """Masks over the items by slice, the overall one first. None is empty."""

    def slice_after(self, year: int, slices: Collection[str]) -> str | None:
        """The largest of these slices whose items are all later than a year; None without one."""
        return None

    @abstractmethod
    def score(
        self,
        items: Sequence[Item],
        answers: Sequence[Answer],
        predictions: Sequence[Prediction | None],
    ) -> Floats:
        """The components of each item, shape (items, k). None is a missing prediction."""

    def question_id(self, item: Item) -> str:
        """Of the question that the item is about, where masked graphs are of questions."""
        return self.key_text(item)

    def with_embedder(self, embedder: TextEmbedder) -> Self:
        """The track as it scores, if it has the name of an embedder."""
        return self

    def complete(self, items: Sequence[Item], components: Floats) -> Floats:
        """Components of all items of a split, with those that rest on several items."""
        return components

    def within(self, components: Floats, mask: NDArray[np.bool_]) -> Floats:
        """Components of all items, for sums over those of a mask: an AUC's rest on each other."""
        return components

    @abstractmethod
    def example_prediction(self, item: Item, candidates: Candidates | None) -> Prediction:
        """A valid prediction of the item that shows the format; the candidates are not empty."""

    def example_predictions(self, table: ItemTable[Item], count: int) -> list[Prediction]:
        """Of the first items; between them every form that the release takes."""
        return [self.example_prediction(item, table.candidates) for item in table.items[:count]]

    def unknown_answers(self, items: ItemTable[Item], prediction: Prediction) -> Sequence[str]:
        """Answers that are no entity of the graph: false, and no fault. Only a notice."""
        return ()

    def find_faults(
        self,
        items: ItemTable[Item],
        positions: NDArray[np.int64],
        predictions: Sequence[Prediction],
    ) -> Iterator[tuple[int, RowFault]]:
        """Faults that the schema does not know, each with the index of its prediction."""
        yield from ()

    def count_texts(self, item: Item, prediction: Prediction) -> int:
        """How many texts of the prediction are embedded."""
        return 0

    def find_answer_fault(self, item: Item, answer: Answer) -> str:
        """Why this cannot be the answer to the item, where the schema does not know it."""
        return ""

    def answer_entities(self, answer: Answer) -> Sequence[int | str]:
        """The entities of an answer, if predictions name entities."""
        return ()

    def add_spellings(self, answer: Answer, spell: SpellingFinder) -> Answer:
        """The answer with the ways in which predictions may write its entities."""
        return answer

    def merge_spellings(self, prediction: Any, answer: Answer, find: IdentifierFinder) -> Any:
        """What is scored of a prediction: each entity once, in however many ways it is written."""
        return prediction

    def resolve_names(self, prediction: Prediction, find: NameFinder) -> Any:
        """What is scored of a prediction, where the track `merges_names`."""
        return prediction

    def query_of(self, prediction: Prediction) -> str | None:
        """The Cypher query of a prediction, which is run before it is scored."""
        return None

    def with_output(self, prediction: Prediction, output: tuple[str, ...] | None) -> Any:
        """What is scored in place of a prediction with a query; None if it was not executed."""
        return prediction

    def normalize(self, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
        """Predictions in the form that is scored and digested."""
        return predictions

    def encode(self, prediction: Prediction) -> bytes:
        """As it is digested: minus the number of bytes in 8 bytes (little-endian), then the JSON.

        A track may encode predictions otherwise; then they begin with a number that is not negative
        and show where they end.
        """
        text = self.prediction_list.dump_json([prediction])[1:-1]
        return struct.pack("<q", -len(text)) + text

    @cached_property
    def key(self) -> "attrgetter[Any]":
        """The key of an item or a prediction."""
        return attrgetter(*self.key_fields)

    def key_text(self, row: Item | Prediction) -> str:
        return ", ".join(shorten(getattr(row, name)) for name in self.key_fields)

    def index_items(
        self,
        items: Sequence[Item],
        candidates: Candidates | None = None,
        find_entities: EntityFinder | None = None,
    ) -> ItemTable[Item]:
        positions = {self.key(item): at for at, item in enumerate(items)}
        return ItemTable(items, positions, candidates, find_entities=find_entities)

    @cached_property
    def prediction_rows(self) -> RowSchema[Prediction]:
        return RowSchema(self.prediction_schema, self.prediction_columns, self.key_fields)

    @cached_property
    def prediction_list(self) -> "TypeAdapter[list[Prediction]]":
        return list_adapter(self.prediction_schema)

    def read_items(
        self, file: BinaryIO, name: str, limits: ReadLimits | None = None
    ) -> tuple[list[Item], RowFaultList]:
        """The public items of a release, as its file of items has them."""
        columns = Columns(tuple(TypeAdapter(self.item_schema).json_schema()["properties"]))
        faults = RowFaultList()
        schema = RowSchema(self.item_schema, columns, self.key_fields)
        batches = read_rows(file, name, schema, faults, limits)
        return [item for batch in batches for item in batch.values], faults

    def get_metric(self, id_: str) -> EvaluatedMetric:
        """Raises KeyError."""
        return {metric.id: metric for metric in self.metrics}[id_]

    def cluster_ids(self, items: Sequence[Item]) -> NDArray[np.intp]:
        """A number from 0 for each item; items of one cluster share it."""
        numbers: dict[Hashable, int] = {}
        ids = [numbers.setdefault(self.cluster(item), len(numbers)) for item in items]
        return np.array(ids, dtype=np.intp)

    def metric_values(self, components: Floats, mask: NDArray[np.bool_]) -> dict[str, float]:
        """Each metric over the items of a mask."""
        sums = self.within(components, mask)[mask].sum(axis=0)
        return {metric.id: float(metric.value(sums)) for metric in self.metrics}

    def credit(self, components: Floats) -> Floats:
        """How right each prediction is by the main metric, of all items of a split; more is
        better."""
        metric = self.get_metric(self.main_metric)
        values = np.asarray(metric.value(components))
        return values if metric.direction == "higher" else -values

    def item_values(self, components: Floats) -> dict[str, Floats]:
        """Values of each item, of the metrics that are means; NaN where an item is left out."""
        return {
            metric.id: np.where(components[:, metric.counted] > 0, metric.value(components), np.nan)
            for metric in self.metrics
            if metric.is_mean
        }

    @property
    def example_file(self) -> Path:
        return self.folder / "example.jsonl"

    @property
    def example_items_file(self) -> Path:
        return self.folder / "example_items.jsonl"

    def documentation(self) -> str:
        """The page of the track, in Markdown."""
        return (self.folder / "track.md").read_text(encoding="utf-8")


AnyTrack = Track[Any, Any, Any]
