"""Papers of a collection, best first, as they were known at a cut-off."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.graphs.literature.cutoff import Cutoff
from backend.graphs.literature.paper_index import CollectionIndex, get_index, query_words
from backend.graphs.models import Collection, Paper
from backend.science.bm25.word_index import rank_documents
from backend.tracks.model_tasks import Passage

MAX_QUERY_WORDS = 200
PAIR_PAPERS = 32  # TruthHypo's k for the generation of hypotheses
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RankedPaper:
    paper: Paper
    score: float


@dataclass(frozen=True, slots=True)
class PaperResults:
    """undated: papers with a word of the query that the cut-off leaves out because their PMID or
    date is unknown; 0 without a cut-off."""

    papers: Sequence[RankedPaper]
    undated: int


def search_papers(
    collection: Collection, query: str, limit: int, cutoff: Cutoff | None = None
) -> PaperResults:
    """By BM25 over titles and abstracts; of equal scores, the earlier paper of the collection.

    Words are weighed by the whole collection, also under a cut-off: no text of a later paper is
    shown, how common its words are has an influence.
    """
    index = get_index(collection)
    (words,) = query_words([query])
    scores = index.words.score(words[:MAX_QUERY_WORDS])
    undated = 0
    if cutoff is not None:
        matched = np.flatnonzero(scores > 0)
        undated = int(index.dates.undated(cutoff, matched).sum())
        scores[matched[~index.dates.admitted(cutoff, matched)]] = 0
    ranked = rank_documents(scores, limit)
    papers = load_papers(collection, ranked)
    return PaperResults(
        [
            RankedPaper(paper, float(score))
            for paper, score in zip(papers, scores[ranked].tolist(), strict=True)
        ],
        undated,
    )


def papers_about_pair(
    collection: Collection,
    first: str,
    second: str,
    cutoff: Cutoff | None,
    limit: int = PAIR_PAPERS,
) -> list[Passage]:
    """The papers that a model reads about two entities, given by their names: best first."""
    results = search_papers(collection, f"{first} {second}", limit, cutoff)
    return [Passage(it.paper.key, it.paper.title, it.paper.abstract) for it in results.papers]


def rank_numbers(index: CollectionIndex, names: Sequence[str], numbers: Numbers) -> Numbers:
    """Papers by BM25 for all the words of the names, best first."""
    words = dict.fromkeys(word for matched in query_words(names) for word in matched)
    scores = index.words.score(list(words)[:MAX_QUERY_WORDS])[numbers]
    return numbers[np.argsort(-scores, kind="stable")]


def load_papers(collection: Collection, numbers: Numbers) -> list[Paper]:
    """In this order. Raises KeyError where the database lacks one."""
    listed = numbers.tolist()
    rows = Paper.objects.filter(collection=collection, number__in=listed)
    by_number = {row.number: row for row in rows}
    return [by_number[number] for number in listed]
