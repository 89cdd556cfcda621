"""Paths, parts and walks over a view: in snapshots and in changed ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.common.errors import DomainError
from backend.graphs.edge_phrases import find_star
from backend.graphs.metapath_tests import MetapathTests
from backend.graphs.metapaths import metapath_key, parse_metapath
from backend.graphs.path_queries import DEFAULT_HUB_LINKS, ExplainedPaths, search_paths
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.overlay import Overlay
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.subgraph_queries import MAX_ENTITIES, find_induced_edges, find_subgraph
from backend.graphs.walk_queries import walk_randomly
from backend.runtime.cancellation import CancellationToken
from backend.science.path_answers import MAX_HOPS
from backend.science.paths import PathQuery
from tests.graphs.served_graph import HUB_LINKS, medicine_rows
from tests.graphs.snapshots.sources import SourceRows, build_snapshot_of, graphs
from tests.graphs.snapshots.test_overlay import rebuilt_rows, removed_edges

ASPIRIN, HEADACHE = "DRUGBANK:DB00945", "HP:0002315"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder: Path = tmp_path_factory.mktemp("snapshots")
    return open_snapshot(build_snapshot(medicine_rows(), folder).path)


def entity_number(view: GraphView, identifier: str) -> int:
    number = view.find_number(identifier)
    assert number is not None
    return number


def search(view: GraphView, **options: object) -> ExplainedPaths:
    ends = {"sources": [entity_number(view, ASPIRIN)], "targets": [entity_number(view, HEADACHE)]}
    question = PathQuery(**{"max_degree": DEFAULT_HUB_LINKS, **ends, **options})  # type: ignore[arg-type]  # by name
    return search_paths(view, question, CancellationToken())


def path_identifiers(report: ExplainedPaths) -> Iterator[str]:
    for path in report.paths:
        sentence = path.entities[0].name
        for step, entity in zip(path.steps, path.entities[1:], strict=True):
            sentence += f" {step.phrase} {entity.name}"
        yield sentence


def test_a_path_is_explained_with_phrases_in_its_direction(snapshot: Snapshot) -> None:
    sentences = set(path_identifiers(search(snapshot)))
    assert sentences == {
        "Aspirin treats Headache",
        "Aspirin inhibits COX-1 causes Headache",
        "Aspirin inhibits COX-2 causes Headache",
        "Aspirin inhibits COX-1 interacts with COX-2 causes Headache",
        "Aspirin inhibits COX-2 interacts with COX-1 causes Headache",
    }
    back = search(
        snapshot,
        sources=[entity_number(snapshot, HEADACHE)],
        targets=[entity_number(snapshot, ASPIRIN)],
        hops=1,
    )
    assert list(path_identifiers(back)) == ["Headache is treated by Aspirin"]
    assert not back.paths[0].steps[0].forward


def test_evidence_of_steps_is_returned_or_null(snapshot: Snapshot) -> None:
    path_queries = {len(path.steps): path for path in search(snapshot).paths}
    evidence = path_queries[1].steps[0].evidence
    assert evidence is not None
    assert (evidence["source"], evidence["score"], evidence["level"]) == (
        "a database",
        0.5,
        "approved",
    )
    assert path_queries[2].steps[1].evidence is None
    published = [
        step.evidence["publications"][0]
        for path in search(snapshot).paths
        for step in path.steps
        if step.evidence and step.evidence["publications"]
    ]
    assert {one["curie"] for one in published} == {"PMID:23190881"}
    assert {one["url"] for one in published} == {"https://pubmed.ncbi.nlm.nih.gov/23190881/"}


def test_paths_through_a_hub_are_counted_and_shown_on_request(snapshot: Snapshot) -> None:
    few = search(snapshot, limit=2)
    assert (few.shown, few.total, few.hidden_through_hubs) == (2, 5, 1)
    assert few.summary == "2 of 5 shown, 1 through hubs hidden"
    whole = search(snapshot, max_degree=None)
    assert whole.summary == "6 of 6 shown"
    assert "Aspirin changes TP53 causes Headache" in set(path_identifiers(whole))
    assert [path.rank for path in whole.paths] == [1, 2, 3, 4, 5, 6]


def test_metapaths_have_descriptions_and_keys_that_find_them(snapshot: Snapshot) -> None:
    report = search(snapshot)
    by_words = {one.phrase: one for one in report.metapaths}
    words = (
        "Drug inhibits Protein, which interacts with Protein, which causes Phenotype",
        "Drug inhibits Protein, which causes Phenotype",
        "Drug treats Phenotype",
        "Drug changes Gene, which causes Phenotype",
    )
    assert {one: (by_words[one].count, by_words[one].hidden) for one in by_words} == dict(
        zip(words, [(2, 0), (2, 0), (1, 0), (0, 1)], strict=True)
    )
    assert by_words[words[0]].key == (
        "Drug/>inhibits/Protein/=interacts with/Protein/>causes/Phenotype"
    )
    for one in report.metapaths:
        kind = parse_metapath(snapshot, one.key)
        assert metapath_key(snapshot, kind) == one.key
        only = search(snapshot, metapath=kind, hops=len(kind.steps))
        assert (only.total, only.hidden_through_hubs) == (one.count, one.hidden)
        assert {path.metapath for path in only.paths} <= {one.key}


@pytest.mark.parametrize(
    "key",
    [
        "",
        "Drug",
        "Drug/>treats",
        "Drug/>treats/Nothing",
        "Drug/=treats/Phenotype",
        "Drug/treats/Phenotype",
        "Drug/>no/Phenotype",
        "Drug//Phenotype",
        "Protein/>interacts with/Protein",
        "/".join(["Drug", ">treats"] * 9),
        "x" * 9999,
    ],
)
def test_an_unknown_metapath_key_is_refused(snapshot: Snapshot, key: str) -> None:
    with pytest.raises(DomainError, match="has no metapath"):
        parse_metapath(snapshot, key)


def test_counts_of_a_timed_out_search_are_lower_bounds(snapshot: Snapshot) -> None:
    stop = CancellationToken()
    stop.cancel()
    ends = [entity_number(snapshot, ASPIRIN)], [entity_number(snapshot, HEADACHE)]
    report = search_paths(snapshot, PathQuery(*ends), stop)
    assert report.capped_by == "time" and "of at least" in report.summary
    assert search(snapshot, max_work=3).capped_by == "work"


@given(graphs(), st.data())
@settings(max_examples=30, deadline=None)
def test_a_graph_with_changes_has_the_paths_of_a_rebuilt_graph(
    rows: SourceRows, data: st.DataObject
) -> None:
    with build_snapshot_of(rows) as snapshot:
        if not snapshot.entity_count:
            return
        view = Overlay(snapshot, data.draw(removed_edges(snapshot)))
        again = SourceRows([*rows.node_rows], [*rebuilt_rows(view, list(view.edges()))])
        end = st.integers(0, snapshot.entity_count - 1)
        ends = data.draw(end), data.draw(end)
        with build_snapshot_of(again) as anew:
            same = [entity_number(anew, snapshot.entity(one).id) for one in ends]
            neighbours = neighbours_between(view, *ends)
            assert neighbours == neighbours_between(anew, *same)


def neighbours_between(view: GraphView, source: int, target: int) -> tuple[object, ...]:
    """What there is between two entities, in words: numbers differ between the two."""
    question = PathQuery([source], [target], max_degree=9, limit=10_000)
    report = search_paths(view, question, CancellationToken())
    part = find_subgraph(view, [source, target], CancellationToken())
    path_queries = sorted(
        (path.metapath, tuple(one.id for one in path.entities), round(path.weight, 12))
        for path in report.paths
    )
    ends = sorted((view.entity(one.source).id, view.entity(one.target).id) for one in part.edges)
    kinds = {one.key: (one.count, one.hidden) for one in report.metapaths}
    return path_queries, report.total, report.hidden_through_hubs, kinds, ends, part.edge_count


def test_ends_with_too_many_links_are_refused(
    snapshot: Snapshot,
) -> None:
    both = [entity_number(snapshot, one) for one in (ASPIRIN, HEADACHE)]
    question = PathQuery(both[:1], both[1:])
    links = sum(snapshot.degree(one) for one in both)
    assert search_paths(snapshot, question, CancellationToken(), max_links=links).total
    with pytest.raises(DomainError, match=f"have {links} links together"):
        search_paths(snapshot, question, CancellationToken(), max_links=links - 1)


def test_a_subgraph_has_all_edges_between_its_entities(snapshot: Snapshot) -> None:
    identifiers = [ASPIRIN, "UniProtKB:P23219", "UniProtKB:P35354", "NCBIGene:7157"]
    part = find_subgraph(
        snapshot, [entity_number(snapshot, one) for one in identifiers], CancellationToken()
    )
    assert {one.id for one in part.entities} == set(identifiers)
    sentences = sorted(
        f"{snapshot.entity(one.source).name} {one.step.phrase} {snapshot.entity(one.target).name}"
        for one in part.edges
    )
    assert sentences == [
        "Aspirin changes TP53",
        "Aspirin inhibits COX-1",
        "Aspirin inhibits COX-2",
        "COX-1 interacts with COX-2",
        "TP53 changes TP53",
    ]
    changes_only = frozenset({next(r.number for r in snapshot.relations if r.name == "changes")})
    few = find_subgraph(
        snapshot,
        [entity_number(snapshot, one) for one in identifiers],
        CancellationToken(),
        relations=changes_only,
        limit=1,
    )
    assert (len(few.edges), few.edge_count) == (1, 2)


def test_a_subgraph_that_is_too_large_is_refused(snapshot: Snapshot) -> None:
    with pytest.raises(DomainError, match="Give fewer"):
        find_induced_edges(snapshot, range(MAX_ENTITIES + 1), CancellationToken())


def test_the_edges_of_an_entity_are_counted_once(snapshot: Snapshot) -> None:
    hub = entity_number(snapshot, "NCBIGene:7157")
    _, some = find_star(snapshot, hub, limit=100)
    assert len(some) == 100
    numbers, edges = find_star(snapshot, hub, limit=10_000)
    assert len(edges) == len(set(edges)) == HUB_LINKS + 3
    assert len(numbers) == HUB_LINKS + 3


def test_a_walk_follows_edges_and_its_seed(snapshot: Snapshot) -> None:
    start = entity_number(snapshot, ASPIRIN)
    walks = [
        walk_randomly(snapshot, start, 30, seed=seed, restart=0.2, stop=CancellationToken())
        for seed in (7, 7, 8)
    ]
    assert walks[0] == walks[1] != walks[2]
    here = start
    for one in walks[0].steps:
        if one.step is None:
            assert one.entity.number == start
        else:
            edge = snapshot.edge(one.step.edge)
            ends = (edge.source, edge.target)
            assert (here, one.entity.number) == (ends if one.step.forward else ends[::-1])
        here = one.entity.number
    alone = entity_number(snapshot, "HP:0000001,a")
    ended = walk_randomly(snapshot, alone, 5, seed=1, restart=0, stop=CancellationToken())
    assert ended.ended and not ended.steps


def test_the_maximum_path_length_is_that_of_the_kernels(snapshot: Snapshot) -> None:
    assert max(len(path.steps) for path in search(snapshot).paths) == MAX_HOPS
    with pytest.raises(ValueError, match="steps"):
        search(snapshot, hops=MAX_HOPS + 1)


def test_metapaths_of_two_entities_are_tested_beside_graphs_with_the_same_degrees(
    snapshot: Snapshot,
) -> None:
    tests = MetapathTests.between(snapshot, (ASPIRIN, HEADACHE), 20, 3)
    listed = {one.key: one.count + one.hidden for one in search(snapshot, hops=2).metapaths}
    rows = tests.run(tests.find(2).metapaths, tests.count_family(2))
    assert {row["metapath"]: row["paths"] for row in rows} == listed
    assert len(listed) > 1
    for row in rows:
        assert row["observed"] > 0 and row["p_value"] == (1 + row["as_high"]) / 21
        assert row["p_adjusted"] >= row["p_value"]
        [alone] = tests.run(tests.count(tests.parse(row["metapath"])).metapaths, None)
        assert {**alone, "p_adjusted": row["p_adjusted"]} == row
    with pytest.raises(DomainError, match="no entity"):
        MetapathTests.between(snapshot, (ASPIRIN, "nothing"), 20, 3)
    with pytest.raises(DomainError, match="same entity"):
        MetapathTests.between(snapshot, (ASPIRIN, ASPIRIN), 20, 3)
    other = MetapathTests.between(snapshot, (HEADACHE, ASPIRIN), 20, 3)
    with pytest.raises(DomainError, match="other types"):
        other.parse(next(iter(listed)))
