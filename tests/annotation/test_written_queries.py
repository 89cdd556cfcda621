"""Written queries, from a draw of entities to the export: no query names its answer."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from annotation.exports_csv import export_csv
from annotation.kinds.base import InvalidPayload
from annotation.kinds.ratings.kind import KIND as RATINGS
from annotation.kinds.written_queries import kind as written_queries
from annotation.kinds.written_queries.entity_sample import MAX_SHOWN_EDGES, draw_questions
from annotation.kinds.written_queries.kind import KIND
from annotation.kinds.written_queries.rated_queries import SCALES
from annotation.kinds.written_queries.schema import WrittenQueryItem
from annotation.models import Action, Assignment, Response
from annotation.responses import ResponseWrite, write_response
from annotation.statistics import compute_statistics
from annotation.study_creation import create_study_from_set
from backend.accounts.models import User
from backend.benchmarks.models import Candidate, Question, QuestionSet
from backend.benchmarks.questionnaire import QuestionnaireInvalid, SourceFile
from backend.benchmarks.stark_queries.leaks import find_leaks, names_of_answer
from backend.benchmarks.stark_queries.query_files import read_query_records
from backend.common.errors import DomainError
from backend.graphs.importers.registry import open_source
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.studies.models import Study
from tests.annotation.kind_fixtures import read_items
from tests.annotation.personas import (
    Cast,
    client_of,
    join_as_expert,
    make_cast_of_kind,
    make_user,
    put_response,
)
from tests.graphs.cypher.factories import DEMO

CASES = json.loads(Path(written_queries.__file__).with_name("leak_cases.json").read_bytes())
SHOWN_FILE = Path(__file__).parents[2] / "fixtures/demo/written_queries/batch1.json"
ITEM = WrittenQueryItem.model_validate(read_items(KIND)[0].model_dump())


def entry(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "question_number": number,
        "qid": number,
        "text": f"Write query {number}.",
        "category": "Drug",
        "answer": "Aspirin",
        "synonyms": ["Acetylsalicylic acid"],
        "identifiers": ["DRUGBANK:DB00945", "CHEBI:15365"],
        "documents": [{"id": "d", "title": "", "text": "It thins blood. It helps.", "source": ""}],
        "edges": [{"source": "Aspirin", "relation": "inhibits", "target": "PTGS2", "origin": ""}],
        **changes,
    }


def make_written_cast(*entries: dict[str, Any]) -> Cast:
    files = [SourceFile("batch1.json", json.dumps(entries or (entry(1), entry(2))).encode())]
    return make_cast_of_kind("written_queries", files)


@pytest.fixture
def cast(db: None) -> Cast:
    return make_written_cast()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("demo")
    return open_snapshot(build_snapshot(open_source([DEMO]).source, folder).path)


def written(query: str, **changes: Any) -> dict[str, Any]:
    return {"query": query, "is_impossible": False, "comment": "", **changes}


def put(cast: Cast, payload: dict[str, Any], outcome: str, action: str = "submit") -> Any:
    body = {"version": 0, "action": action, "outcome": outcome, "payload": payload, "active_ms": 0}
    return put_response(client_of(cast.expert), cast.assignment(), body)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:30])
def test_names_leak_by_whole_words_of_their_normal_forms(case: dict[str, Any]) -> None:
    assert find_leaks(case["text"], case["names"]) == case["leaks"]


def test_identifiers_leak_with_and_without_their_prefix_but_not_as_bare_numbers() -> None:
    names = list(names_of_answer("Aspirin", ["ASA"], ["DRUGBANK:DB00945", "CHEBI:15365"]))
    assert names == ["Aspirin", "ASA", "DRUGBANK:DB00945", "DB00945", "CHEBI:15365"]


@pytest.mark.parametrize(
    "query",
    [
        "What is aspirin-like?",
        "Which drug is ACETYLSALICYLIC  acid?",
        "Which drug is DB00945?",
        "Which drug is chebi:15365?",
    ],
)
def test_a_query_that_names_its_answer_is_saved_but_not_submitted(cast: Cast, query: str) -> None:
    refused = put(cast, written(query), "written")
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_payload")
    [fault] = refused.json()["errors"]
    assert (fault["place"], fault["code"]) == ("payload.query", "names_answer")
    assert not Response.objects.exists()
    assert put(cast, written(query), "", "save").status_code == 200


def test_a_query_without_the_name_is_submitted_and_exported(cast: Cast) -> None:
    query = "Which drug inhibits PTGS2 and thins blood in 15365 of 20,000 people?"
    assert put(cast, written(query, comment="=1"), "written").status_code == 200
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(cast.study)), newline="")))
    [row] = [one for one in rows if one["outcome"] == "written"]
    assert (row["answer"], row["answer_id"]) == ("Aspirin", "DRUGBANK:DB00945")
    assert (row["query"], row["words"]) == (query, "13")


def test_where_no_query_is_possible_the_answer_counts_and_has_none(cast: Cast) -> None:
    payload = written("What is aspirin?", is_impossible=True)
    assert put(cast, payload, "impossible").status_code == 200
    rows = list(csv.DictReader(io.StringIO("".join(export_csv(cast.study)), newline="")))
    [row] = [one for one in rows if one["outcome"] == "impossible"]
    assert (row["query"], row["words"]) == ("", "")


def test_an_empty_query_is_no_answer() -> None:
    with pytest.raises(InvalidPayload) as refused:
        KIND.outcome(KIND.validate(ITEM, written(" \n")), ITEM)
    assert [one.code for one in refused.value.faults] == ["no_query"]


def test_an_item_has_what_can_be_explored(cast: Cast) -> None:
    path = f"/api/v1/batches/{cast.batch.id}/assignments"
    item = client_of(cast.expert).get(path).json()["assignments"][0]["item"]
    assert item["answer"] == "Aspirin"
    assert item["documents"][0]["sentences"] == ["It thins blood. ", "It helps."]
    assert [one["target"] for one in item["edges"]] == ["PTGS2"]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"answer": " "}, "answer"),
        ({"identifiers": []}, "identifiers"),
        ({"synonyms": [7]}, "synonyms[0]"),
        ({"edges": [{"source": "a", "relation": "b"}]}, "edges[0].target"),
    ],
)
def test_faults_of_a_file_have_their_places(db: None, changes: Any, place: str) -> None:
    with pytest.raises(QuestionnaireInvalid) as raised:
        make_written_cast(entry(1, **changes))
    assert [one.place.rsplit(", ", 1)[1] for one in raised.value.faults] == [place]


def test_a_known_answer_is_refused(db: None) -> None:
    gold = {"answer": {"query": "Which drug?"}, "explanation": ""}
    with pytest.raises(QuestionnaireInvalid) as raised:
        make_written_cast(entry(1, gold=gold))
    assert [one.code for one in raised.value.faults] == ["no_known"]


def test_statistics_have_length_diversity_and_entities_without_a_query(cast: Cast) -> None:
    put(cast, written("Which drug thins blood?"), "written")
    [section] = compute_statistics(cast.study)
    figures = {one.name: one.value for one in section.figures}
    assert (figures["words"], figures["entities"], figures["type_token_ratio"]) == (4, 1, 1)
    assert figures["shannon_entropy"] == pytest.approx(2)


def test_without_queries_nothing_is_computed(cast: Cast) -> None:
    [section] = compute_statistics(cast.study)
    values = {one.name: one.value for one in section.figures}
    assert values["entities"] == 0
    assert {values[name] for name in ("words", "shannon_entropy", "type_token_ratio")} == {None}
    [measure] = KIND.agreement([], seed=1)
    assert (measure["value"], measure["n"]) == (None, 0)


def test_others_queries_are_shown_after_the_end() -> None:
    others = [written("Which drug blocks H2? "), written("What heals ulcers?")]
    assert KIND.compare(ITEM, None, others) == (
        "Others wrote: “Which drug blocks H2?”, “What heals ulcers?”."
    )


def test_a_draw_repeats_itself_and_its_questions_are_those_of_the_file(demo: Snapshot) -> None:
    drawn = draw_questions(demo, 6, 3)
    assert drawn == draw_questions(demo, 6, 3) == json.loads(SHOWN_FILE.read_bytes())
    assert drawn != draw_questions(demo, 6, 4)


def test_each_entity_with_edges_is_drawn_once_with_edges_of_all_its_relations(
    demo: Snapshot,
) -> None:
    drawn = draw_questions(demo, demo.entity_count, 1)
    linked = [one for one in range(demo.entity_count) if demo.degree(one)]
    assert sorted(one["identifiers"][0] for one in drawn) == sorted(
        demo.entity(one).id for one in linked
    )
    hub = max(linked, key=demo.degree)
    [question] = [one for one in drawn if one["identifiers"][0] == demo.entity(hub).id]
    relations = len(demo.degrees(hub))
    assert len({one["relation"] for one in question["edges"]}) == relations
    assert relations <= len(question["edges"]) <= max(MAX_SHOWN_EDGES, relations)


def test_types_can_be_chosen_and_unknown_ones_are_named(demo: Snapshot) -> None:
    assert {one["category"] for one in draw_questions(demo, 5, 1, ["Drug"])} == {"Drug"}
    with pytest.raises(DomainError, match="no type 'Planet'"):
        draw_questions(demo, 5, 1, ["Planet"])


def test_a_simulated_expert_gives_up_where_every_edge_names_the_answer() -> None:
    edge = ITEM.edges[0].model_copy(update={"target": "Pepcid"})
    item = ITEM.model_copy(update={"edges": [edge]})
    outcomes = {KIND.simulate(item, expert).outcome for expert in np.arange(1, 40).tolist()}
    assert outcomes == {"impossible", ""}


def close(cast: Cast) -> None:
    end(cast.study)


def end(study: Study) -> None:
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED)


def store(cast: Cast, who: User | None) -> Any:
    return client_of(who).post(f"/api/v1/studies/{cast.study.id}/queries")


def rate(study: Study, rater: User, level: int) -> None:
    """Join the study, and rate the first query of its set on all scales."""
    if not study.members.filter(user=rater).exists():
        join_as_expert(study, list(study.batches.all()), rater)
    assignment = Assignment.objects.filter(study=study, expert=rater).earliest("pk")
    levels = dict.fromkeys([name for name, *_ in SCALES], level)
    payload = {"levels": levels, "unsure": {}, "comment": ""}
    write = ResponseWrite(version=0, action=Action.SUBMIT, outcome="rated", payload=payload)
    write_response(actor=rater, assignment_id=assignment.id, write=write)


def test_queries_of_a_closed_study_become_a_set_with_their_entities_as_answers(cast: Cast) -> None:
    put(cast, written(" Which drug thins blood? "), "written")
    assert store(cast, cast.coordinator).json()["code"] == "study_open"
    close(cast)
    assert store(cast, cast.expert).status_code == 403
    stored = store(cast, cast.coordinator).json()
    assert {**stored, "question_set": ""} == {
        "study": cast.study.name,
        "question_set": "",
        "name": f"Queries of {cast.study.name}",
        **{"queries": 1, "added": 1, "verified": 0, "refuted": 0, "divided": 0, "unverified": 1},
    }
    question = Question.objects.get(question_set=stored["question_set"])
    [answer] = question.candidates.all()
    assert (question.text, answer.name) == ("Which drug thins blood?", "Aspirin")
    assert answer.identifier == "DRUGBANK:DB00945"
    assert question.payload["details"] == (
        "Answer: Aspirin (DRUGBANK:DB00945)\n\nAspirin | inhibits | PTGS2\n\n"
        "It thins blood. It helps."
    )
    assert RATINGS.can_use(question)
    again = store(cast, cast.coordinator).json()
    assert (again["queries"], again["added"]) == (1, 0)


@pytest.mark.parametrize(
    ("levels", "status"),
    [((5, 4), "verified"), ((1, 3), "refuted"), ((2, 4), "divided"), ((2, 5), "divided")],
)
def test_other_experts_verify_a_query_and_its_author_does_not(
    cast: Cast, tmp_path: Path, levels: tuple[int, int], status: str
) -> None:
    put(cast, written("Which drug thins blood?"), "written")
    close(cast)
    stored = store(cast, cast.coordinator).json()
    question_set = QuestionSet.objects.get(id=stored["question_set"])
    study = create_study_from_set(
        actor=cast.coordinator, name="Verification", question_set=question_set, kind="ratings"
    ).study
    rate(study, cast.expert, 5)
    end(study)
    assert store(cast, cast.coordinator).json()["unverified"] == 1
    Study.objects.filter(pk=study.pk).update(status=Study.Status.OPEN)
    for name, level in zip(("Vera", "Otto"), levels, strict=True):
        rate(study, make_user(name), level)
    assert store(cast, cast.coordinator).json()["unverified"] == 1  # experts may still revise
    end(study)
    counted = store(cast, cast.coordinator).json()
    assert (counted[status], counted["unverified"]) == (1, 0)
    into = tmp_path / "queries.csv"
    call_command("store_queries", cast.study.name, "--into", str(into))
    rows = list(csv.DictReader(io.StringIO(into.read_text())))
    answers = [(one["query"], one["answer_ids"]) for one in rows]
    expected = [("Which drug thins blood?", '["DRUGBANK:DB00945"]')]
    assert answers == (expected if status == "verified" else [])


def test_a_node_number_of_stark_is_how_the_answer_is_named(db: None, tmp_path: Path) -> None:
    identifiers = ["DRUGBANK:DB00945", "STARK:17"]
    cast = make_written_cast(entry(1, identifiers=identifiers))
    put(cast, written("Which drug thins blood?"), "written")
    close(cast)
    stored = store(cast, cast.coordinator).json()
    answer = Candidate.objects.get(question__question_set=stored["question_set"])
    assert answer.identifier == "17"


def test_a_study_without_queries_makes_an_empty_set(cast: Cast) -> None:
    put(cast, written("", is_impossible=True), "impossible")
    close(cast)
    stored = store(cast, cast.coordinator).json()
    assert (stored["queries"], stored["added"]) == (0, 0)


def test_verdicts_of_another_persons_study_of_the_set_do_not_count(cast: Cast) -> None:
    put(cast, written("Which drug thins blood?"), "written")
    close(cast)
    stored = store(cast, cast.coordinator).json()
    study = create_study_from_set(
        actor=make_user("Ada", is_administrator=True),
        name="Comparison",
        question_set=QuestionSet.objects.get(id=stored["question_set"]),
        kind="ratings",
    ).study
    rate(study, make_user("Vera"), 1)
    end(study)
    counted = store(cast, cast.coordinator).json()
    assert (counted["refuted"], counted["unverified"]) == (0, 1)


@pytest.mark.parametrize("by_page", [False, True])
def test_a_set_of_somebody_else_with_this_name_is_left_alone(
    cast: Cast, by_page: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"Queries of {cast.study.name}"
    theirs = QuestionSet.objects.create(name=name, created_by=make_user("Mallory"))
    put(cast, written("Which drug thins blood?"), "written")
    close(cast)
    if by_page:
        refused = store(cast, cast.coordinator)
        assert (refused.status_code, refused.json()["code"]) == (409, "set_exists")
    else:
        with pytest.raises(SystemExit):
            call_command("store_queries", cast.study.name)
        assert "belongs to somebody else" in capsys.readouterr().err
    assert not theirs.questions.exists()


def test_a_set_that_the_command_made_belongs_to_the_coordinator(cast: Cast) -> None:
    put(cast, written("Which drug thins blood?"), "written")
    close(cast)
    call_command("store_queries", cast.study.name)
    assert QuestionSet.objects.get(name__startswith="Queries").created_by == cast.coordinator
    again = store(cast, cast.coordinator)
    assert (again.status_code, again.json()["added"]) == (200, 0)
    administrator = make_user("Ada", is_administrator=True)
    assert store(cast, administrator).json()["queries"] == 1


def test_a_verified_query_that_looks_like_a_formula_is_read_as_it_was_written(
    cast: Cast, tmp_path: Path
) -> None:
    query = '=HYPERLINK("http://a.example") or which drug thins blood?'
    put(cast, written(query), "written")
    close(cast)
    stored = store(cast, cast.coordinator).json()
    study = create_study_from_set(
        actor=cast.coordinator,
        name="Verification",
        question_set=QuestionSet.objects.get(id=stored["question_set"]),
        kind="ratings",
    ).study
    rate(study, make_user("Vera"), 5)
    end(study)
    into = tmp_path / "queries.csv"
    call_command("store_queries", cast.study.name, "--into", str(into))
    [row] = csv.DictReader(io.StringIO(into.read_text()))
    assert row["query"] == f"'{query}"
    assert [one.text for one in read_query_records(into)] == [query]
