"""STaRK: the entities of a semi-structured knowledge base that answer a query, ranked.

A prediction is a list of node numbers, or of identifiers where a release has them, best first. The
first 100 are read; a repeated one counts at its first place; a short list simply ends. With gold
answers G and the list r: Hit@k is 1 if one of r[:k] is in G; Recall@20 is |r[:20] ∩ G| ÷ |G|; MRR
is the mean of 1 ÷ place of the first answer, 0 if none is listed. A query with more than 20 answers
is left out of Recall@20, as the paper leaves it out; over no query, Recall@20 is 0 of 0 items.

Lists cannot tie. An empty list, like a missing prediction, is worth 0 everywhere. A constant list
is worth what it happens to hit.
"""

import struct
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from backend.tracks.base import ListScoring
from backend.tracks.item_table import Candidates, ItemTable, Masks, Source
from backend.tracks.metrics import Floats, share_metric
from backend.tracks.pooled_track import AnswerEntities, PooledTrack
from backend.tracks.stark_rows import (
    MOST_IDS,
    PARSERS,
    READ_IDS,
    SOURCE,
    QueryAnswer,
    QueryItem,
    RankedPrediction,
    all_known,
    are_numbers,
    is_repetitive,
    normalize_ids,
    repeated_query,
    unknown_ids,
)
from backend.tracks.stark_scoring import (
    COMPONENTS,
    HIT_1,
    HIT_5,
    ITEMS,
    MOST_ANSWERS_OF_RECALL,
    RECALL_20,
    RECIPROCAL_PLACE,
    WITHIN_RECALL,
    answer_arrays,
    number_texts,
    score_matrix,
    to_arrays,
)
from backend.tracks.text_vectors import installed_embedder
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault, shorten
from backend.validation.row_files.number_lists import ListFields, NumberLists
from backend.validation.row_files.reader import read_rows

BY_ANSWERS = {"answers-1": (1, 1), "answers-2-5": (2, 5), "answers-6-20": (6, 20)}


metric = partial(
    share_metric,
    below=[ITEMS],
    components=COMPONENTS,
    unit="fraction",
    section="STaRK, section 3.2",
    ties="Ranks cannot tie: a repeated entity counts at its first place.",
)


class RankedIdLists(ListScoring[QueryAnswer]):
    def encode(
        self, keys: NDArray[np.int64], lists: NumberLists
    ) -> tuple[bytes | memoryview, NDArray[np.int64]]:
        matrix = lists.matrix()
        rows = np.empty((len(keys), matrix.shape[1] + 2), dtype="<i8")
        rows[:, 0], rows[:, 1], rows[:, 2:] = keys, lists.counts, matrix
        if rows.size != len(lists.ids) + 2 * len(keys):  # some are shorter
            rows = rows[np.arange(rows.shape[1]) < lists.counts[:, None] + 2]
        return rows.reshape(-1).view(np.uint8).data, 8 * (lists.counts + 2)

    def normalize(self, lists: NumberLists, candidates: Candidates | None) -> NumberLists | None:
        """The ids that are read, each once."""
        lists = lists.shorten(READ_IDS)
        if candidates is None or not len(lists.ids):
            is_known = True
        elif isinstance(candidates, range):
            is_known = lists.ids.min() >= candidates.start and lists.ids.max() < candidates.stop
        else:
            is_known = candidates.issuperset(lists.ids.tolist())
        return lists.without_repetitions() if is_known else None

    def score(self, answers: Sequence[QueryAnswer], lists: NumberLists) -> Floats:
        return score_matrix(answer_arrays([one.answer_ids for one in answers]), lists.matrix())


