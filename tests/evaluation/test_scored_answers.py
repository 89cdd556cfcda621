"""Boards of queries are pooled from what was stored at scoring: no query runs twice."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rest_framework.test import APIClient

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.benchmarks.release_states import change_release_state
from backend.evaluation import pooled_entries, scored_answers
from backend.evaluation.answer_pools import (
    find_pool,
    find_pool_job,
    request_missing_pools,
    request_pool,
    update_pool,
)
from backend.evaluation.models import AnswerPool, Evaluation, Submission
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.query_execution import QueryExecution
from backend.evaluation.scored_answers import (
    AnswerRecorder,
    ScoredAnswers,
    answers_path,
    load_answers_or_none,
    store_answers,
)
from backend.evaluation.services import NewSubmission, submit_predictions
from backend.graphs.models import Version
from backend.jobs.models import Job
from backend.jobs.runner import run_job
from backend.leaderboard.models import Standing
from backend.leaderboard.standings import update_standing
from backend.tracks.serenqa_retrieval.rows import QueryOutput, QuestionItem
from backend.tracks.serenqa_retrieval.track import TRACK
from tests.evaluation.masked_release import make_masked_release
from tests.evaluation.serenqa_releases import answer_ids, demo_questions, make_serenqa_release
from tests.personas import Person

pytestmark = pytest.mark.django_db
QUESTIONS = 6
EVERY_DRUG = "MATCH (n:Drug) RETURN DISTINCT n.id"
ITEMS = [QuestionItem(str(number), f"Question {number}?") for number in range(4)]


@pytest.fixture
def release(demo_graph: Version, tmp_path: Path) -> Release:
    release = make_serenqa_release(tmp_path, demo_graph)
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)


@pytest.fixture
def no_query_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a query was run again")

    monkeypatch.setattr(QueryExecution, "_run", fail)


def rows_of(kind: str) -> list[dict[str, object]]:
    """right: the questions' own queries. wide: one more answers with every drug, one fails."""
    rows: list[dict[str, object]] = []
    for number, one in enumerate(demo_questions()[:QUESTIONS]):
        cypher = one["cypher"]
        if kind == "wide":
            cypher = {0: EVERY_DRUG, 1: "MATCH (n) RETURN"}.get(number, cypher)
        rows.append({"question_id": str(one["qid"]), "cypher": cypher})
    if kind == "named":
        rows = [
            {"question_id": str(one["qid"]), "answers": [*answer_ids(one), "DRUGBANK:DB00945"]}
            for one in demo_questions()[:QUESTIONS]
        ]
    return rows


def submit(release: Release, kind: str) -> Submission:
    return submit_rows(release, kind, rows_of(kind))


def submit_rows(release: Release, kind: str, rows: Sequence[Mapping[str, object]]) -> Submission:
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    file = store_predictions(text.encode(), "predictions.jsonl")
    new = NewSubmission(release=release, model=get_or_create_model(kind))
    submission, job = submit_predictions(actor=None, new=new, file=file)
    run_job(job.pk)
    submission.refresh_from_db()
    assert submission.state == "scored"
    return submission


def pool_by_itself(release: Release) -> AnswerPool | None:
    request_missing_pools()
    for job in Job.objects.active().filter(kind="answer_pool"):
        run_job(job.pk)
    return find_pool(release, ReleaseSplit.TEST)


def contents(pool: AnswerPool | None) -> dict[str, Any]:
    assert pool is not None
    rows = pool.pooled.values_list("item", "answer", "chance", "effect", "ranks")
    entries = pool.judgements.order_by("submission__created_at")
    return {
        "counts": (pool.entries, pool.answers, pool.unjudged),
        "rows": list(rows),
        "entries": list(entries.values_list("judged", "value", "low", "high")),
    }


def evaluation_of(submission: Submission) -> Evaluation:
    assert submission.evaluation is not None
    return submission.evaluation


def test_a_board_of_queries_is_pooled_by_itself_and_no_query_is_run_again(
    release: Release, request: pytest.FixtureRequest
) -> None:
    for kind in ("right", "wide", "named"):
        submit(release, kind)
    request.getfixturevalue("no_query_runs")
    pool = pool_by_itself(release)
    assert pool is not None
    assert (pool.entries, pool.is_partial) == (3, False)
    assert pool.unjudged > QUESTIONS
    answer = APIClient().get(f"/api/v1/boards/{release.slug}/judged").json()
    judged = [one["judged"] for one in answer["entries"]]
    assert (len(judged), max(judged), min(judged) < 1) == (3, 1.0, True)


