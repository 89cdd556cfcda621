"""Whose a graph is, with whom it is shared, and who may take it away."""

import os
import uuid
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings
from rest_framework.test import APIClient

from backend.common.errors import NotAllowed, NotFound
from backend.graphs.graph_settings import update_graph
from backend.graphs.import_service import (
    ImportRequest,
    begin_import,
    delete_import_leftovers,
)
from backend.graphs.models import (
    DocumentVector,
    Graph,
    SavedView,
    StudyGraph,
    Version,
)
from backend.graphs.policies import get_graph_or_raise, may_import_graphs, visible_graphs
from backend.graphs.saved_views import save_view
from backend.graphs.versions import (
    VersionReferenced,
    delete_abandoned_versions,
    delete_graph,
    delete_version,
    import_jobs,
)
from backend.jobs.models import JobState
from backend.studies.models import Study
from tests.annotation.personas import Cast, make_cast
from tests.graphs.app.factories import (
    ASPIRIN,
    COX1,
    make_graph,
    run_small_import,
    small_files_with_edges,
    version_of,
)
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
VIEW = {"page": "", "query": ""}


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def shared(cast: Cast) -> Graph:
    return make_graph(cast.coordinator, "study", studies=[cast.study.id]).graph


def test_a_graph_of_a_study_is_visible_only_to_its_members(
    cast: Cast, shared: Graph, administrator: Person
) -> None:
    members = (cast.coordinator, cast.expert, cast.colleague, administrator.user)
    for user in members:
        assert get_graph_or_raise(user, shared.slug) == shared
    for other in (None, cast.outsider, cast.other_coordinator, cast.other_expert):
        assert not visible_graphs(other).exists()
        with pytest.raises(NotFound):
            get_graph_or_raise(other, shared.slug)


def test_a_private_graph_is_visible_only_to_its_owner_even_if_shared(
    cast: Cast, shared: Graph, administrator: Person
) -> None:
    update_graph(actor=cast.coordinator, graph=shared, visibility="private")
    assert visible_graphs(cast.coordinator).exists() and visible_graphs(administrator.user).exists()
    assert not visible_graphs(cast.expert).exists()


def test_coordinators_and_administrators_import(cast: Cast, administrator: Person) -> None:
    assert may_import_graphs(cast.coordinator) and may_import_graphs(administrator.user)
    for user in (cast.expert, cast.outsider, make_person("r", is_researcher=True).user):
        assert not may_import_graphs(user)
    administrator.user.is_active = False
    assert not may_import_graphs(administrator.user)


def test_a_graph_is_shared_only_with_studies_that_the_owner_coordinates(cast: Cast) -> None:
    graph = make_graph(cast.coordinator).graph
    for study in (cast.other_study.id, uuid.uuid4()):
        with pytest.raises(NotAllowed):
            update_graph(actor=cast.coordinator, graph=graph, studies=[study])
    update_graph(actor=cast.coordinator, graph=graph, studies=[cast.study.id], visibility="study")
    assert visible_graphs(cast.expert).exists()
    update_graph(actor=cast.coordinator, graph=graph, studies=[])
    assert not visible_graphs(cast.expert).exists()


def test_only_its_owner_and_administrators_change_a_graph(
    cast: Cast, shared: Graph, administrator: Person
) -> None:
    for user in (cast.expert, cast.outsider, cast.other_coordinator):
        with pytest.raises(NotAllowed):
            update_graph(actor=user, graph=shared, visibility="public")
        with pytest.raises(NotAllowed):
            delete_graph(actor=user, graph=shared)
    update_graph(actor=administrator.user, graph=shared, licence="CC0")
    shared.refresh_from_db()
    assert (shared.licence, shared.visibility) == ("CC0", "study")


