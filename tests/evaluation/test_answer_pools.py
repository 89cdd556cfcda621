"""The pool of a board, the study of it, and its verdicts: what changes on the board."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.models import BatchQuestion
from backend.benchmarks.models import HiddenAnswer, Item, JudgedAnswer, Release, ReleaseSplit
from backend.common.errors import Conflict, DomainError, NotAllowed
from backend.evaluation import pool_items, pool_studies
from backend.evaluation.answer_pools import (
    AWAITED,
    find_pool,
    is_outdated,
    request_missing_pools,
    update_pool,
)
from backend.evaluation.corrections import CorrectionRequest, correct_release
from backend.evaluation.models import (
    AnswerPool,
    PoolStudy,
    PoolStudyAnswer,
    Submission,
    SubmissionState,
)
from backend.evaluation.pool_computation import ComputedPool, compute_pool
from backend.evaluation.pool_studies import (
    NewPoolStudy,
    item_keys,
    leave_out_studied,
    make_study_of_pool,
)
from backend.evaluation.pool_verdicts import (
    apply_verdicts,
    consensus_state,
    count_verdicts,
    get_pool_study_or_raise,
    read_verdicts,
)
from backend.evaluation.scoring import ScoredSplit
from backend.jobs.models import Job
from backend.jobs.runner import run_job
from backend.leaderboard.changes import find_correction
from backend.leaderboard.standings import update_standing
from tests.common.locked_statements import tables_written_locked
from tests.evaluation.pooled_boards import (
    QUERIES,
    SLUG,
    Judge,
    is_true,
    join,
    judge_all,
    open_sparse_release,
    rankings,
    submit,
    submit_all,
    true_answers,
)
from tests.personas import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def release(administrator: Person, tmp_path: Path) -> Release:
    return open_sparse_release(tmp_path, administrator.user)


@pytest.fixture
def entries(release: Release) -> dict[str, Submission]:
    return submit_all(release)


@pytest.fixture
def pool(release: Release, entries: dict[str, Submission]) -> AnswerPool:
    return update_pool(release, ReleaseSplit.TEST, 20)


def make(actor: Person, pool: AnswerPool, **fields: Any) -> PoolStudy:
    request = NewPoolStudy(**{"name": "Unjudged", "overlap": 2, **fields})
    created = make_study_of_pool(actor=actor.user, pool=pool, request=request)
    return get_pool_study_or_raise(created.study.pk)


def compute(release: Release, entries: dict[str, Submission]) -> ComputedPool:
    against = ScoredSplit.load(release, ReleaseSplit.TEST)
    return compute_pool(against, list(entries.values()), 20)


def reciprocal(ranked: list[int], true: set[int]) -> float:
    return next((1 / rank for rank, one in enumerate(ranked, start=1) if one in true), 0.0)


def test_the_pool_has_each_answer_of_an_entry_that_the_release_does_not_label(
    pool: AnswerPool, entries: dict[str, Submission]
) -> None:
    expected: dict[tuple[str, int], dict[str, int]] = {}
    for name, submission in entries.items():
        for query, ranked in rankings(name).items():
            for rank, answer in enumerate(ranked, start=1):
                if answer != true_answers(query)[0]:
                    key = (json.dumps([query]), answer)
                    expected.setdefault(key, {})[str(submission.pk)] = rank
    rows = pool.pooled.select_related("item")
    assert {(one.item.key, one.answer): one.ranks for one in rows} == expected
    assert (pool.entries, pool.unjudged) == (3, len(expected))
    assert pool.answers == len(expected) + QUERIES
    assert [one.position for one in rows] == list(range(1, len(expected) + 1))


def test_answers_that_would_change_the_order_of_the_board_come_before_those_that_cannot(
    pool: AnswerPool,
) -> None:
    effects = [one.effect for one in pool.pooled.all()]
    assert effects == sorted(effects, reverse=True)
    first, last = pool.pooled.all()[0], pool.pooled.last()
    assert first.effect > 0
    assert min(first.ranks.values()) == 1
    # False answers of 'labelled' are all behind its gold answer.
    assert last is not None
    assert min(last.ranks.values()) > 1


def test_judged_shares_and_bounds_are_those_of_the_definition(
    pool: AnswerPool, entries: dict[str, Submission]
) -> None:
    lists = {name: rankings(name) for name in entries}
    for one in pool.judgements.select_related("submission__model"):
        own = lists[one.submission.model.name]
        shares = [1 / len(ranked) for ranked in own.values()]
        assert one.judged == pytest.approx(sum(shares) / QUERIES)
        high = [reciprocal(ranked, set(ranked)) for ranked in own.values()]
        low = [reciprocal(ranked, {true_answers(query)[0]}) for query, ranked in own.items()]
        assert one.high == pytest.approx(sum(high) / QUERIES)
        assert one.low == one.value == pytest.approx(sum(low) / QUERIES)
        truth = [reciprocal(ranked, set(true_answers(query))) for query, ranked in own.items()]
        assert one.low <= sum(truth) / QUERIES <= one.high


@pytest.mark.parametrize("depth", [1, 3])
def test_bounds_hold_for_lists_longer_than_the_pool_is_deep(release: Release, depth: int) -> None:
    """Of 'below' the answers that 'above' brings into the pool are beyond the depth."""
    false = {query: [100 * query + 50 + number for number in range(5)] for query in range(QUERIES)}
    lists = {
        "above": {query: true_answers(query)[1:] for query in range(QUERIES)},
        "below": {query: [*false[query], *true_answers(query)[1:]] for query in range(QUERIES)},
    }
    entries = [submit(release, name, one) for name, one in lists.items()]
    computed = compute_pool(ScoredSplit.load(release, ReleaseSplit.TEST), entries, depth)
    pooled: dict[int, set[int]] = {}
    for query in range(QUERIES):
        pooled[query] = {one for every in lists.values() for one in every[query][:depth]}
    for one in computed.entries:
        own = lists[one.submission.model.name]
        truth = [
            reciprocal(own[query], {*true_answers(query)[:1], *true} & {*true_answers(query)})
            for query, true in pooled.items()
        ]
        assert one.low <= one.value <= one.high
        assert one.low <= sum(truth) / QUERIES <= one.high
        assert sum(truth) > 0


def test_an_entry_without_answers_has_no_share(release: Release) -> None:
    submission = submit(release, "silent", {query: [] for query in range(QUERIES)})
    (judged,) = compute(release, {"silent": submission}).entries
    assert judged.judged is None
    assert (judged.value, judged.low, judged.high) == (0, 0, 0)


def test_the_pool_is_computed_again_only_after_the_board_changed(
    release: Release, pool: AnswerPool
) -> None:
    assert update_pool(release, ReleaseSplit.TEST, 20).pk == pool.pk
    assert not is_outdated(pool)
    submit(release, "newcomer", rankings("mixed"))
    assert is_outdated(pool)
    request_missing_pools()
    request_missing_pools()
    job = Job.objects.get(kind="answer_pool")
    run_job(job.pk)
    renewed = find_pool(release, "test")
    assert renewed is not None
    assert (renewed.entries, is_outdated(renewed)) == (4, False)


def test_a_sweep_waits_for_submissions_that_are_queued(
    release: Release, entries: dict[str, Submission]
) -> None:
    queued = Submission.objects.filter(pk=entries["mixed"].pk)
    queued.update(
        state=SubmissionState.QUEUED, evaluation=None, is_standing=False, is_improvement=False
    )
    request_missing_pools()
    jobs = Job.objects.filter(kind="answer_pool")
    assert not jobs.exists()
    queued.update(created_at=timezone.now() - AWAITED)  # that one hangs
    request_missing_pools()
    assert jobs.count() == 1


def test_a_study_of_the_pool_states_the_query_and_the_answer_and_no_entry(
    administrator: Person, pool: AnswerPool
) -> None:
    study = make(administrator, pool, limit=10).study
    listed = BatchQuestion.objects.filter(batch__study=study).select_related("question")
    questions = [one.question for one in listed]
    assert len(questions) == 10
    first = pool.pooled.select_related("item")[0]
    text = next(one.text for one in questions if one.number == 1)
    assert text == f"{first.answer} is a correct answer to: {first.item.content['query']}"
    stored = json.dumps([[one.text, one.category, one.payload] for one in questions])
    for name in ("labelled", "mixed", SLUG):
        assert name not in stored


def test_a_second_study_has_the_answers_that_the_first_lacks(
    administrator: Person, pool: AnswerPool
) -> None:
    make(administrator, pool, limit=10)
    make(administrator, pool, name="Others", limit=2_000)
    every = [(one.item_key, one.answer) for one in PoolStudyAnswer.objects.all()]
    assert len(every) == len(set(every)) == pool.unjudged
    with pytest.raises(Conflict, match="nothing to judge"):
        make(administrator, pool, name="Third")


def test_an_outdated_pool_an_outsider_and_a_faulty_request_make_no_study(
    administrator: Person, researcher: Person, pool: AnswerPool, release: Release
) -> None:
    with pytest.raises(NotAllowed):
        make(researcher, pool)
    for fields in ({"kind": "ranking"}, {"limit": 0}, {"overlap": 0}, {"adaptive_share": 0.9}):
        with pytest.raises(DomainError):
            make(administrator, pool, **fields)
    assert not PoolStudy.objects.exists()
    make(administrator, pool, limit=1)
    with pytest.raises(Conflict, match="name"):
        make(administrator, pool, limit=1)
    submit(release, "newcomer", rankings("mixed"))
    with pytest.raises(Conflict, match="Pool them again"):
        make(administrator, pool, name="Later")


def test_verdicts_become_a_release_on_which_the_better_entry_leads(
    administrator: Person, release: Release, pool: AnswerPool
) -> None:
    pool_study = make(administrator, pool)
    experts = [join(pool_study.study, name) for name in ("one", "two")]
    assert judge_all(pool_study.study, experts) == 2 * pool.unjudged
    applied = apply_verdicts(actor=administrator.user, pool_study=pool_study)
    assert applied.counts.waiting == applied.counts.undecided == 0
    run_job(applied.job.pk)
    corrected = applied.corrected
    corrected.refresh_from_db()
    assert (corrected.state, corrected.corrects_id) == (Release.State.OPEN, release.pk)
    for answer in HiddenAnswer.objects.filter(item__release=corrected).select_related("item"):
        (query,) = answer.item.key_parts
        assert sorted(answer.content["answer_ids"]) == true_answers(int(query))
    judged = JudgedAnswer.objects.filter(item__release=corrected).select_related("item")
    assert judged.count() == applied.counts.decided == pool.unjudged
    assert all(one.is_true == is_true(int(one.item.key_parts[0]), one.answer) for one in judged)
    update_standing(corrected, ReleaseSplit.TEST)
    change = find_correction(corrected, "test")
    assert change is not None
    places = {
        one.model["name"]: (one.before.place, one.after.place)
        for one in change.entries
        if one.model and one.before and one.after
    }
    assert places["labelled"][0] == 1
    assert places["unlabelled"][0] > 1
    after = update_pool(corrected, ReleaseSplit.TEST, 20)
    assert after.unjudged == 0
    assert {one.judged for one in after.judgements.all()} == {1.0}
    assert all(one.low == one.value == one.high for one in after.judgements.all())
    with pytest.raises(Conflict, match="already"):
        apply_verdicts(actor=administrator.user, pool_study=pool_study)


def test_answers_judged_false_alone_make_a_release_of_its_own_digest(
    administrator: Person, release: Release, pool: AnswerPool
) -> None:
    pool_study = make(administrator, pool, overlap=1)
    judge_all(pool_study.study, [join(pool_study.study, "one")], lambda _: "contradicted")
    applied = apply_verdicts(actor=None, pool_study=pool_study)
    run_job(applied.job.pk)
    corrected = applied.corrected
    assert corrected.digest != release.digest
    assert not corrected.corrections.exists()
    after = update_pool(corrected, ReleaseSplit.TEST, 20)
    assert (after.unjudged, after.answers) == (0, pool.answers)


def test_verdicts_stay_through_later_corrections(
    administrator: Person, release: Release, pool: AnswerPool
) -> None:
    pool_study = make(administrator, pool, overlap=1)
    judge_all(pool_study.study, [join(pool_study.study, "one")])
    applied = apply_verdicts(actor=None, pool_study=pool_study)
    run_job(applied.job.pk)
    applied.corrected.refresh_from_db()
    withdrawn = [{"key": [0], "action": "withdraw"}]
    request = CorrectionRequest("Later", withdrawn, slug="later")
    later, job = correct_release(actor=None, release=applied.corrected, request=request)
    run_job(job.pk)
    before, after = (
        dict(rows.values_list("item__key").distinct().values_list("item__key", "item"))
        for rows in (
            JudgedAnswer.objects.filter(item__release=one) for one in (applied.corrected, later)
        )
    )
    assert set(before) - set(after) == {"[0]"}
    count = JudgedAnswer.objects.filter(item__release=later).count()
    of_first = JudgedAnswer.objects.filter(item__release=applied.corrected, item__key="[0]")
    assert count == pool.unjudged - of_first.count()


def test_verdicts_on_an_item_that_was_withdrawn_since_are_left_out(
    administrator: Person, release: Release, pool: AnswerPool
) -> None:
    pool_study = make(administrator, pool, overlap=1)
    request = CorrectionRequest("Shorter", [{"key": [0], "action": "withdraw"}], slug="shorter")
    shorter, job = correct_release(actor=None, release=release, request=request)
    run_job(job.pk)
    judge_all(pool_study.study, [join(pool_study.study, "one")])
    applied = apply_verdicts(actor=None, pool_study=pool_study)
    assert applied.corrected.corrects == shorter
    assert not Item.objects.filter(release=applied.corrected, key="[0]").exists()


def test_questions_without_enough_answers_wait_and_level_ones_are_undecided(
    administrator: Person, pool: AnswerPool
) -> None:
    pool_study = make(administrator, pool, limit=4)
    with pytest.raises(Conflict, match="no decided verdict"):
        apply_verdicts(actor=None, pool_study=pool_study)
    first, second = (join(pool_study.study, name) for name in ("one", "two"))
    judge_all(pool_study.study, [first])
    assert count_verdicts(read_verdicts(pool_study)).waiting == 4
    judge_all(pool_study.study, [second], lambda _: "not_enough")
    counts = count_verdicts(read_verdicts(pool_study))
    assert (counts.undecided, counts.waiting, counts.decided) == (4, 0, 0)


def test_verdicts_that_wait_are_not_lost_unasked(
    administrator: Person, release: Release, pool: AnswerPool
) -> None:
    pool_study = make(administrator, pool, overlap=1, limit=4)
    judge_all(pool_study.study, [join(pool_study.study, "one")], most=3)
    with pytest.raises(Conflict) as raised:
        apply_verdicts(actor=None, pool_study=pool_study)
    assert (raised.value.code, raised.value.data) == ("verdicts_waiting", {"waiting": 1})
    assert not Release.objects.filter(corrects=release).exists()
    applied = apply_verdicts(actor=None, pool_study=pool_study, is_partial=True)
    assert (applied.counts.decided, applied.counts.waiting) == (3, 1)


def test_no_answer_is_judged_again_along_the_chain_of_corrections(
    administrator: Person, release: Release, pool: AnswerPool
) -> None:
    rows = list(pool.pooled.all())
    waiting = make(administrator, pool, overlap=1, limit=3)
    applied = make(administrator, pool, name="Second", overlap=1, limit=3)
    judge_all(applied.study, [join(applied.study, "one")])
    first = apply_verdicts(actor=None, pool_study=applied)
    run_job(first.job.pk)
    latest = first.corrected
    request = CorrectionRequest("Later", [{"key": [0], "action": "withdraw"}], slug="later")
    latest.refresh_from_db()
    latest, _ = correct_release(actor=None, release=latest, request=request)
    for one in (release, latest):
        left = leave_out_studied(one.chain(), rows)
        known = [*waiting.answers.all(), *applied.answers.exclude(item_key="[0]")]
        taken = {(two.item_key, two.answer) for two in known}
        keys = item_keys(rows)
        expected = [row for row in rows if (keys[row.item_id], row.answer) not in taken]
        assert expected == list(left)


def test_an_answer_without_enough_evidence_does_not_return_to_the_pool(
    administrator: Person, release: Release, pool: AnswerPool
) -> None:
    rows = list(pool.pooled.all())
    pool_study = make(administrator, pool, overlap=1, limit=3)
    undecided, unanswered = pool_study.answers.first(), pool_study.answers.last()
    assert undecided is not None and unanswered is not None

    def verdict(pooled: Any) -> str:
        return "not_enough" if pooled.pk == undecided.pk else "supported"

    judge_all(pool_study.study, [join(pool_study.study, "one")], verdict)
    applied = apply_verdicts(actor=None, pool_study=pool_study)
    run_job(applied.job.pk)
    assert applied.counts.undecided == 1
    left = leave_out_studied(applied.corrected.chain(), rows)
    keys = item_keys(rows)
    studied = {(one.item_key, one.answer) for one in pool_study.answers.all()}
    assert not studied & {(keys[one.item_id], one.answer) for one in left}
    Item.objects.filter(release=applied.corrected, key=undecided.item_key).update(content={})
    again = {(keys[one.item_id], one.answer) for one in leave_out_studied(release.chain(), rows)}
    assert (undecided.item_key, undecided.answer) in again


def test_another_spelling_of_an_answer_in_a_study_is_not_judged_again(
    administrator: Person, release: Release, pool: AnswerPool
) -> None:
    """BioHopR's answers are names, of which it takes several spellings for one."""
    pool_study = make(administrator, pool, limit=1)
    Release.objects.filter(pk=release.pk).update(track="biohopr")
    pool_study.answers.update(answer="Crohn disease")
    row, *_ = pool.pooled.filter(item__key=pool_study.answers.get().item_key)
    chain = Release.objects.get(pk=release.pk).chain()
    for answer, is_left in (("CROHN Disease", False), ("Gout", True)):
        row.answer = answer
        assert bool(leave_out_studied(chain, [row])) is is_left