def test_the_pool_is_that_of_queries_that_are_run_again(release: Release) -> None:
    submissions = [submit(release, kind) for kind in ("right", "wide", "named")]
    stored = contents(pool_by_itself(release))
    AnswerPool.objects.all().delete()
    for one in submissions:
        answers_path(evaluation_of(one).key).unlink()
    run_job(request_pool(release, ReleaseSplit.TEST).pk)
    assert contents(find_pool(release, ReleaseSplit.TEST)) == stored


def test_evaluations_without_stored_answers_wait_for_the_organiser_who_stores_them(
    release: Release, request: pytest.FixtureRequest
) -> None:
    old = submit(release, "right")
    answers_path(evaluation_of(old).key).unlink()
    submit(release, "wide")
    assert pool_by_itself(release) is None
    assert find_pool_job(release, ReleaseSplit.TEST) is None
    run_job(request_pool(release, ReleaseSplit.TEST).pk)
    assert answers_path(evaluation_of(old).key).exists()
    submit(release, "named")
    request.getfixturevalue("no_query_runs")
    renewed = pool_by_itself(release)
    assert renewed is not None
    assert renewed.entries == 3


def test_a_damaged_file_of_answers_is_found_again(release: Release) -> None:
    path = answers_path(evaluation_of(submit(release, "right")).key)
    path.write_bytes(path.read_bytes()[:100])
    assert load_answers_or_none(path.name.partition(".")[0], 72) is None
    pool = pool_by_itself(release)
    assert pool is not None
    assert pool.entries == 1
    assert load_answers_or_none(path.name.partition(".")[0], 72) is not None


@pytest.mark.parametrize("seed", range(4))
def test_no_damage_of_a_file_of_answers_is_more_than_that(
    tmp_path: Path, settings: Any, seed: int
) -> None:
    settings.EVALUATIONS = tmp_path
    store_answers("key", record(*((number, ("a", "bc", "d")) for number in range(len(ITEMS)))))
    path = answers_path("key")
    whole, draw = path.read_bytes(), np.random.default_rng(seed)
    for _ in range(150):
        flipped = bytearray(whole)
        flipped[draw.integers(len(flipped))] ^= 1 << int(draw.integers(8))
        path.write_bytes(flipped)
        loaded = load_answers_or_none("key", len(ITEMS))
        if loaded is not None:
            assert len(loaded.as_predictions(TRACK, ITEMS)) == len(ITEMS)


def test_answers_beyond_the_texts_or_the_items_are_damage() -> None:
    counts, numbers = np.array([1, 1], dtype=np.int32), np.array([0, 1], dtype=np.int32)
    assert ScoredAnswers(counts, numbers, ["a", "b"]).is_consistent(2)
    assert not ScoredAnswers(counts, numbers, ["a"]).is_consistent(2)
    assert not ScoredAnswers(counts, numbers[:1], ["a", "b"]).is_consistent(2)
    assert not ScoredAnswers(counts, numbers - 1, ["a", "b"]).is_consistent(2)


def test_judged_answers_of_test_items_on_a_masked_graph_are_the_organisers(
    tmp_path: Path, demo_graph: Version, administrator: Person, outsider: Person
) -> None:
    """An answer that the mask hides is judged and scores nothing, a false one is not judged."""
    masked = make_masked_release(tmp_path).release
    Release.objects.filter(pk=masked.pk).update(created_by=administrator.user)
    for split in ReleaseSplit:
        AnswerPool.objects.create(
            release=masked, split=split, digest="", depth=5, entries=0, answers=0, unjudged=0
        )
    for browser, shown in (
        (APIClient(), False),
        (outsider.browser, False),
        (administrator.browser, True),
    ):
        path = f"/api/v1/boards/{masked.slug}/judged"
        depths = [browser.get(path, {"split": one}).json()["depth"] for one in ReleaseSplit]
        expected = {ReleaseSplit.DEV: 5, ReleaseSplit.TEST: 5 if shown else None}
        assert depths == [expected[one] for one in ReleaseSplit]


