"""Paths, parts and walks over a view: what is told of them, of snapshots and of changed ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.common.errors import DomainError
from backend.graphs import paths
from backend.graphs.metapaths import key_of, kind_or_raise
from backend.graphs.neighbourhood import star_of
from backend.graphs.paths import HUB, PathReport, search_paths
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.opening import Snapshot, open_snapshot
from backend.graphs.snapshots.view import GraphView
from backend.graphs.subgraph import MOST_ENTITIES, edge_numbers_among, subgraph_of
from backend.graphs.walks import walk_from
from backend.science.path_answers import LONGEST
from backend.science.paths import Question
from backend.science.stopping import Stop
from tests.graphs.living import HUB_LINKS, medicine
from tests.graphs.snapshots.sources import Rows, graphs, snapshot_of
from tests.graphs.snapshots.test_overlay import changes, rows_again

ASPIRIN, HEADACHE = "DRUGBANK:DB00945", "HP:0002315"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder: Path = tmp_path_factory.mktemp("snapshots")
    return open_snapshot(build_snapshot(medicine(), folder).path)


def number(view: GraphView, identifier: str) -> int:
    found = view.number_of(identifier)
    assert found is not None
    return found


def ask(view: GraphView, **options: object) -> PathReport:
    ends = {"sources": [number(view, ASPIRIN)], "targets": [number(view, HEADACHE)]}
    question = Question(**{"hub": HUB, **ends, **options})  # type: ignore[arg-type]  # by name
    return search_paths(view, question, Stop())


def told(report: PathReport) -> Iterator[str]:
    for path in report.paths:
        said = path.entities[0].name
        for step, entity in zip(path.steps, path.entities[1:], strict=True):
            said += f" {step.phrase} {entity.name}"
        yield said


def test_a_path_is_told_in_the_words_of_its_direction(snapshot: Snapshot) -> None:
    said = set(told(ask(snapshot)))
    assert said == {
        "Aspirin treats Headache",
        "Aspirin inhibits COX-1 causes Headache",
        "Aspirin inhibits COX-2 causes Headache",
        "Aspirin inhibits COX-1 interacts with COX-2 causes Headache",
        "Aspirin inhibits COX-2 interacts with COX-1 causes Headache",
    }
    back = ask(
        snapshot,
        sources=[number(snapshot, HEADACHE)],
        targets=[number(snapshot, ASPIRIN)],
        hops=1,
    )
    assert list(told(back)) == ["Headache is treated by Aspirin"]
    assert not back.paths[0].steps[0].forward


def test_evidence_is_told_or_said_to_be_none(snapshot: Snapshot) -> None:
    paths = {len(path.steps): path for path in ask(snapshot).paths}
    evidence = paths[1].steps[0].evidence
    assert evidence is not None
    assert (evidence["source"], evidence["score"], evidence["level"]) == (
        "a database",
        0.5,
        "approved",
    )
    assert paths[2].steps[1].evidence is None
    published = [
        step.evidence["publications"][0]
        for path in ask(snapshot).paths
        for step in path.steps
        if step.evidence and step.evidence["publications"]
    ]
    assert {one["curie"] for one in published} == {"PMID:23190881"}
    assert {one["url"] for one in published} == {"https://pubmed.ncbi.nlm.nih.gov/23190881/"}


def test_paths_through_a_hub_are_counted_and_shown_when_asked_for(snapshot: Snapshot) -> None:
    few = ask(snapshot, limit=2)
    assert (few.shown, few.found, few.hidden_through_hubs) == (2, 5, 1)
    assert few.summary == "2 of 5 shown, 1 through hubs hidden"
    whole = ask(snapshot, hub=None)
    assert whole.summary == "6 of 6 shown"
    assert "Aspirin changes TP53 causes Headache" in set(told(whole))
    assert [path.rank for path in whole.paths] == [1, 2, 3, 4, 5, 6]


def test_kinds_of_paths_have_words_and_keys_that_find_them_again(snapshot: Snapshot) -> None:
    report = ask(snapshot)
    by_words = {one.words: one for one in report.metapaths}
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
        kind = kind_or_raise(snapshot, one.key)
        assert key_of(snapshot, kind) == one.key
        only = ask(snapshot, metapath=kind, hops=len(kind.steps))
        assert (only.found, only.hidden_through_hubs) == (one.count, one.hidden)
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
def test_a_key_that_names_no_kind_is_refused(snapshot: Snapshot, key: str) -> None:
    with pytest.raises(DomainError, match="no kind of path"):
        kind_or_raise(snapshot, key)


def test_a_search_out_of_time_says_that_its_counts_are_lower_bounds(snapshot: Snapshot) -> None:
    stop = Stop()
    stop.pull()
    ends = [number(snapshot, ASPIRIN)], [number(snapshot, HEADACHE)]
    report = search_paths(snapshot, Question(*ends), stop)
    assert report.capped == "time" and "of at least" in report.summary
    assert ask(snapshot, work=3).capped == "work"


@given(graphs(), st.data())
@settings(max_examples=30, deadline=None)
def test_a_changed_graph_has_the_paths_of_the_graph_built_anew(
    rows: Rows, data: st.DataObject
) -> None:
    with snapshot_of(rows) as snapshot:
        if not snapshot.entity_count:
            return
        removed, added = data.draw(changes(snapshot))
        view = snapshot.overlay(removed, added)
        again = Rows([*rows.node_rows], [*rows_again(view, list(view.edges()))])
        end = st.integers(0, snapshot.entity_count - 1)
        ends = data.draw(end), data.draw(end)
        with snapshot_of(again) as anew:
            same = [number(anew, snapshot.entity(one).id) for one in ends]
            found = around(view, *ends)
            assert found == around(anew, *same)


def around(view: GraphView, source: int, target: int) -> tuple[object, ...]:
    """What there is between two entities, in words: numbers differ between the two."""
    question = Question([source], [target], hub=9, limit=10_000)
    report = search_paths(view, question, Stop())
    part = subgraph_of(view, [source, target], Stop())
    paths = sorted(
        (path.metapath, tuple(one.id for one in path.entities), round(path.weight, 12))
        for path in report.paths
    )
    ends = sorted((view.entity(one.source).id, view.entity(one.target).id) for one in part.edges)
    kinds = {one.key: (one.count, one.hidden) for one in report.metapaths}
    return paths, report.found, report.hidden_through_hubs, kinds, ends, part.edge_count


def test_ends_with_more_links_than_memory_has_room_for_are_refused(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = sum(snapshot.degree(number(snapshot, one)) for one in (ASPIRIN, HEADACHE))
    monkeypatch.setattr(paths, "MOST_LINKS", ends)
    assert ask(snapshot).found
    monkeypatch.setattr(paths, "MOST_LINKS", ends - 1)
    with pytest.raises(DomainError, match=f"have {ends} links, and a search begins with"):
        ask(snapshot)


def test_a_part_of_a_graph_has_all_edges_among_its_entities(snapshot: Snapshot) -> None:
    wanted = [ASPIRIN, "UniProtKB:P23219", "UniProtKB:P35354", "NCBIGene:7157"]
    part = subgraph_of(snapshot, [number(snapshot, one) for one in wanted], Stop())
    assert {one.id for one in part.entities} == set(wanted)
    said = sorted(
        f"{snapshot.entity(one.source).name} {one.step.phrase} {snapshot.entity(one.target).name}"
        for one in part.edges
    )
    assert said == [
        "Aspirin changes TP53",
        "Aspirin inhibits COX-1",
        "Aspirin inhibits COX-2",
        "COX-1 interacts with COX-2",
        "TP53 changes TP53",
    ]
    changes_only = frozenset({next(r.number for r in snapshot.relations if r.name == "changes")})
    few = subgraph_of(
        snapshot,
        [number(snapshot, one) for one in wanted],
        Stop(),
        relations=changes_only,
        limit=1,
    )
    assert (len(few.edges), few.edge_count) == (1, 2)


def test_a_part_that_is_too_large_is_refused(snapshot: Snapshot) -> None:
    with pytest.raises(DomainError, match="at most"):
        edge_numbers_among(snapshot, range(MOST_ENTITIES + 1), Stop())


def test_the_own_edges_of_an_entity_are_counted_once(snapshot: Snapshot) -> None:
    hub = number(snapshot, "NCBIGene:7157")
    star = star_of(snapshot, hub, limit=100)
    assert (len(star.edges), star.count) == (100, HUB_LINKS + 3)
    whole = star_of(snapshot, hub, limit=10_000)
    assert len(whole.edges) == len(set(whole.edges)) == whole.count == HUB_LINKS + 3
    assert len(whole.numbers) == HUB_LINKS + 3


def test_a_walk_follows_edges_and_its_seed(snapshot: Snapshot) -> None:
    start = number(snapshot, ASPIRIN)
    walks = [
        walk_from(snapshot, start, 30, seed=seed, restart=0.2, stop=Stop()) for seed in (7, 7, 8)
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
    alone = number(snapshot, "HP:0000001,a")
    ended = walk_from(snapshot, alone, 5, seed=1, restart=0, stop=Stop())
    assert ended.ended and not ended.steps


def test_nothing_is_longer_than_the_longest_path(snapshot: Snapshot) -> None:
    assert max(len(path.steps) for path in ask(snapshot).paths) == LONGEST
    with pytest.raises(ValueError, match="steps"):
        ask(snapshot, hops=LONGEST + 1)
