"""Queries that models write from relations and documents: their rules, filters and answers."""

import csv
import io
import json
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotation.study_creation import create_study_from_set
from backend.benchmarks.models import Question, QuestionSet
from backend.benchmarks.stark_queries.leaks import find_leaks
from backend.common.errors import DomainError
from backend.evaluation.models import QuerySynthesis, RequestState, SynthesizedQuery
from backend.evaluation.synthesis.documents import answer_names
from backend.evaluation.synthesis.filters import contains, find_fault
from backend.evaluation.synthesis.results import accepted_queries, write_file
from backend.evaluation.synthesis.services import SynthesisSettings, run_again
from backend.evaluation.synthesis.steps import hard_of
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.jobs.runner import run_job
from backend.llm.models import Budget, Call, Endpoint
from backend.tracks.synthesis_roles import ROLES
from backend.tracks.synthesis_tasks import WrittenQuery
from tests.annotation.personas import make_user
from tests.evaluation.synthesis_graph import make_primekg, make_shop
from tests.evaluation.synthesis_worlds import blocks, synthesize, task_of
from tests.llm.factories import QUICK, make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)
COUNT = 14


@pytest.fixture
def graph(transactional_db: None) -> Version:
    return make_primekg()


@pytest.fixture
def endpoints(graph: Version, server: ScriptedServer) -> list[Endpoint]:
    server.script = synthesize
    names = ("writer", "rewriter", "first", "second")
    return [make_endpoint(server.url, one, max_in_flight=4) for one in names]


def settings_of(graph: Version, endpoints: list[Endpoint], **more: Any) -> SynthesisSettings:
    writer, rewriter, *verifiers = endpoints
    known = {"name": "Synthesized", "budget": Decimal(1), "count": COUNT, **more}
    return SynthesisSettings(graph, writer=writer, rewriter=rewriter, verifiers=verifiers, **known)


def run(graph: Version, endpoints: list[Endpoint], **more: Any) -> QuerySynthesis:
    synthesis = run_again(settings=settings_of(graph, endpoints, **more), resumes=False)
    return run_job_of(synthesis)


def run_job_of(synthesis: QuerySynthesis) -> QuerySynthesis:
    assert synthesis.job is not None
    run_job(synthesis.job.pk, inputs={"rules": QUICK})
    synthesis.refresh_from_db()
    return synthesis


def outcomes(synthesis: QuerySynthesis) -> Counter[str]:
    return Counter(synthesis.queries.values_list("outcome", flat=True))


def marks(graph: Version, numbers: list[int]) -> set[int]:
    """Of these entities, by their identifiers."""
    view = open_version_snapshot(graph)
    return {int(view.entity(one).id.rpartition(":")[2]) % 3 for one in numbers}


def test_queries_state_their_hard_requirements_and_never_the_name(
    graph: Version, endpoints: list[Endpoint], server: ScriptedServer
) -> None:
    synthesis = run(graph, endpoints)
    assert synthesis.state == RequestState.ENDED, synthesis.error
    assert outcomes(synthesis) == {"accepted": COUNT}
    view = open_version_snapshot(graph)
    documented = 0
    for row in synthesis.queries.all():
        assert not find_leaks(row.text, answer_names(view, row.gold))
        assert row.text.startswith("In my case") and row.first_text.startswith("Find")
        assert all(contains(row.text, name) for name in row.entities) and row.entities
        assert all(contains(row.text, text) for text in hard_of(row).values())
        if row.properties:
            documented += 1
            hard, soft = row.properties
            assert (hard["is_hard"], soft["is_hard"]) == (True, False)
            sentences = " ".join(one.text for one in view.document(row.gold))
            assert hard["source"] in sentences and soft["source"] in sentences
            # All candidates with the mark of the gold answer, and no other.
            [mark] = marks(graph, [row.gold])
            expected = [one for one in row.candidates if marks(graph, [one]) == {mark}]
            assert row.answers == expected
        else:
            assert row.answers == row.candidates and not row.verdicts.exists()
    assert 0 < documented < COUNT
    assert {row.role for row in synthesis.queries.all()} >= {"scientist", "patient"}