def test_bounds_of_rank_changes_on_a_masked_graph_are_the_organisers(
    tmp_path: Path, demo_graph: Version, administrator: Person, outsider: Person
) -> None:
    masked = make_masked_release(tmp_path).release
    Release.objects.filter(pk=masked.pk).update(created_by=administrator.user)
    keys = [one.key_parts[0] for one in masked.items.filter(split=ReleaseSplit.TEST)]
    rows = [{"question_id": str(one), "answers": ["DRUGBANK:DB00945"]} for one in keys]
    submit_rows(masked, "named", rows)
    update_standing(masked, ReleaseSplit.TEST)
    Standing.objects.filter(release=masked).update(evaluator_version="0", digest="")
    update_standing(masked, ReleaseSplit.TEST)
    update_pool(masked, ReleaseSplit.TEST, 5)
    for browser, shown in ((outsider.browser, False), (administrator.browser, True)):
        (change,) = browser.get(f"/api/v1/boards/{masked.slug}/changes").json()["changes"]
        (entry,) = change["entries"]
        assert [entry[side]["bounds"] is not None for side in ("before", "after")] == [shown] * 2


def count_answers(submission: Submission) -> int:
    stored = load_answers_or_none(evaluation_of(submission).key, 72)
    assert stored is not None
    return len(stored.numbers)


def test_an_entry_with_too_many_answers_is_left_out_and_the_others_are_pooled(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = submit(release, "right")
    monkeypatch.setattr(scored_answers, "MOST_ANSWERS", count_answers(right))
    wide = submit(release, "wide")
    pool = pool_by_itself(release)
    assert pool is not None
    assert (pool.entries, pool.is_partial) == (1, True)
    assert [one.submission for one in pool.judgements.all()] == [right]
    assert count_answers(wide) == 0


def test_of_entries_with_too_many_answers_together_the_best_are_pooled(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide, right = submit(release, "wide"), submit(release, "right")
    most = count_answers(wide) + count_answers(right) - 1
    monkeypatch.setattr(pooled_entries, "MOST_ANSWERS", most)
    pool = pool_by_itself(release)
    assert pool is not None
    assert (pool.entries, pool.is_partial) == (1, True)
    assert [one.submission for one in pool.judgements.all()] == [right]


def test_a_board_whose_every_entry_has_too_many_answers_has_an_empty_pool(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scored_answers, "MOST_ANSWERS", 0)
    submit(release, "right")
    pool = pool_by_itself(release)
    assert pool is not None
    assert (pool.entries, pool.answers, pool.is_partial) == (0, 0, True)


def record(*rows: tuple[int, tuple[str, ...] | None]) -> ScoredAnswers:
    recorder = AnswerRecorder(TRACK, TRACK.index_items(ITEMS))
    for at, answers in rows:
        recorder.add([ITEMS[at]], [QueryOutput(ITEMS[at].question_id, answers)])
    return recorder.finish()


def test_what_is_stored_is_read_back(tmp_path: Path, settings: Any) -> None:
    settings.EVALUATIONS = tmp_path / "evaluations"
    odd = ("a\0b", "\ud800", "a\nb", "é")
    store_answers("key", record((2, odd), (0, ("x", "é")), (3, None)))
    loaded = load_answers_or_none("key", len(ITEMS))
    assert loaded is not None
    predictions = loaded.as_predictions(TRACK, ITEMS)
    assert [set(one.answers) for one in predictions] == [{"x", "é"}, set(), {*odd}, set()]
    assert [one.question_id for one in predictions] == [one.question_id for one in ITEMS]
    assert load_answers_or_none("key", len(ITEMS) + 1) is None
    assert load_answers_or_none("other", len(ITEMS)) is None


@pytest.mark.parametrize(
    ("limit", "most", "rows"),
    [
        ("MOST_ANSWERS", 3, [(0, ("a", "b")), (1, ("a", "b"))]),
        ("MOST_CHARACTERS", 5, [(0, ("abc",)), (1, ("def",))]),
    ],
)
def test_beyond_a_limit_nothing_is_stored_but_that(
    limit: str, most: int, rows: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scored_answers, limit, most)
    assert record(rows[0]).is_complete
    answers = record(*rows)
    assert not answers.is_complete
    assert (len(answers.numbers), len(answers.texts)) == (0, 0)


def test_many_equal_answers_take_little_of_the_disk(tmp_path: Path, settings: Any) -> None:
    """As many as are stored: 2,500 names to each of 400 items."""
    settings.EVALUATIONS = tmp_path / "evaluations"
    names, items = [f"DRUGBANK:DB{number:05}" for number in range(2_500)], 400
    numbers = np.tile(np.arange(len(names), dtype=np.int32), items)
    counts = np.full(items, len(names), dtype=np.int32)
    store_answers("key", ScoredAnswers(counts, numbers, names))
    assert len(numbers) == scored_answers.MOST_ANSWERS
    assert answers_path("key").stat().st_size < 5_000_000