def test_a_deleted_version_is_gone_from_tables_and_disk(
    tmp_path: Path,
    settings: Settings,
    administrator: Person,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.SNAPSHOTS = tmp_path / "snapshots"
    row = run_small_import(tmp_path / "files")
    (settings.SNAPSHOTS / f"{row.result['snapshot']}.search").mkdir(exist_ok=True)
    with django_capture_on_commit_callbacks(execute=True):
        delete_graph(actor=administrator.user, graph=version_of(row).graph)
    for model in (Graph, Version, DocumentVector):
        assert not model._default_manager.exists()
    assert [it.name for it in settings.SNAPSHOTS.iterdir()] == [".lock"]


def test_files_that_another_graph_uses_are_not_deleted(
    tmp_path: Path,
    settings: Settings,
    administrator: Person,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.SNAPSHOTS = tmp_path / "snapshots"
    first = run_small_import(tmp_path / "files", name="One")
    second = run_small_import(tmp_path / "again", name="Two")
    with django_capture_on_commit_callbacks(execute=True):
        delete_graph(actor=administrator.user, graph=version_of(first).graph)
    assert version_of(second).folder.is_dir()


def test_files_kept_for_a_running_import_are_deleted_a_day_later(
    tmp_path: Path,
    settings: Settings,
    administrator: Person,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.SNAPSHOTS = tmp_path / "snapshots"
    _, remaining = (
        version_of(run_small_import(tmp_path / "files")),
        version_of(run_small_import(tmp_path / "b", name="B")),
    )
    edges = small_files_with_edges(f"{COX1},treats,{ASPIRIN},,,")
    other = version_of(run_small_import(tmp_path / "c", edges, name="C"))
    begin_import(actor=None, import_request=ImportRequest("D"), files=[])
    import_jobs().filter(parameters__name="D").update(
        state=JobState.RUNNING, heartbeat_at=timezone.now()
    )
    with django_capture_on_commit_callbacks(execute=True):
        delete_version(actor=administrator.user, version=other)
    delete_import_leftovers()
    assert other.folder.is_dir()
    import_jobs().filter(parameters__name="D").update(state=JobState.FAILED)
    delete_import_leftovers()
    assert other.folder.is_dir()
    for folder in (other.folder, remaining.folder):
        os.utime(folder, (0, 0))
    delete_import_leftovers()
    assert not other.folder.exists() and remaining.folder.is_dir()


def test_a_referenced_version_is_kept_and_its_references_are_named(administrator: Person) -> None:
    version = make_graph(visibility="public")
    save_view(actor=None, version=version, title="A view", state=VIEW)
    StudyGraph.objects.create(study=Study.objects.create(name="Serendipity"), version=version)
    with pytest.raises(VersionReferenced) as refused:
        delete_version(actor=administrator.user, version=version)
    assert set(refused.value.data["cited_by"]) == {"1 saved view", "the study 'Serendipity'"}
    assert visible_graphs(None).exists()


def test_a_graph_is_deleted_with_all_its_versions_or_not_at_all(
    tmp_path: Path, administrator: Person
) -> None:
    first = version_of(run_small_import(tmp_path / "first"))
    edges = small_files_with_edges(f"{COX1},treats,{ASPIRIN},,,")
    second = version_of(run_small_import(tmp_path / "second", edges))
    view = save_view(actor=None, version=second, title="A view", state=VIEW)
    with pytest.raises(VersionReferenced):
        delete_graph(actor=administrator.user, graph=first.graph)
    assert Version.objects.ready().count() == 2
    delete_version(actor=administrator.user, version=first)
    assert list(Version.objects.all()) == [second]
    SavedView.objects.filter(id=view.pk).delete()
    delete_version(actor=administrator.user, version=second)
    assert not Graph.objects.exists()


def test_deleting_a_version_that_is_already_deleted_raises_missing(
    administrator: Person,
) -> None:
    version = make_graph(visibility="public")
    stale = Version.objects.select_related("graph").get(pk=version.pk)
    delete_version(actor=administrator.user, version=version)
    with pytest.raises(NotFound):
        delete_version(actor=administrator.user, version=stale)


def test_no_view_is_saved_of_a_version_that_is_being_deleted(administrator: Person) -> None:
    version = make_graph(visibility="public")
    Version.objects.update(ready_at=None)
    with pytest.raises(NotFound):
        save_view(actor=None, version=version, title="A view", state=VIEW)


def test_an_interrupted_deletion_is_finished_by_the_periodic_task() -> None:
    make_graph()
    Version.objects.update(ready_at=None)
    delete_abandoned_versions()
    assert not Version.objects.exists() and not Graph.objects.exists()


def test_an_owner_shares_and_deletes_over_http(cast: Cast, visitor: APIClient) -> None:
    version = make_graph(cast.coordinator)
    browser = APIClient()
    browser.force_login(cast.coordinator)
    address = f"/api/v1/graphs/{version.graph.slug}"
    changed = browser.patch(address, {"visibility": "public", "description": " kept as it is "})
    assert changed.json()["description"] == " kept as it is "
    assert visitor.get(address).json()["visibility"] == "public"
    assert browser.patch(address, {"visibility": "everybody"}).status_code == 422
    assert browser.patch(address, {"source_url": "javascript:alert(1)"}).status_code == 422
    assert browser.delete(f"{address}/versions/{version.snapshot}").status_code == 204
    assert visitor.get(address).status_code == 404
