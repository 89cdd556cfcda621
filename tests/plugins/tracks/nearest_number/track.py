"""A track with floats for predictions and a metric of which less is better.

Its version can be raised while the tests run: from version 2 on, errors count squared.
"""

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Annotated, BinaryIO

import numpy as np
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from backend.tracks.base import Track
from backend.tracks.item_table import Candidates, Masks, Source
from backend.tracks.metrics import UNITS, EvaluatedMetric, Floats, ratio
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.reader import RowSchema, read_rows

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Item:
    name: str


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Answer:
    number: Share


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Prediction:
    name: str
    number: Share


SOURCE = RowSchema(Prediction, Columns(("name", "number")), ("name",))
MEAN_ERROR = EvaluatedMetric(
    id="mean_error",
    label="Mean error",
    direction="lower",
    unit=UNITS["fraction"],
    description="Mean distance from the number.",
    section="SerenQA, section 1",
    formula=ratio([0], [1], 2),
    counted=1,
    is_mean=True,
    ties="Numbers cannot tie.",
    missing="1, the largest distance",
)


class NearestNumber(Track[Item, Answer, Prediction]):
    slug = "nearest-number"
    title = "Nearest number"
    paper = "SerenQA"
    description = "Name a number near the true one."
    version: str  # type: ignore[misc]  # of this object, where others have it of their class
    main_metric = "mean_error"
    overall = "all"
    key_fields = ("name",)
    item_schema = Item
    answer_schema = Answer
    prediction_schema = Prediction
    prediction_columns = Columns(("name", "number"))
    components = ("error", "items")
    model_tasks = ("nearest-number-guess",)
    metrics = (MEAN_ERROR,)
    folder = Path(__file__).parent

    def __init__(self, version: str = "1") -> None:
        self.version = version

    def read_source(self, file: BinaryIO, name: str, source: Source[Item, Answer]) -> None:
        for batch in read_rows(file, name, SOURCE, source.faults):
            source.items += [Item(row.name) for row in batch.values]
            source.answers += [Answer(row.number) for row in batch.values]

    def example_prediction(self, item: Item, candidates: Candidates | None) -> Prediction:
        return Prediction(item.name, 0.5)

    def cluster(self, item: Item) -> Hashable:
        return item.name

    def slices(self, items: Sequence[Item], answers: Sequence[Answer]) -> Masks:
        return {self.overall: np.ones(len(items), dtype=np.bool_)}

    def score(
        self,
        items: Sequence[Item],
        answers: Sequence[Answer],
        predictions: Sequence[Prediction | None],
    ) -> Floats:
        errors = [
            1.0 if given is None else abs(given.number - answer.number)
            for given, answer in zip(predictions, answers, strict=True)
        ]
        return np.column_stack([np.power(errors, int(self.version)), np.ones(len(errors))])


TRACK = NearestNumber()
