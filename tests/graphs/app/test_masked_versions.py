"""A masked graph: read at its address like any other, in no list, and never with a cut edge."""

import pytest
from rest_framework.test import APIClient

from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.graph_settings import update_graph
from backend.graphs.masked_versions import create_masked_graph
from backend.graphs.models import Graph, Version
from backend.graphs.policies import get_graph_or_raise, visible_graphs
from backend.graphs.search.indexing import index_version
from backend.graphs.versions import VersionReferenced, delete_version
from tests.graphs.app.factories import ASPIRIN, COX1, COX2, make_graph
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def base() -> Version:
    version = make_graph(make_person("ada").user, Graph.Visibility.PUBLIC)
    index_version(version, open_version_snapshot(version), progress=lambda *_: None)
    return version


@pytest.fixture
def masked(base: Version) -> Version:
    """Without the edge between aspirin and COX-1."""
    snapshot = open_version_snapshot(base)
    aspirin, cox = (snapshot.find_number(one) for one in (ASPIRIN, COX1))
    cut = [edge.edge for edge in snapshot.edges() if (edge.source, edge.target) == (aspirin, cox)]
    assert len(cut) == 1
    return create_masked_graph(base, cut, name="Release one, llm", owner=None)


def publish(version: Version, administrator: Person) -> str:
    update_graph(
        actor=administrator.user, graph=version.graph, visibility=Graph.Visibility.UNLISTED
    )
    return f"/api/v1/graphs/{version.graph.slug}"


def test_a_masked_graph_is_read_at_its_address_and_in_no_list(
    visitor: APIClient, administrator: Person, masked: Version
) -> None:
    before = visitor.get(f"/api/v1/graphs/{masked.graph.slug}")
    address = publish(masked, administrator)
    listed = visitor.get("/api/v1/graphs").json()["results"]
    assert before.status_code == 404
    assert visitor.get(address).json()["versions"][0]["edges"] == masked.edges
    assert masked.graph.slug not in {one["slug"] for one in listed}
    for user in (None, make_person("olga").user):
        assert masked.graph not in visible_graphs(user)
        assert get_graph_or_raise(user, masked.graph.slug) == masked.graph


def test_no_response_shows_the_cut_edge(
    visitor: APIClient, administrator: Person, base: Version, masked: Version
) -> None:
    address = publish(masked, administrator)
    ends = f"from={ASPIRIN}&to={COX1}"
    paths = visitor.get(f"{address}/paths?{ends}")
    open_paths = visitor.get(f"/api/v1/graphs/{base.graph.slug}/paths?{ends}")
    entity = visitor.get(f"{address}/entities/{ASPIRIN}").json()
    neighbours = visitor.get(f"{address}/entities/{ASPIRIN}/neighbours?relation=inhibits").json()
    assert (paths.status_code, open_paths.status_code) == (200, 200)
    assert COX1 in open_paths.content.decode()
    assert paths.json()["total"] == 0
    assert COX1 not in str(entity)
    assert [one["entity"]["id"] for one in neighbours["results"]] == [COX2]


def test_names_and_documents_are_found_as_in_the_base(
    visitor: APIClient, administrator: Person, masked: Version
) -> None:
    address = publish(masked, administrator)
    by_name = visitor.get(f"{address}/search?q=acetylsalicylic").json()["results"]
    by_meaning = visitor.get(f"{address}/search?q=an+old+drug&mode=documents").json()["results"]
    assert [one["id"] for one in by_name] == [ASPIRIN]
    assert [one["id"] for one in by_meaning] == [ASPIRIN]


def test_the_base_of_a_masked_graph_stays(base: Version, masked: Version) -> None:
    owner = base.graph.owner
    assert owner is not None
    with pytest.raises(VersionReferenced, match="masked graph 'Release one, llm'"):
        delete_version(actor=owner, version=base)
