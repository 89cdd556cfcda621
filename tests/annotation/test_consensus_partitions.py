"""Partitions of a study's questions by the top of its experts' common order."""

import io
import json
import random
import zlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from annotation.departures import withdraw_from_study
from annotation.kinds.ranking import partition_requests
from annotation.kinds.ranking.kind import KIND
from annotation.kinds.ranking.partitions import (
    OmittedQuestion,
    create_consensus_partitions,
    settle,
)
from annotation.kinds.submissions import read_latest_submissions
from annotation.models import Assignment, Batch, BatchQuestion
from backend.accounts.models import User
from backend.benchmarks.models import Partition, Question, QuestionSet, StudyQuestions
from backend.benchmarks.partitions import NewPartition, add_partitions, newest_partitions
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import NotAllowed, NotFound
from backend.graphs.models import Version
from backend.jobs.models import Job
from backend.jobs.runner import run_job
from backend.science.rank_models.choices import RatedQuestion
from backend.science.rank_models.davidson_luce import Prior, estimate_consistencies
from backend.science.rank_models.top_membership import estimate_top_membership
from backend.studies.models import Study
from tests.annotation.personas import (
    CANDIDATE_NAMES,
    Cast,
    client_of,
    join_as_expert,
    make_study,
    make_user,
    prior_of,
    write_answer,
)
from tests.benchmarks.rns.factories import make_set, make_version

FIRST, *OTHERS = [
    {"batch": batch, "number": number} for batch, number in [(1, 1), (1, 2), (1, 3), (2, 4), (2, 5)]
]


def close(study: Study) -> None:
    Study.objects.filter(id=study.id).update(status="closed")


def post(cast: Cast, who: User | None, body: dict[str, Any] | None = None) -> Any:
    return client_of(who).post(
        f"/api/v1/studies/{cast.study.id}/partitions", body or {}, "application/json"
    )


def newest_partition(question: Question, method: str) -> Partition:
    return question.partitions.filter(method=method).latest("number")


def submit_ranking(assignment: Assignment, *groups: tuple[int, ...]) -> None:
    """Candidates by their positions, best first."""
    ids = [str(one.id) for one in assignment.question.candidates.order_by("position")]
    order = [[ids[place] for place in group] for group in groups]
    same = [set(group) for group in order] == [set(group) for group in prior_of(assignment)]
    write_answer(assignment, "agree" if same else "submit", ranking=order)


def ranking_positions(groups: list[list[int]]) -> dict[int, Fraction]:
    """Mid-ranks, the slow way: those better, and half of those equal."""
    level = {one: number for number, group in enumerate(groups) for one in group}
    return {
        one: sum(Fraction(level[it] < mine) + Fraction(level[it] == mine, 2) for it in level)
        + Fraction(1, 2)
        for one, mine in level.items()
    }


def test_the_experts_common_order_is_that_of_exact_means_of_mid_ranks(db: None) -> None:
    chance = random.Random(7)  # noqa: S311  the same orders each time are wanted
    ada = make_user("Ada")
    study, batches = make_study("Many", ada, questions=(12,), prior_ranks=(1, 2, 3, 4, 5))
    experts = [join_as_expert(study, batches, make_user(f"Eve{number}")) for number in range(3)]
    given: dict[int, list[list[list[int]]]] = {}
    for expert in experts:
        for assignment in Assignment.objects.filter(expert=expert).select_related("question"):
            level = [chance.randrange(4) for _ in CANDIDATE_NAMES]
            groups = [
                tuple(one for one in range(5) if level[one] == requested) for requested in {*level}
            ]
            submit_ranking(assignment, *groups)
            given.setdefault(assignment.question.number, []).append([[*it] for it in groups])
    close(study)
    for size in (1, 2, 4):
        created = create_consensus_partitions(actor=ada, study_id=study.id, size=size)
        assert created.expert.partitions == 12
        for number, orders in given.items():
            ranks = [ranking_positions(groups) for groups in orders]
            total = {one: sum(rank[one] for rank in ranks) for one in range(5)}
            order = sorted(total, key=lambda one: (total[one], one))
            result = newest_partition(question_set_of(study).questions.get(number=number), "expert")
            assert result.serendipity == sorted(order[:size])
            assert result.existing == sorted(order[size:])
            cut = total[order[size - 1]] == total[order[size]]
            level_of_last = [one for one in range(5) if total[one] == total[order[size - 1]]]
            assert result.parameters["tied"] == (level_of_last if cut else [])
    assert question_set_of(study).questions.count() == 12