def test_queries_of_a_graph_of_products_are_those_of_shoppers(
    transactional_db: None, server: ScriptedServer
) -> None:
    server.script = synthesize
    shop = make_shop()
    endpoints = [make_endpoint(server.url, one) for one in ("writer", "rewriter", "first")]
    synthesis = run(shop, endpoints, count=9)
    assert outcomes(synthesis) == {"accepted": 9}, synthesis.error
    view = open_version_snapshot(shop)
    for row in synthesis.queries.all():
        assert (row.role, view.entity(row.gold).type) == ("shopper", "product")
        [mark] = marks(shop, [row.gold])
        assert row.answers == [one for one in row.candidates if marks(shop, [one]) == {mark}]
    written = [one.body["messages"][0]["content"] for one in server.log]
    assert not any("doctor" in one or "patient" in one for one in written)
    assert sum(ROLES["shopper"].voice in one for one in written) == 2 * 9


def test_the_set_has_the_answers_and_can_be_rated(
    graph: Version, endpoints: list[Endpoint]
) -> None:
    owner = make_user("Cara")
    synthesis = run_job_of(
        run_again(settings=settings_of(graph, endpoints), owner=owner, resumes=False)
    )
    question_set = QuestionSet.objects.get(name="Synthesized")
    assert (question_set.created_by, synthesis.question_set) == (owner, question_set)
    rows = {one.text: one for one in accepted_queries(synthesis)}
    lines = csv.DictReader(io.StringIO(write_file(synthesis).decode()))
    queries = {line["id"]: line["query"] for line in lines}
    for question in Question.objects.filter(question_set=question_set):
        assert question.text == queries.pop(question.file_id)
        row = rows[question.text]
        assert question.candidates.count() == len(row.answers)
        assert [one["name"] for one in question.payload["scales"]][:1] == ["Correctness"]
    assert queries == {}
    study = create_study_from_set(
        actor=owner, name="Rated", question_set=question_set, kind="ratings"
    )
    assert study.questions == COUNT


def plant(task: str, change: Any) -> Any:
    """Of every other request of a task the answer is changed."""
    count = Counter[str]()

    def script(body: dict[str, Any], number: int) -> Scripted:
        scripted = synthesize(body, number)
        if task_of(body) == task and sum(count.values()) % 2 == 0:
            scripted = replace(scripted, text=json.dumps(change(json.loads(scripted.text), body)))
        count[task] += task_of(body) == task
        return scripted

    return script


