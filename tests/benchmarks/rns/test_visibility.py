"""Hidden answers that no route of the RNS pages may show."""

from __future__ import annotations

import json
from itertools import product

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.benchmarks.api import workbench as api
from backend.benchmarks.entity_linking import resolve_question_set
from backend.benchmarks.formats.serenqa.parser import parse_serenqa
from backend.benchmarks.models import Partition, Question, QuestionSet
from backend.benchmarks.partitions import NewPartition, add_partitions
from backend.benchmarks.question_records import original_qid
from backend.benchmarks.questionnaire import SourceFile
from backend.graphs.models import Graph, Version
from backend.runtime.cancellation import CancellationToken
from tests.benchmarks.rns.factories import (
    V1,
    bench,
    drug,
    make_question,
    make_set,
    make_version,
)
from tests.personas import Person

pytestmark = pytest.mark.django_db


def first(questions: QuestionSet) -> Question:
    return questions.questions.get(number=1)


def test_a_partition_over_a_private_graph_is_not_shown_to_who_may_not_see_the_graph(
    visitor: APIClient, outsider: Person, researcher: Person, questions: QuestionSet
) -> None:
    private = make_version(researcher.user, Graph.Visibility.PRIVATE, seed=3)
    resolve_question_set(question_set=questions, version=private)
    call_command("partition", questions.name, graph=private.graph.slug)
    query = first(questions)
    for browser in (visitor, outsider.browser):
        answers = [
            bench(browser, query),
            browser.get(f"{V1}/questions/{query.pk}/workbench/export"),
            browser.get(f"{V1}/question-sets"),
            browser.get(f"{V1}/question-sets/{questions.pk}/questions"),
        ]
        for answer in answers:
            assert answer.status_code == 200
            assert private.graph.slug not in answer.content.decode()
        assert [one["method"] for one in answers[0].json()["partitions"]] == ["llm"]
        assert "sscore" not in answers[1].json()[0]
        (listed,) = [one for one in answers[2].json()["results"] if one["id"] == str(questions.pk)]
        assert listed["methods"] == {"llm": 4}
        assert answers[3].json()["results"][0]["methods"] == ["llm"]
    shown = bench(researcher.browser, query, graph=private.graph.slug).json()["partitions"]
    assert [one["method"] for one in shown] == ["llm", "rns"]


def with_experts(questions: QuestionSet, version: Version) -> None:
    """Every question has a partition of experts that RNS could have made."""
    call_command("partition", questions.name, "--graph", version.graph.slug, "--weights", "0,0,1")
    rns = Partition.objects.filter(question__question_set=questions, method="rns")
    experts = [
        NewPartition(one.question_id, Partition.Method.EXPERT, one.serendipity, one.existing)
        for one in rns
    ]
    add_partitions(actor=None, partitions=experts)
    call_command("partition", questions.name, graph=version.graph.slug)


def test_weights_that_hidden_questions_speak_for_are_hidden_with_them(
    visitor: APIClient, researcher: Person, version: Version
) -> None:
    questions = make_set(version, (5,) * 12, owner=researcher.user)
    shown = make_question(questions, 99, [1, 2, 3, 4, 5], split="dev")
    resolve_question_set(question_set=questions, version=version)
    with_experts(questions, version)
    body = bench(visitor, shown).json()
    assert body["calibration"] is None and body["presets"][-1]["name"] == "surprise"
    assert bench(researcher.browser, shown).json()["calibration"]["n"] == 13


def test_calibrated_weights_are_those_of_the_options_that_are_looked_at(
    visitor: APIClient, version: Version
) -> None:
    questions = make_set(version, (5,) * 12, is_demo=True)
    with_experts(questions, version)
    assert bench(visitor, first(questions)).json()["calibration"]["n"] == 12
    other = bench(visitor, first(questions), direction="out").json()
    assert other["calibration"] is None


def test_more_question_sets_take_no_more_queries(visitor: APIClient, version: Version) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as result:
            assert visitor.get(f"{V1}/question-sets").status_code == 200
        return len(result)

    make_set(version, split="dev")
    before = queries()
    for _ in range(3):
        make_set(version, split="dev")
    assert queries() == before


def test_more_questions_take_no_more_queries(visitor: APIClient, version: Version) -> None:
    def queries(sizes: tuple[int, ...]) -> list[int]:
        created = make_set(version, sizes, split="dev")
        result = []
        for path in (
            f"question-sets/{created.pk}/questions",
            f"questions/{first(created).pk}/workbench",
        ):
            visitor.get(f"{V1}/{path}")
            with CaptureQueriesContext(connection) as captured:
                assert visitor.get(f"{V1}/{path}").status_code == 200
            result.append(len(captured))
        return result

    assert queries((3,)) == queries((9, 4, 5, 12, 6))


