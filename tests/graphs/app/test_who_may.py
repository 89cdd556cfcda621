"""Whose a graph is, with whom it is shared, and who may take it away."""

import os
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings
from rest_framework.test import APIClient

from backend.common.errors import Missing, NotAllowed
from backend.graphs import citations, versions
from backend.graphs.imports import Wanted, begin_import, sweep_imports
from backend.graphs.models import (
    Document,
    Entity,
    Graph,
    GraphImport,
    SavedView,
    State,
    Version,
)
from backend.graphs.policies import get_graph_or_raise, may_import_graphs, visible_graphs
from backend.graphs.sharing import change_graph
from backend.graphs.versions import StillCited, remove_graph, remove_version, sweep_versions
from backend.graphs.views import save_view
from tests.annotation.personas import Cast, make_cast
from tests.graphs.app.making import ASPIRIN, COX1, imported, longer, make_graph
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
VIEW = {"page": "", "query": ""}


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def shared(cast: Cast) -> Graph:
    return make_graph(cast.coordinator, "study", studies=[cast.study.id]).graph


def test_a_graph_of_a_study_is_there_for_its_members_alone(
    cast: Cast, shared: Graph, administrator: Person
) -> None:
    members = (cast.coordinator, cast.expert, cast.colleague, administrator.user)
    for user in members:
        assert get_graph_or_raise(user, shared.slug) == shared
    for other in (None, cast.outsider, cast.other_coordinator, cast.other_expert):
        assert not visible_graphs(other).exists()
        with pytest.raises(Missing):
            get_graph_or_raise(other, shared.slug)


def test_a_private_graph_is_its_owners_even_if_it_was_shared(
    cast: Cast, shared: Graph, administrator: Person
) -> None:
    change_graph(actor=cast.coordinator, graph=shared, visibility="private")
    assert visible_graphs(cast.coordinator).exists() and visible_graphs(administrator.user).exists()
    assert not visible_graphs(cast.expert).exists()


def test_coordinators_and_administrators_import(cast: Cast, administrator: Person) -> None:
    assert may_import_graphs(cast.coordinator) and may_import_graphs(administrator.user)
    for user in (cast.expert, cast.outsider, make_person("r", is_researcher=True).user):
        assert not may_import_graphs(user)
    administrator.user.is_active = False
    assert not may_import_graphs(administrator.user)


def test_it_is_shared_with_studies_that_she_coordinates(cast: Cast) -> None:
    graph = make_graph(cast.coordinator).graph
    for study in (cast.other_study.id, uuid.uuid4()):
        with pytest.raises(NotAllowed):
            change_graph(actor=cast.coordinator, graph=graph, studies=[study])
    change_graph(actor=cast.coordinator, graph=graph, studies=[cast.study.id], visibility="study")
    assert visible_graphs(cast.expert).exists()
    change_graph(actor=cast.coordinator, graph=graph, studies=[])
    assert not visible_graphs(cast.expert).exists()


def test_only_its_owner_and_administrators_change_a_graph(
    cast: Cast, shared: Graph, administrator: Person
) -> None:
    for user in (cast.expert, cast.outsider, cast.other_coordinator):
        with pytest.raises(NotAllowed):
            change_graph(actor=user, graph=shared, visibility="public")
        with pytest.raises(NotAllowed):
            remove_graph(actor=user, graph=shared)
    change_graph(actor=administrator.user, graph=shared, licence="CC0")
    shared.refresh_from_db()
    assert (shared.licence, shared.visibility) == ("CC0", "study")


