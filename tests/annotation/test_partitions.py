"""Partitions of a study's questions by the top of its experts' common order."""

import io
import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Action, Assignment, Batch, BatchQuestion, Study
from annotation.partitions import make_partitions_of_study
from annotation.policies import StudyOpen
from backend.accounts.models import User
from backend.benchmarks.models import Partition, Question
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.common.errors import Missing, NotAllowed
from backend.graphs.models import Version
from tests.annotation.personas import (
    NAMES,
    Cast,
    answer,
    client_of,
    join,
    make_study,
    make_user,
    prior_of,
)
from tests.benchmarks.serendipity.making import make_set, make_version


def close(study: Study) -> None:
    Study.objects.filter(id=study.id).update(status="closed")


def post(cast: Cast, who: User | None, body: dict[str, Any] | None = None) -> Any:
    return client_of(who).post(
        f"/api/v1/studies/{cast.study.id}/partitions", body or {}, "application/json"
    )


def newest(question: Question, method: str) -> Partition:
    return question.partitions.filter(method=method).latest("number")


def put_in_order(assignment: Assignment, *groups: tuple[int, ...]) -> None:
    """Candidates by their positions, best first."""
    ids = [str(one.id) for one in assignment.question.candidates.order_by("position")]
    order = [[ids[place] for place in group] for group in groups]
    same = [set(group) for group in order] == [set(group) for group in prior_of(assignment)]
    answer(assignment, Action.AGREE if same else Action.SUBMIT, ranking=order)


def places(groups: list[list[int]]) -> dict[int, Fraction]:
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
    experts = [join(study, batches, make_user(f"Eve{number}")) for number in range(3)]
    given: dict[int, list[list[list[int]]]] = {}
    for expert in experts:
        for assignment in Assignment.objects.filter(expert=expert).select_related("question"):
            level = [chance.randrange(4) for _ in NAMES]
            groups = [tuple(one for one in range(5) if level[one] == wanted) for wanted in {*level}]
            put_in_order(assignment, *groups)
            given.setdefault(assignment.question.number, []).append([[*it] for it in groups])
    close(study)
    for size in (1, 2, 4):
        made = make_partitions_of_study(actor=ada, study_id=study.id, size=size)
        assert made.expert.partitions == 12
        for number, orders in given.items():
            ranks = [places(groups) for groups in orders]
            total = {one: sum(rank[one] for rank in ranks) for one in range(5)}
            order = sorted(total, key=lambda one: (total[one], one))
            found = newest(study.question_set.questions.get(number=number), "expert")
            assert found.serendipity == sorted(order[:size])
            assert found.existing == sorted(order[size:])
            cut = total[order[size - 1]] == total[order[size]]
            level_of_last = [one for one in range(5) if total[one] == total[order[size - 1]]]
            assert found.parameters["tied"] == (level_of_last if cut else [])
    assert study.question_set.questions.count() == 12


def test_a_partition_says_what_it_is_made_of(cast: Cast) -> None:
    one, other = cast.assignment(), cast.assignment(cast.colleague)
    put_in_order(one, (0,), (1,), (2,), (3,))  # she agreed with the order shown first
    put_in_order(other, (3,), (0,), (1, 2))
    close(cast.study)
    told = post(cast, cast.coordinator).json()
    assert told["study"] == cast.study.name
    assert told["question_set"] == str(cast.study.question_set_id)
    assert told["questions"] == 5
    assert told["expert"] == {"partitions": 1, "new": 1, "tied": 0}
    assert told["llm"] == {"partitions": 5, "new": 5, "tied": 0}
    assert (told["few_raters"], told["few_candidates"]) == ([2, 3, 4, 5], [])
    expert, llm = newest(one.question, "expert"), newest(one.question, "llm")
    ranking = {"from": "ranking", "order": "mean of ranks", "raters": 2, "size": 1, "tied": []}
    assert expert.parameters == ranking
    assert (expert.serendipity, expert.existing) == ([0], [1, 2, 3])
    assert llm.parameters == {"from": "prior", "size": 1, "tied": []}
    assert (llm.serendipity, llm.existing) == ([0], [1, 2, 3])
    assert cast.study.name in expert.source and cast.study.name in llm.source
    assert expert.created_by == llm.created_by == cast.coordinator