def name_answer(answer: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """Every entity of the type that is looked for, so that the answer is one of them."""
    type_ = blocks(body)[-5][0] if task_of(body) == "rewriting" else blocks(body)[0][0]
    names = " ".join(f"{type_} {number}" for number in range(9))
    return {**answer, "query": f"{answer['query']} {names}"}


@pytest.mark.parametrize(
    ("task", "change", "outcome"),
    [
        ("query", name_answer, "names_answer"),
        ("rewriting", name_answer, "names_answer"),
        ("query", lambda answer, body: {**answer, "query": "Which drug helps?"}, "lacks_entity"),
        ("rewriting", lambda answer, body: {**answer, "used": []}, "lacks_requirement"),
        (
            "rewriting",
            lambda answer, body: {
                **answer,
                "used": [{**one, "words": "made up words"} for one in answer["used"]],
            },
            "lacks_requirement",
        ),
        ("properties", lambda answer, body: {"properties": []}, "unreadable"),
    ],
)
def test_planted_bad_answers_are_dropped_with_their_reason(
    graph: Version,
    endpoints: list[Endpoint],
    server: ScriptedServer,
    task: str,
    change: Any,
    outcome: str,
) -> None:
    server.script = plant(task, change)
    synthesis = run(graph, endpoints)
    assert synthesis.state == RequestState.ENDED, synthesis.error
    counts = outcomes(synthesis)
    assert counts[outcome] > 0 and set(counts) == {"accepted", outcome}
    dropped = synthesis.queries.filter(outcome=outcome)
    assert all(one.reason and not one.answers for one in dropped)
    assert (
        Question.objects.filter(question_set=synthesis.question_set).count() == counts["accepted"]
    )
    if outcome != "lacks_requirement":
        return
    assert all(one.properties for one in dropped)


def test_properties_that_name_the_answer_are_removed(
    graph: Version, endpoints: list[Endpoint], server: ScriptedServer
) -> None:
    def name_hard(answer: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        hard, soft = answer["properties"]
        return {"properties": [{**hard, "text": f"is {blocks(body)[1][0]}"}, soft]}

    server.script = plant("properties", name_hard)
    synthesis = run(graph, endpoints)
    counts = outcomes(synthesis)
    assert counts["no_property"] > 0 and set(counts) == {"accepted", "no_property"}


@pytest.mark.parametrize(
    ("failing", "field"), [("rewriting", "first_text"), ("verification", "text")]
)
def test_equal_queries_are_dropped_before_the_next_step_is_paid_for(
    graph: Version, endpoints: list[Endpoint], server: ScriptedServer, failing: str, field: str
) -> None:
    """A step breaks off, two queries get the words of an earlier one, and the step goes on."""

    def script(body: dict[str, Any], number: int) -> Scripted:
        return Scripted(status=500) if task_of(body) == failing else synthesize(body, number)

    server.script = script
    synthesis = run(graph, endpoints)
    assert synthesis.state == RequestState.FAILED
    first, second, third, *_ = synthesis.queries.exclude(properties=[]).order_by("number")
    words = getattr(first, field)
    for one in (second, third):
        SynthesizedQuery.objects.filter(pk=one.pk).update(**{field: words.upper()})
    server.script = synthesize
    settings = settings_of(graph, endpoints)
    synthesis = run_job_of(run_again(settings=settings, resumes=True))
    assert synthesis.state == RequestState.ENDED, synthesis.error
    repeated = synthesis.queries.filter(outcome="repeated")
    assert {one.number for one in repeated} == {second.number, third.number}
    assert not any(one.verdicts.exists() for one in repeated)
    answered = Call.objects.filter(budget__subject=synthesis.subject, outcome="answered")
    keys = [key.split() for key in answered.values_list("item_key", flat=True)]
    word = "rewriting" if failing == "rewriting" else "candidate"
    paid = {int(number) for _, number, step, *_ in keys if step == word}
    assert paid and not paid & {second.number, third.number}


def test_an_answer_must_pass_every_verifier_and_gold_is_counted(
    graph: Version, endpoints: list[Endpoint], server: ScriptedServer, tmp_path: Path
) -> None:
    def script(body: dict[str, Any], number: int) -> Scripted:
        scripted = synthesize(body, number)
        if task_of(body) == "verification" and "mark number 1" in body["messages"][1]["content"]:
            answer = json.loads(scripted.text)
            if body["model"] == "strict":
                answer = {"verdicts": [{**one, "is_met": False} for one in answer["verdicts"]]}
            return replace(scripted, text=json.dumps(answer))
        return scripted

    server.script = script
    Endpoint.objects.filter(name="second").update(model="strict")
    words = ["--writer", "writer", "--rewriter", "rewriter", "--verifier", "first"]
    words += ["--verifier", "second", "--count", str(COUNT), "--budget", "1", "--json"]
    out = io.StringIO()
    into = tmp_path / "queries.csv"
    more = ["--name", "Synthesized", "--into", str(into)]
    call_command("synthesize_queries", graph.graph.slug, *words, *more, stdout=out)
    result = json.loads(out.getvalue())
    synthesis = QuerySynthesis.objects.get()
    rows = [one for one in synthesis.queries.all() if one.properties]
    refused = [one for one in rows if marks(graph, [one.gold]) == {1}]
    assert refused and len(refused) < len(rows)
    assert (result["gold_checked"], result["gold_passed"]) == (len(rows), len(rows) - len(refused))
    assert all(one.answers == [one.gold] for one in refused)
    # The strict verifier gets what the first one passed.
    second = [one for row in rows for one in row.verdicts.all() if one.verifier == 2]
    first = [one for row in rows for one in row.verdicts.all() if one.verifier == 1 and one.is_met]
    assert len(second) == len(first)
    lines = list(csv.DictReader(io.StringIO(into.read_text())))
    assert [one["query"] for one in lines] == [one.text for one in synthesis.queries.all()]
    assert result["statistics"]["queries"] == COUNT
    assert result["statistics"]["relational_share"] > 0


def test_the_budget_holds_and_more_money_repeats_no_paid_call(
    graph: Version, endpoints: list[Endpoint], server: ScriptedServer
) -> None:
    free = run(graph, endpoints)
    spent = Budget.objects.get(subject=free.subject).spent
    whole = {json.dumps(one.body["messages"]) for one in server.log if one.is_paid}
    expected = [*free.queries.order_by("number").values_list("text", "answers")]
    worst = max(Call.objects.values_list("reserved", flat=True))
    server.log.clear()
    again = run(graph, endpoints, name="Again", seed=1, budget=worst + spent / 3)
    assert (again.state, again.error and again.error["code"]) == (
        RequestState.FAILED,
        "USER_BUDGET_EXHAUSTED",
    )
    budget = Budget.objects.get(subject=again.subject)
    assert 0 < budget.spent <= budget.amount
    settings = settings_of(graph, endpoints, name="Again", seed=1)
    resumed = run_job_of(run_again(settings=settings, resumes=True))
    assert resumed.pk == again.pk
    assert resumed.state == RequestState.ENDED, resumed.error
    paid = Counter(json.dumps(one.body["messages"]) for one in server.log if one.is_paid)
    assert set(paid.values()) == {1} and not paid.keys() <= whole
    assert len(expected) == resumed.queries.count()


def test_a_command_that_stopped_goes_on_only_when_told_to(
    graph: Version, endpoints: list[Endpoint], server: ScriptedServer
) -> None:
    settings = settings_of(graph, endpoints)
    with pytest.raises(DomainError, match="without --resume"):
        run_again(settings=settings, resumes=True)
    run_again(settings=settings, resumes=False)
    with pytest.raises(DomainError, match="Go on with --resume"):
        run_again(settings=settings, resumes=False)


def test_a_taken_name_is_refused_before_any_call(
    graph: Version,
    endpoints: list[Endpoint],
    server: ScriptedServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    QuestionSet.objects.create(name="Synthesized")
    words = ["--writer", "writer", "--rewriter", "rewriter", "--verifier", "first"]
    with pytest.raises(SystemExit):
        call_command("synthesize_queries", graph.graph.slug, "--name", "Synthesized", *words)
    assert "question set of this name exists" in capsys.readouterr().err
    assert not server.log


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"count": 0}, "count"),
        ({"hard": 6}, "hard"),
        ({"soft": -1}, "soft"),
        ({"name": " "}, "name"),
    ],
)
def test_settings_out_of_range_are_refused_by_their_name(
    graph: Version, endpoints: list[Endpoint], more: dict[str, Any], place: str
) -> None:
    with pytest.raises(DomainError) as refused:
        run_again(settings=settings_of(graph, endpoints, **more), resumes=False)
    assert [one.place for one in refused.value.faults] == [place]
    with pytest.raises(DomainError, match="Each endpoint verifies once"):
        run_again(settings=settings_of(graph, [*endpoints, endpoints[-1]]), resumes=False)


