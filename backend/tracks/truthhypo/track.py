"""TruthHypo: the relation between two entities, hypothesized before the literature has it.

A prediction is a label. A link is any label but `no_relation`. Components of an item are 0 or 1:
link and label a link (true positive), link alone (false positive), label alone (false negative),
neither (true negative), and the exact label. Precision, recall and F1 come from their sums, so 0/0
is 0.

Degenerate files: a constant link has recall 1 and the precision of its share of links; a constant
`no_relation` has precision, recall and F1 of 0. Missing predictions are false negatives on links
and false positives on `no_relation`, so an empty file is worth 0 in every metric. Labels cannot
tie; an item that is predicted twice is a fault.

A prediction may have a rationale. It is scored by no metric here: its claims are grounded apart.
"""

import re
import struct
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, ConfigDict, Strict, StringConstraints
from pydantic.dataclasses import dataclass

from backend.tracks.item_table import Candidates, ItemTable, Masks, Source, SpellingFinder
from backend.tracks.metrics import Floats, share_metric
from backend.tracks.rationale_track import RationaleTrack
from backend.validation.faults import printable
from backend.validation.json_files import UNSTORABLE
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault, shorten
from backend.validation.row_files.reader import RowSchema, read_rows

NO_RELATION = "no_relation"
Name = Annotated[
    str,
    Strict(),
    StringConstraints(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$"),
]
Text = Annotated[str, Strict(), StringConstraints(min_length=1, max_length=10_000)]
LONGEST_RATIONALE = 20_000  # characters
Rationale = Annotated[
    str,
    Strict(),
    StringConstraints(max_length=LONGEST_RATIONALE),
    BeforeValidator(lambda value: "" if value is None else value),  # an empty cell of Parquet
]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class PairItem:
    """`labels` are those that a prediction may have: all of the relation type."""

    x_id: Name
    y_id: Name
    x_type: Name
    y_type: Name
    rel_type: Name
    question: Text
    labels: tuple[Name, ...]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class PairAnswer:
    label: Name


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class LabelPrediction:
    """rationale: the reasons for the label; empty where none are given. Two predictions are equal
    where their labels are, whatever the reasons."""

    x_id: Name
    y_id: Name
    label: Name
    rationale: Rationale = field(default="", compare=False)


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="ignore"))
class PairRow:
    """A row of `edges_test.tsv` as published."""

    x_id: Name
    y_id: Name
    x_type: Name
    y_type: Name
    rel_type: Name
    relation: Name
    question: Text


SOURCE_FIELDS = ("x_id", "y_id", "x_type", "y_type", "rel_type", "relation", "question")
SOURCE = RowSchema(PairRow, Columns(SOURCE_FIELDS, ignores_others=True), ("x_id", "y_id"))
COMPONENTS = 6
TRUE_POSITIVE, FALSE_POSITIVE, FALSE_NEGATIVE, TRUE_NEGATIVE, EXACT, ITEMS = range(COMPONENTS)


metric = partial(
    share_metric,
    components=COMPONENTS,
    unit="percent",
    section="TruthHypo, section 2.3",
    ties="Labels cannot tie.",
    missing="A missed link, or a false link where there is none.",
    counted=ITEMS,
)
METRICS = (
    metric(
        "relation_accuracy",
        "Accuracy",
        [EXACT],
        "Share of the hypotheses with the right type of relation, or rightly none.",
        below=[ITEMS],
    ),
    metric(
        "link_f1",
        "Link F1",
        [TRUE_POSITIVE, TRUE_POSITIVE],
        "Harmonic mean of precision and recall of hypothesised links, whatever their type.",
        below=[TRUE_POSITIVE, TRUE_POSITIVE, FALSE_POSITIVE, FALSE_NEGATIVE],
        is_mean=False,
    ),
    metric(
        "link_precision",
        "Link precision",
        [TRUE_POSITIVE],
        "Share of the hypothesised links that are true.",
        below=[TRUE_POSITIVE, FALSE_POSITIVE],
        is_mean=False,
    ),
    metric(
        "link_recall",
        "Link recall",
        [TRUE_POSITIVE],
        "Share of the true links that were hypothesised.",
        below=[TRUE_POSITIVE, FALSE_NEGATIVE],
        is_mean=False,
    ),
    metric(
        "link_accuracy",
        "Link accuracy",
        [TRUE_POSITIVE, TRUE_NEGATIVE],
        "Share of the hypotheses that are right about whether there is a link. "
        "The paper prints it as the average F1 of Table 2.",
        below=[ITEMS],
    ),
)


