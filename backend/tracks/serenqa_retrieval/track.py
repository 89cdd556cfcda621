"""SerenQA's first task: the entities of a graph that answer a question, by a query or by name.

A prediction is a list of identifiers, or a Cypher query that the evaluator runs on the release's
graph. With gold answers G (A on the full graph, A_e on a masked one) and the returned set R:

    hit = |G ∩ R| ÷ |G|        F1 = 2 |G ∩ R| ÷ (|G| + |R|)

A query is executable if it ran without an error within the limits, also with an empty result; else
it is worth 0 in all three metrics, as a missing prediction is. A list of identifiers counts as
executed. An answer is returned if any of its spellings is: the file's identifier or its CURIE; two
spellings of one entity of the release's graph count once. Sets cannot tie; a repeated identifier
counts once.

Degenerate files: an empty list has executability 100 and 0 elsewhere; all entities of the graph
have a hit of 100 and an F1 near 0. Questions that the masked graph leaves out are in no metric.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from backend.tracks.item_table import (
    Candidates,
    IdentifierFinder,
    ItemTable,
    Masks,
    Source,
    SpellingFinder,
)
from backend.tracks.masked_items import MaskableQuestion
from backend.tracks.metrics import Floats
from backend.tracks.pooled_track import AnswerEntities, QueriedTrack
from backend.tracks.serenqa import (
    METHODS,
    SHAPES,
    SOURCE_COLUMNS,
    SOURCE_EXAMPLE,
    read_serenqa,
)
from backend.tracks.serenqa_retrieval.rows import (
    FULL,
    NOT_TEXT,
    GoldAnswer,
    QueryOutput,
    QuestionAnswer,
    QuestionItem,
    RetrievalPrediction,
    to_answer,
    to_item,
)
from backend.tracks.serenqa_retrieval.scoring import (
    COMPONENTS,
    EXECUTED,
    F1,
    HIT,
    gold_answers,
    metric,
    returned_set,
    score_sets,
)
from backend.tracks.stark_rows import parse_list
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault

EXAMPLE_QUERY = "MATCH (n) RETURN n.id LIMIT 2"  # runs on every graph
MOST_POOLED = 100  # of the answers of a prediction, which are a set


class SerenqaRetrieval(QueriedTrack[QuestionItem, QuestionAnswer, RetrievalPrediction]):
    slug = "serenqa-retrieval"
    title = "Retrieval"
    paper = "SerenQA"
    description = "Turn a question into a graph query and return the entities that answer it."
    version = "2"
    main_metric = "f1"
    overall = "all"
    slices_by_complexity = tuple(dict.fromkeys(SHAPES.values()))
    key_fields = ("question_id",)
    item_schema = QuestionItem
    answer_schema = QuestionAnswer
    prediction_schema = RetrievalPrediction
    prediction_columns = Columns(
        ("question_id", "answers", "cypher"),
        required=("question_id",),
        aliases={"qid": "question_id"},
        parsers={
            "answers": lambda cell: parse_list(cell) if cell else None,
            "cypher": lambda cell: cell or None,
        },
    )
    source_columns = SOURCE_COLUMNS
    source_example = SOURCE_EXAMPLE
    components = ("hit", "f1", "executed", "items")
    metrics = (
        metric("hit", "Hit rate", [HIT], "Share of the true answers that are returned."),
        metric("f1", "F1", [F1], "Harmonic mean of precision and recall of the returned answers."),
        metric(
            "executability",
            "Executability",
            [EXECUTED],
            "Share of the queries that run without an error within the limits.",
        ),
    )
    mask_methods = METHODS
    reads_entity_types = True  # to notice answers that are no entity
    baselines = ("pattern-templates",)
    model_tasks = ("serenqa-retrieval-query",)
    pool_depth = MOST_POOLED
    folder = Path(__file__).parent

    def read_source(
        self, file: BinaryIO, name: str, source: Source[QuestionItem, QuestionAnswer]
    ) -> None:
        questions = read_serenqa(file, name, source)
        source.items[:] = map(to_item, questions)
        source.answers[:] = map(to_answer, questions)

    def select_masked_graph(
        self, source: Source[QuestionItem, QuestionAnswer], method: str
    ) -> None:
        """Keep the questions with a partition whose A_e is not empty: those have gold answers."""
        known = next(one for one in METHODS if one == method)
        rows = [
            (replace(item, graph=known), answer)
            for item, answer in zip(source.items, source.answers, strict=True)
            if method in answer.partitions and answer.partitions[method].existing
        ]
        source.items[:] = [item for item, _ in rows]
        source.answers[:] = [answer for _, answer in rows]

    def add_spellings(self, answer: QuestionAnswer, spell: SpellingFinder) -> QuestionAnswer:
        """Spellings of one entity that are also those of another are left out."""
        spelled = [
            dict.fromkeys(
                text for type_ in one.types or ("",) for text in spell(one.id, type_) or ()
            )
            for one in answer.answers
        ]
        ids = {one.id for one in answer.answers}
        entities = tuple(
            replace(one, spellings=tuple(text for text in texts if text not in ids))
            for one, texts in zip(answer.answers, spelled, strict=True)
        )
        return replace(answer, answers=entities)

    def merge_spellings(
        self,
        prediction: RetrievalPrediction | QueryOutput,
        answer: QuestionAnswer,
        find: IdentifierFinder,
    ) -> RetrievalPrediction | QueryOutput:
        """Answers by the file's identifier, other entities by the graph's.

        An identifier without a prefix is of the type of the answers.
        """
        if prediction.answers is None:
            return prediction
        own = {text: one.id for one in answer.answers for text in (*one.spellings, one.id)}
        types = tuple(dict.fromkeys(type_ for one in answer.answers for type_ in one.types))
        others = [text for text in prediction.answers if text not in own]
        names = {
            **find([text for text in others if ":" in text], ()),
            **find([text for text in others if ":" not in text], types),
        }
        merged = {names.get(text, text) for text in prediction.answers}
        return replace(prediction, answers=tuple(sorted({own.get(one, one) for one in merged})))

    def maskable_question(
        self, item: QuestionItem, answer: QuestionAnswer, method: str
    ) -> MaskableQuestion | None:
        split = answer.partitions.get(method)
        if split is None:
            return None
        return MaskableQuestion(
            item.question_id, answer.graph_query, split.serendipity, split.existing
        )

    def question_id(self, item: QuestionItem) -> str:
        return item.question_id

    def graph_query(self, answer: QuestionAnswer) -> Mapping[str, Any]:
        return answer.graph_query

    def leave_out(self, answer: QuestionAnswer) -> QuestionAnswer:
        return replace(answer, is_counted=False)

    def masked_by(self, item: QuestionItem) -> str:
        return "" if item.graph == FULL else item.graph

    def cluster(self, item: QuestionItem) -> Hashable:
        return item.question_id

    def slices(self, items: Sequence[QuestionItem], answers: Sequence[QuestionAnswer]) -> Masks:
        """All, the paper's four groups of shapes, and the nine patterns."""
        shapes = np.array([item.shape for item in items], dtype=object)
        patterns = np.array([item.pattern for item in items], dtype=object)
        masks: Masks = {self.overall: np.ones(len(items), dtype=np.bool_)}
        masks |= {name: shapes == name for name in dict.fromkeys(SHAPES.values())}
        masks |= {f"pattern-{name}": patterns == name for name in SHAPES}
        return {name: mask for name, mask in masks.items() if name == self.overall or mask.any()}

    def example_prediction(
        self, item: QuestionItem, candidates: Candidates | None
    ) -> RetrievalPrediction:
        ids = ["DRUGBANK:DB00001"] if candidates is None else sorted(map(str, candidates))[:2]
        return RetrievalPrediction(item.question_id, tuple(ids))

    def example_predictions(
        self, table: ItemTable[QuestionItem], count: int
    ) -> list[RetrievalPrediction]:
        """The first is by a query, where the release runs queries."""
        rows = super().example_predictions(table, count)
        if rows and table.takes_queries:
            rows[0] = replace(rows[0], answers=None, cypher=EXAMPLE_QUERY)
        return rows

    def unknown_answers(
        self, items: ItemTable[QuestionItem], prediction: RetrievalPrediction
    ) -> Sequence[str]:
        find = items.find_entities
        return [] if find is None else [one for one in prediction.answers or () if not find(one)]

    def find_faults(
        self,
        items: ItemTable[QuestionItem],
        positions: NDArray[np.int64],
        predictions: Sequence[RetrievalPrediction],
    ) -> Iterator[tuple[int, RowFault]]:
        for index, one in enumerate(predictions):
            if (one.answers is None) == (one.cypher is None):
                given = "neither" if one.answers is None else "both"
                message = "A prediction has either answers or a cypher query."
                yield index, RowFault(0, "answers", "one_of_two", message, "one of both", given)
            elif one.cypher is not None and not items.takes_queries:
                message = (
                    "No queries run here: the graph is missing, too large, or not yours to read."
                )
                yield index, RowFault(0, "cypher", "no_queries", message, "answers")
            elif one.cypher is not None and not one.cypher.strip():
                message = "The query is empty."
                yield index, RowFault(0, "cypher", "empty_query", message, "a query")
            elif one.cypher is not None and NOT_TEXT.search(one.cypher):
                message = "The query has a character that is no text."
                yield index, RowFault(0, "cypher", "query_not_text", message, "text")

    def find_answer_fault(self, item: QuestionItem, answer: QuestionAnswer) -> str:
        gold = gold_answers(item, answer)
        return "" if gold else "The question has no answer on its graph."

    def normalize(
        self, predictions: Sequence[RetrievalPrediction]
    ) -> Sequence[RetrievalPrediction]:
        return [
            one if one.answers is None else replace(one, answers=tuple(sorted({*one.answers})))
            for one in predictions
        ]

    def question_text(self, item: QuestionItem) -> str:
        return item.question

    def ranked_answers(
        self, item: QuestionItem, prediction: RetrievalPrediction | QueryOutput
    ) -> Sequence[int | str]:
        return sorted(returned_set(prediction) or ())

    def answered_with(self, item: QuestionItem, answers: Sequence[str]) -> QueryOutput:
        return QueryOutput(item.question_id, tuple(answers))

    def labelled_answers(self, answer: QuestionAnswer) -> Sequence[int | str]:
        """Also those that a masked graph hides: the partition judges them."""
        return [text for one in answer.answers for text in (one.id, *one.spellings)]

    def add_true_answers(
        self,
        item: QuestionItem,
        answer: QuestionAnswer,
        more: Sequence[int | str],
        entities: AnswerEntities | None = None,
    ) -> QuestionAnswer:
        """On a masked graph they are gold beside the existing answers, which its mask is about."""
        known = set(self.labelled_answers(answer))
        new = dict.fromkeys(str(id_) for id_ in more if id_ not in known)
        split = answer.partitions.get(self.masked_by(item))
        partitions = answer.partitions
        if split is not None:
            judged = (*split.judged, *new)
            partitions = {**partitions, item.graph: replace(split, judged=judged)}
        gold = (*answer.answers, *(GoldAnswer(id_) for id_ in new))
        return replace(answer, answers=gold, partitions=partitions)

    def query_of(self, prediction: RetrievalPrediction) -> str | None:
        return prediction.cypher

    def with_output(
        self, prediction: RetrievalPrediction, output: tuple[str, ...] | None
    ) -> QueryOutput:
        return QueryOutput(prediction.question_id, output)

    def score(
        self,
        items: Sequence[QuestionItem],
        answers: Sequence[QuestionAnswer],
        predictions: Sequence[RetrievalPrediction | QueryOutput | None],
    ) -> Floats:
        """A query must have been run before: its prediction is a QueryOutput then."""
        components = np.zeros((len(items), COMPONENTS))
        rows = zip(items, answers, predictions, strict=True)
        for row, (item, answer, prediction) in enumerate(rows):
            if answer.is_counted:
                returned = returned_set(prediction)
                components[row] = score_sets(gold_answers(item, answer), returned)
        return components


TRACK = SerenqaRetrieval()
