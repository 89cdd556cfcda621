"""The workbench of a question: what it is made of, who sees it, and where its paths lead."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from annotation.models import Study
from backend.benchmarks.models import Computation, Partition, Question, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.questionnaire import SourceFile
from backend.benchmarks.resolution import resolve_question_set
from backend.benchmarks.serendipity.basis import basis_of
from backend.benchmarks.serendipity.explanations import different, inner_of
from backend.benchmarks.serendipity.measuring import measure
from backend.benchmarks.serendipity.options import Options
from backend.benchmarks.serenqa.reading import read_serenqa
from backend.graphs.models import Version
from backend.graphs.paths import search_paths
from backend.graphs.reading import snapshot_of
from backend.science.paths import Question as PathQuestion
from backend.science.rns.measures import Weights
from backend.science.stopping import Stop
from tests.benchmarks.serendipity.making import (
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
    snapshot = snapshot_of(version)
    basis = basis_of(snapshot, Options())
    numbers = [int(snapshot.number_of(ids[at]) or 0) for at in splits["order"]]
    for place in (0, 17, 65):
        chosen = splits["sets"][place]
        new = [numbers[one] for one in chosen]
        known = [one for one in numbers if one not in new]
        score = measure(basis, known, new, Weights()).score
        assert splits["relevance"][place] == pytest.approx(score.relevance, abs=1e-12)
        assert splits["novelty"][place] == pytest.approx(score.novelty, abs=1e-12)
        assert splits["surprise"][place] == pytest.approx(score.surprise, abs=1e-12)


def test_a_partition_of_the_set_is_what_the_workbench_computes(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    before = [bench(visitor, one).json() for one in questions.questions.all()]
    call_command("partition", questions.name, graph=version.graph.slug)
    for one, asked in zip(before, questions.questions.all(), strict=True):
        after = bench(visitor, asked).json()
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
    asked = question(questions)
    asked.candidates.filter(position=2).update(identifier="LOCAL:nothing", name="Nothing")
    resolve_question_set(question_set=questions, version=version)
    body = bench(visitor, asked).json()
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
    found = body["calibration"]
    assert found["n"] == 12 and found["weights"]["surprise"] > 0.9
    assert found["agreement"]["value"] > found["chance"]
    assert body["presets"][-1] == {"name": "calibrated", "weights": found["weights"]}


def test_a_set_that_was_partitioned_before_learns_from_experts_that_came_since(
    visitor: APIClient, version: Version
) -> None:
    questions = make_set(version, (5,) * 12, is_demo=True)

    def partition() -> int:
        call_command("partition", questions.name, graph=version.graph.slug)
        return Computation.objects.filter(state="done").count()

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


def test_what_a_test_split_hides_no_door_shows(
    visitor: APIClient, outsider: Person, researcher: Person, version: Version
) -> None:
    hidden = make_set(version, split="test", owner=researcher.user)
    asked = question(hidden)
    for browser in (visitor, outsider.browser):
        listed = browser.get(f"{V1}/question-sets").json()["results"]
        assert str(hidden.pk) not in [one["id"] for one in listed]
        assert browser.get(f"{V1}/question-sets/{hidden.pk}/questions").status_code == 404
        for page in ("workbench", "workbench/export", "serendipity-paths"):
            path = f"{V1}/questions/{asked.pk}/{page}"
            assert browser.get(path, {"existing": 0, "serendipity": 1}).status_code == 404
    assert bench(researcher.browser, asked).json()["public"] is False


def test_a_set_is_told_as_hers_to_who_may_have_all_of_it_computed(
    visitor: APIClient,
    outsider: Person,
    researcher: Person,
    administrator: Person,
    version: Version,
) -> None:
    owned = make_set(version, split="dev", owner=researcher.user)
    for browser, hers in (
        (visitor, False),
        (outsider.browser, False),
        (researcher.browser, True),
        (administrator.browser, True),
    ):
        listed = browser.get(f"{V1}/question-sets").json()["results"]
        assert [one["hers"] for one in listed if one["id"] == str(owned.pk)] == [hers]


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
    study = Study.objects.create(name="Open", question_set=questions)
    assert bench(visitor, question(questions)).status_code == 404
    study.status = Study.Status.CLOSED
    study.save()
    assert bench(visitor, question(questions)).status_code == 200


def test_a_graph_that_she_may_not_see_is_not_looked_through(
    visitor: APIClient, researcher: Person, outsider: Person
) -> None:
    private = make_version(researcher.user, "private")
    questions = make_set(private, split="dev")
    for browser in (visitor, outsider.browser):
        assert bench(browser, question(questions)).json()["code"] == "no_graph"
    assert bench(researcher.browser, question(questions)).status_code == 200


def test_three_paths_are_not_one_path_three_times(version: Version) -> None:
    snapshot = snapshot_of(version)
    seen = set()
    for one, other in combinations(range(12), 2):
        ends = [int(snapshot.number_of(drug(at)) or 0) for at in (one, other)]
        asked = PathQuestion([ends[0]], [ends[1]], hub=None, limit=60)
        report = search_paths(snapshot, asked, Stop())
        chosen = different(report.paths, 3)
        told = {inner_of(path) for path in report.paths}
        assert len({inner_of(path) for path in chosen}) == len(chosen) == min(3, len(told))
        assert [path.rank for path in chosen] == list(range(1, len(chosen) + 1))
        kinds = {path.metapath for path in report.paths}
        seen.add((len(chosen), len(kinds) > 1))
        if len(kinds) > 1 and len(chosen) > 1:
            assert len({path.metapath for path in chosen}) > 1
    assert (3, True) in seen


def test_paths_of_a_pair_come_with_serenqas_words(
    visitor: APIClient, version: Version, questions: QuestionSet
) -> None:
    asked = question(questions, 2)
    path = f"{V1}/questions/{asked.pk}/serendipity-paths"
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
    asked = question(questions, 1)
    answer = visitor.get(f"{V1}/questions/{asked.pk}/workbench/export")
    assert answer.status_code == 200 and "attachment" in answer["Content-Disposition"]
    (record,) = json.loads(answer.content)
    read = read_serenqa([SourceFile("partitions.json", answer.content)])
    assert read.notices == ()
    assert {one.method for one in read.partitions[0].splits} == {"llm", "rns"}
    assert record["sscore"]["explore_queries"]["paths"]


def test_questions_come_page_by_page(visitor: APIClient, questions: QuestionSet) -> None:
    path = f"{V1}/question-sets/{questions.pk}/questions"
    first = visitor.get(path, {"limit": 3}).json()
    assert [one["number"] for one in first["results"]] == [1, 2, 3]
    assert first["results"][0]["methods"] == ["llm"] and first["results"][0]["public"]
    second = visitor.get(first["next"]).json()
    assert [one["number"] for one in second["results"]] == [4]


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
    asked = question(questions)
    assert bench(visitor, asked).json()["graph"]["slug"] == version.graph.slug
    named = bench(visitor, asked, graph=other.graph.slug)
    assert named.json()["graph"]["slug"] == other.graph.slug
    listed = visitor.get(f"{V1}/question-sets").json()["results"][0]["graphs"]
    assert [one["slug"] for one in listed] == [version.graph.slug, other.graph.slug]
