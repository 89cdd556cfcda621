"""Drafts of releases: edited by several organisers, and deleted by one."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.accounts.api_tokens import create_api_token
from backend.benchmarks.corrections import make_corrected_release
from backend.benchmarks.job_kinds.release_graph import release_graph_request
from backend.benchmarks.models import HiddenAnswer, Item, Release, ReleaseGraph
from backend.benchmarks.release_deletion import delete_draft
from backend.benchmarks.release_graphs import build_release_graph, store_release_graph
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.errors import NotFound
from backend.evaluation.rescoring import supersede
from backend.graphs.demo import load_demo_graph
from backend.graphs.models import Graph, SavedView, Version
from backend.jobs.models import Job, JobState
from backend.jobs.services import cancel_job, request_job
from tests.evaluation.claim_worlds import make_coordinator
from tests.evaluation.serenqa_releases import make_serenqa_release
from tests.evaluation.truthhypo_files import key_of, prediction_lines, write_source
from tests.personas import Person

pytestmark = pytest.mark.django_db
DRAFT = "/api/v1/releases/draft"


@pytest.fixture
def organiser(db: None) -> Person:
    return make_coordinator("cora")


@pytest.fixture
def draft(organiser: Person, tmp_path: Path) -> Release:
    request = ReleaseRequest(track="truthhypo", name="Draft", slug="draft")
    return make_release(actor=organiser.user, request=request, files=[write_source(tmp_path)])


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_of_two_organisers_who_edit_one_version_the_second_overwrites_nothing(
    draft: Release, organiser: Person, administrator: Person
) -> None:
    version = organiser.browser.get(DRAFT).json()["version"]
    first = {"version": version, "terms": "Cite the paper.", "closes_at": "2030-01-01T00:00:00Z"}
    for _ in range(2):  # the acknowledgement of the first was lost
        saved = organiser.browser.patch(DRAFT, first)
        assert (saved.status_code, saved.json()["version"]) == (200, version + 1)
    second = {"version": version, "terms": "None.", "licence": "MIT"}
    stale = administrator.browser.patch(DRAFT, second)
    assert (*code_of(stale), stale.json()["version"]) == (409, "stale_version", version + 1)
    now = administrator.browser.get(DRAFT).json()
    assert (now["terms"], now["licence"]) == ("Cite the paper.", "")
    overwritten = administrator.browser.patch(DRAFT, {**second, "version": now["version"]})
    assert (overwritten.json()["terms"], overwritten.json()["licence"]) == ("None.", "MIT")
    assert overwritten.json()["closes_at"] == "2030-01-01T00:00:00Z"


def test_a_change_without_the_version_that_was_read_is_refused(
    draft: Release, organiser: Person
) -> None:
    refused = organiser.browser.patch(DRAFT, {"terms": "None."})
    assert [one["place"] for one in refused.json()["errors"]] == ["version"]


def test_an_edit_begun_before_the_release_was_closed_by_hand_is_stale(
    draft: Release, organiser: Person, administrator: Person
) -> None:
    version = change_release_state(actor=None, release=draft, to=Release.State.OPEN).version
    organiser.browser.post(f"{DRAFT}/state", {"state": "closed"})
    body = {"version": version, "closes_at": "2031-01-01T00:00:00Z"}
    assert code_of(administrator.browser.patch(DRAFT, body)) == (409, "stale_version")


def test_a_state_is_set_only_for_the_version_that_was_read(
    draft: Release, organiser: Person, administrator: Person
) -> None:
    version = administrator.browser.get(DRAFT).json()["version"]
    organiser.browser.patch(DRAFT, {"version": version, "closes_at": "2030-01-01T00:00:00Z"})
    opened = {"state": "open", "version": version}
    stale = administrator.browser.post(f"{DRAFT}/state", opened)
    assert (*code_of(stale), stale.json()["version"]) == (409, "stale_version", version + 1)
    assert administrator.browser.get(DRAFT).json()["state"] == "draft"
    opened["version"] = version + 1
    for _ in range(2):  # the acknowledgement of the first was lost
        answer = administrator.browser.post(f"{DRAFT}/state", opened)
        assert (answer.status_code, answer.json()["state"]) == (200, "open")


def test_a_draft_that_somebody_edited_meanwhile_is_not_deleted(
    draft: Release, organiser: Person, administrator: Person
) -> None:
    version = organiser.browser.get(DRAFT).json()["version"]
    administrator.browser.patch(DRAFT, {"version": version, "terms": "Cite the paper."})
    assert code_of(organiser.browser.delete(f"{DRAFT}?version={version}")) == (409, "stale_version")
    assert Release.objects.filter(pk=draft.pk).exists()
    assert organiser.browser.delete(f"{DRAFT}?version={version + 1}").status_code == 204


def test_an_edit_begun_before_the_release_was_corrected_is_stale(
    draft: Release, organiser: Person
) -> None:
    version = change_release_state(actor=None, release=draft, to=Release.State.OPEN).version
    rows = [{"key": list(key_of(3)), "action": "withdraw"}]
    later = make_corrected_release(release=draft, name="Corrected", slug="corrected", rows=rows)
    before = later.version
    supersede(later, Release.objects.get(pk=draft.pk))
    body = {"version": version, "terms": "None."}
    assert code_of(organiser.browser.patch(DRAFT, body)) == (409, "stale_version")
    body = {"version": before, "terms": "None."}
    refused = organiser.browser.patch("/api/v1/releases/corrected", body)
    assert code_of(refused) == (409, "stale_version")


def test_an_organiser_deletes_a_draft_and_its_address_is_free(
    draft: Release, organiser: Person, tmp_path: Path
) -> None:
    assert organiser.browser.delete(DRAFT).status_code == 204
    assert organiser.browser.get(DRAFT).status_code == 404
    assert organiser.browser.delete(DRAFT).status_code == 404
    assert not Item.objects.exists() and not HiddenAnswer.objects.exists()
    request = ReleaseRequest(track="truthhypo", name="Again", slug="draft")
    make_release(actor=organiser.user, request=request, files=[write_source(tmp_path)])
    assert organiser.browser.get(DRAFT).json()["name"] == "Again"


def test_nobody_else_deletes_a_draft(
    draft: Release, organiser: Person, researcher: Person, visitor: APIClient
) -> None:
    other = make_coordinator("carl")
    _, token = create_api_token(actor=organiser.user, name="Laptop", scope="submit")
    script = APIClient(HTTP_AUTHORIZATION=f"Bearer {token}")
    answers = [
        browser.delete(DRAFT).status_code
        for browser in (other.browser, researcher.browser, visitor, script)
    ]
    assert answers == [404, 404, 401, 403]
    assert Release.objects.filter(pk=draft.pk).exists()


def test_an_opened_release_stays(draft: Release, organiser: Person, administrator: Person) -> None:
    other = make_coordinator("carl")
    for state in ("open", "closed", "deprecated"):
        organiser.browser.post(f"{DRAFT}/state", {"state": state})
        for person in (organiser, administrator):
            refused = person.browser.delete(DRAFT)
            assert code_of(refused) == (409, "release_was_opened")
            assert refused.json()["detail"].endswith("Deprecate it instead.")
        assert code_of(other.browser.delete(DRAFT)) == (403, "not_allowed")
    assert Item.objects.filter(release=draft).count() == 60


def test_a_draft_with_predictions_stays_with_all_its_rows(
    draft: Release, organiser: Person, tmp_path: Path
) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text(prediction_lines(range(60)))
    call_command("submit", str(path), "--release", "draft", "--model", "Trial", "--json")
    refused = organiser.browser.delete(DRAFT)
    assert code_of(refused) == (409, "release_in_use")
    expected = "This draft has 1 evaluation, 1 submission. It stays; nobody else sees it."
    assert refused.json()["detail"] == expected
    assert Item.objects.filter(release=draft).count() == HiddenAnswer.objects.count() == 60


def test_a_correction_that_is_scored_is_no_draft_to_delete(
    draft: Release, organiser: Person
) -> None:
    change_release_state(actor=None, release=draft, to=Release.State.OPEN)
    rows = [{"key": list(key_of(3)), "action": "withdraw"}]
    make_corrected_release(release=draft, name="Corrected", slug="corrected", rows=rows)
    refused = organiser.browser.delete("/api/v1/releases/corrected")
    assert code_of(refused) == (409, "release_is_correction")


@pytest.fixture
def masked_draft(organiser: Person, tmp_path: Path) -> Release:
    """About the demo graph, with its masked graph."""
    base = load_demo_graph()[0]
    release = make_serenqa_release(tmp_path, base, slug="draft", masked_by="expert")
    Release.objects.filter(pk=release.pk).update(created_by=organiser.user)
    call_command("release_graph", release.slug, "--json")
    release.refresh_from_db()
    return release


def test_the_masked_graph_goes_with_its_draft_and_the_base_stays(
    masked_draft: Release, organiser: Person, django_capture_on_commit_callbacks: Any
) -> None:
    version = ReleaseGraph.objects.get(release=masked_draft).version
    assert version.folder.is_dir()
    with django_capture_on_commit_callbacks(execute=True):
        assert organiser.browser.delete(DRAFT).status_code == 204
    assert not Graph.objects.filter(pk=version.graph_id).exists()
    assert not version.folder.exists()
    base = masked_draft.graph_version
    assert base is not None and base.folder.is_dir()
    assert Version.objects.filter(pk=base.pk).exists()


def test_the_files_of_a_masked_graph_stay_for_a_job_that_has_built_the_same(
    masked_draft: Release,
    organiser: Person,
    tmp_path: Path,
    django_capture_on_commit_callbacks: Any,
) -> None:
    folder = ReleaseGraph.objects.get(release=masked_draft).version.folder
    base = load_demo_graph()[0]
    other = make_serenqa_release(tmp_path, base, slug="other", masked_by="expert")
    request = release_graph_request(None, other, "expert")
    job = request_job(owner=None, request=request).job
    Job.objects.filter(pk=job.pk).update(state=JobState.RUNNING)
    built = build_release_graph(other, "expert")
    assert built.built.path == folder
    with django_capture_on_commit_callbacks(execute=True):
        assert organiser.browser.delete(DRAFT).status_code == 204
    assert store_release_graph(other, "expert", built).version.folder == folder
    assert folder.is_dir()


def test_a_draft_whose_masked_graph_is_linked_stays(
    masked_draft: Release, organiser: Person
) -> None:
    version = ReleaseGraph.objects.get(release=masked_draft).version
    SavedView.objects.create(version=version, title="A view", state={})
    refused = organiser.browser.delete(DRAFT)
    assert code_of(refused) == (409, "release_in_use")
    expected = "A masked graph of this draft is used by 1 saved view. End or delete that first."
    assert refused.json()["detail"] == expected
    assert ReleaseGraph.objects.filter(release=masked_draft).exists()
    assert HiddenAnswer.objects.filter(item__release=masked_draft).exists()


def test_a_draft_waits_for_its_job_or_for_its_cancellation(
    organiser: Person, tmp_path: Path
) -> None:
    base = load_demo_graph()[0]
    release = make_serenqa_release(tmp_path, base, slug="draft", masked_by="expert")
    Release.objects.filter(pk=release.pk).update(created_by=organiser.user)
    release.refresh_from_db()
    request = release_graph_request(organiser.user, release, "expert")
    job = request_job(owner=organiser.user, request=request).job
    assert code_of(organiser.browser.delete(DRAFT)) == (409, "job_under_way")
    cancel_job(actor=organiser.user, job=job)
    assert organiser.browser.delete(DRAFT).status_code == 204
    listed = organiser.browser.get("/api/v1/jobs?kind=release-graph")
    assert listed.status_code == 200


def test_a_graph_that_was_made_while_its_draft_was_deleted_is_not_stored(
    administrator: Person, tmp_path: Path
) -> None:
    base = load_demo_graph()[0]
    release = make_serenqa_release(tmp_path, base, slug="draft", masked_by="expert")
    built = build_release_graph(release, "expert")
    delete_draft(actor=administrator.user, release=release)
    with pytest.raises(NotFound, match="was deleted"):
        store_release_graph(release, "expert", built)
    assert not Graph.objects.filter(name__startswith="draft").exists()