def test_what_is_removed_is_gone_from_tables_and_disk(
    tmp_path: Path,
    settings: Settings,
    administrator: Person,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.SNAPSHOTS = tmp_path / "snapshots"
    row = imported(tmp_path / "files")
    assert row.graph
    (settings.SNAPSHOTS / f"{row.report['snapshot']}.search").mkdir(exist_ok=True)
    with django_capture_on_commit_callbacks(execute=True):
        remove_graph(actor=administrator.user, graph=row.graph)
    for model in (Graph, Version, Entity, Document):
        assert not model._default_manager.exists()
    assert [it.name for it in settings.SNAPSHOTS.iterdir()] == [".lock"]


def test_files_that_another_graph_has_too_stay(
    tmp_path: Path,
    settings: Settings,
    administrator: Person,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.SNAPSHOTS = tmp_path / "snapshots"
    first = imported(tmp_path / "files", name="One")
    second = imported(tmp_path / "again", name="Two")
    assert first.graph and second.version
    with django_capture_on_commit_callbacks(execute=True):
        remove_graph(actor=administrator.user, graph=first.graph)
    assert second.version.folder.is_dir()


def test_files_that_an_import_under_way_kept_are_swept_a_day_later(
    tmp_path: Path,
    settings: Settings,
    administrator: Person,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.SNAPSHOTS = tmp_path / "snapshots"
    removed, kept = imported(tmp_path / "files").version, imported(tmp_path / "b", name="B").version
    other = imported(tmp_path / "c", longer(f"{COX1},treats,{ASPIRIN},,,"), name="C").version
    assert removed and kept and other
    begin_import(actor=None, wanted=Wanted("D"), files=[])
    GraphImport.objects.filter(name="D").update(state=State.BUILDING, heartbeat=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        remove_version(actor=administrator.user, version=other)
    sweep_imports()
    assert other.folder.is_dir()
    GraphImport.objects.filter(name="D").update(state=State.FAILED)
    sweep_imports()
    assert other.folder.is_dir()
    for folder in (other.folder, kept.folder):
        os.utime(folder, (0, 0))
    sweep_imports()
    assert not other.folder.exists() and kept.folder.is_dir()


def test_a_cited_version_is_kept_and_said_by_whom(administrator: Person) -> None:
    version = make_graph(visibility="public")
    save_view(actor=None, version=version, title="A view", state=VIEW)
    back = citations.register(lambda it: ["the study 'Serendipity'"])
    try:
        with pytest.raises(StillCited) as refused:
            remove_version(actor=administrator.user, version=version)
    finally:
        back()
    assert refused.value.data == {"cited_by": ["1 saved view", "the study 'Serendipity'"]}
    assert visible_graphs(None).exists()


def test_a_graph_goes_with_all_its_versions_or_with_none(
    tmp_path: Path, administrator: Person
) -> None:
    first = imported(tmp_path / "first").version
    second = imported(tmp_path / "second", longer(f"{COX1},treats,{ASPIRIN},,,")).version
    assert first and second
    view = save_view(actor=None, version=second, title="A view", state=VIEW)
    with pytest.raises(StillCited):
        remove_graph(actor=administrator.user, graph=first.graph)
    assert Version.objects.ready().count() == 2
    remove_version(actor=administrator.user, version=first)
    assert list(Version.objects.all()) == [second]
    SavedView.objects.filter(id=view.pk).delete()
    remove_version(actor=administrator.user, version=second)
    assert not Graph.objects.exists()


def test_what_a_colleague_removed_a_moment_ago_is_missing_and_no_fault(
    administrator: Person,
) -> None:
    version = make_graph(visibility="public")
    seen = Version.objects.select_related("graph").get(pk=version.pk)
    remove_version(actor=administrator.user, version=version)
    with pytest.raises(Missing):
        remove_version(actor=administrator.user, version=seen)


def test_no_view_is_kept_of_a_version_that_is_going(administrator: Person) -> None:
    version = make_graph(visibility="public")
    Version.objects.update(ready_at=None)
    with pytest.raises(Missing):
        save_view(actor=None, version=version, title="A view", state=VIEW)


def test_a_removal_that_was_cut_off_is_finished_by_the_sweeper() -> None:
    make_graph()
    Version.objects.update(ready_at=None)
    sweep_versions()
    assert not Version.objects.exists() and not Graph.objects.exists()


def test_a_large_graph_goes_from_sight_at_once_and_from_the_tables_later(
    administrator: Person,
    work_off: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    monkeypatch.setattr(versions, "AT_ONCE", 1)
    graph = make_graph(visibility="public").graph
    with django_capture_on_commit_callbacks(execute=True):
        remove_graph(actor=administrator.user, graph=graph)
    assert not visible_graphs(administrator.user).exists() and Version.objects.exists()
    assert work_off() == ["graphs.sweep_imports"]
    assert not Version.objects.exists() and not Graph.objects.exists()


def test_over_http_an_owner_shares_and_removes(cast: Cast, visitor: APIClient) -> None:
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
