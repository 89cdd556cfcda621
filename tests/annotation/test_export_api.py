import csv
import io
import json
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.test import AsyncClient
from rest_framework.test import APIClient

from annotation.exports import export_json
from annotation.exports_csv import export_csv
from annotation.models import Assignment
from backend.studies.models import Study
from tests.annotation.personas import Cast, write_answer
from tests.personas import Person

KINDS = ["json", "csv"]


def url(study: Study, kind: str) -> str:
    return f"/api/v1/studies/{study.id}/export.{kind}"


def body(response: Any) -> bytes:
    return b"".join(response)


def test_a_coordinator_downloads_a_study_as_json(cast: Cast) -> None:
    write_answer(cast.assignment(), "submit")
    response = Person(cast.coordinator).browser.get(url(cast.study, "json"))
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    content = body(response)
    assert response["Content-Length"] == str(len(content))
    export = json.loads(content)
    assert export["study"]["id"] == str(cast.study.id)
    assert [len(batch["questions"]) for batch in export["batches"]] == [3, 2]


def test_a_coordinator_downloads_a_study_as_a_table(cast: Cast) -> None:
    response = Person(cast.coordinator).browser.get(url(cast.study, "csv"))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(body(response).decode(), newline="")))
    assert {row["study"] for row in rows} == {cast.study.name}
    assert len(rows) == 5 * 2 * 4


@pytest.mark.parametrize("kind", KINDS)
def test_a_download_is_a_file_that_no_cache_keeps(cast: Cast, kind: str) -> None:
    response = Person(cast.coordinator).browser.get(url(cast.study, kind))
    assert response["Cache-Control"] == "no-store"
    disposition = response["Content-Disposition"]
    assert disposition.startswith('attachment; filename="serendipity-')
    assert disposition.endswith(f'.{kind}"')


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("accept", ["text/csv", "text/html", "application/json", "image/png"])
def test_a_download_has_one_form_whatever_is_asked_for(cast: Cast, kind: str, accept: str) -> None:
    browser = Person(cast.coordinator).browser
    assert browser.get(url(cast.study, kind), headers={"Accept": accept}).status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_names_are_added_only_when_asked_for(cast: Cast, kind: str) -> None:
    browser = Person(cast.coordinator).browser
    assert b"Eve" not in body(browser.get(url(cast.study, kind)))
    assert b"Eve" in body(browser.get(url(cast.study, kind), {"names": "1"}))


@pytest.mark.parametrize("kind", KINDS)
def test_only_its_coordinators_export_a_study(
    cast: Cast, kind: str, administrator: Person, visitor: APIClient
) -> None:
    status = {
        "expert": Person(cast.expert).browser,
        "outsider": Person(cast.outsider).browser,
        "coordinator of another": Person(cast.other_coordinator).browser,
        "administrator": administrator.browser,
        "visitor": visitor,
    }
    answers = {who: browser.get(url(cast.study, kind)) for who, browser in status.items()}
    assert {who: response.status_code for who, response in answers.items()} == {
        "expert": 403,
        "outsider": 404,
        "coordinator of another": 404,
        "administrator": 404,
        "visitor": 401,
    }
    for response in answers.values():
        assert response["Content-Type"] == "application/problem+json"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", KINDS)
async def test_the_real_kind_of_server_sends_the_same_file(committed_cast: Cast, kind: str) -> None:
    browser = AsyncClient()
    await browser.aforce_login(committed_cast.coordinator)
    response: Any = await browser.get(url(committed_cast.study, kind))
    assert response.is_async
    content = b"".join([chunk async for chunk in response])
    assert response["Content-Length"] == str(len(content))
    assert committed_cast.study.name in content.decode()
    await sync_to_async(connections.close_all)()


@pytest.mark.parametrize("export", [export_json, export_csv])
def test_what_is_written_meanwhile_is_not_half_in_the_file(
    committed_cast: Cast, export: Callable[[Study], Iterator[str]]
) -> None:
    later = Assignment.objects.filter(batch=committed_cast.batches[1], expert=committed_cast.expert)

    def write() -> None:
        write_answer(later[0], "submit", comment="meanwhile")
        connections.close_all()

    parts = export(committed_cast.study)
    begun = next(parts)
    writer = Thread(target=write)
    writer.start()
    writer.join()
    assert "meanwhile" not in begun + "".join(parts)
    assert "meanwhile" in "".join(export(committed_cast.study))
