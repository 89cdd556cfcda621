from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from annotation.models import Member, Study
from annotation.policies import may_import_studies
from backend.benchmarks.questionnaire import SourceFile
from tests.annotation.personas import Cast
from tests.benchmarks import nasty
from tests.personas import Person, make_person

URL = "/api/v1/studies/import"


@pytest.fixture
def coordinator(cast: Cast) -> Person:
    person = make_person("cora")
    Member.objects.create(study=cast.study, user=person.user, role=Member.Role.COORDINATOR)
    return person


def upload(browser: APIClient, files: list[SourceFile], name: str = "Mine") -> Any:
    sent = [SimpleUploadedFile(file.name, file.content) for file in files]
    return browser.post(URL, {"name": name, "files": sent}, format="multipart")


def test_a_coordinator_makes_a_study_of_her_own_in_the_browser(coordinator: Person) -> None:
    answer = upload(coordinator.browser, nasty.files())
    study = Study.objects.get(name="Mine")
    assert answer.status_code == 201
    assert answer.json() == {
        "study": {"id": str(study.id), "name": "Mine"},
        "batches": 2,
        "questions": 6,
        "candidates": 27,
        "added": 6,
        "notices": ["batches.json says that batch 12 has 9 questions; batch12.json has 2."],
    }
    assert [member.user for member in study.members.all()] == [coordinator.user]


def test_an_administrator_may_import_a_study(administrator: Person) -> None:
    assert upload(administrator.browser, nasty.files()).status_code == 201


def test_every_fault_is_told_at_once_and_nothing_changes(coordinator: Person) -> None:
    bad = nasty.changed(lambda made: made[3]["llm_ranking"][2].update(llm_rank="3"))
    answer = upload(coordinator.browser, [*bad, SourceFile("notes.json", b"{")])
    assert (answer.status_code, answer.json()["code"]) == (422, "questionnaire_invalid")
    assert [(it["place"], it["expected"]) for it in answer.json()["errors"]] == [
        (
            "batch1.json, question 4 (qid 3), llm_ranking[2].llm_rank",
            "a whole number from 1 to 32,767",
        ),
        ("notes.json", "a name like batch12.json"),
        ("notes.json, line 1, column 2", "a JSON file"),
    ]
    assert not Study.objects.filter(name="Mine").exists()


def test_half_a_character_is_told_without_breaking_the_answer(coordinator: Person) -> None:
    content = nasty.files()[1].content.replace(b"@SUM", b"\\udc80")
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
    upload(administrator.browser, nasty.files(), name="Taken")
    answer = upload(coordinator.browser, nasty.files(), name="Taken")
    assert (answer.status_code, answer.json()["code"]) == (409, "name_taken")


def test_everybody_else_is_refused(
    cast: Cast, researcher: Person, outsider: Person, visitor: APIClient
) -> None:
    expert = Person(cast.expert)
    for person in (expert, researcher, outsider):
        assert not may_import_studies(person.user)
        answer = upload(person.browser, nasty.files())
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert upload(visitor, nasty.files()).status_code == 401
    assert not Study.objects.filter(name="Mine").exists()


def test_an_import_needs_the_pages_token(coordinator: Person) -> None:
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(coordinator.user)
    assert upload(browser, nasty.files()).json()["code"] == "csrf_failed"
