"""The trained searches of STaRK on a planted graph: what they learn, and what they never read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.runtime import checkpoint
from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.science.retrieval.query_training import QueryTrainingSettings
from backend.tracks import stark_retriever
from backend.tracks.baseline_tasks import BaselineTask, NoGraph, TooFewQuestions
from backend.tracks.stark_rows import QueryAnswer, QueryItem, RankedPrediction
from backend.tracks.stark_searches import BASELINES, TRAININGS
from backend.tracks.stark_training import FOLDS, gather_questions
from tests.tracks.baseline_graphs import MemoryGraph

ENTITIES, WIDTH, DEV, TEST = 90, 12, 40, 20
Task = BaselineTask[QueryItem, QueryAnswer]


def unit_rows(rng: np.random.Generator, count: int) -> Any:
    rows = rng.normal(size=(count, WIDTH))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def planted_task(models: Path | None = None, **changes: Any) -> Task:
    """Query n is the vector of entity n after a rotation. Entity n is joined with the next by
    `right`, and with the third after it by `wrong`."""
    rng = np.random.default_rng(1)
    vectors = unit_rows(rng, ENTITIES)
    turned, _ = np.linalg.qr(rng.normal(size=(WIDTH, WIDTH)))
    graph = MemoryGraph(
        ENTITIES,
        edges=[(at, name, (at + by) % ENTITIES) for at in range(ENTITIES) for name, by in STEPS],
        documents=[f"entity word{at % 7}" for at in range(ENTITIES)],
        vectors=vectors,
        queries=(0.7 * vectors + 0.7 * (vectors @ turned)).astype(np.float32),
        type_names=["thing"] * ENTITIES,
    )
    items = [QueryItem(at, f"word{at % 7} of query {at}") for at in range(DEV + TEST)]
    answers = [QueryAnswer((at,)) for at in range(DEV)]
    task = Task(items[DEV:], items, items[:DEV], answers, graph, 0, models=models)
    return replace(task, **changes)


STEPS = (("right", 1), ("wrong", 3))


def run(name: str, task: Task) -> list[RankedPrediction]:
    return list(BASELINES[name](task))


def first_hits(task: Task, predictions: Sequence[RankedPrediction]) -> float:
    return float(np.mean([one.pred_rank[0] == one.query_id for one in predictions]))


def test_a_retriever_answers_new_questions_better_than_the_frozen_vectors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    longer = QueryTrainingSettings(epochs=40, batch=8, rate=0.01)
    monkeypatch.setattr(stark_retriever, "TRAINING", longer)
    task = planted_task()
    frozen = task.graph_or_raise().meaning_pieces(is_chunked=True)
    vectors = task.graph_or_raise().meaning_vectors([one.query for one in task.items])
    before = [
        int(np.argmax(frozen.best_products(vector))) == item.query_id
        for item, vector in zip(task.items, vectors, strict=True)
    ]
    assert np.mean(before) < first_hits(task, run("retriever", task)) - 0.1


def test_dev_questions_are_answered_by_heads_that_did_not_see_them() -> None:
    """Another answer of one dev question changes no prediction of its own fold."""
    task = planted_task()
    folds = gather_questions(task).folds(task.seed)
    inside = set(np.flatnonzero(folds == folds[0]).tolist())
    other = replace(task, dev_answers=[QueryAnswer((50,)), *task.dev_answers[1:]])
    dev = [run("retriever", replace(one, items=one.dev_items)) for one in (task, other)]
    same = {first.query_id for first, second in zip(*dev, strict=True) if first == second}
    assert inside <= same
    assert len(same) < DEV
    test = [run("retriever", one) for one in (task, other)]
    assert test[0] != test[1]


@pytest.mark.parametrize("name", sorted(TRAININGS))
def test_a_stored_model_predicts_the_same_and_is_not_trained_again(
    name: str, tmp_path: Path
) -> None:
    task = planted_task(tmp_path / "models")
    card = TRAININGS[name](task)
    stored = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("manifest.json")}
    assert len(stored) == (1 if name == "retriever" else 2)
    stop = CancellationToken()
    stop.cancel()  # a training would end here
    again = replace(task, stop=stop)
    assert run(name, again) == run(name, planted_task())
    assert TRAININGS[name](again) == card
    assert stored == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("manifest.json")}


@pytest.mark.parametrize("name", sorted(TRAININGS))
def test_a_killed_training_goes_on_to_the_same_predictions(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "SAVE_INTERVAL_S", 0.0)
    whole = CountingStop()
    expected = run(name, planted_task(stop=whole))
    with pytest.raises(Cancelled):
        run(name, planted_task(stop=CountingStop(whole.checks * 3 // 4), checkpoint=tmp_path))
    rest = CountingStop()
    assert run(name, planted_task(stop=rest, checkpoint=tmp_path)) == expected
    assert rest.checks < whole.checks // 2


class CountingStop(CancellationToken):
    def __init__(self, at: int = 10**9) -> None:
        super().__init__()
        self.at, self.checks = at, 0

    def raise_if_cancelled(self) -> None:
        self.checks += 1
        if self.checks >= self.at:
            self.cancel()
        super().raise_if_cancelled()


def test_hard_negatives_are_what_the_search_by_words_lists_without_answers() -> None:
    questions = gather_questions(planted_task())
    for at in range(DEV):
        hard = questions.hard_negatives(at)
        assert at not in hard
        assert len(hard) and set(hard % 7) == {at % 7}


def test_a_card_has_data_and_metrics_beside_the_untrained_search() -> None:
    card = TRAININGS["retriever"](planted_task())
    assert (card["split"], card["questions"], card["left_out"], card["folds"]) == (
        "dev",
        DEV,
        0,
        FOLDS,
    )
    assert card["dev"].keys() == {"retriever", "multi-vss", "bm25"}
    for figures in card["dev"].values():
        for mean, low, high in figures.values():
            assert low <= mean <= high
    assert card["dev"]["multi-vss"]["mrr_difference"] == [0, 0, 0]
    assert card["dev"]["retriever"]["mrr_difference"][0] > 0


def test_questions_without_an_answer_in_the_graph_are_left_out() -> None:
    task = planted_task()
    answers = [QueryAnswer((ENTITIES + 5,)), *task.dev_answers[1:]]
    card = TRAININGS["retriever"](replace(task, dev_answers=answers))
    assert (card["questions"], card["left_out"]) == (DEV - 1, 1)


def linked_task() -> Task:
    """The answer of query n is what `right` leads to from entity n, whose vector the query has."""
    task = planted_task()
    graph = task.graph_or_raise()
    assert isinstance(graph, MemoryGraph)
    near = graph.vectors.copy()  # answers are a little like the query, as are those of `wrong`
    for _, by in STEPS:
        near += 0.5 * np.roll(graph.vectors, by, axis=0)
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    linked = replace(graph, vectors=near, queries=graph.vectors)
    answers = [QueryAnswer((at + 1,)) for at in range(DEV)]
    return replace(task, graph=linked, dev_answers=answers)


def test_a_reasoner_finds_by_relation_what_the_retriever_does_not() -> None:
    task = linked_task()
    hits = {
        name: np.mean([one.pred_rank[0] == one.query_id + 1 for one in run(name, task)])
        for name in TRAININGS
    }
    assert hits["reasoner"] > hits["retriever"] + 0.2


def test_a_reasoner_only_reorders_the_first_twenty() -> None:
    task = planted_task()
    for one, other in zip(run("retriever", task), run("reasoner", task), strict=True):
        assert set(one.pred_rank[:20]) == set(other.pred_rank[:20])
        assert one.pred_rank[20:] == other.pred_rank[20:]


@pytest.mark.parametrize("name", sorted(TRAININGS))
def test_what_a_training_lacks_is_stated(name: str) -> None:
    task = planted_task()
    few = replace(task, dev_items=task.dev_items[:4], dev_answers=task.dev_answers[:4])
    with pytest.raises(TooFewQuestions):
        run(name, few)
    with pytest.raises(NoGraph):
        run(name, replace(task, graph=None))
