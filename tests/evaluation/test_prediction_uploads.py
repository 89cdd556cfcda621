"""Predictions that arrive in parts: stored, resumed, refused, expired."""

import base64
import errno
import hashlib
import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone
from rest_framework.test import APIClient

from backend.accounts.api_tokens import create_api_token
from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.job_kinds import sweep
from backend.evaluation.models import PredictionUpload
from backend.evaluation.prediction_files import open_upload, prediction_path
from backend.evaluation.prediction_uploads import upload_path
from tests.evaluation.submission_forms import SUBMISSIONS, VALIDATIONS, form, send
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
UPLOADS = "/api/v1/uploads"
TYPE = "application/offset+octet-stream"
NAME = "filename cHJlZGljdGlvbnMuanNvbmw="  # predictions.jsonl
LINES = prediction_lines(range(60), wrong=[0])


def start(client: APIClient, size: int, key: str = "") -> Any:
    headers = {"Upload-Length": str(size), "Upload-Metadata": NAME, "Tus-Resumable": "1.0.0"}
    if key:
        headers["Idempotency-Key"] = key
    return client.post(UPLOADS, headers=headers)


def checksum(algorithm: str, content: bytes) -> str:
    digest = hashlib.new(algorithm, content).digest()
    return f"{algorithm} {base64.b64encode(digest).decode()}"


def append(
    client: APIClient, address: str, offset: int, content: bytes, stated: str | None = None
) -> Any:
    headers = {"Upload-Offset": str(offset), "Tus-Resumable": "1.0.0"}
    if stated is not None:
        headers["Upload-Checksum"] = stated
    return client.patch(address, content, content_type=TYPE, headers=headers)


def send_all(client: APIClient, content: bytes) -> str:
    address = str(start(client, len(content))["Location"])
    half = len(content) // 2
    assert append(client, address, 0, content[:half]).status_code == 204
    assert append(client, address, half, content[half:]).status_code == 204
    return address.rpartition("/")[2]


