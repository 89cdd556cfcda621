"""What is read of a release's masked graph: no response shows an edge that it was cut.

Entities, neighbours, search, paths, subgraphs and walks: `test_release_graphs`. Tools:
`test_tool_sessions`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from rest_framework.test import APIClient
from rest_framework.throttling import ScopedRateThrottle

from backend.benchmarks.demo import load_demo_questions
from backend.benchmarks.models import Question
from backend.evaluation.entity_texts import entity_lines
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from tests.evaluation.masked_release import MaskedRelease, Triple, triples
from tests.personas import Person

pytestmark = pytest.mark.django_db

WAYS = {"->": ("-", "->"), "<-": ("<-", "-"), "-": ("-", "-")}


def address(version: Version) -> str:
    return f"/api/v1/graphs/{version.graph.slug}"


def both_ways(edges: Iterable[Triple]) -> set[Triple]:
    return {one for source, relation, target in edges
            for one in ((source, relation, target), (target, relation, source))}  # fmt: skip


def steps_of_path(path: Mapping[str, Any]) -> set[Triple]:
    """Its steps are entities and edges in turn."""
    nodes, edges = path["steps"][::2], path["steps"][1::2]
    ids = [one["entity"]["id"] for one in nodes]
    ends = zip(ids, edges, ids[1:], strict=False)
    return {(near, edge["relation"], far) for near, edge, far in ends}


def test_the_schema_counts_the_edges_that_are_left(
    masked: MaskedRelease, visitor: APIClient
) -> None:
    left = triples(masked.masked)
    snapshot = open_version_snapshot(masked.masked)
    types = {one.id: one.type for one in snapshot.entities()}
    kinds = Counter((types[source], name, types[target]) for source, name, target in left)
    schema = visitor.get(f"{address(masked.masked)}/schema").json()
    shown = {
        (one["source"], one["relation"], one["target"]): one["count"]
        for one in schema["edge_kinds"]
    }
    assert shown == kinds
    counts = {one["relation"]: one["count"] for one in schema["relations"]}
    assert counts == Counter(name for _, name, _ in left)
    whole = visitor.get(f"{address(masked.base)}/schema").json()
    lost = {one["relation"]: one["count"] - counts[one["relation"]] for one in whole["relations"]}
    assert +Counter(lost) == Counter(name for _, name, _ in masked.cut)


def test_no_surprise_rests_on_a_cut_edge(masked: MaskedRelease, visitor: APIClient) -> None:
    cut = both_ways(masked.cut)
    whole, shown = (
        visitor.get(f"{address(one)}/surprises").json()["results"]
        for one in (masked.base, masked.masked)
    )
    assert {one for each in whole for one in edges_of_surprise(each)} & cut
    assert shown and not {one for each in shown for one in edges_of_surprise(each)} & cut


def edges_of_surprise(surprise: Mapping[str, Any]) -> set[Triple]:
    drug = surprise["drug"]["id"]
    uses = {
        (drug, surprise[f"{use}_step"]["relation"], surprise[use]["id"])
        for use in ("usual", "distant")
    }
    mechanism = surprise["mechanism"]
    return uses | (steps_of_path(mechanism) if mechanism else set())


@pytest.mark.parametrize("way", WAYS)
def test_no_query_finds_a_cut_edge(
    masked: MaskedRelease, administrator: Person, researcher: Person, way: str
) -> None:
    """Each is looked for by its ends, whichever way the arrow of the query points."""
    query, expected = query_for(masked.cut, way)
    assert run(administrator, address(masked.base), query) == expected
    assert run(administrator, address(masked.masked), query) == set()
    of_release = f"/api/v1/releases/{masked.release.slug}/graphs/expert"
    assert run(researcher, of_release, query) == set()


def query_for(cut: Iterable[Triple], way: str) -> tuple[str, set[Triple]]:
    """With the edges that it finds in the whole graph."""
    edges = both_ways(cut) if way == "-" else {*cut}
    before, after = WAYS[way]
    start, end = ("b", "a") if way == "<-" else ("a", "b")
    columns = f"{start}.id", "label(r)", f"{end}.id"
    joined = " + ' ' + ".join(columns)
    sought = [" ".join(one) for one in sorted(edges)]
    return (
        f"MATCH (a){before}[r]{after}(b) WHERE ({joined}) IN {sought} RETURN {', '.join(columns)}"
    ), edges


def run(person: Person, at: str, query: str) -> set[Triple]:
    answer = person.browser.post(f"{at}/cypher", {"query": query}, format="json")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert not body["capped"]
    return {tuple(row) for row in body["rows"]}


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "rns", None)


def test_no_path_between_sets_of_the_workbench_has_a_cut_edge(
    masked: MaskedRelease, visitor: APIClient, unlimited: None
) -> None:
    """The ends of each cut edge, as an existing and a serendipitous answer and the reverse."""
    cut = both_ways(masked.cut)
    for edge in sorted(cut):
        assert edge in explained(visitor, masked.base, edge)
        assert not explained(visitor, masked.masked, edge) & cut


def explained(browser: APIClient, version: Version, edge: Triple) -> set[Triple]:
    query = f"existing={edge[0]}&serendipity={edge[2]}&limit=10"
    answer = browser.get(f"{address(version)}/serendipity-paths?{query}")
    assert answer.status_code == 200, answer.content
    (pair,) = answer.json()["pairs"]
    return {one for path in pair["paths"] for one in steps_of_path(path)}


def test_the_workbench_of_a_question_opens_on_no_masked_graph(
    masked: MaskedRelease, administrator: Person
) -> None:
    load_demo_questions(masked.base)
    question = Question.objects.first()
    assert question is not None
    for part in ("workbench", "workbench/export"):
        at = f"/api/v1/questions/{question.pk}/{part}"
        assert administrator.browser.get(at).status_code == 200
        refused = administrator.browser.get(f"{at}?graph={masked.masked.graph.slug}")
        assert (refused.status_code, refused.json()["code"]) == (404, "no_graph")


def test_texts_that_models_read_list_no_cut_edge_and_have_the_documents_as_they_are(
    masked: MaskedRelease,
) -> None:
    for source, relation, target in masked.cut:
        before, after = (links(one, source, relation) for one in (masked.base, masked.masked))
        name = name_of(masked.base, target)
        assert name in before and name not in after
        assert documents_of(masked.base, source) == documents_of(masked.masked, source)


def links(version: Version, source: str, relation: str) -> list[str]:
    """Names in the lines of the text that are generated from the edges of a relation."""
    snapshot = open_version_snapshot(version)
    entity = snapshot.entity(snapshot.find_number(source) or 0)
    (phrase,) = (one.forward for one in snapshot.relations if one.name == relation)
    starts = f"{phrase}: "
    lines = (one for one in entity_lines(snapshot, entity) if one.startswith(starts))
    return [name for one in lines for name in one.removeprefix(starts).split("; ")]


def name_of(version: Version, identifier: str) -> str:
    snapshot = open_version_snapshot(version)
    return snapshot.entity(snapshot.find_number(identifier) or 0).name


def documents_of(version: Version, identifier: str) -> object:
    snapshot = open_version_snapshot(version)
    return snapshot.document(snapshot.find_number(identifier) or 0)


def test_the_data_card_states_that_texts_are_not_masked(
    masked: MaskedRelease, visitor: APIClient
) -> None:
    card = visitor.get(f"/api/v1/releases/{masked.release.slug}/croissant.json").json()
    assert "abstracts of papers are not masked" in card["description"]
