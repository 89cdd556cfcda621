"""Questionnaires whose questions are those of a set with patterns, and so are the partitions."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from annotation.imports import import_study
from annotation.models import Assignment, BatchQuestion, KnownAnswer
from annotation.presentations import build_item_of
from backend.accounts.models import User
from backend.benchmarks.file_discovery import read_source_files
from backend.benchmarks.formats.serenqa.parser import parse_serenqa
from backend.benchmarks.models import Partition, QuestionSet
from backend.benchmarks.question_import import import_questions
from backend.benchmarks.question_sets import get_or_create_question_set
from backend.benchmarks.questionnaire import QuestionnaireInvalid, SourceFile
from backend.common.errors import Conflict
from backend.studies.models import Study
from tests.annotation.personas import client_of, make_user
from tests.annotation.test_study_creation import run
from tests.benchmarks import hostile_questionnaire
from tests.benchmarks.formats import factories
from tests.benchmarks.formats.test_storing import clinical
from tests.graphs.served_graph import make_graph

pytestmark = pytest.mark.django_db

NAMES = ["NOS3", factories.NASTY, "HSP90AA1"]
LINK = "https://www.uniprot.org/uniprotkb/P07900/entry"
ORDER = [[2], [0, 1]]


def make_qa_set(owner: User | None, records: list[dict[str, Any]]) -> QuestionSet:
    question_set = get_or_create_question_set(actor=owner, name="QA")
    parsed = parse_serenqa([factories.source(records)])
    import_questions(actor=None, question_set=question_set, parsed=parsed)
    return question_set


def entry(qid: int, **changes: Any) -> dict[str, Any]:
    """The set's third candidate first, by its identifier; the others are tied."""
    ranked = [(NAMES[1], 2, ""), ("Heat shock protein", 1, LINK), (NAMES[0], 2, "")]
    created = {
        "question_number": qid,
        "qid": qid,
        "text": f"Which proteins are part of it {qid}? ",
        "category": "another one",
        "llm_ranking": [hostile_questionnaire.candidate(*one) for one in ranked],
        "resource": [hostile_questionnaire.resource("Zinc ", "")],
    }
    return {**created, **changes}


def batch(*entries: dict[str, Any], name: str = "batch3.json") -> SourceFile:
    return hostile_questionnaire.source(name, list(entries))


@pytest.fixture
def ada() -> User:
    return make_user("Ada", is_administrator=True)


@pytest.fixture
def qa_set(ada: User) -> QuestionSet:
    ids = ["P1", "P2", "P07900"]
    answers = [factories.answer(*one) for one in zip(ids, NAMES, strict=True)]
    full = [factories.question(qid, answer=answers) for qid in (1, 2, 3)]
    return make_qa_set(ada, [*full, factories.question(4), factories.question(5)])


def contents(question_set: QuestionSet) -> list[Any]:
    questions = question_set.questions.order_by("file_id")
    stored = ("text", "number", "batch_number", "category", "payload", "records__text")
    candidates = ("candidates__name", "candidates__link", "candidates__prior_rank")
    return [*questions.values_list(*stored), *questions.values_list(*candidates)]


def join(qa_set: QuestionSet, *entries: dict[str, Any]) -> Study:
    return import_study(
        actor=None, name="Joined", sources=[batch(*entries)], question_set=qa_set
    ).study


def test_consensus_of_a_joined_questionnaire_has_a_mask(
    qa_set: QuestionSet, tmp_path: Path
) -> None:
    make_graph("Clinical", rows=clinical("CORUM:5716"))
    before = contents(qa_set)
    file = tmp_path / "batch3.json"
    entries = [entry(qid) for qid in (4, 5)]  # their answers are in the graph
    for one in entries:
        del one["llm_ranking"][1]
    file.write_bytes(batch(*entries).content)
    words = ("--question-set", "QA", "--coordinator", "ada@study.example", "--json")
    status, shown = run("import_questionnaire", str(file), "--study", "Joined", *words)
    assert (status, shown["question_set"], shown["added"]) == (0, "QA", 2)
    assert run("simulate_study", "Joined", "--raters", "3", "--json")[0] == 0
    status, created = run("partition_study", "Joined", "--json")
    assert (status, created["question_set"]) == (0, str(qa_set.id))
    assert created["expert"]["partitions"] == 2 and created["llm"]["partitions"] == 0
    out = ("--into", str(tmp_path / "mask.json"), "--json")
    mask = run("mask_questions", "QA", "--graph", "clinical", "--method", "expert", *out)[1]
    assert mask["included"] == ["4", "5"]
    assert {*Partition.objects.values_list("question__question_set", flat=True)} == {qa_set.id}
    assert contents(qa_set) == before
    name = ("--name", "Pool", "--overlap", "2", "--hidden-share", "0.5")
    status, created = run("create_study", "ranking", str(file), *name, *words)
    assert (status, created["questions"], created["with_prior"]) == (0, 2, 2)