def test_a_file_sent_in_parts_has_the_same_faults_digest_and_scores(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> None:
    register_model(actor=researcher.user, name="My model")
    browser = researcher.browser
    named = {"release": "pairs", "upload": send_all(browser, LINES.encode())}
    in_parts = browser.post(VALIDATIONS, named, format="multipart").json()
    assert in_parts == send(browser, VALIDATIONS, form(LINES)).json()
    scored = submit_and_score(browser, {**named, "model": "my-model"})
    again = send(browser, SUBMISSIONS, form(LINES)).json()
    assert (again["id"], again["file_digest"]) == (scored["id"], scored["file_digest"])
    assert again["scores"] == scored["scores"] != []
    assert scored["file_name"] == "predictions.jsonl"


def test_a_complete_upload_is_linked_and_not_copied(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> None:
    """Copies would count in no limit. What was submitted stays when the upload is removed."""
    register_model(actor=researcher.user, name="My model")
    upload_id = send_all(researcher.browser, LINES.encode())
    path = upload_path(PredictionUpload.objects.get(pk=upload_id))
    with path.open("rb") as stream, open_upload(stream, "a.jsonl", complete=path) as file:
        assert file.path.samefile(path)
    assert not file.path.exists() and path.stat().st_nlink == 1
    named = {"release": "pairs", "upload": upload_id, "model": "my-model"}
    digest = submit_and_score(researcher.browser, named)["file_digest"]
    assert prediction_path(digest).samefile(path)
    assert researcher.browser.delete(f"{UPLOADS}/{upload_id}").status_code == 204
    assert prediction_path(digest).read_bytes() == LINES.encode()


def test_an_upload_is_copied_where_it_cannot_be_linked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on another file system."""

    def refuse(path: Path, target: Path) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    path = tmp_path / "upload"
    path.write_text(LINES)
    with path.open("rb") as stream, open_upload(stream, "a.jsonl", complete=path) as file:
        assert not file.path.samefile(path)
        assert file.path.read_bytes() == path.read_bytes()
        assert file.digest == hashlib.sha256(LINES.encode()).hexdigest()


def test_an_upload_continues_where_the_server_has_stored_it(researcher: Person) -> None:
    _, secret = create_api_token(actor=researcher.user, name="cluster", scope="submit")
    by_token = APIClient()
    by_token.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    created = start(by_token, 6)
    address = created["Location"]
    assert created.status_code == 201
    assert append(by_token, address, 0, b"abc")["Upload-Offset"] == "3"
    upload = PredictionUpload.objects.get()
    with upload_path(upload).open("ab") as file:
        file.write(b"??")  # of a part that a killed server did not count
    state = researcher.browser.head(address)
    assert (state["Upload-Offset"], state["Upload-Length"]) == ("3", "6")
    assert state["Cache-Control"] == "no-store"
    for wrong in (0, 2, 5):
        refused = append(by_token, address, wrong, b"x")
        assert (refused.status_code, refused.json()["code"]) == (409, "wrong_offset")
    assert append(by_token, address, 3, b"def").status_code == 204
    assert upload_path(upload).read_bytes() == b"abcdef"


def test_bytes_that_a_restore_lost_are_sent_again(researcher: Person) -> None:
    address = start(researcher.browser, 6)["Location"]
    append(researcher.browser, address, 0, b"abcdef")
    upload_path(PredictionUpload.objects.get()).unlink()
    assert researcher.browser.head(address)["Upload-Offset"] == "0"
    assert append(researcher.browser, address, 0, b"abcdef").status_code == 204


def test_uploads_of_others_do_not_exist(researcher: Person, release: Release) -> None:
    address = start(researcher.browser, 3)["Location"]
    append(researcher.browser, address, 0, b"{}\n")
    other = make_person("otto", is_researcher=True).browser
    named = {"release": "pairs", "upload": address.rpartition("/")[2]}
    answers = [
        other.head(address),
        append(other, address, 0, b"{}\n"),
        other.delete(address),
        other.post(VALIDATIONS, named, format="multipart"),
    ]
    assert [one.status_code for one in answers] == [404] * 4
    assert researcher.browser.delete(address).status_code == 204
    assert researcher.browser.head(address).status_code == 404


def test_a_part_beyond_the_end_counts_nothing(researcher: Person) -> None:
    address = start(researcher.browser, 4)["Location"]
    refused = append(researcher.browser, address, 0, b"abcde")
    assert (refused.status_code, refused.json()["code"]) == (413, "part_too_long")
    assert researcher.browser.head(address)["Upload-Offset"] == "0"


def test_an_incomplete_upload_is_not_checked(researcher: Person, release: Release) -> None:
    address = start(researcher.browser, 4)["Location"]
    named = {"release": "pairs", "upload": address.rpartition("/")[2]}
    refused = researcher.browser.post(VALIDATIONS, named, format="multipart")
    assert (refused.status_code, refused.json()["code"]) == (409, "upload_incomplete")


@pytest.mark.parametrize("more", [{}, {"file": "both"}])
def test_a_form_has_a_file_or_an_upload(
    researcher: Person, release: Release, more: dict[str, Any]
) -> None:
    sent = {"release": "pairs"}
    if more:
        sent = {**form(LINES), "upload": send_all(researcher.browser, b"{}")}
        sent.pop("model")
    refused = researcher.browser.post(VALIDATIONS, sent, format="multipart")
    assert (refused.status_code, refused.json()["errors"][0]["place"]) == (422, "file")


def test_the_uploads_of_a_person_have_a_limit_together(
    researcher: Person, settings: LazySettings
) -> None:
    settings.LARGEST_PREDICTION_UPLOAD = 10
    assert start(researcher.browser, 11).status_code == 413
    first = start(researcher.browser, 10)
    assert start(researcher.browser, 10).status_code == 201
    refused = start(researcher.browser, 1)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_uploads")
    assert start(make_person("otto", is_researcher=True).browser, 10).status_code == 201
    assert refused.json()["bytes_stored"] == refused.json()["bytes_allowed"] == 20
    listed = researcher.browser.get(UPLOADS).json()["results"]
    assert [one["size"] for one in listed] == [10, 10]
    researcher.browser.delete(first["Location"])
    assert start(researcher.browser, 10).status_code == 201


def test_an_upload_whose_first_answer_was_lost_begins_once(researcher: Person) -> None:
    key = str(uuid.uuid4())
    first, again = (start(researcher.browser, 10, key) for _ in range(2))
    assert (again.status_code, again["Location"]) == (first.status_code, first["Location"])
    assert again.json() == first.json()
    assert PredictionUpload.objects.count() == 1
    other = start(researcher.browser, 11, key)
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert start(researcher.browser, 10, "no-uuid").status_code == 400
    assert start(researcher.browser, 10, str(uuid.uuid4()))["Location"] != first["Location"]
    researcher.browser.delete(first["Location"])
    assert start(researcher.browser, 10, key).status_code == 404


def test_uploads_that_expired_are_not_listed_and_take_no_place(
    researcher: Person, settings: LazySettings
) -> None:
    settings.LARGEST_PREDICTION_UPLOAD = 10
    for _ in range(2):
        assert start(researcher.browser, 10).status_code == 201
    PredictionUpload.objects.update(updated_at=timezone.now() - timedelta(hours=25))
    assert researcher.browser.get(UPLOADS).json()["results"] == []
    assert start(researcher.browser, 10).status_code == 201


def test_a_person_has_a_hundred_uploads_at_most(
    researcher: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.evaluation.prediction_uploads.MOST_UPLOADS", 2)
    for _ in range(2):
        assert start(researcher.browser, 1).status_code == 201
    refused = start(researcher.browser, 1)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_uploads")
    assert "2 uploads" in refused.json()["detail"]


@pytest.mark.parametrize("algorithm", ["sha256", "sha1"])
def test_a_part_that_was_damaged_on_its_way_counts_nothing(
    researcher: Person, algorithm: str
) -> None:
    address = start(researcher.browser, 6)["Location"]
    append(researcher.browser, address, 0, b"abc")
    stated = checksum(algorithm, b"def")
    refused = append(researcher.browser, address, 3, b"dEf", stated)
    assert (refused.status_code, refused.json()["code"]) == (460, "checksum_mismatch")
    assert researcher.browser.head(address)["Upload-Offset"] == "3"
    assert append(researcher.browser, address, 3, b"def", stated).status_code == 204
    assert upload_path(PredictionUpload.objects.get()).read_bytes() == b"abcdef"


@pytest.mark.parametrize("stated", ["md5 AAAA", "sha256", "sha256 ?", "nonsense"])
def test_a_checksum_that_cannot_be_compared_is_refused(researcher: Person, stated: str) -> None:
    address = start(researcher.browser, 3)["Location"]
    assert append(researcher.browser, address, 0, b"abc", stated).status_code in {400, 460}
    assert researcher.browser.head(address)["Upload-Offset"] == "0"


def test_an_empty_part_prolongs_nothing(researcher: Person) -> None:
    address = start(researcher.browser, 3)["Location"]
    before = PredictionUpload.objects.get().updated_at
    assert append(researcher.browser, address, 0, b"").status_code == 204
    assert PredictionUpload.objects.get().updated_at == before


@pytest.mark.parametrize("size", [0, 3])
def test_an_upload_whose_file_was_lost_is_not_taken(
    researcher: Person, release: Release, size: int
) -> None:
    address = start(researcher.browser, size)["Location"]
    append(researcher.browser, address, 0, b"{}\n"[:size])
    upload_path(PredictionUpload.objects.get()).unlink()
    named = {"release": "pairs", "upload": address.rpartition("/")[2]}
    refused = researcher.browser.post(VALIDATIONS, named, format="multipart")
    assert refused.status_code == (409 if size else 404)


def test_an_upload_without_a_part_for_a_day_is_removed(researcher: Person) -> None:
    old, recent = (start(researcher.browser, 4)["Location"] for _ in range(2))
    row = PredictionUpload.objects.get(pk=old.rpartition("/")[2])
    PredictionUpload.objects.filter(pk=row.pk).update(
        updated_at=timezone.now() - timedelta(hours=25)
    )
    assert researcher.browser.head(old).status_code == 404
    sweep()
    assert not Path(upload_path(row)).exists()
    assert not PredictionUpload.objects.filter(pk=row.pk).exists()
    assert researcher.browser.head(recent).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 422),
        ({"Upload-Length": "-1"}, 422),
        ({"Upload-Length": "9" * 19}, 422),
        ({"Upload-Length": "1", "Upload-Metadata": "filename ?"}, 422),
        ({"Upload-Length": "1", "Tus-Resumable": "0.2.2"}, 412),
    ],
)
def test_headers_that_are_not_of_the_protocol_are_refused(
    researcher: Person, headers: dict[str, str], status: int
) -> None:
    assert researcher.browser.post(UPLOADS, headers=headers).status_code == status


def test_a_page_of_another_site_sends_no_part(researcher: Person) -> None:
    address = start(researcher.browser, 3)["Location"]
    foreign = APIClient(enforce_csrf_checks=True)
    foreign.cookies = researcher.browser.cookies
    assert append(foreign, address, 0, b"abc").json()["code"] == "csrf_failed"