def test_a_partition_says_what_it_is_made_of(cast: Cast) -> None:
    one, other = cast.assignment(), cast.assignment(cast.colleague)
    submit_ranking(one, (0,), (1,), (2,), (3,))  # agrees with the order shown first
    submit_ranking(other, (3,), (0,), (1, 2))
    close(cast.study)
    answered = post(cast, cast.coordinator).json()
    assert answered["study"] == cast.study.name
    assert answered["question_set"] == str(question_set_of(cast.study).id)
    assert answered["questions"] == 5
    assert answered["expert"] == {"partitions": 1, "new": 1, "tied": 0}
    assert answered["llm"] == {"partitions": 5, "new": 5, "tied": 0}
    assert (answered["few_raters"], answered["few_candidates"]) == (OTHERS, [])
    expert, llm = newest_partition(one.question, "expert"), newest_partition(one.question, "llm")
    ranking = {"from": "ranking", "order": "mean of ranks", "raters": 2, "size": 1, "tied": []}
    membership = expert.parameters.pop("membership")
    assert expert.parameters == ranking
    assert sorted(membership) == ["0", "1", "2", "3"] and sum(membership.values()) == 1
    # Of two raters each resample has one twice with probability 1/4, and 3 is first for one alone.
    assert membership["1"] == membership["2"] == 0 and 0.15 < membership["3"] < 0.85
    assert (expert.serendipity, expert.existing) == ([0], [1, 2, 3])
    assert llm.parameters == {"from": "prior", "size": 1, "tied": []}
    assert (llm.serendipity, llm.existing) == ([0], [1, 2, 3])
    assert cast.study.name in expert.source and cast.study.name in llm.source
    assert expert.created_by == llm.created_by == cast.coordinator