def test_the_study_has_the_prior_links_and_resources_of_the_file(qa_set: QuestionSet) -> None:
    gold = {"answer": {"ranking": [[1], [0, 2]]}, "explanation": ""}
    study = join(qa_set, entry(1), entry(2, gold=gold))
    stored = BatchQuestion.objects.order_by("question__file_id")
    assert [one.payload["prior"] for one in stored] == [ORDER, ORDER]
    call_command("simulate_study", "Joined", raters=1)
    assignments = Assignment.objects.with_item().filter(study=study).exclude(purpose="gold")
    for arms in ({}, {"prior": "hidden"}):
        assignment = assignments[0]
        assignment.arms = arms
        item = build_item_of(assignment).model_dump()
        assert ("prior" in item) is not bool(arms)
        assert {one["name"]: one["link"] for one in item["candidates"]}["HSP90AA1"] == LINK
        assert item["resources"] == [{"name": "Zinc ", "link": ""}]
    known = KnownAnswer.objects.get()
    candidates = qa_set.questions.get(file_id="2").candidates.order_by("position")
    ids = [str(one.id) for one in candidates]
    assert [{*group} for group in known.payload["ranking"]] == [{ids[2]}, {ids[0], ids[1]}]


def test_every_difference_is_a_fault_with_both_texts(qa_set: QuestionSet) -> None:
    less = entry(2, text="Which proteins are part of it 2?")
    other = [("NOS3", 1, ""), ("NOS2", 2, ""), ("HSP90AA1", 3, "")]
    ranked = [hostile_questionnaire.candidate(*one) for one in other]
    with pytest.raises(QuestionnaireInvalid) as caught:
        join(qa_set, entry(7), less, entry(3, llm_ranking=ranked), entry(1))
    assert [(one.place, one.message) for one in caught.value.faults] == [
        ("batch3.json, question 7 (qid 7), qid", "The set has no question 7."),
        (
            "batch3.json, question 2 (qid 2), text",
            "The file has 'ns are part of it 2?', the set has 'ns are part of it 2? '.",
        ),
        (
            "batch3.json, question 3 (qid 3), llm_ranking[1].entity_name",
            "The set's question has no candidate 'NOS2'.",
        ),
        (
            "batch3.json, question 3 (qid 3), llm_ranking",
            "The file lacks the set's candidate 'Platelet  degranulation \\t“β”\\u200b, "
            "=HYPERLINK(1)'.",
        ),
    ]


def test_more_files_join_the_same_set_and_the_same_file_adds_nothing(qa_set: QuestionSet) -> None:
    study = join(qa_set, entry(1))
    again = import_study(actor=None, name="Joined", sources=[batch(entry(1), entry(2))])
    assert (again.study, again.added) == (study, 1)
    swapped = entry(2)
    swapped["llm_ranking"][1]["llm_rank"] = 3
    with pytest.raises(QuestionnaireInvalid, match="1 error"):
        import_study(actor=None, name="Joined", sources=[batch(swapped)])
    other = get_or_create_question_set(actor=None, name="Other")
    with pytest.raises(Conflict, match="another set"):
        import_study(actor=None, name="Joined", sources=[batch(entry(3))], question_set=other)
    assert qa_set.questions.count() == 5


@pytest.mark.parametrize(("who", "status"), [("ada", 201), ("cora", 403)])
def test_owners_of_a_set_let_files_join_it_in_the_browser(
    qa_set: QuestionSet, ada: User, who: str, status: int
) -> None:
    cora = make_user("Cora")
    import_study(actor=ada, name="Own", sources=[batch(entry(1))], question_set=qa_set)
    Study.objects.get().members.create(user=cora, role="coordinator")
    file = batch(entry(2))
    sent = [SimpleUploadedFile(file.name, file.content)]
    body = {"name": "Browser", "files": sent, "question_set": str(qa_set.id)}
    actor = ada if who == "ada" else cora
    assert client_of(actor).post("/api/v1/studies/import", body).status_code == status


@pytest.mark.skipif(
    "SERENDIB_DATA" not in os.environ, reason="SERENDIB_DATA names no folder with SerenQA's files"
)
def test_the_first_questionnaire_of_serenqa_joins_a_set_of_its_questions() -> None:
    """The set has their ids, texts and names; then one of them is worded differently."""
    file = Path(os.environ["SERENDIB_DATA"]) / "serenqa" / "batch1.json"
    sources, _ = read_source_files([file])
    qa_set = make_qa_set(None, [_as_record(one) for one in json.loads(file.read_bytes())])
    study = import_study(actor=None, name="All", sources=sources, question_set=qa_set)
    assert (study.questions, study.added) == (349, 349)
    assert all(one.payload["prior"] for one in BatchQuestion.objects.all())
    qa_set.questions.filter(file_id="0").update(text="Another wording")
    with pytest.raises(QuestionnaireInvalid) as caught:
        import_study(actor=None, name="Less", sources=sources, question_set=qa_set)
    assert [one.place.partition(" (")[2] for one in caught.value.faults] == ["qid 0), text"]


def _as_record(question: dict[str, Any]) -> dict[str, Any]:
    names = [one["entity_name"] for one in question["llm_ranking"]]
    answers = [factories.answer(f"X{place}", name) for place, name in enumerate(sorted(names))]
    return factories.question(question["qid"], question=question["text"], answer=answers)
