"""Who pins which graph to a study, when, and what a pin keeps."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from annotation import demo
from annotation.study_graph import pin_to_study
from backend.benchmarks.study_links import question_set_of
from backend.common.errors import NotFound
from backend.graphs.demo import load_demo_graph
from backend.graphs.models import Graph, Version
from backend.graphs.study_links import pinned_version
from backend.graphs.versions import VersionReferenced, delete_version
from backend.studies.models import Study
from tests.annotation.personas import (
    Cast,
    activity_body,
    activity_event,
    client_of,
    make_user,
    post_activity,
)
from tests.architecture.routes import questionnaire_upload
from tests.graphs.app.factories import make_graph


def put_graph(cast: Cast, named: str | None, who: Any = None) -> Any:
    return client_of(who or cast.coordinator).put(
        f"/api/v1/studies/{cast.study.id}/graph",
        {"graph": named},
        content_type="application/json",
    )


def read_pinned_graph(cast: Cast) -> Version | None:
    return pinned_version(Study.objects.get(pk=cast.study.pk))


def board(cast: Cast) -> dict[str, Any]:
    shown: dict[str, Any] = (
        client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board").json()
    )
    return shown


def test_a_coordinator_pins_a_version_and_takes_it_back(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    slug = version.graph.slug
    for named, result in ((slug, version), (None, None), (f"{slug}@1", version), ("", None)):
        assert put_graph(cast, named).status_code == 200
        assert read_pinned_graph(cast) == result


@pytest.mark.parametrize("named", ["nothing-here", "{slug}@2", "{slug}@", "../etc", "a@1@1", "@"])
def test_what_names_no_version_is_refused_with_its_place(cast: Cast, named: str) -> None:
    answer = put_graph(cast, named.format(slug=make_graph(cast.coordinator).graph.slug))
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_graph")
    assert answer.json()["errors"][0]["place"] == "graph"
    assert read_pinned_graph(cast) is None


def test_only_its_coordinators_pin_a_graph(cast: Cast) -> None:
    slug = make_graph(None, "public").graph.slug
    for stranger, status in ((cast.expert, 403), (cast.outsider, 404), (cast.other_expert, 404)):
        assert put_graph(cast, slug, stranger).status_code == status
    assert read_pinned_graph(cast) is None


def test_somebody_elses_private_graph_looks_as_if_it_were_not_there(cast: Cast) -> None:
    slug = make_graph(cast.outsider).graph.slug
    assert put_graph(cast, slug).json()["code"] == "unknown_graph"


def test_a_graph_shared_through_another_study_is_its_owners_to_share(cast: Cast) -> None:
    version = make_graph(cast.outsider, "study", studies=[cast.other_study.id])
    cast.other_study.members.create(user=cast.coordinator, role="coordinator")
    assert put_graph(cast, version.graph.slug).status_code == 403
    assert read_pinned_graph(cast) is None


def test_pinning_a_private_graph_shares_it_with_the_study_alone(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    where = f"/api/v1/graphs/{version.graph.slug}"
    assert client_of(cast.expert).get(where).status_code == 404
    put_graph(cast, version.graph.slug)
    assert client_of(cast.expert).get(where).status_code == 200
    for stranger in (cast.outsider, cast.other_expert, None):
        assert client_of(stranger).get(where).status_code == 404


def test_a_public_graph_stays_public(cast: Cast) -> None:
    put_graph(cast, make_graph(None, "public").graph.slug)
    assert Graph.objects.get().visibility == "public"


def test_a_version_that_a_study_cites_is_kept(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    put_graph(cast, version.graph.slug)
    with pytest.raises(VersionReferenced, match=cast.study.name):
        delete_version(actor=cast.coordinator, version=version)
    put_graph(cast, None)
    delete_version(actor=cast.coordinator, version=version)
    assert not Version.objects.exists()


def test_once_evidence_was_looked_at_the_study_keeps_its_graph(cast: Cast) -> None:
    version, other = make_graph(cast.coordinator), make_graph(cast.coordinator)
    put_graph(cast, version.graph.slug)
    assert board(cast)["evidence"]["is_locked"] is False
    look = activity_body(activity_event("evidence_opened"))
    post_activity(client_of(cast.expert), cast.assignment(), look)
    assert board(cast)["evidence"]["is_locked"] is True
    for named in (other.graph.slug, None):
        answer = put_graph(cast, named)
        assert (answer.status_code, answer.json()["code"]) == (409, "evidence_in_use")
    assert put_graph(cast, version.graph.slug).status_code == 200


def test_a_closed_study_takes_no_graph(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    Study.objects.filter(pk=cast.study.pk).update(status="closed")
    assert put_graph(cast, version.graph.slug).json()["code"] == "study_closed"


def test_the_board_shows_counts_by_kind_once_a_worker_has_looked(
    cast: Cast,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    assert board(cast)["evidence"] is None
    with django_capture_on_commit_callbacks(execute=True):
        put_graph(cast, make_graph(cast.coordinator).graph.slug)
    assert not board(cast)["evidence"]["is_complete"]
    with django_capture_on_commit_callbacks(execute=True):
        queued = run_queued_tasks()
    assert queued == ["annotation.resolve_study", "annotation.recompute_statistics"]
    shown = board(cast)["evidence"]
    assert shown["is_complete"]
    assert shown["candidates"]["not_in_graph"] == 4 * 5
    assert shown["resources"] == {**dict.fromkeys(shown["resources"], 0), "not_in_graph": 5}


def test_an_import_in_the_browser_pins_the_graph_that_it_names(cast: Cast) -> None:
    version = make_graph(None, "public")
    content = questionnaire_upload(None)  # type: ignore[arg-type]  # it looks at nothing of the world
    client = client_of(cast.coordinator)
    refused = client.post("/api/v1/studies/import", {**content, "graph": "nothing"})
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_graph")
    again = [SimpleUploadedFile("batch1.json", questions())]
    body = {"name": content["name"], "files": again, "graph": f"{version.graph.slug}@1"}
    created = client.post("/api/v1/studies/import", body)
    assert created.status_code == 201, created.content
    assert pinned_version(Study.objects.get(name=content["name"])) == version


def questions() -> bytes:
    ranked = [
        {"entity_name": name, "llm_rank": rank, "entity_link": ""}
        for rank, name in enumerate(("Zinc", "Iron"), start=1)
    ]
    one = {"question_number": 1, "qid": 0, "text": "Which?", "category": "drug", "resource": []}
    return json.dumps([{**one, "llm_ranking": ranked}]).encode()


@pytest.mark.django_db
def test_the_command_pins_the_graph_that_it_names(tmp_path: Path) -> None:
    version = make_graph(make_user("Gina"))
    file = tmp_path / "batch1.json"
    file.write_bytes(questions())
    named = {"study": "By command", "coordinator": "c@example.org", "verbosity": 0}
    with pytest.raises(SystemExit):
        call_command("import_questionnaire", str(file), graph="nothing", **named)
    assert not Study.objects.exists()
    call_command("import_questionnaire", str(file), graph=version.graph.slug, **named)
    assert pinned_version(Study.objects.get()) == version


@pytest.mark.django_db(transaction=True)
def test_the_demo_shows_evidence_from_the_demo_graph_once_both_are_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo, "FINISHED_STUDIES", ())
    monkeypatch.setattr(demo, "SIMULATED_EXPERTS", ())
    study = demo.load_demo().study
    assert pinned_version(study) is None
    version, _ = load_demo_graph()
    for _ in range(2):
        demo.load_demo(graph=version)
        study.refresh_from_db()
        assert pinned_version(study) == version
    counts = question_set_of(study).resolutions.get().counts
    assert set(counts["candidates"]) == {"identifier"}


def test_pinning_the_same_again_changes_nothing(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    for _ in range(2):
        pin_to_study(actor=cast.coordinator, study=cast.study, version=version)
    assert read_pinned_graph(cast) == version


def test_a_version_that_is_being_removed_is_not_pinned(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    Version.objects.update(ready_at=None)
    with pytest.raises(NotFound, match="does not exist"):
        pin_to_study(actor=cast.coordinator, study=cast.study, version=version)
    assert read_pinned_graph(cast) is None