class StarkTrack(PooledTrack[QueryItem, QueryAnswer, RankedPrediction]):
    """What the three STaRK tracks share; each states its name and where it is."""

    paper = "STaRK"
    version = "1"
    main_metric = "mrr"
    overall = "all"
    key_fields = ("query_id",)
    item_schema = QueryItem
    answer_schema = QueryAnswer
    prediction_schema = RankedPrediction
    prediction_columns = Columns(
        ("query_id", "pred_rank"),
        aliases={"id": "query_id"},
        parsers={name: PARSERS[name] for name in ("query_id", "pred_rank")},
        lists=ListFields("query_id", "pred_rank", MOST_IDS),
    )
    source_columns = SOURCE.columns
    source_example = 'id,query,answer_ids\n0,Which drug has this target?,"[17, 4]"\n'
    components = ("hit@1", "hit@5", "recall@20", "reciprocal_place", "within_recall", "items")
    metrics = (
        metric(
            "hit@1", "Hit@1", [HIT_1], "Share of the questions whose first result is a true answer."
        ),
        metric(
            "hit@5",
            "Hit@5",
            [HIT_5],
            "Share of the questions with a true answer among the first five results.",
        ),
        metric(
            "recall@20",
            "Recall@20",
            [RECALL_20],
            "Share of the true answers that are among the first twenty results.",
            below=[WITHIN_RECALL],
        ),
        metric(
            "mrr", "MRR", [RECIPROCAL_PLACE], "Mean of one over the rank of the first true answer."
        ),
    )
    baselines = (
        *("random", "bm25", "vectors", "bm25-and-vectors"),
        *(("vss", "multi-vss", "hybrid") if installed_embedder() else ()),
    )
    further_baselines = ("retriever", "reasoner") if installed_embedder() else ()
    predicts_entities = True
    list_scoring = RankedIdLists()
    pool_depth = 20

    def read_source(
        self, file: BinaryIO, name: str, source: Source[QueryItem, QueryAnswer]
    ) -> None:
        keys = {item.query_id for item in source.items}
        for batch in read_rows(file, name, SOURCE, source.faults):
            for line, row in zip(batch.lines, batch.values, strict=True):
                if row.query_id in keys:
                    source.faults.add(repeated_query(line, row.query_id))
                keys.add(row.query_id)
                source.items.append(QueryItem(row.query_id, row.query))
                source.answers.append(QueryAnswer(tuple(normalize_ids(row.answer_ids))))

    def documentation(self) -> str:
        shared = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
        return f"{super().documentation()}\n{shared}"

    def cluster(self, item: QueryItem) -> Hashable:
        return item.query_id

    def slices(self, items: Sequence[QueryItem], answers: Sequence[QueryAnswer]) -> Masks:
        """All queries, and those of one, 2 to 5, 6 to 20 and more answers."""
        counts = np.array([len(answer.answer_ids) for answer in answers], dtype=np.int64)
        masks: Masks = {self.overall: np.ones(len(items), dtype=np.bool_)}
        for name, (low, high) in BY_ANSWERS.items():
            masks[name] = (counts >= low) & (counts <= high)
        masks["answers-over-20"] = counts > MOST_ANSWERS_OF_RECALL
        return {name: mask for name, mask in masks.items() if name == self.overall or mask.any()}

    def answer_entities(self, answer: QueryAnswer) -> Sequence[int | str]:
        return answer.answer_ids

    def question_text(self, item: QueryItem) -> str:
        return item.query

    def ranked_answers(self, item: QueryItem, prediction: RankedPrediction) -> Sequence[int | str]:
        return prediction.pred_rank

    def labelled_answers(self, answer: QueryAnswer) -> Sequence[int | str]:
        return answer.answer_ids

    def add_true_answers(
        self,
        item: QueryItem,
        answer: QueryAnswer,
        more: Sequence[int | str],
        entities: AnswerEntities | None = None,
    ) -> QueryAnswer:
        ids = dict.fromkeys((*answer.answer_ids, *more))
        return replace(answer, answer_ids=tuple(ids))

    def normalize(self, predictions: Sequence[RankedPrediction]) -> Sequence[RankedPrediction]:
        """The ids that are read, each once; numbers given as text become numbers."""
        has_text = not are_numbers(one.pred_rank for one in predictions)
        return [
            replace(one, pred_rank=normalize_ids(one.pred_rank[:READ_IDS]))
            if has_text or len(one.pred_rank) > READ_IDS or is_repetitive(one.pred_rank)
            else one
            for one in predictions
        ]

    def example_prediction(
        self, item: QueryItem, candidates: Candidates | None
    ) -> RankedPrediction:
        """The first entities; without a list of them, numbers."""
        ids = range(3) if candidates is None else sorted(candidates, key=str)[:3]
        return RankedPrediction(item.query_id, list(ids))

    def find_faults(
        self,
        items: ItemTable[QueryItem],
        positions: NDArray[np.int64],
        predictions: Sequence[RankedPrediction],
    ) -> Iterator[tuple[int, RowFault]]:
        if items.candidates is None or all_known(predictions, items.candidates):
            return
        for index, prediction in enumerate(predictions):
            for place, id_ in unknown_ids(prediction.pred_rank, items.candidates):
                message = "The release has no entity of this id."
                expected = "the id of an entity of the release"
                field = f"pred_rank[{place}]"
                yield index, RowFault(0, field, "unknown_id", message, expected, shorten(id_))

    def score(
        self,
        items: Sequence[QueryItem],
        answers: Sequence[QueryAnswer],
        predictions: Sequence[RankedPrediction | None],
    ) -> Floats:
        """Predictions are normalized."""
        lists = [[] if one is None else one.pred_rank for one in predictions]
        numbers = number_texts(chain(lists, (one.answer_ids for one in answers)))
        return score_matrix(
            to_arrays([one.answer_ids for one in answers], numbers),
            to_arrays(lists, numbers).matrix(),
        )

    def encode(self, prediction: RankedPrediction) -> bytes:
        """Key, number of ids and ids in 8 bytes each (little-endian); with a text, as JSON."""
        ids = prediction.pred_rank
        if any(isinstance(id_, str) for id_ in ids):
            return super().encode(prediction)
        return struct.pack(f"<{len(ids) + 2}q", prediction.query_id, len(ids), *ids)
