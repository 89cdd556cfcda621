"""Who pins which graph to a study, when, and what a pin keeps."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from annotation import demo
from annotation.models import Study
from annotation.pins import pin_to_study
from backend.common.errors import Missing
from backend.graphs.demo import load_demo_graph
from backend.graphs.models import Graph, Version
from backend.graphs.versions import StillCited, remove_version
from tests.annotation.personas import Cast, client_of, event, look_of, make_user, post_look
from tests.architecture.routes import files
from tests.graphs.app.making import make_graph


def put(cast: Cast, named: str | None, who: Any = None) -> Any:
    return client_of(who or cast.coordinator).put(
        f"/api/v1/studies/{cast.study.id}/graph",
        {"graph": named},
        content_type="application/json",
    )


def pinned(cast: Cast) -> Version | None:
    return Study.objects.get(pk=cast.study.pk).graph_version


def board(cast: Cast) -> dict[str, Any]:
    told: dict[str, Any] = (
        client_of(cast.coordinator).get(f"/api/v1/studies/{cast.study.id}/board").json()
    )
    return told


def test_a_coordinator_pins_a_version_and_takes_it_back(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    slug = version.graph.slug
    for named, found in ((slug, version), (None, None), (f"{slug}@1", version), ("", None)):
        assert put(cast, named).status_code == 200
        assert pinned(cast) == found


@pytest.mark.parametrize("named", ["nothing-here", "{slug}@2", "{slug}@", "../etc", "a@1@1", "@"])
def test_what_names_no_version_is_refused_with_its_place(cast: Cast, named: str) -> None:
    answer = put(cast, named.format(slug=make_graph(cast.coordinator).graph.slug))
    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_graph")
    assert answer.json()["errors"][0]["place"] == "graph"
    assert pinned(cast) is None


def test_only_its_coordinators_pin_a_graph(cast: Cast) -> None:
    slug = make_graph(None, "public").graph.slug
    for stranger, status in ((cast.expert, 403), (cast.outsider, 404), (cast.other_expert, 404)):
        assert put(cast, slug, stranger).status_code == status
    assert pinned(cast) is None


def test_somebody_elses_private_graph_looks_as_if_it_were_not_there(cast: Cast) -> None:
    slug = make_graph(cast.outsider).graph.slug
    assert put(cast, slug).json()["code"] == "unknown_graph"


def test_a_graph_shared_with_her_elsewhere_is_its_owners_to_share(cast: Cast) -> None:
    version = make_graph(cast.outsider, "study", studies=[cast.other_study.id])
    cast.other_study.members.create(user=cast.coordinator, role="coordinator")
    assert put(cast, version.graph.slug).status_code == 403
    assert pinned(cast) is None


def test_pinning_her_private_graph_shares_it_with_the_study_alone(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    where = f"/api/v1/graphs/{version.graph.slug}"
    assert client_of(cast.expert).get(where).status_code == 404
    put(cast, version.graph.slug)
    assert client_of(cast.expert).get(where).status_code == 200
    for stranger in (cast.outsider, cast.other_expert, None):
        assert client_of(stranger).get(where).status_code == 404


def test_a_public_graph_stays_public(cast: Cast) -> None:
    put(cast, make_graph(None, "public").graph.slug)
    assert Graph.objects.get().visibility == "public"


def test_a_version_that_a_study_cites_is_kept(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    put(cast, version.graph.slug)
    with pytest.raises(StillCited, match=cast.study.name):
        remove_version(actor=cast.coordinator, version=version)
    put(cast, None)
    remove_version(actor=cast.coordinator, version=version)
    assert not Version.objects.exists()


def test_once_evidence_was_looked_at_the_study_keeps_its_graph(cast: Cast) -> None:
    version, other = make_graph(cast.coordinator), make_graph(cast.coordinator)
    put(cast, version.graph.slug)
    assert board(cast)["evidence"]["is_locked"] is False
    look = look_of(events=[event("evidence_opened")])
    post_look(client_of(cast.expert), cast.assignment(), look)
    assert board(cast)["evidence"]["is_locked"] is True
    for named in (other.graph.slug, None):
        answer = put(cast, named)
        assert (answer.status_code, answer.json()["code"]) == (409, "evidence_in_use")
    assert put(cast, version.graph.slug).status_code == 200


def test_a_closed_study_takes_no_graph(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    Study.objects.filter(pk=cast.study.pk).update(status="closed")
    assert put(cast, version.graph.slug).json()["code"] == "study_closed"


def test_the_board_shows_counts_by_kind_once_a_worker_has_looked(
    cast: Cast,
    work_off: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    assert board(cast)["evidence"] is None
    with django_capture_on_commit_callbacks(execute=True):
        put(cast, make_graph(cast.coordinator).graph.slug)
    assert not board(cast)["evidence"]["is_complete"]
    with django_capture_on_commit_callbacks(execute=True):
        assert work_off() == ["annotation.resolve_study"]
    told = board(cast)["evidence"]
    assert told["is_complete"]
    assert told["candidates"]["not_in_graph"] == 4 * 5
    assert told["resources"] == {**dict.fromkeys(told["resources"], 0), "not_in_graph": 5}


def test_an_import_in_the_browser_pins_the_graph_that_it_names(cast: Cast) -> None:
    version = make_graph(None, "public")
    content = files(None)  # type: ignore[arg-type]  # it looks at nothing of the world
    client = client_of(cast.coordinator)
    refused = client.post("/api/v1/studies/import", {**content, "graph": "nothing"})
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_graph")
    again = [SimpleUploadedFile("batch1.json", questions())]
    body = {"name": content["name"], "files": again, "graph": f"{version.graph.slug}@1"}
    made = client.post("/api/v1/studies/import", body)
    assert made.status_code == 201, made.content
    assert Study.objects.get(name=content["name"]).graph_version == version


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
    assert Study.objects.get().graph_version == version


@pytest.mark.django_db(transaction=True)
def test_the_demo_shows_evidence_from_the_demo_graph_once_both_are_loaded() -> None:
    study = demo.load_demo().study
    assert study.graph_version is None
    version, _ = load_demo_graph()
    for _ in range(2):
        demo.load_demo(graph=version)
        study.refresh_from_db()
        assert study.graph_version == version
    counts = study.question_set.resolutions.get().counts
    assert set(counts["candidates"]) == {"identifier"}


def test_pinning_the_same_again_changes_nothing(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    for _ in range(2):
        pin_to_study(actor=cast.coordinator, study=cast.study, version=version)
    assert pinned(cast) == version


def test_a_version_that_is_being_removed_is_not_pinned(cast: Cast) -> None:
    version = make_graph(cast.coordinator)
    Version.objects.update(ready_at=None)
    with pytest.raises(Missing, match="nothing here"):
        pin_to_study(actor=cast.coordinator, study=cast.study, version=version)
    assert pinned(cast) is None