def test_a_verdict_false_on_what_is_true_by_now_is_dropped_and_counted(
    administrator: Person, release: Release, pool: AnswerPool
) -> None:
    pool_study = make(administrator, pool, overlap=1, limit=5)
    first = pool_study.answers.order_by("pk")[0]
    judge_all(pool_study.study, [join(pool_study.study, "one")], lambda _: "contradicted")
    gold = {"answer_ids": [100 * json.loads(first.item_key)[0], first.answer]}
    rows = [{"key": json.loads(first.item_key), "action": "answer", "answer": gold}]
    request = CorrectionRequest("By hand", rows, slug="by-hand")
    _, job = correct_release(actor=None, release=release, request=request)
    run_job(job.pk)
    applied = apply_verdicts(actor=None, pool_study=pool_study)
    assert (applied.dropped, applied.counts.false) == (1, 5)
    judged = JudgedAnswer.objects.filter(item__release=applied.corrected)
    assert judged.count() == 4
    assert not judged.filter(item__key=first.item_key, answer=first.answer).exists()


def always(verdict: str) -> Judge:
    return lambda _: verdict


def test_one_sure_expert_of_three_makes_nothing_gold(
    administrator: Person, pool: AnswerPool
) -> None:
    pool_study = make(administrator, pool, overlap=3, limit=4, kind="ratings")
    levels = {"one": "5", "two": "4", "three": "1"}
    for name, level in levels.items():
        judge_all(pool_study.study, [join(pool_study.study, name)], always(level))
    assert count_verdicts(read_verdicts(pool_study)).true == 4
    claims = make(administrator, pool, name="Claims", overlap=3, limit=4)
    for name, verdict in (("one", "supported"), ("two", "not_sure"), ("three", "not_sure")):
        expert = join(claims.study, f"{name}-claims")
        judge_all(claims.study, [expert], always(verdict))
    counts = count_verdicts(read_verdicts(claims))
    assert (counts.undecided, counts.waiting, counts.true) == (4, 0, 0)