def test_candidates_on_which_raters_agree_are_in_the_top_with_certainty(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        submit_ranking(cast.assignment(expert), (3,), (2,), (1,), (0,))
    answered = post(cast, cast.coordinator, {"size": 2}).json()
    assert (answered["expert"]["new"], answered["without_membership"]) == (1, 0)
    result = newest_partition(cast.assignment().question, "expert")
    assert result.parameters["membership"] == {"0": 0, "1": 0, "2": 1, "3": 1}
    assert post(cast, cast.coordinator, {"size": 2}).json()["expert"]["new"] == 0


def rank_twelve_questions(levels: Callable[[int, int], list[int]]) -> tuple[User, Study]:
    """levels: of an expert and a question, the candidates' positions, best first."""
    ada = make_user("Ada")
    study, batches = make_study("Many", ada, questions=(12,), prior_ranks=(1, 2, 3, 4, 5))
    for number in range(4):
        expert = join_as_expert(study, batches, make_user(f"Eve{number}"))
        own = Assignment.objects.filter(expert=expert).select_related("question")
        for assignment in own.order_by("question__number"):
            order = levels(number, assignment.question.number)
            submit_ranking(assignment, *[(one,) for one in order])
    return ada, study


def with_one_who_guesses() -> Callable[[int, int], list[int]]:
    """Three experts who differ little, and one who answers by chance."""
    chance = np.random.default_rng(11)

    def levels(expert: int, question: int) -> list[int]:
        order = [(one + question) % 5 for one in range(5)]
        place = int(chance.integers(4))
        order[place], order[place + 1] = order[place + 1], order[place]
        return chance.permutation(5).tolist() if expert == 3 else order

    return levels


def test_raters_count_for_a_probability_by_their_consistency_over_the_study(db: None) -> None:
    ada, study = rank_twelve_questions(with_one_who_guesses())
    create_consensus_partitions(actor=ada, study_id=study.id)
    submitted = read_latest_submissions(Assignment.objects.filter(study=study), KIND)
    rated = {
        one: RatedQuestion(
            [str(it.id) for it in one.candidates.order_by("position")],
            [str(it) for it in submitted.raters[one.id]],
            [it["ranking"] for it in submitted.answers[one.id]],
        )
        for one in question_set_of(study).questions.order_by("number")
    }
    weights = estimate_consistencies(list(rated.values()), Prior())
    guesser = str(User.objects.get(name="Eve3").id)
    assert min(weights, key=weights.__getitem__) == guesser
    rounded = {one: round(value, 2) for one, value in weights.items()}
    unlike = 0
    for question, one in rated.items():
        seed = zlib.crc32(str(question.id).encode())
        stored = newest_partition(question, "expert").parameters["membership"]
        estimated, equal = (
            estimate_top_membership(one, seed=seed, consistencies=known).probabilities.values()
            for known in (rounded, None)
        )
        assert list(stored.values()) == [it.value for it in estimated]
        unlike += [it.value for it in equal] != [it.value for it in estimated]
    assert unlike > 0


def test_questions_whose_probabilities_prefer_another_candidate_are_named(db: None) -> None:
    def levels(expert: int, question: int) -> list[int]:
        if question > 1:
            return [0, 1, 2, 3, 4]
        # Three of four have 0 first, and the fourth has it last: 1 has the better mean.
        return [1, 2, 3, 4, 0] if expert == 3 else [0, 1, 2, 3, 4]

    ada, study = rank_twelve_questions(levels)
    created = create_consensus_partitions(actor=ada, study_id=study.id)
    first = question_set_of(study).questions.get(number=1)
    stored = newest_partition(first, "expert")
    assert stored.serendipity == [1]
    assert stored.parameters["membership"]["0"] > stored.parameters["membership"]["1"]
    assert created.other_top == (OmittedQuestion(1, 1),)
    line = "P(in A_s) prefers a candidate outside the top: batch 1, question 1."
    assert line in run(study.name)[0]


def test_a_study_that_takes_long_has_partitions_at_once_and_probabilities_by_a_job(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        partition_requests, "MAX_REQUEST_FITS", 7
    )  # two raters have three draws, and one fit
    for number in (1, 2):
        for expert in (cast.expert, cast.colleague):
            submit_ranking(cast.assignment(expert, number), (3,), (2,), (1,), (0,))
    answered = post(cast, cast.coordinator).json()
    assert (answered["expert"]["partitions"], answered["without_membership"]) == (2, 2)
    assert not answered["is_complete"]
    assert "membership" not in newest_partition(cast.assignment().question, "expert").parameters
    job = Job.objects.get(kind="consensus-partitions")
    assert job.owner == cast.coordinator
    run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "succeeded"
    assert job.result == {"partitions": 2, "new": 2, "other_top": []}
    membership = newest_partition(cast.assignment().question, "expert").parameters["membership"]
    assert membership == {"0": 0, "1": 0, "2": 0, "3": 1}
    monkeypatch.undo()
    # What the page or the command computes at once is the same.
    again = post(cast, cast.coordinator).json()
    assert (again["expert"]["new"], again["without_membership"]) == (0, 0) and again["is_complete"]


def test_the_command_waits_for_the_probabilities_however_long_they_take(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partition_requests, "MAX_REQUEST_FITS", 0)
    for number in (1, 2):
        for expert in (cast.expert, cast.colleague):
            submit_ranking(cast.assignment(expert, number), (3,), (2,), (1,), (0,))
    out = io.StringIO()
    call_command("partition_study", cast.study.name, json=True, stdout=out)
    created = json.loads(out.getvalue().splitlines()[-1])
    assert (created["expert"]["new"], created["without_membership"]) == (2, 0)


def test_a_tie_is_decided_by_the_order_of_the_candidates_and_told(cast: Cast) -> None:
    submit_ranking(cast.assignment(), (3,), (2,), (1,), (0,))
    submit_ranking(cast.assignment(cast.colleague), (2,), (3,), (1,), (0,))
    close(cast.study)
    answered = post(cast, cast.coordinator).json()
    assert answered["expert"]["tied"] == 1
    result = newest_partition(cast.assignment().question, "expert")
    assert (result.serendipity, result.parameters["tied"]) == ([2], [2, 3])
    post(cast, cast.coordinator, {"size": 2})
    result = newest_partition(cast.assignment().question, "expert")
    assert (result.serendipity, result.parameters["tied"]) == ([2, 3], [])


def test_not_sure_and_skipped_are_left_out_and_counted(cast: Cast) -> None:
    submit_ranking(cast.assignment(), (3,), (2,), (1,), (0,))
    write_answer(cast.assignment(cast.colleague), "not_sure")
    submit_ranking(cast.assignment(number=2), (3,), (2,), (1,), (0,))
    write_answer(cast.assignment(cast.colleague, 2), "skip")
    close(cast.study)
    answered = post(cast, cast.coordinator).json()
    assert (answered["not_sure_left_out"], answered["skipped_left_out"]) == (1, 1)
    assert answered["few_raters"] == [FIRST, *OTHERS]
    assert not Partition.objects.filter(method="expert").exists()


def test_only_the_newest_submitted_order_of_each_counts(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        submit_ranking(cast.assignment(expert), (3,), (2,), (1,), (0,))
    for expert in (cast.expert, cast.colleague):
        submit_ranking(cast.assignment(expert), (1,), (0,), (2,), (3,))
    ids = prior_of(cast.assignment())
    write_answer(cast.assignment(), "save", ranking=[ids[2], ids[3], ids[1], ids[0]])
    close(cast.study)
    post(cast, cast.coordinator)
    result = newest_partition(cast.assignment().question, "expert")
    assert (result.serendipity, result.parameters["raters"]) == ([1], 2)


def test_a_language_models_partition_from_a_file_stays(cast: Cast) -> None:
    question = cast.assignment().question
    given = NewPartition(question.id, Partition.Method.LLM, [3], [0, 1, 2], source="a file")
    add_partitions(actor=None, partitions=[given])
    close(cast.study)
    answered = post(cast, cast.coordinator).json()
    assert (answered["llm_unchanged"], answered["llm"]["partitions"]) == (1, 4)
    assert [one.source for one in question.partitions.all()] == ["a file"]


def test_done_again_it_stores_nothing_and_another_size_makes_the_next(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        submit_ranking(cast.assignment(expert), (3,), (2,), (1,), (0,))
    close(cast.study)
    news = [post(cast, cast.coordinator, body).json() for body in ({}, {"size": 1}, {"size": 3})]
    assert [answered["expert"]["new"] for answered in news] == [1, 0, 1]
    assert [answered["llm"]["new"] for answered in news] == [5, 0, 5]
    assert newest_partition(cast.assignment().question, "expert").number == 2


def test_a_size_that_leaves_nothing_over_leaves_the_question_out(cast: Cast) -> None:
    close(cast.study)
    answered = post(cast, cast.coordinator, {"size": 4}).json()
    assert (answered["few_candidates"], answered["few_raters"]) == ([FIRST, *OTHERS], [])
    assert not Partition.objects.exists()


@pytest.mark.parametrize("size", [0, -1, 1.5, "many", 10**9])
def test_what_is_no_size_is_refused_with_its_place(cast: Cast, size: object) -> None:
    close(cast.study)
    refused = post(cast, cast.coordinator, {"size": size})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["place"] == "size"


def test_partitions_of_an_open_study_are_seen_by_its_coordinators_alone(cast: Cast) -> None:
    QuestionSet.objects.filter(study_links__study=cast.study).update(is_demo=True)
    question = cast.assignment().question
    for expert in (cast.expert, cast.colleague):
        submit_ranking(cast.assignment(expert), (3,), (2,), (1,), (0,))
    assert post(cast, cast.coordinator).status_code == 200
    newest = newest_partition(question, "expert")
    assert (newest.number, newest.serendipity) == (1, [3])
    others = (None, cast.outsider, cast.other_coordinator, cast.expert, cast.colleague)
    for person in (cast.coordinator, *others):
        listed = client_of(person).get("/api/v1/question-sets").json()["results"]
        is_seen = str(question.question_set_id) in [one["id"] for one in listed]
        assert is_seen == (person == cast.coordinator)


def test_more_answers_give_the_next_version_of_a_partition(cast: Cast) -> None:
    question = cast.assignment().question
    for expert in (cast.expert, cast.colleague):
        submit_ranking(cast.assignment(expert), (3,), (2,), (1,), (0,))
    post(cast, cast.coordinator)
    third = join_as_expert(cast.study, cast.batches, make_user("Fay"))
    submit_ranking(cast.assignment(third), (0,), (1,), (2,), (3,))
    post(cast, cast.coordinator)
    versions = question.partitions.filter(method="expert").order_by("number")
    assert [one.parameters["raters"] for one in versions] == [2, 3]


def test_a_partition_of_which_the_orders_were_withdrawn_is_void(cast: Cast) -> None:
    question = cast.assignment().question
    other = NewPartition(question.id, Partition.Method.RNS, [3], [0, 1, 2])
    add_partitions(actor=None, partitions=[other])

    def submit_and_post(person: User) -> list[str]:
        submit_ranking(Assignment.objects.get(expert=person, question=question), (3,), (0, 1, 2))
        post(cast, cast.coordinator)
        return [one.method for one in newest_partitions([question.id])]

    submit_and_post(cast.expert)
    assert submit_and_post(cast.colleague) == ["expert", "llm", "rns"]
    withdraw_from_study(actor=cast.colleague, study_id=cast.study.id, with_answers=True)
    for _ in range(2):
        assert post(cast, cast.coordinator).json()["few_raters"] == [FIRST, *OTHERS]
    assert [one.method for one in newest_partitions([question.id])] == ["llm", "rns"]
    assert newest_partition(question, "expert").number == 2
    newcomer = join_as_expert(cast.study, cast.batches, make_user("Fay"))
    assert submit_and_post(newcomer) == ["expert", "llm", "rns"]
    assert newest_partition(question, "expert").number == 3


def test_only_its_coordinators_and_administrators_have_it_partitioned(cast: Cast) -> None:
    close(cast.study)
    strangers = (
        (cast.outsider, 404, NotFound),
        (cast.other_coordinator, 404, NotFound),
        (cast.other_expert, 404, NotFound),
        (cast.expert, 403, NotAllowed),
        (cast.colleague, 403, NotAllowed),
    )
    for person, status, error in strangers:
        assert post(cast, person).status_code == status
        with pytest.raises(error):
            create_consensus_partitions(actor=person, study_id=cast.study.id)
    assert post(cast, None).status_code == 401
    assert not Partition.objects.exists()
    for person in (cast.coordinator, make_user("Amara", is_administrator=True)):
        assert post(cast, person).status_code == 200


def test_experts_of_a_study_that_is_opened_again_find_nothing_of_the_others(cast: Cast) -> None:
    question = cast.assignment().question
    QuestionSet.objects.filter(study_links__study=cast.study).update(is_demo=True)
    for expert in (cast.expert, cast.colleague):
        submit_ranking(cast.assignment(expert), (3,), (2,), (1,), (0,))
    close(cast.study)
    post(cast, cast.coordinator)
    Study.objects.filter(id=cast.study.id).update(status="open")
    for person in (None, cast.outsider, cast.expert, cast.colleague):
        listed = client_of(person).get("/api/v1/question-sets").json()["results"]
        assert str(question.question_set_id) not in [one["id"] for one in listed]
        for page in ("workbench", "workbench/export"):
            hidden = client_of(person).get(f"/api/v1/questions/{question.id}/{page}")
            assert hidden.status_code == 404


def study_of_graph(ada: User) -> tuple[Study, Version]:
    """Twelve questions about a graph, partitioned by RNS; two experts say what RNS says."""
    version = make_version()
    questions = make_set(version, (5,) * 12)
    study = Study.objects.create(name="About a graph")
    StudyQuestions.objects.create(study=study, question_set=questions)
    study.members.create(user=ada, role="coordinator")
    batch = Batch.objects.create(study=study, number=1)
    for question in questions.questions.all():
        BatchQuestion.objects.create(batch=batch, question=question)
    call_command("partition", questions.name, graph=version.graph.slug)
    experts = [join_as_expert(study, [batch], make_user(name)) for name in ("Eve", "Cleo")]
    for assignment in Assignment.objects.filter(expert__in=experts).select_related("question"):
        result = newest_partition(assignment.question, "rns")
        submit_ranking(assignment, tuple(result.serendipity), tuple(result.existing))
    return study, version


def test_the_workbench_shows_all_three_and_the_weights_that_fit_the_experts(
    db: None,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    ada = make_user("Ada")
    study, version = study_of_graph(ada)
    close(study)
    with django_capture_on_commit_callbacks(execute=True):
        created = create_consensus_partitions(actor=ada, study_id=study.id)
    assert (created.expert.partitions, created.calibrations) == (12, 1)
    with django_capture_on_commit_callbacks(execute=True):
        assert "jobs.run" in run_queued_tasks()
    assert create_consensus_partitions(actor=ada, study_id=study.id).calibrations == 0
    question = question_set_of(study).questions.get(number=1)
    where = f"/api/v1/questions/{question.id}/workbench"
    body = client_of(ada).get(where, {"graph": version.graph.slug}).json()
    assert [one["method"] for one in body["partitions"]] == ["expert", "llm", "rns"]
    same = [one for one in body["comparisons"] if {one["one"], one["other"]} == {"expert", "rns"}]
    assert [one["overlap"] for one in same] == [1]
    assert body["calibration"]["n"] == 12
    assert body["presets"][-1]["name"] == "calibrated"
    for stranger in (make_user("Oscar"), None):
        assert client_of(stranger).get(where).status_code == 404


def run(*arguments: str) -> tuple[str, str, int]:
    out, error = io.StringIO(), io.StringIO()
    try:
        call_command("partition_study", *arguments, stdout=out, stderr=error)
    except SystemExit as exit_:
        return out.getvalue(), error.getvalue(), int(exit_.code or 0)
    return out.getvalue(), error.getvalue(), 0


def test_the_command_says_how_many_and_who_was_left_out(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        submit_ranking(cast.assignment(expert), (3,), (2,), (1,), (0,))
    close(cast.study)
    out, _, status = run(cast.study.name)
    assert status == 0
    assert "Questions with an expert partition: 1 (1 new). Ties at its edge" in out
    assert "No expert partition: batch 1, question 2: fewer than two experts ranked it." in out
    out, _, _ = run(cast.study.name, "--size", "2", "--json")
    answered = json.loads(out)
    assert (answered["expert"]["new"], answered["few_raters"]) == (1, OTHERS)
    assert answered["question_set"] == str(question_set_of(cast.study).id)


def test_the_command_refuses_an_unknown_study(db: None) -> None:
    out, _, status = run("No such study", "--json")
    assert status == 1 and json.loads(out)["error"]["code"] == "unknown_study"


def test_probabilities_that_hardly_differ_make_no_new_version(cast: Cast) -> None:
    for expert, order in ((None, ((0,), (1,), (2,), (3,))), (cast.colleague, ((3,), (0,), (1, 2)))):
        submit_ranking(cast.assignment(expert) if expert else cast.assignment(), *order)
    close(cast.study)
    post(cast, cast.coordinator)
    stored = newest_partition(cast.assignment().question, "expert")
    own = stored.parameters["membership"]
    for shift, is_settled in ((0.01, True), (0.03, False)):
        moved = {**own, "0": own["0"] - shift, "3": own["3"] + shift}
        (result,) = settle({stored.question_id: moved}).values()
        assert (result == own) == is_settled
