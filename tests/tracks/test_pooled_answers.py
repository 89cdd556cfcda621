"""What tracks pool: answers of predictions, their labels, and more true answers."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

from backend.tracks.biohopr.rows import GoldEntity, HopAnswer, HopItem, NamesPrediction
from backend.tracks.biohopr.track import TRACK as BIOHOPR
from backend.tracks.biohopr.track import BioHopR
from backend.tracks.pooled_track import AnyPooledTrack, PooledTrack
from backend.tracks.registry import load_tracks
from backend.tracks.serenqa_retrieval.rows import (
    AnswerSplit,
    GoldAnswer,
    QueryOutput,
    QuestionAnswer,
    QuestionItem,
    RetrievalPrediction,
)
from backend.tracks.serenqa_retrieval.track import TRACK as RETRIEVAL
from backend.tracks.stark_prime.track import TRACK as PRIME
from backend.tracks.stark_rows import QueryAnswer, QueryItem, RankedPrediction

HOP: dict[str, Any] = {
    "question_id": "q",
    "question": "Name diseases.",
    "hops": 2,
    "relation_type": "Drug:Protein:Disease",
    "metapath": "m",
    "query_id": "D:1",
    "query_name": "drug",
    "partner": "",
}
GRAPH_QUERY: dict[str, Any] = {}
# Track, item, hidden answer, prediction, an unjudged answer of it.
CASES: list[tuple[AnyPooledTrack, Any, Any, Any, int | str]] = [
    (PRIME, QueryItem(1, "Which?"), QueryAnswer((7,)), RankedPrediction(1, [3, 7, 9]), 3),
    (
        RETRIEVAL,
        QuestionItem("q", "Which?"),
        QuestionAnswer((GoldAnswer("A", (), ("alpha",)),), GRAPH_QUERY),
        RetrievalPrediction("q", ("B", "alpha")),
        "B",
    ),
    (
        RETRIEVAL,
        QuestionItem("q", "Which?", graph="rns"),
        QuestionAnswer(
            (GoldAnswer("A"), GoldAnswer("C")), GRAPH_QUERY, {"rns": AnswerSplit(("C",), ("A",))}
        ),
        QueryOutput("q", ("A", "B")),
        "B",
    ),
    (
        BioHopR(),
        HopItem(form="multiple", **HOP),
        HopAnswer((GoldEntity("X:1", "Migraine", ("megrim",)),)),
        NamesPrediction("q", ["Asthma", "Megrim"]),
        "Asthma",
    ),
]


def main_value(track: AnyPooledTrack, item: Any, answer: Any, prediction: Any) -> float:
    components = track.score([item], [answer], [prediction])
    return float(track.get_metric(track.main_metric).value(components.sum(axis=0)))


def unjudged(track: AnyPooledTrack, item: Any, answer: Any, prediction: Any) -> list[int | str]:
    known = {track.answer_key(one) for one in track.labelled_answers(answer)}
    ranked = track.ranked_answers(item, prediction)
    return [one for one in ranked if track.answer_key(one) not in known]


@pytest.mark.parametrize(("track", "item", "answer", "prediction", "new"), CASES)
def test_a_true_answer_is_labelled_and_lowers_no_score_of_who_has_it(
    track: AnyPooledTrack, item: Any, answer: Any, prediction: Any, new: int | str
) -> None:
    assert new in unjudged(track, item, answer, prediction)
    more = track.add_true_answers(item, answer, [new])
    assert new not in unjudged(track, item, more, prediction)
    assert set(track.labelled_answers(answer)) <= set(track.labelled_answers(more))
    before = main_value(track, item, answer, prediction)
    assert main_value(track, item, more, prediction) >= before
    assert track.add_true_answers(item, more, [new]) == more


@pytest.mark.parametrize(("track", "item", "answer", "prediction", "new"), CASES)
def test_the_item_is_stated_in_words(
    track: AnyPooledTrack, item: Any, answer: Any, prediction: Any, new: int | str
) -> None:
    assert track.question_text(item) in {"Which?", "Name diseases."}


def test_set_scores_rise_by_a_true_answer() -> None:
    for track, item, answer, prediction, new in CASES[1:3]:
        more = track.add_true_answers(item, answer, [new])
        before = main_value(track, item, answer, prediction)
        assert main_value(track, item, more, prediction) > before


def test_a_spelling_of_a_true_answer_is_no_unjudged_one() -> None:
    for track, item, answer, prediction, new in CASES[1:]:
        assert unjudged(track, item, answer, prediction) == [new]


def test_on_a_masked_graph_the_answers_that_it_hides_are_judged() -> None:
    track, item, answer, _, _ = CASES[2]
    assert unjudged(track, item, answer, QueryOutput("q", ("C",))) == []


def test_a_query_that_failed_ranks_nothing() -> None:
    track, item, *_ = CASES[2]
    assert track.ranked_answers(item, QueryOutput("q", None)) == []


def test_where_one_answer_was_to_be_given_the_first_is_pooled_alone() -> None:
    item = HopItem(form="single", **HOP)
    assert BIOHOPR.ranked_answers(item, NamesPrediction("q", ["Asthma", "Gout"])) == ["Asthma"]


def test_other_tracks_pool_nothing() -> None:
    pooled = {slug for slug, track in load_tracks().items() if isinstance(track, PooledTrack)}
    known = {"stark-prime", "stark-mag", "stark-amazon", "serenqa-retrieval", "biohopr"}
    assert pooled == known


# Of each track: three predictions, in whose pool answers are unjudged.
POOLS: list[tuple[AnyPooledTrack, Any, Any, list[Any]]] = [
    (
        PRIME,
        QueryItem(1, "Which?"),
        QueryAnswer((7,)),
        [RankedPrediction(1, [*one]) for one in ((3, 7, 9), (9, 4), (5, 3, 7))],
    ),
    (
        RETRIEVAL,
        QuestionItem("q", "Which?"),
        QuestionAnswer((GoldAnswer("A"),), GRAPH_QUERY),
        [RetrievalPrediction("q", one) for one in (("A", "B"), ("B", "C", "D"), ("E",))],
    ),
    (
        RETRIEVAL,
        QuestionItem("q", "Which?", graph="rns"),
        QuestionAnswer(
            (GoldAnswer("A"), GoldAnswer("C")), GRAPH_QUERY, {"rns": AnswerSplit(("C",), ("A",))}
        ),
        [QueryOutput("q", one) for one in (("A", "B"), ("B", "D", "E"), ("C", "F"), None)],
    ),
    *(
        (
            BioHopR(),
            HopItem(form=form, **HOP),
            HopAnswer((GoldEntity("X:1", "Migraine", ("megrim",)),)),
            [
                NamesPrediction("q", one)
                for one in (["Asthma", "Megrim"], ["Gout", "Lupus", "Asthma"], ["Mumps"])
            ],
        )
        for form in ("single", "multiple")
    ),
]


@pytest.mark.parametrize(("track", "item", "answer", "predictions"), POOLS)
def test_bounds_hold_every_truth_about_the_pool(
    track: AnyPooledTrack, item: Any, answer: Any, predictions: list[Any]
) -> None:
    """All verdicts about the pool are tried. The bounds: own answers true and others false, and
    the reverse."""
    pool = sorted(
        {one for own in predictions for one in unjudged(track, item, answer, own)}, key=str
    )
    assert len(pool) >= 3
    for prediction in predictions:
        own = {*unjudged(track, item, answer, prediction)}

        def value(true: Iterable[int | str], prediction: Any = prediction) -> float:
            labelled = track.add_true_answers(item, answer, [*true])
            return main_value(track, item, labelled, prediction)

        low, high = value([one for one in pool if one not in own]), value(own)
        subsets = (
            [one for one, is_true in zip(pool, verdicts, strict=True) if is_true]
            for verdicts in product((False, True), repeat=len(pool))
        )
        values = [value(one) for one in subsets]
        assert low == pytest.approx(min(values)) and high == pytest.approx(max(values))