def test_a_tie_is_decided_by_the_order_of_the_candidates_and_told(cast: Cast) -> None:
    put_in_order(cast.assignment(), (3,), (2,), (1,), (0,))
    put_in_order(cast.assignment(cast.colleague), (2,), (3,), (1,), (0,))
    close(cast.study)
    told = post(cast, cast.coordinator).json()
    assert told["expert"]["tied"] == 1
    found = newest(cast.assignment().question, "expert")
    assert (found.serendipity, found.parameters["tied"]) == ([2], [2, 3])
    post(cast, cast.coordinator, {"size": 2})
    found = newest(cast.assignment().question, "expert")
    assert (found.serendipity, found.parameters["tied"]) == ([2, 3], [])


def test_not_sure_and_skipped_are_left_out_and_counted(cast: Cast) -> None:
    put_in_order(cast.assignment(), (3,), (2,), (1,), (0,))
    answer(cast.assignment(cast.colleague), Action.NOT_SURE)
    put_in_order(cast.assignment(number=2), (3,), (2,), (1,), (0,))
    answer(cast.assignment(cast.colleague, 2), Action.SKIP)
    close(cast.study)
    told = post(cast, cast.coordinator).json()
    assert (told["not_sure_left_out"], told["skipped_left_out"]) == (1, 1)
    assert told["few_raters"] == [1, 2, 3, 4, 5]
    assert not Partition.objects.filter(method="expert").exists()