def test_a_rating_study_decides_by_the_median_level(
    administrator: Person, pool: AnswerPool
) -> None:
    pool_study = make(administrator, pool, kind="ratings", overlap=1, limit=9)
    levels = iter([1, 2, 3, 4, 5, 1, 2, 3, 4])
    judge_all(pool_study.study, [join(pool_study.study, "one")], lambda _: str(next(levels)))
    counts = count_verdicts(read_verdicts(pool_study))
    assert (counts.false, counts.undecided, counts.true) == (4, 2, 3)


@pytest.mark.parametrize(
    ("kind", "consensus", "state"),
    [
        ("claims", "supported", "true"),
        ("claims", "contradicted", "false"),
        ("claims", "not_enough", "undecided"),
        ("claims", None, "undecided"),
        ("ratings", {"correctness": 3.5}, "undecided"),
        ("ratings", {"correctness": 4.0}, "true"),
        ("ratings", {"correctness": 2.0}, "false"),
        ("ratings", None, "undecided"),
    ],
)
def test_a_consensus_is_true_false_or_undecided(kind: str, consensus: Any, state: str) -> None:
    assert consensus_state(kind, consensus) == state


def run_command(*arguments: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command(*arguments, "--json", stdout=out)
    payload: dict[str, Any] = json.loads(out.getvalue())
    return payload


def test_the_commands_pool_make_the_study_and_apply_its_verdicts(
    administrator: Person, entries: dict[str, Submission]
) -> None:
    listed = run_command("pool_answers", SLUG, "--limit", "3", "--depth", "5")
    assert (listed["depth"], len(listed["results"]), len(listed["entries"])) == (5, 3, 3)
    assert set(listed["results"][0]["ranks"]) <= set(entries)
    options = ["--overlap", "1", "--coordinator", administrator.user.email]
    created = run_command("pool_answers", SLUG, "--study", "By command", "--limit", "9", *options)
    assert created["depth"] == 5  # of the pool that is there
    pool_study = get_pool_study_or_raise(created["study"]["id"])
    judge_all(pool_study.study, [join(pool_study.study, "one")])
    applied = run_command("apply_verdicts", "By command")
    assert applied["state"] == "open"
    assert applied["verdicts"]["true"] + applied["verdicts"]["false"] == 9
    assert applied["submissions"] == 3


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["pool_answers", "nothing"], "not_found"),
        (["pool_answers", SLUG, "--depth", "0"], "invalid_depth"),
        (["pool_answers", SLUG, "--split", "dev"], "no_split"),
        (["pool_answers", SLUG, "--entries", "nobody"], "unknown_entry"),
        (["pool_answers", SLUG, "--study", "S"], "no_coordinator"),
        (["apply_verdicts", "nothing"], "not_found"),
    ],
)
def test_a_faulty_command_states_what_to_do(
    entries: dict[str, Submission], arguments: list[str], code: str
) -> None:
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command(*arguments, "--json", stdout=out)
    assert json.loads(out.getvalue())["error"]["code"] == code


def test_a_study_is_written_before_the_release_is_locked(
    administrator: Person, pool: AnswerPool
) -> None:
    with tables_written_locked("benchmarks_release") as tables:
        make(administrator, pool)
    assert tables and {one.partition("_")[0] for one in tables} == {"evaluation"}


def test_answers_that_another_study_took_meanwhile_are_in_no_second_one(
    administrator: Person, pool: AnswerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = pool_items.build_questions

    def build_while_another_is_made(*arguments: Any) -> Any:
        monkeypatch.setattr(pool_studies, "build_questions", build)
        make(administrator, pool, name="First", limit=2)
        return build(*arguments)

    monkeypatch.setattr(pool_studies, "build_questions", build_while_another_is_made)
    with pytest.raises(Conflict) as refused:
        make(administrator, pool, name="Second", limit=2)
    assert refused.value.code == "answers_changed"
    assert PoolStudy.objects.get().study.name == "First"
