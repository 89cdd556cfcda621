from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from annotation.models import StudyDesign
from backend.benchmarks.questionnaire import SourceFile
from backend.studies.models import Member, Study
from backend.studies.policies import may_import_studies
from tests.annotation.personas import Cast, client_of, join_as_expert, make_user
from tests.benchmarks import hostile_questionnaire
from tests.personas import Person, make_person

URL = "/api/v1/studies/import"


@pytest.fixture
def coordinator(cast: Cast) -> Person:
    person = make_person("cora")
    Member.objects.create(study=cast.study, user=person.user, role=Member.Role.COORDINATOR)
    return person


def upload(browser: APIClient, files: list[SourceFile], name: str = "Mine", **fields: str) -> Any:
    sent = [SimpleUploadedFile(file.name, file.content) for file in files]
    return browser.post(URL, {"name": name, "files": sent, **fields}, format="multipart")


def test_a_coordinator_creates_a_study_in_the_browser(coordinator: Person) -> None:
    answer = upload(coordinator.browser, hostile_questionnaire.files())
    study = Study.objects.get(name="Mine")
    assert answer.status_code == 201
    assert answer.json() == {
        "study": {"id": str(study.id), "name": "Mine"},
        "batches": 2,
        "questions": 6,
        "candidates": 27,
        "added": 6,
        "notices": ["batches.json states that batch 12 has 9 questions; batch12.json has 2."],
    }
    assert [member.user for member in study.members.all()] == [coordinator.user]


def test_files_of_any_name_are_batches_and_come_again_to_the_same(coordinator: Person) -> None:
    (source,) = (it for it in hostile_questionnaire.files() if it.name == "batch1.json")
    files = [SourceFile("Heart.json", source.content)]
    assert upload(coordinator.browser, files).json()["added"] == 4
    assert upload(coordinator.browser, files).json()["added"] == 0
    study = Study.objects.get(name="Mine")
    assert [(it.number, it.name) for it in study.batches.all()] == [(1, "Heart")]


def test_the_description_is_shown_to_the_experts_and_stays_until_another_comes(
    coordinator: Person,
) -> None:
    files = hostile_questionnaire.files()
    for words in ("Thank you for your time.\n\nAda", ""):
        body = {"description": words}
        assert upload(coordinator.browser, files, **body).status_code == 201
    study = Study.objects.get(name="Mine")
    expert = join_as_expert(study, list(study.batches.all()), make_user("Eve"))
    (first, *_) = client_of(expert).get("/api/v1/batches").json()["results"]
    assert first["study"]["description"] == "Thank you for your time.\n\nAda"


def test_an_administrator_may_import_a_study(administrator: Person) -> None:
    assert upload(administrator.browser, hostile_questionnaire.files()).status_code == 201


def test_every_fault_is_told_at_once_and_nothing_changes(coordinator: Person) -> None:
    bad = hostile_questionnaire.changed(
        lambda created: created[3]["llm_ranking"][2].update(llm_rank="3")
    )
    answer = upload(coordinator.browser, [*bad, SourceFile("notes.json", b"{")])
    assert (answer.status_code, answer.json()["code"]) == (422, "questionnaire_invalid")
    assert [(it["place"], it["expected"]) for it in answer.json()["errors"]] == [
        (
            "batch1.json, question 4 (qid 3), llm_ranking[2].llm_rank",
            "a whole number from 1 to 32,767",
        ),
        ("notes.json, line 1, column 2", "a JSON file"),
    ]
    assert not Study.objects.filter(name="Mine").exists()


def test_half_a_character_is_told_without_breaking_the_answer(coordinator: Person) -> None:
    content = hostile_questionnaire.files()[1].content.replace(b"@SUM", b"\\udc80")
    answer = upload(coordinator.browser, [SourceFile("batch1.json", content)])
    assert answer.status_code == 422
    assert "\\udc80" in answer.json()["errors"][0]["message"]


def test_an_empty_file_and_a_huge_one_are_faults_of_the_file(coordinator: Person) -> None:
    files = [SourceFile("batch1.json", b""), SourceFile("batch2.json", b" " * 20_000_001)]
    answer = upload(coordinator.browser, files)
    assert [it["place"] for it in answer.json()["errors"]] == [
        "batch1.json, line 1, column 1",
        "batch2.json",
    ]


def test_an_upload_beyond_the_limit_is_refused_unread(coordinator: Person) -> None:
    files = [SourceFile(f"batch{n}.json", b" " * 18_000_000) for n in range(1, 4)]
    answer = upload(coordinator.browser, files)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("body", [{}, {"name": "Mine"}, {"name": "Mine", "files": "text"}])
def test_an_upload_without_files_is_refused(coordinator: Person, body: dict[str, str]) -> None:
    answer = coordinator.browser.post(URL, body, format="multipart")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


def test_a_name_that_another_study_has_is_refused_without_a_word_about_it(
    coordinator: Person, administrator: Person
) -> None:
    upload(administrator.browser, hostile_questionnaire.files(), name="Taken")
    answer = upload(coordinator.browser, hostile_questionnaire.files(), name="Taken")
    assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")


def test_everybody_else_is_refused(
    cast: Cast, researcher: Person, outsider: Person, visitor: APIClient
) -> None:
    expert = Person(cast.expert)
    for person in (expert, researcher, outsider):
        assert not may_import_studies(person.user)
        answer = upload(person.browser, hostile_questionnaire.files())
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert upload(visitor, hostile_questionnaire.files()).status_code == 401
    assert not Study.objects.filter(name="Mine").exists()


def test_an_import_needs_the_pages_token(coordinator: Person) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(coordinator.user)
    assert upload(browser, hostile_questionnaire.files()).json()["code"] == "csrf_failed"


def test_a_new_study_has_options_for_known_answers_and_a_known_one_keeps_its_design(
    coordinator: Person,
) -> None:
    def add_gold(created: list[dict[str, Any]]) -> None:
        created[0]["gold"] = {"answer": {"ranking": [[0], [*range(1, 8)]]}, "explanation": ""}

    files = hostile_questionnaire.changed(add_gold)
    options = {"overlap": "3", "gold_share": "0.2", "gold_feedback": "each"}
    qualification = {"qualification_items": "1", "qualification_minimum": "1"}
    answer = upload(coordinator.browser, files, **options, **qualification)
    assert answer.status_code == 201
    design = StudyDesign.objects.get(study__name="Mine")
    assert (design.overlap, design.gold_share, design.gold_feedback) == (3, 0.2, "each")
    assert (design.qualification_items, design.qualification_minimum) == (1, 1)
    again = upload(coordinator.browser, files, **options)
    assert (again.status_code, again.json()["code"]) == (409, "name_taken")
    assert upload(coordinator.browser, files).status_code == 201
    refused = upload(coordinator.browser, files, "Less", qualification_items="2", overlap="3")
    assert [one["place"] for one in refused.json()["errors"]] == ["qualification_items"]
    assert not Study.objects.filter(name="Less").exists()
