"""The workbench of a question: what it is made of, who sees it, and where its paths lead."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.benchmarks.entity_linking import resolve_question_set
from backend.benchmarks.formats.serenqa.parser import parse_serenqa
from backend.benchmarks.models import Partition, Question, QuestionSet, StudyQuestions
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.questionnaire import SourceFile
from backend.benchmarks.rns.explanations import inner_entities, select_diverse
from backend.benchmarks.rns.options import RnsOptions
from backend.benchmarks.rns.question_results import agreeing_share
from backend.benchmarks.rns.scoring_context import open_scoring_context
from backend.benchmarks.rns.set_scoring import measure_sets
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.path_queries import search_paths
from backend.jobs.models import Job
from backend.runtime.cancellation import CancellationToken
from backend.science.paths import PathQuery as PathQuestion
from backend.science.rns.measures import SplitScores, Weights
from backend.studies.models import Member, Study
from tests.benchmarks.rns.factories import (
    V1,
    bench,
    drug,
    gene,
    make_question,
    make_set,
    make_version,
)
from tests.personas import Person

pytestmark = pytest.mark.django_db


def question(questions: QuestionSet, number: int = 1) -> Question:
    return questions.questions.get(number=number)


def test_all_splits_are_shipped_with_what_they_are_worth(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    body = bench(visitor, question(questions, 4), size=2).json()
    splits = body["splits"]
    assert splits["exact"] and splits["count"] == len(splits["sets"]) == 66
    assert splits["sets"] == [list(one) for one in combinations(range(12), 2)]
    ids = {one["position"]: one["entity"]["id"] for one in body["candidates"]}
    assert [ids[at] for at in splits["order"]] == sorted(ids.values())
    snapshot = open_version_snapshot(version)
    basis = open_scoring_context(snapshot, RnsOptions())
    numbers = [int(snapshot.find_number(ids[at]) or 0) for at in splits["order"]]
    for place in (0, 17, 65):
        chosen = splits["sets"][place]
        new = [numbers[one] for one in chosen]
        known = [one for one in numbers if one not in new]
        score = measure_sets(basis, known, new, Weights()).score
        assert splits["relevance"][place] == pytest.approx(score.relevance, abs=1e-12)
        assert splits["novelty"][place] == pytest.approx(score.novelty, abs=1e-12)
        assert splits["surprise"][place] == pytest.approx(score.surprise, abs=1e-12)


def test_a_partition_of_the_set_is_what_the_workbench_computes(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    before = [bench(visitor, one).json() for one in questions.questions.all()]
    call_command("partition", questions.name, graph=version.graph.slug)
    for one, one_question in zip(before, questions.questions.all(), strict=True):
        after = bench(visitor, one_question).json()
        assert after["splits"] == one["splits"] and after["candidates"] == one["candidates"]
        rns = next(it for it in after["partitions"] if it["method"] == "rns")
        parts = np.array([one["splits"][name] for name in ("relevance", "novelty", "surprise")])
        totals = parts.mean(axis=0)
        best = int(np.flatnonzero(totals >= totals.max() - one["splits"]["gain"])[0])
        chosen = [one["splits"]["order"][at] for at in one["splits"]["sets"][best]]
        assert rns["serendipity"] == sorted(chosen)
        assert rns["parameters"]["how"] == "exact"
        llm = next(it for it in after["partitions"] if it["method"] == "llm")
        (comparison,) = after["comparisons"]
        assert comparison["differ"] == sorted({*rns["serendipity"]} ^ {*llm["serendipity"]})


def test_above_five_thousand_splits_the_winners_are_shipped_as_approximate(
    visitor: APIClient, version: Version
) -> None:
    questions = make_set(version, (26,), split="dev")
    splits = bench(visitor, question(questions)).json()["splits"]
    assert not splits["exact"]
    assert splits["count"] == 65_780 > len(splits["sets"]) > 0


def test_an_answer_that_is_not_in_the_graph_is_no_part_of_a_split(
    visitor: APIClient, version: Version
) -> None:
    questions = make_set(version, (4,), split="dev")
    unresolved = question(questions)
    unresolved.candidates.filter(position=2).update(identifier="LOCAL:nothing", name="Nothing")
    resolve_question_set(question_set=questions, version=version)
    body = bench(visitor, unresolved).json()
    assert body["left_out"] == [2] and 2 not in body["splits"]["order"]
    assert body["candidates"][2]["entity"] is None and body["candidates"][2]["bar"] is None


def test_presets_are_the_corners_and_none_is_calibrated_without_experts(
    visitor: APIClient, questions: QuestionSet
) -> None:
    body = bench(visitor, question(questions)).json()
    names = [one["name"] for one in body["presets"]]
    assert names == ["equal", "relevance", "novelty", "surprise"]
    assert body["calibration"] is None


def test_experts_partitions_calibrate_the_weights(visitor: APIClient, version: Version) -> None:
    questions = make_set(version, (5,) * 12, is_demo=True)
    call_command("partition", questions.name, "--graph", version.graph.slug, "--weights", "0,0,1")
    rns = Partition.objects.filter(question__question_set=questions, method="rns")
    experts = [
        NewPartition(one.question_id, Partition.Method.EXPERT, one.serendipity, one.existing)
        for one in rns
    ]
    add_partitions(actor=None, partitions=experts)
    call_command("partition", questions.name, graph=version.graph.slug)
    body = bench(visitor, question(questions)).json()
    calibration = body["calibration"]
    assert calibration["n"] == 12 and calibration["weights"]["surprise"] > 0.9
    assert calibration["agreement"]["value"] > calibration["chance"]
    assert body["presets"][-1] == {"name": "calibrated", "weights": calibration["weights"]}


def test_a_set_that_was_partitioned_before_learns_from_experts_that_came_since(
    visitor: APIClient, version: Version
) -> None:
    questions = make_set(version, (5,) * 12, is_demo=True)

    def partition() -> int:
        call_command("partition", questions.name, graph=version.graph.slug)
        return Job.objects.filter(state="succeeded").count()

    assert [partition(), partition()] == [1, 1]
    rns = Partition.objects.filter(question__question_set=questions, method="rns")
    experts = [
        NewPartition(one.question_id, Partition.Method.EXPERT, one.serendipity, one.existing)
        for one in rns
    ]
    add_partitions(actor=None, partitions=experts[:9])
    assert partition() == 1  # nine are too few to learn from
    add_partitions(actor=None, partitions=experts)
    assert [partition(), partition()] == [2, 2]
    assert rns.count() == 12  # the splits stayed as they were
    assert bench(visitor, question(questions)).json()["calibration"]["n"] == 12


def test_no_page_shows_what_a_test_split_hides(
    visitor: APIClient, outsider: Person, researcher: Person, version: Version
) -> None:
    hidden = make_set(version, split="test", owner=researcher.user)
    hidden_question = question(hidden)
    for browser in (visitor, outsider.browser):
        listed = browser.get(f"{V1}/question-sets").json()["results"]
        assert str(hidden.pk) not in [one["id"] for one in listed]
        assert browser.get(f"{V1}/question-sets/{hidden.pk}/questions").status_code == 404
        for page in ("workbench", "workbench/export", "serendipity-paths"):
            path = f"{V1}/questions/{hidden_question.pk}/{page}"
            assert browser.get(path, {"existing": 0, "serendipity": 1}).status_code == 404
    assert bench(researcher.browser, hidden_question).json()["public"] is False


def test_a_set_is_the_callers_own_for_those_who_may_compute_all_of_it(
    visitor: APIClient,
    outsider: Person,
    researcher: Person,
    administrator: Person,
    version: Version,
) -> None:
    owned = make_set(version, split="dev", owner=researcher.user)
    for browser, is_owner in (
        (visitor, False),
        (outsider.browser, False),
        (researcher.browser, True),
        (administrator.browser, True),
    ):
        listed = browser.get(f"{V1}/question-sets").json()["results"]
        [row] = [one for one in listed if one["id"] == str(owned.pk)]
        assert (row["is_manager"], row["is_owner"]) == (is_owner, is_owner)


def test_a_coordinator_manages_the_set_of_a_study_without_owning_it(
    outsider: Person, questions: QuestionSet
) -> None:
    study = Study.objects.create(name="Open")
    StudyQuestions.objects.create(study=study, question_set=questions)
    Member.objects.create(study=study, user=outsider.user, role=Member.Role.COORDINATOR)
    [row] = outsider.browser.get(f"{V1}/question-sets").json()["results"]
    assert (row["is_manager"], row["is_owner"]) == (True, False)


def test_a_question_of_a_dev_and_a_test_split_is_hidden(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    one, other = question(questions, 1), question(questions, 2)
    new = NewPartition(one.pk, Partition.Method.EXPERT, [0], [1, 2, 3, 4], split="test")
    add_partitions(actor=None, partitions=[new])
    assert bench(visitor, one).status_code == 404
    assert bench(visitor, other).status_code == 200
    listed = visitor.get(f"{V1}/question-sets/{questions.pk}/questions").json()["results"]
    assert [it["number"] for it in listed] == [2, 3, 4]


def test_a_set_without_a_split_is_not_public(visitor: APIClient, version: Version) -> None:
    assert bench(visitor, question(make_set(version))).status_code == 404
    demo = make_set(version, is_demo=True)
    assert bench(visitor, question(demo)).status_code == 200


def test_questions_that_a_study_still_asks_are_its_coordinators_alone(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    study = Study.objects.create(name="Open")
    StudyQuestions.objects.create(study=study, question_set=questions)
    assert bench(visitor, question(questions)).status_code == 404
    study.status = Study.Status.CLOSED
    study.save()
    assert bench(visitor, question(questions)).status_code == 200


def test_a_graph_that_the_caller_may_not_see_is_not_searched(
    visitor: APIClient, researcher: Person, outsider: Person
) -> None:
    private = make_version(researcher.user, "private")
    questions = make_set(private, split="dev")
    for browser in (visitor, outsider.browser):
        assert bench(browser, question(questions)).json()["code"] == "no_graph"
    assert bench(researcher.browser, question(questions)).status_code == 200


def test_three_paths_are_not_one_path_three_times(version: Version) -> None:
    snapshot = open_version_snapshot(version)
    outcomes = set()
    for one, other in combinations(range(12), 2):
        ends = [int(snapshot.find_number(drug(at)) or 0) for at in (one, other)]
        path_query = PathQuestion([ends[0]], [ends[1]], max_degree=None, limit=60)
        report = search_paths(snapshot, path_query, CancellationToken())
        chosen = select_diverse(report.paths, 3)
        entity_sets = {inner_entities(path) for path in report.paths}
        assert (
            len({inner_entities(path) for path in chosen})
            == len(chosen)
            == min(3, len(entity_sets))
        )
        assert [path.rank for path in chosen] == list(range(1, len(chosen) + 1))
        kinds = {path.metapath for path in report.paths}
        outcomes.add((len(chosen), len(kinds) > 1))
        if len(kinds) > 1 and len(chosen) > 1:
            assert len({path.metapath for path in chosen}) > 1
    assert (3, True) in outcomes


def test_paths_of_a_pair_come_with_serenqas_words(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    chosen = question(questions, 2)
    path = f"{V1}/questions/{chosen.pk}/serendipity-paths"
    body = visitor.get(f"{path}?existing=0&existing=1&serendipity=2&order=degree").json()
    ends = [(one["existing_position"], one["serendipity_position"]) for one in body["pairs"]]
    assert ends == [(0, 2), (1, 2)] and body["order"] == "degree"
    for pair in body["pairs"]:
        for one in pair["paths"]:
            assert one["notation"].startswith(pair["existing"]["id"])
            assert one["notation"].endswith(pair["serendipity"]["id"])
    wrong = visitor.get(path, {"existing": 0, "serendipity": 99})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "unknown_candidate")


def test_paths_of_own_sets_are_found_without_a_question(
    visitor: APIClient, version: Version
) -> None:
    path = f"{V1}/graphs/{version.graph.slug}/serendipity-paths"
    body = visitor.get(path, {"existing": drug(3), "serendipity": gene(4)}).json()
    assert body["pairs"][0]["existing"]["id"] == drug(3)
    assert all(len(one["steps"]) <= 7 for one in body["pairs"][0]["paths"])


def test_the_export_is_a_record_that_is_read_again(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    call_command("partition", questions.name, graph=version.graph.slug)
    exported = question(questions, 1)
    answer = visitor.get(f"{V1}/questions/{exported.pk}/workbench/export")
    assert answer.status_code == 200 and "attachment" in answer["Content-Disposition"]
    (record,) = json.loads(answer.content)
    read = parse_serenqa([SourceFile("partitions.json", answer.content)])
    assert read.notices == ()
    assert {one.method for one in read.partitions[0].splits} == {"llm", "rns"}
    queries = record["sscore"]["explore_queries"]
    assert queries["paths"] and queries["questions"]
    (by_rns,) = (one for one in read.partitions[0].splits if one.method == "rns")
    assert by_rns.questions == tuple(queries["questions"])
    snapshot = open_version_snapshot(version)
    existing = record["sscore"]["exact_matches"]["list"]
    roots = [snapshot.entity_summary(one).name for one in snapshot.find_numbers(existing).tolist()]
    for text in queries["questions"]:
        assert text.startswith("Which ")
        assert text.endswith(tuple(f" {name}?" for name in roots))


def test_questions_come_page_by_page(visitor: APIClient, questions: QuestionSet) -> None:
    path = f"{V1}/question-sets/{questions.pk}/questions"
    first = visitor.get(path, {"limit": 3}).json()
    assert [one["number"] for one in first["results"]] == [1, 2, 3]
    assert first["results"][0]["methods"] == ["llm"] and first["results"][0]["public"]
    second = visitor.get(first["next"]).json()
    assert [one["number"] for one in second["results"]] == [4]


def test_questions_are_searched_by_their_text_and_their_candidates(
    visitor: APIClient, questions: QuestionSet
) -> None:
    path = f"{V1}/question-sets/{questions.pk}/questions"
    third = question(questions, 3)
    third.candidates.filter(position=0).update(name="Nitisinone")
    page = visitor.get(path, {"text": "nitisin"}).json()
    assert ([one["number"] for one in page["results"]], page["matching"]) == ([3], 1)
    assert visitor.get(path, {"text": "no such word"}).json()["results"] == []


def test_a_row_has_the_result_and_interesting_questions_come_first(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    path = f"{V1}/question-sets/{questions.pk}/questions"
    before = visitor.get(path).json()["results"][0]["result"]
    assert before == {"rns_choice": None, "weight_share": None, "methods_differ": None}
    call_command("partition", questions.name, graph=version.graph.slug)
    rows = visitor.get(path, {"order": "weights"}).json()["results"]
    shares = [one["result"]["weight_share"] for one in rows]
    assert shares == sorted(shares) and all(0 < share <= 1 for share in shares)
    for row in rows:
        body = bench(visitor, Question.objects.get(pk=row["id"])).json()
        rns = next(one for one in body["partitions"] if one["method"] == "rns")
        names = [body["candidates"][at]["name"] for at in rns["serendipity"]]
        assert row["result"]["rns_choice"] == names
        llm = next(one for one in body["partitions"] if one["method"] == "llm")
        assert row["result"]["methods_differ"] == (rns["serendipity"] != llm["serendipity"])
    by_methods = visitor.get(path, {"order": "methods"}).json()["results"]
    differ = [one["result"]["methods_differ"] for one in by_methods]
    assert differ == sorted(differ, reverse=True)


def test_the_share_of_weights_is_that_of_the_choice_of_equal_weights() -> None:
    """Two splits that differ in relevance and surprise alone: equal weights tie, the first wins."""
    sets = np.array([[0], [1]])
    relevance, surprise = np.array([-0.2, -0.4]), np.array([0.2, 0.4])
    splits = SplitScores(2, sets, relevance, np.zeros(2), surprise, 0.0)
    share = agreeing_share(splits)
    assert 0.5 < share < 0.55
    always = SplitScores(2, sets, np.array([-0.1, -0.4]), np.zeros(2), surprise[::-1].copy(), 0.0)
    assert agreeing_share(always) == 1.0


def test_numbers_that_repeat_from_batch_to_batch_come_batch_by_batch(
    visitor: APIClient, questions: QuestionSet
) -> None:
    """As where a study was imported from two files, each with its questions 1 and 2."""
    for batch, number, row in [(2, 2, 1), (1, 1, 2), (2, 1, 3), (1, 2, 4)]:
        rows = Question.objects.filter(question_set=questions, file_id=str(row))
        rows.update(batch_number=batch, number=number)
    path = f"{V1}/question-sets/{questions.pk}/questions"
    first = visitor.get(path, {"limit": 3}).json()
    listed = [*first["results"], *visitor.get(first["next"]).json()["results"]]
    assert [(it["batch_number"], it["number"]) for it in listed] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    ids = [it["id"] for it in listed]
    read = [visitor.get(f"{V1}/questions/{one}/workbench").json()["question"] for one in ids]
    assert [it["previous"] for it in read] == [None, *ids[:-1]]
    assert [it["next"] for it in read] == [*ids[1:], None]
    assert [(it["batch_number"], it["set_size"]) for it in read] == [(1, 4), (1, 4), (2, 4), (2, 4)]


def test_a_question_with_one_answer_in_the_graph_has_no_splits(
    visitor: APIClient, version: Version
) -> None:
    questions = make_set(version, (3,), split="dev")
    make_question(questions, 9, [4], "")
    lonely = question(questions, 9)
    new = NewPartition(lonely.pk, Partition.Method.LLM, [0], [], split="dev")
    add_partitions(actor=None, partitions=[new])
    body = bench(visitor, lonely).json()
    assert body["splits"] is None and body["size"] is None


def test_a_later_look_at_another_graph_changes_no_page(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    other = make_version(seed=2)
    resolve_question_set(question_set=questions, version=other)
    linked = question(questions)
    assert bench(visitor, linked).json()["graph"]["slug"] == version.graph.slug
    named = bench(visitor, linked, graph=other.graph.slug)
    assert named.json()["graph"]["slug"] == other.graph.slug
    listed = visitor.get(f"{V1}/question-sets").json()["results"][0]["graphs"]
    assert [one["slug"] for one in listed] == [version.graph.slug, other.graph.slug]