class TruthHypo(RationaleTrack[PairItem, PairAnswer, LabelPrediction]):
    slug = "truthhypo"
    title = "Hypotheses"
    paper = "TruthHypo"
    description = "Predict how two biomedical entities are related before the literature did."
    version = "1"
    main_metric = "relation_accuracy"
    source_columns = SOURCE.columns
    source_example = (
        "x_id\ty_id\tx_type\ty_type\trel_type\trelation\tquestion\n"
        "Chemical|MESH:D000001\tGene|1\tChemical\tGene\tChemical & Gene\tno_relation\t"
        "How is Chemical one related to Gene one?\n"
    )
    overall = "average"
    key_fields = ("x_id", "y_id")
    item_schema = PairItem
    answer_schema = PairAnswer
    prediction_schema = LabelPrediction
    prediction_columns = Columns(
        ("x_id", "y_id", "label", "rationale"),
        required=("x_id", "y_id", "label"),
        aliases={"prediction": "label", "predicted_label": "label"},
    )
    components = (
        "true_positive",
        "false_positive",
        "false_negative",
        "true_negative",
        "exact",
        "items",
    )
    correct_component = "exact"
    metrics = METRICS
    baselines = (
        "random",
        "majority-label",
        "majority-label-by-type",
        "common-neighbours",
        "adamic-adar",
        "degree-product",
        "propagation",
    )
    model_tasks = (
        "truthhypo-parametric",
        "truthhypo-graph",
        "truthhypo-literature",
        "truthhypo-graph-literature",
    )
    folder = Path(__file__).parent

    def read_source(self, file: BinaryIO, name: str, source: Source[PairItem, PairAnswer]) -> None:
        """Labels of an item are the relations that the file has for its relation type."""
        batches = [*read_rows(file, name, SOURCE, source.faults)]
        labels: dict[str, set[str]] = {}
        for batch in batches:
            for row in batch.values:
                labels.setdefault(row.rel_type, {NO_RELATION}).add(row.relation)
        choices = {type_: tuple(sorted(names)) for type_, names in labels.items()}
        keys = {self.key(item) for item in source.items}
        for batch in batches:
            for line, row in zip(batch.lines, batch.values, strict=True):
                if self.key(row) in keys:
                    source.faults.add(repeated_pair(line, row))
                keys.add(self.key(row))
                source.items.append(to_item(row, choices[row.rel_type]))
                source.answers.append(PairAnswer(row.relation))

    def complete_source(self, source: Source[PairItem, PairAnswer], spell: SpellingFinder) -> None:
        """A label of one file may be predicted for the items of another."""
        labels: dict[str, set[str]] = {}
        for item in source.items:
            labels.setdefault(item.rel_type, set()).update(item.labels)
        choices = {type_: tuple(sorted(names)) for type_, names in labels.items()}
        source.items[:] = [replace(one, labels=choices[one.rel_type]) for one in source.items]

    def rationale_of(self, prediction: LabelPrediction) -> str:
        return prediction.rationale

    def label_of(self, prediction: LabelPrediction) -> str:
        return prediction.label

    def state_hypothesis(self, item: PairItem, prediction: LabelPrediction) -> str:
        return f"{item.question} {prediction.label}"

    def linked_entities(self, item: PairItem) -> tuple[str, str]:
        return item.x_id, item.y_id

    def denies_link(self, prediction: LabelPrediction) -> bool:
        return prediction.label == NO_RELATION

    def cluster(self, item: PairItem) -> Hashable:
        return frozenset((item.x_id, item.y_id))

    def slices(self, items: Sequence[PairItem], answers: Sequence[PairAnswer]) -> Masks:
        types = np.array([slice_name(item.rel_type) for item in items], dtype=object)
        masks: Masks = {self.overall: np.ones(len(items), dtype=np.bool_)}
        return masks | {str(name): types == name for name in sorted(set(types))}

    def example_prediction(self, item: PairItem, candidates: Candidates | None) -> LabelPrediction:
        return LabelPrediction(item.x_id, item.y_id, item.labels[0])

    def find_faults(
        self,
        items: ItemTable[PairItem],
        positions: NDArray[np.int64],
        predictions: Sequence[LabelPrediction],
    ) -> Iterator[tuple[int, RowFault]]:
        for index, (at, prediction) in enumerate(zip(positions.tolist(), predictions, strict=True)):
            labels = items.items[at].labels
            if prediction.label not in labels:
                message = "This is not a label of the item's relation type."
                given = shorten(prediction.label)
                yield index, RowFault(0, "label", "not_a_label", message, ", ".join(labels), given)
            if unstorable := UNSTORABLE.search(prediction.rationale):
                message = f"This text contains {printable(unstorable[0])}, which is no character."
                yield index, RowFault(0, "rationale", "bad_character", message, "text")

    def encode(self, prediction: LabelPrediction) -> bytes:
        """Without a rationale as before there were any, so that digests of old files stay."""
        text = self.prediction_list.dump_json([prediction], exclude_defaults=True)[1:-1]
        return struct.pack("<q", -len(text)) + text

    def find_answer_fault(self, item: PairItem, answer: PairAnswer) -> str:
        is_known = answer.label in item.labels
        return "" if is_known else f"The label must be one of {', '.join(item.labels)}."

    def score(
        self,
        items: Sequence[PairItem],
        answers: Sequence[PairAnswer],
        predictions: Sequence[LabelPrediction | None],
    ) -> Floats:
        is_link = np.array([one.label != NO_RELATION for one in answers], dtype=np.bool_)
        given = [None if one is None else one.label for one in predictions]
        is_missing = np.array([label is None for label in given], dtype=np.bool_)
        says_link = np.array([label != NO_RELATION for label in given], dtype=np.bool_)
        says_link = np.where(is_missing, ~is_link, says_link)
        pairs = zip(given, answers, strict=True)
        exact = np.array([label == one.label for label, one in pairs], dtype=np.bool_)
        columns = [
            is_link & says_link,
            ~is_link & says_link,
            is_link & ~says_link,
            ~is_link & ~says_link,
            exact,
            np.ones_like(is_link),
        ]
        return np.column_stack(columns).astype(np.float64)


def to_item(row: PairRow, labels: tuple[str, ...]) -> PairItem:
    return PairItem(row.x_id, row.y_id, row.x_type, row.y_type, row.rel_type, row.question, labels)


def repeated_pair(line: int, row: PairRow) -> RowFault:
    item = f"{printable(row.x_id)}, {printable(row.y_id)}"
    message = "This pair of entities was given before."
    return RowFault(line, "x_id+y_id", "duplicate_item", message, "each pair once", item, item)


def slice_name(relation_type: str) -> str:
    """`Chemical & Gene` → `chemical-gene`, as the published results name it."""
    return re.sub(r"[^a-z0-9]+", "-", relation_type.lower()).strip("-")


TRACK = TruthHypo()