@pytest.mark.parametrize(
    "file_id", ["007", "7", "٣", 'q\n\r\t;"x', "ö" * 90, "../../etc/passwd", " 12 ", "1" * 90]
)
def test_the_export_calls_a_question_as_its_file_did(
    visitor: APIClient, questions: QuestionSet, file_id: str
) -> None:
    query = first(questions)
    Question.objects.filter(pk=query.pk).update(file_id=file_id)
    answer = visitor.get(f"{V1}/questions/{query.pk}/workbench/export")
    assert answer.status_code == 200
    assert "\n" not in answer["Content-Disposition"]
    (record,) = parse_serenqa([SourceFile("partitions.json", answer.content)]).partitions
    assert record.qid == file_id
    query.records.create(kind="qa", text=json.dumps({"qid": 7}))
    assert original_qid(query) == 7


def test_the_export_of_many_answers_names_them_as_their_file_did(
    visitor: APIClient, version: Version
) -> None:
    questions = make_set(version, (25,), split="dev")
    query = first(questions)
    hidden, known = range(12), range(12, 25)
    new = NewPartition(query.pk, Partition.Method.LLM, hidden, known, split="dev")
    add_partitions(actor=None, partitions=[new])
    names = {one.position: f"theirs {one.position}" for one in query.candidates.all()}
    for position, name in names.items():
        query.candidates.filter(position=position).update(identifier=name)
    (record,) = visitor.get(f"{V1}/questions/{query.pk}/workbench/export").json()
    output = record["llm"]
    assert output["serendipity_set"]["list"] == [names[at] for at in hidden]
    ends = {
        (path.split("--")[0], path.split("--")[-1]) for path in output["explore_queries"]["paths"]
    }
    assert ends and ends <= {(names[one], names[other]) for one in known for other in hidden}


def test_what_takes_too_long_is_stopped_and_said_so(
    visitor: APIClient,
    questions: QuestionSet,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def endless(_bench: object, stop: CancellationToken) -> None:
        while True:
            stop.raise_if_cancelled()

    # Scoring that never ends: a small question is scored before any limit.
    monkeypatch.setattr(api, "load_or_compute_scores", endless)
    settings.RNS_SECONDS = 0.1
    answer = bench(visitor, first(questions))
    assert (answer.status_code, answer.json()["code"]) == (422, "too_costly")


def test_weights_that_are_none_are_refused(visitor: APIClient, version: Version) -> None:
    values: list[object] = ["nan", "inf", "-inf", -0.5, 1e308, True, "0.5e", None, [], {}]
    for part, weight in product(["relevance", "novelty", "surprise"], values):
        weights = {"relevance": 0.5, "novelty": 0.5, "surprise": 0.5, part: weight}
        body = {"existing": [drug(1)], "serendipity": [drug(2)], "weights": weights}
        answer = visitor.post(f"{V1}/graphs/{version.graph.slug}/rns", body)
        assert answer.status_code == 422, (part, weight)
        place = answer.json()["errors"][0]["place"].split(".")[0]
        assert place in ("weights", part), (part, weight)


def test_names_of_entities_that_are_none_are_refused(visitor: APIClient, version: Version) -> None:
    path = f"{V1}/graphs/{version.graph.slug}"
    for name in ("\x01", "\ud800", "x" * 100_000, "\u202e", "a\nb", "%00", "'--"):
        body = json.dumps({"existing": [name], "serendipity": [drug(2)]})
        answer = visitor.post(f"{path}/rns", body, content_type="application/json")
        expected = 400 if name == "\ud800" else 422  # half a pair is no text at all
        assert answer.status_code == expected, ascii(name[:9])
        shown = {"existing": name.encode(errors="replace").decode(), "serendipity": drug(2)}
        status = visitor.get(f"{path}/serendipity-paths", shown).status_code
        assert status == 404, ascii(name[:9])


UNKNOWN: list[dict[str, str | int]] = [
    {"size": 0},
    {"size": "1e3"},
    {"size": 10**9},
    {"direction": "sideways"},
    {"novelty": "\x00"},
    {"weighted": "perhaps"},
    {"graph": "../x"},
    {"snapshot": "\x00"},
    {"size": 5},
]


def test_options_that_are_not_known_are_refused(visitor: APIClient, questions: QuestionSet) -> None:
    for query in UNKNOWN:
        answer = bench(visitor, first(questions), **query)
        assert answer.status_code == 422, query
        assert "application/problem+json" in answer["Content-Type"], query