def test_only_the_newest_submitted_order_of_each_counts(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        put_in_order(cast.assignment(expert), (3,), (2,), (1,), (0,))
    for expert in (cast.expert, cast.colleague):
        put_in_order(cast.assignment(expert), (1,), (0,), (2,), (3,))
    ids = prior_of(cast.assignment())
    answer(cast.assignment(), Action.SAVE, ranking=[ids[2], ids[3], ids[1], ids[0]])
    close(cast.study)
    post(cast, cast.coordinator)
    found = newest(cast.assignment().question, "expert")
    assert (found.serendipity, found.parameters["raters"]) == ([1], 2)


def test_a_language_models_partition_from_a_file_stays(cast: Cast) -> None:
    question = cast.assignment().question
    given = NewPartition(question.id, Partition.Method.LLM, [3], [0, 1, 2], source="a file")
    add_partitions(actor=None, partitions=[given])
    close(cast.study)
    told = post(cast, cast.coordinator).json()
    assert (told["kept"], told["llm"]["partitions"]) == (1, 4)
    assert [one.source for one in question.partitions.all()] == ["a file"]


def test_done_again_it_stores_nothing_and_another_size_makes_the_next(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        put_in_order(cast.assignment(expert), (3,), (2,), (1,), (0,))
    close(cast.study)
    news = [post(cast, cast.coordinator, body).json() for body in ({}, {"size": 1}, {"size": 3})]
    assert [told["expert"]["new"] for told in news] == [1, 0, 1]
    assert [told["llm"]["new"] for told in news] == [5, 0, 5]
    assert newest(cast.assignment().question, "expert").number == 2


def test_a_size_that_leaves_nothing_over_leaves_the_question_out(cast: Cast) -> None:
    close(cast.study)
    told = post(cast, cast.coordinator, {"size": 4}).json()
    assert (told["few_candidates"], told["few_raters"]) == ([1, 2, 3, 4, 5], [])
    assert not Partition.objects.exists()


@pytest.mark.parametrize("size", [0, -1, 1.5, "many", 10**9])
def test_what_is_no_size_is_refused_with_its_place(cast: Cast, size: object) -> None:
    close(cast.study)
    refused = post(cast, cast.coordinator, {"size": size})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["place"] == "size"


def test_of_an_open_study_nothing_is_made_and_nothing_shown(cast: Cast) -> None:
    for expert in (cast.expert, cast.colleague):
        put_in_order(cast.assignment(expert), (3,), (2,), (1,), (0,))
    administrator = make_user("Amara", is_administrator=True)
    for person in (cast.coordinator, administrator):
        refused = post(cast, person)
        assert (refused.status_code, refused.json()["code"]) == (409, "study_open")
        assert "Close it first" in refused.json()["detail"]
    with pytest.raises(StudyOpen):
        make_partitions_of_study(actor=None, study_id=cast.study.id)
    assert not Partition.objects.exists()


def test_only_its_coordinators_and_administrators_have_it_partitioned(cast: Cast) -> None:
    close(cast.study)
    strangers = (
        (cast.outsider, 404, Missing),
        (cast.other_coordinator, 404, Missing),
        (cast.other_expert, 404, Missing),
        (cast.expert, 403, NotAllowed),
        (cast.colleague, 403, NotAllowed),
    )
    for person, status, error in strangers:
        assert post(cast, person).status_code == status
        with pytest.raises(error):
            make_partitions_of_study(actor=person, study_id=cast.study.id)
    assert post(cast, None).status_code == 401
    assert not Partition.objects.exists()
    for person in (cast.coordinator, make_user("Amara", is_administrator=True)):
        assert post(cast, person).status_code == 200


def test_experts_of_a_study_that_is_opened_again_find_nothing_of_the_others(cast: Cast) -> None:
    question = cast.assignment().question
    cast.study.question_set.is_demo = True  # otherwise open to everybody
    cast.study.question_set.save()
    for expert in (cast.expert, cast.colleague):
        put_in_order(cast.assignment(expert), (3,), (2,), (1,), (0,))
    close(cast.study)
    post(cast, cast.coordinator)
    Study.objects.filter(id=cast.study.id).update(status="open")
    for person in (None, cast.outsider, cast.expert, cast.colleague):
        listed = client_of(person).get("/api/v1/question-sets").json()["results"]
        assert str(question.question_set_id) not in [one["id"] for one in listed]
        for door in ("workbench", "workbench/export"):
            hidden = client_of(person).get(f"/api/v1/questions/{question.id}/{door}")
            assert hidden.status_code == 404


def study_of_graph(ada: User) -> tuple[Study, Version]:
    """Twelve questions about a graph, partitioned by RNS; two experts say what RNS says."""
    version = make_version()
    questions = make_set(version, (5,) * 12)
    study = Study.objects.create(name="About a graph", question_set=questions)
    study.members.create(user=ada, role="coordinator")
    batch = Batch.objects.create(study=study, number=1)
    for question in questions.questions.all():
        BatchQuestion.objects.create(batch=batch, question=question)
    call_command("partition", questions.name, graph=version.graph.slug)
    experts = [join(study, [batch], make_user(name)) for name in ("Eve", "Cleo")]
    for assignment in Assignment.objects.filter(expert__in=experts).select_related("question"):
        found = newest(assignment.question, "rns")
        put_in_order(assignment, tuple(found.serendipity), tuple(found.existing))
    return study, version


def test_the_workbench_shows_all_three_and_the_weights_that_fit_the_experts(
    db: None,
    work_off: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    ada = make_user("Ada")
    study, version = study_of_graph(ada)
    close(study)
    with django_capture_on_commit_callbacks(execute=True):
        made = make_partitions_of_study(actor=ada, study_id=study.id)
    assert (made.expert.partitions, made.calibrations) == (12, 1)
    with django_capture_on_commit_callbacks(execute=True):
        assert "benchmarks.run_computation" in work_off()
    assert make_partitions_of_study(actor=ada, study_id=study.id).calibrations == 0
    question = study.question_set.questions.get(number=1)
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
        put_in_order(cast.assignment(expert), (3,), (2,), (1,), (0,))
    close(cast.study)
    out, _, status = run(cast.study.name)
    assert status == 0
    assert "Experts' partitions: 1 (1 new, 0 with a tie" in out
    assert "Left out: question 2: fewer than two experts put it in order." in out
    out, _, _ = run(cast.study.name, "--size", "2", "--json")
    told = json.loads(out)
    assert (told["expert"]["new"], told["few_raters"]) == (1, [2, 3, 4, 5])
    assert told["question_set"] == str(cast.study.question_set_id)


def test_the_command_refuses_an_open_study_and_an_unknown_one(cast: Cast) -> None:
    _, error, status = run(cast.study.name)
    assert status == 1 and "Close it first" in error
    out, _, status = run("No such study", "--json")
    assert status == 1 and json.loads(out)["error"]["code"] == "unknown_study"
