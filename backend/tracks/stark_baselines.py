"""Baselines of STaRK: entities ranked by the words or the meaning of their texts.

Equal scores are ordered by the number of the entity. Entities without any word or feature of the
query are not listed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from backend.science.bm25.tokenizer import split_words
from backend.science.bm25.word_index import index_texts
from backend.tracks.baseline_tasks import Baseline, BaselineTask
from backend.tracks.metrics import Floats
from backend.tracks.stark_rows import READ_IDS, QueryAnswer, QueryItem, RankedPrediction

FUSION = 60
Task = BaselineTask[QueryItem, QueryAnswer]
Ranking = NDArray[np.int64]
Ranker = Callable[[Task], Iterator[Ranking]]


def predict_random(task: Task) -> Iterator[RankedPrediction]:
    keys = [key for key in task.graph_or_raise().keys if key is not None]
    rng = np.random.default_rng(task.seed)
    for item in task.items:
        places = rng.choice(len(keys), size=min(READ_IDS, len(keys)), replace=False)
        yield RankedPrediction(item.query_id, [keys[place] for place in places.tolist()])


def rank_by_words(task: Task) -> Iterator[Ranking]:
    """BM25 in the form of Lucene, k1 = 1.5, b = 0.75, without English stop words."""
    index = index_texts(task.graph_or_raise().texts())
    for words in split_words([item.query for item in task.items]):
        yield best_first(index.score(words).astype(np.float64))


def rank_by_vectors(task: Task) -> Iterator[Ranking]:
    """By the cosine of the vectors of texts and query."""
    vectors, queries = task.graph_or_raise().text_vectors([item.query for item in task.items])
    for query in queries:
        yield best_first((vectors @ query).astype(np.float64))


def rank_by_meaning(task: Task) -> Iterator[Ranking]:
    """STaRK's vector similarity search (VSS): one vector for the whole text."""
    yield from _by_cosine(task, is_chunked=False)


def rank_by_best_piece(task: Task) -> Iterator[Ranking]:
    """Multi-vector VSS: a vector for each piece of the text, of which the most similar counts."""
    yield from _by_cosine(task, is_chunked=True)


def _by_cosine(task: Task, *, is_chunked: bool) -> Iterator[Ranking]:
    queries = [item.query for item in task.items]
    for scores in task.graph_or_raise().meaning_scores(queries, is_chunked=is_chunked):
        yield best_first(scores)


def fused(*rankers: Ranker) -> Ranker:
    """Reciprocal rank fusion. Cormack, Clarke and Büttcher (2009)."""

    def rank(task: Task) -> Iterator[Ranking]:
        for rankings in zip(*(ranker(task) for ranker in rankers), strict=True):
            yield fuse_rankings(rankings)

    return rank


def best_first(scores: Floats) -> Ranking:
    """Entities of positive score; of READ_IDS and more, the first ones."""
    order = np.argsort(-scores, kind="stable")[:READ_IDS]
    return order[scores[order] > 0]


def fuse_rankings(rankings: Sequence[Ranking]) -> Ranking:
    """By Σ 1 / (60 + place) over the rankings that list an entity; places from 1."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for place, entity in enumerate(ranking.tolist(), start=1):
            scores[entity] = scores.get(entity, 0.0) + 1 / (FUSION + place)
    ordered = sorted(scores, key=lambda entity: (-scores[entity], entity))
    return np.array(ordered[:READ_IDS], dtype=np.int64)


def name_entities(task: Task, rankings: Iterator[Ranking]) -> Iterator[RankedPrediction]:
    keys = task.graph_or_raise().keys
    for item, ranking in zip(task.items, rankings, strict=True):
        named = [key for at in ranking.tolist() if (key := keys[at]) is not None]
        yield RankedPrediction(item.query_id, named)


# Each yields, for every item of a task, entity numbers of its graph, best first. A language model
# reranks the beginning of one.
RANKERS: Mapping[str, Ranker] = {
    "bm25": rank_by_words,
    "vectors": rank_by_vectors,
    "bm25-and-vectors": fused(rank_by_words, rank_by_vectors),
    "vss": rank_by_meaning,
    "multi-vss": rank_by_best_piece,
    "hybrid": fused(rank_by_words, rank_by_meaning),
}


def predict_by(ranker: Ranker, task: Task) -> Iterator[RankedPrediction]:
    yield from name_entities(task, ranker(task))


BASELINES: Mapping[str, Baseline[QueryItem, QueryAnswer, RankedPrediction]] = {
    "random": predict_random,
    **{name: partial(predict_by, ranker) for name, ranker in RANKERS.items()},
}