@pytest.mark.parametrize(
    ("query", "words", "code"),
    [
        ("What binds COX-1 and thins blood?", {"H1": "thins blood"}, ""),
        ("What binds COX 1, THINS  blood?", {"H1": "thins blood"}, ""),
        ("What does aspirin-like bind COX-1?", {"H1": "bind"}, "names_answer"),
        ("What binds COX-2 and thins blood?", {"H1": "thins blood"}, "lacks_entity"),
        ("What binds COX-1?", {"H1": "thins blood"}, "lacks_requirement"),
        ("What binds COX-1?", {"H1": "?"}, "lacks_requirement"),
        ("What binds COX-1?", {}, "lacks_requirement"),
    ],
)
def test_a_fault_of_a_query_has_a_code(query: str, words: dict[str, str], code: str) -> None:
    fault = find_fault(
        WrittenQuery(query, words),
        names=["Aspirin"],
        entities=["COX-1"],
        hard={"H1": "makes blood thin"},
    )
    assert fault[0] == code and bool(fault[1]) == bool(code)


def test_rows_are_drawn_once_for_the_same_settings(
    graph: Version, endpoints: list[Endpoint]
) -> None:
    fields = ("number", "template", "role", "relation", "gold", "candidates", "text", "answers")
    first, second = (run(graph, endpoints, name=one) for one in ("One", "Two"))
    rows = SynthesizedQuery.objects
    assert [*rows.filter(synthesis=first).values_list(*fields)] == [
        *rows.filter(synthesis=second).values_list(*fields)
    ]
