"""Masked graphs of a release: what they hide, who sees them, and what is scored on them."""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import transaction
from django.utils.text import slugify
from pydantic import TypeAdapter
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from backend.accounts.models import User
from backend.benchmarks import release_graph_lookup, release_graphs
from backend.benchmarks.job_kinds.release_graph import release_graph_request
from backend.benchmarks.models import HiddenAnswer, Release, ReleaseGraph
from backend.benchmarks.release_graph_lookup import (
    ReleaseGraphMissing,
    get_release_graph_or_raise,
)
from backend.benchmarks.release_graphs import (
    build_release_graph,
    require_mask_method,
    store_release_graph,
)
from backend.benchmarks.release_states import change_release_state
from backend.common.errors import DomainError, NotAllowed
from backend.evaluation.models import Submission, ToolSession
from backend.evaluation.scoring import evaluation_key
from backend.graphs.demo import load_demo_graph
from backend.graphs.entity_details import entity_summary
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Graph, Version
from backend.graphs.policies import visible_graphs
from backend.graphs.search.vector_search import find_similar_documents
from backend.graphs.versions import VersionReferenced, delete_version
from backend.studies.models import Member, Study
from backend.tracks.serenqa_retrieval.scoring import gold_answers
from backend.tracks.serenqa_retrieval.track import TRACK
from tests.benchmarks.exported_graph_matcher import match, read_export
from tests.common.locked_statements import tables_written_locked
from tests.evaluation.serenqa_releases import (
    answer_ids,
    demo_questions,
    make_serenqa_release,
    partitions,
)
from tests.evaluation.test_tool_sessions import open_session, send_call
from tests.personas import Person, make_person

FILE_KEYS = {"expert": "expert", "llm": "llm", "rns": "sscore"}


@pytest.fixture(scope="module")
def masked_draft(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Version, Release]]:
    """The demo graph and a draft about it, in a transaction that ends with the module."""
    folder = tmp_path_factory.mktemp("files")
    with django_db_blocker.unblock(), transaction.atomic():
        version = load_demo_graph()[0]
        yield version, make_serenqa_release(folder, version, masked_by="expert", test_share=0.5)
        transaction.set_rollback(True)


@pytest.fixture
def version(masked_draft: tuple[Version, Release], db: None) -> Version:
    return masked_draft[0]


@pytest.fixture
def release(masked_draft: tuple[Version, Release], db: None) -> Release:
    """A draft whose items are about the graph that the experts' partitions mask."""
    return Release.objects.get(pk=masked_draft[1].pk)


def make_graphs(release: Release, *methods: str) -> list[Mapping[str, Any]]:
    out = io.StringIO()
    graphs: list[Mapping[str, Any]] = []
    for method in methods or ("expert",):
        out = io.StringIO()
        call_command("release_graph", release.slug, "--method", method, "--json", stdout=out)
        graphs += json.loads(out.getvalue())["graphs"]
    return graphs


def open_it(release: Release) -> None:
    change_release_state(actor=None, release=release, to=Release.State.OPEN)


def partition_sets(method: str) -> dict[str, tuple[set[str], set[str]]]:
    """A_s and A_e by question."""
    key = FILE_KEYS[method]
    return {
        str(one["qid"]): (
            set(one[key]["serendipity_set"]["list"]),
            set(one[key]["exact_matches"]["list"]),
        )
        for one in partitions(demo_questions())
    }


@pytest.mark.parametrize("method", FILE_KEYS)
def test_every_included_question_finds_its_existing_answers_and_no_other(
    masked_draft: tuple[Version, Release], tmp_path: Path, administrator: Person, method: str
) -> None:
    release = make_serenqa_release(tmp_path, masked_draft[0], slug=method, masked_by=method)
    questions = {str(one["qid"]): one for one in demo_questions()}
    (summary,) = make_graphs(release, method)
    address = f"/api/v1/graphs/{summary['graph']}/export?format=csv"
    export = administrator.browser.get(address)
    assert export.status_code == 200
    graph = read_export(export.getvalue())
    sets = partition_sets(method)
    assert len(summary["included"]) > 20
    for id_ in summary["included"]:
        hidden, existing = sets[id_]
        matches = match(graph, questions[id_])
        assert existing <= matches, id_
        assert not hidden & matches, id_
    assert set(summary["included"]) | set(summary["excluded"]) == set(sets)
    for why in summary["excluded"].values():
        assert set(why["conflicts"]) <= set(summary["included"])


def test_the_matcher_finds_all_answers_of_the_full_graph(
    version: Version, administrator: Person
) -> None:
    export = administrator.browser.get(f"/api/v1/graphs/{version.graph.slug}/export?format=csv")
    graph = read_export(export.getvalue())
    for question in demo_questions():
        assert match(graph, question) == set(answer_ids(question))


def test_no_response_about_a_masked_graph_has_a_cut_edge(
    release: Release, version: Version, visitor: APIClient
) -> None:
    (summary,) = make_graphs(release)
    open_it(release)
    base = open_version_snapshot(version)
    masked = open_version_snapshot(ReleaseGraph.objects.get(release=release).version)
    names = {one.number: one.name for one in base.relations}

    def triples(snapshot: Any) -> set[tuple[str, str, str]]:
        return {
            (
                snapshot.entity_summary(edge.source).id,
                names[edge.relation],
                snapshot.entity_summary(edge.target).id,
            )
            for edge in snapshot.edges()
        }

    cut = sorted(triples(base) - triples(masked))
    assert 0 < len(cut) <= summary["removed_edges"]
    address, full = f"/api/v1/graphs/{summary['graph']}", f"/api/v1/graphs/{version.graph.slug}"
    for edge in cut:
        assert edge not in shown_edges(visitor, address, edge)
    for edge in cut[:5]:
        assert edge in shown_edges(visitor, full, edge)
    for source in sorted({end for one in cut for end in (one[0], one[2])}):
        page = visitor.get(f"{address}/entities/{source}").json()
        number = masked.find_number(source)
        assert number is not None
        assert page["degree"] == masked.degree(number) < base.degree(base.find_number(source) or 0)
        results = visitor.get(f"{address}/search?q={source}").json()["results"]
        degrees = {one["id"]: one["degree"] for one in results}
        assert degrees[source] == masked.degree(number)
        walk = f"{address}/walk?from={source}&steps=50&seed=1"
        assert not page["degree"] or not steps_of_walk(visitor, walk) & {*cut}


def shown_edges(browser: APIClient, graph: str, edge: tuple[str, str, str]) -> set[Any]:
    """The edge if neighbours, paths and subgraph show it; they must agree."""
    source, relation, target = edge
    near = browser.get(f"{graph}/entities/{source}/neighbours?relation={relation}&limit=100").json()
    path = browser.get(f"{graph}/paths?from={source}&to={target}&hops=1&hubs=true&limit=100").json()
    part = browser.post(f"{graph}/subgraph", {"ids": [source, target]}, format="json").json()
    ways = {
        target in [one["entity"]["id"] for one in near["results"]],
        any(
            (one["steps"][1]["relation"], one["steps"][1]["forward"]) == (relation, True)
            for one in path["paths"]
        ),
        edge in {(one["source"], one["relation"], one["target"]) for one in part["edges"]},
    }
    assert len(ways) == 1, edge
    return {edge} if ways == {True} else set()


def steps_of_walk(browser: APIClient, address: str) -> set[tuple[str, str, str]]:
    walk = browser.get(address).json()
    at = walk["start"]["id"]
    edges = set()
    for one in walk["steps"]:
        other = one["entity"]["id"]
        if one["step"] is not None:
            relation = one["step"]["relation"]
            edges |= {(at, relation, other), (other, relation, at)}
        at = other
    assert edges
    return edges


def test_no_order_shows_who_lost_edges_of_a_private_graph(
    release: Release, version: Version, visitor: APIClient
) -> None:
    """Entities are numbered by their degrees: the numbers of the whole graph would show them."""
    Graph.objects.filter(pk=version.graph_id).update(visibility=Graph.Visibility.PRIVATE)
    (summary,) = make_graphs(Release.objects.get(pk=release.pk))
    open_it(release)
    masked = ReleaseGraph.objects.get(release=release).version
    hidden, base = open_version_snapshot(masked), open_version_snapshot(version)
    degrees = [entity_summary(hidden, number)["degree"] for number in range(hidden.entity_count)]
    assert degrees == sorted(degrees, reverse=True)
    assert hidden.edge_count == base.edge_count - summary["removed_edges"]
    assert {one.id for one in hidden.entities()} == {one.id for one in base.entities()}
    assert [one.id for one in hidden.entities()] != [one.id for one in base.entities()]
    query = "a drug against malaria"
    near, expected = (find_similar_documents(one, query) for one in (masked, version))
    assert expected
    assert [hidden.entity(one).id for one in near] == [base.entity(one).id for one in expected]
    address = f"/api/v1/graphs/{summary['graph']}"
    results = visitor.get(f"{address}/search?q=metformin").json()["results"]
    assert results[0]["name"].casefold() == "metformin"


def test_a_release_asked_on_one_masked_graph_has_none_by_another_method(
    release: Release, administrator: Person, researcher: Person, version: Version
) -> None:
    """It would show the edges that the first one lacks, also to agents and in queries."""
    make_graphs(release)
    for visibility in (Graph.Visibility.PUBLIC, Graph.Visibility.PRIVATE):
        Graph.objects.filter(pk=version.graph_id).update(visibility=visibility)
        for method in ("llm", "rns"):
            address = f"/api/v1/releases/{release.slug}/graphs"
            refused = administrator.browser.post(address, {"method": method}, format="json")
            assert (refused.status_code, refused.json()["code"]) == (422, "no_mask_method")
            with pytest.raises(DomainError, match="It can have: expert"):
                require_mask_method(None, Release.objects.get(pk=release.pk), method)
    open_it(release)
    listed = researcher.browser.get(f"/api/v1/releases/{release.slug}/graphs").json()
    assert listed["offered"] == ["expert"]


def test_another_mask_from_before_is_in_no_list_query_or_session(
    release: Release, version: Version, researcher: Person
) -> None:
    make_graphs(release)
    open_it(release)
    expert = ReleaseGraph.objects.get(release=release)
    session = open_session(researcher.browser, release)
    other = ReleaseGraph.objects.get(pk=expert.pk)
    other.pk, other.method, other.version = None, "llm", version
    other.save()
    base = f"/api/v1/releases/{release.slug}"
    listed = researcher.browser.get(f"{base}/graphs").json()["graphs"]
    assert [one["method"] for one in listed] == ["expert"]
    assert researcher.browser.get(f"{base}/tools").json()["methods"] == ["expert"]
    query = {"query": "RETURN 1 AS one"}
    run = researcher.browser.post(f"{base}/graphs/llm/cypher", query, format="json")
    assert run.status_code == 404
    opened = researcher.browser.post(f"{base}/tool-sessions", {"method": "llm"}, format="json")
    assert (opened.status_code, opened.json()["code"]) == (422, "no_mask_method")
    ToolSession.objects.filter(pk=session).update(method="llm", version=version)
    answer = send_call(researcher.browser, session, "graph_schema")
    assert (answer.status_code, answer.json()["code"]) == (409, "session_before_mask")
    import_module("backend.benchmarks.migrations.0025_one_mask").hide_other_masks(apps, None)
    assert [one.method for one in ReleaseGraph.objects.filter(release=release)] == ["expert"]


def test_questions_about_a_private_whole_graph_have_one_masked_graph(
    version: Version, tmp_path: Path
) -> None:
    """Of a public one, everybody sees all edges beside several masked graphs."""
    release = make_serenqa_release(tmp_path, version, slug="whole")
    Graph.objects.filter(pk=version.graph_id).update(visibility=Graph.Visibility.PUBLIC)
    release = Release.objects.get(pk=release.pk)
    make_graphs(release, "rns")
    require_mask_method(None, release, "llm")
    built = build_release_graph(release, "llm")
    Graph.objects.filter(pk=version.graph_id).update(visibility=Graph.Visibility.PRIVATE)
    release = Release.objects.get(pk=release.pk)
    with pytest.raises(DomainError, match="It can have: rns"):
        require_mask_method(None, release, "llm")
    before = Graph.objects.count()
    with pytest.raises(DomainError, match="It can have: rns"):
        store_release_graph(release, "llm", built)
    assert Graph.objects.count() == before
    make_graphs(release, "rns")


def test_whoever_sees_the_release_sees_its_graph_and_no_list_has_it(
    release: Release, visitor: APIClient, outsider: Person, administrator: Person
) -> None:
    (summary,) = make_graphs(release)
    address = f"/api/v1/graphs/{summary['graph']}"
    assert visitor.get(address).status_code == 404
    assert outsider.browser.get(address).status_code == 404
    assert outsider.browser.get(f"{address}/export?format=csv").status_code == 404
    assert administrator.browser.get(address).status_code == 200
    open_it(release)
    for browser in (visitor, outsider.browser):
        assert browser.get(address).status_code == 200
        listed = browser.get("/api/v1/graphs").json()["results"]
        assert summary["graph"] not in {one["slug"] for one in listed}
        graphs = browser.get(f"/api/v1/releases/{release.slug}/graphs").json()
        assert [one["graph"] for one in graphs["graphs"]] == [summary["graph"]]
        assert graphs["takes_queries"] is True
    assert not visible_graphs(None).filter(slug=summary["graph"]).exists()


def test_the_answers_of_a_masked_graph_are_in_no_public_response(
    release: Release, visitor: APIClient
) -> None:
    make_graphs(release)
    open_it(release)
    for path in ("", "/graphs", "/item-page?split=test", "/contents", "/items?split=test"):
        response = visitor.get(f"/api/v1/releases/{release.slug}{path}")
        content = response.getvalue().decode()
        assert response.status_code == 200
        assert not any(word in content for word in ("graph_query", "serendipity", "spellings"))
        assert "conflicts" not in content


def test_who_organises_a_release_reads_which_questions_conflict_and_nobody_else(
    release: Release, visitor: APIClient, administrator: Person
) -> None:
    """Two questions that conflict share an edge, which may lead to a hidden answer."""
    make_graphs(release)
    open_it(release)
    why = {"reason": "broken_by_earlier", "conflicts": ["6", "7", "8", "9"]}
    alone = {"reason": "breaks_earlier", "conflicts": ["6"]}
    ReleaseGraph.objects.update(excluded={"10": why, "11": alone})
    address = f"/api/v1/releases/{release.slug}/graphs"
    broken = "earlier cuts remove one of its existing answers"
    breaks = "its cut removes an existing answer of an earlier question"
    organiser, everybody = (
        [one["reason"] for one in browser.get(address).json()["graphs"][0]["excluded"]]
        for browser in (administrator.browser, visitor)
    )
    assert organiser == [f"{broken} (questions 6, 7, 8 and 1 more)", f"{breaks} (question 6)"]
    assert everybody == [broken, breaks]


@pytest.mark.parametrize(
    ("method", "named"), [("expert", "experts"), ("llm", "language models"), ("rns", "RNS")]
)
def test_a_missing_masked_graph_is_named_as_on_the_pages(
    release: Release, method: str, named: str
) -> None:
    with pytest.raises(ReleaseGraphMissing, match=f"of this release by {named} is missing"):
        get_release_graph_or_raise(release, method)


def test_a_graph_is_made_once_and_its_files_are_those_of_its_edges(release: Release) -> None:
    (first,), (again,) = make_graphs(release), make_graphs(release)
    assert first == again
    assert ReleaseGraph.objects.filter(release=release).count() == 1
    built = build_release_graph(release, "expert")
    assert built.built.path.name == first["snapshot"].partition("/")[0]


def test_a_release_opens_only_with_the_graph_that_it_is_scored_on(release: Release) -> None:
    with pytest.raises(ReleaseGraphMissing, match="masked graph by expert"):
        open_it(release)
    make_graphs(release)
    open_it(release)


def test_another_ones_graph_that_is_not_public_is_masked_by_nobody_else(
    release: Release, version: Version
) -> None:
    """Visitors read most of it once the release is open."""
    organiser = make_person("ines").user
    make_study_of(organiser)
    Release.objects.filter(pk=release.pk).update(created_by=organiser)
    release.refresh_from_db()
    require_mask_method(organiser, release, "expert")
    version.graph.visibility = Graph.Visibility.PRIVATE
    version.graph.save()
    release = Release.objects.get(pk=release.pk)
    with pytest.raises(NotAllowed, match="owner"):
        require_mask_method(organiser, release, "expert")
    version.graph.owner = organiser
    version.graph.save()
    require_mask_method(organiser, Release.objects.get(pk=release.pk), "expert")


def make_study_of(coordinator: User) -> None:
    study = Study.objects.create(name="Own", created_by=coordinator)
    Member.objects.create(study=study, user=coordinator, role=Member.Role.COORDINATOR)


def test_equal_items_on_another_graph_are_another_job_and_another_evaluation(
    release: Release, tmp_path: Path, version: Version
) -> None:
    other = make_serenqa_release(
        tmp_path, version, slug="other", masked_by="expert", test_share=0.5
    )
    assert other.digest == release.digest
    jobs = [release_graph_request(None, one, "expert").digest for one in (release, other)]
    assert len(set(jobs)) == 2
    make_graphs(release)
    copy = Version.objects.get(pk=version.pk)
    copy.pk, copy.number, copy.snapshot = None, version.number + 1, "another"
    copy.save()
    keys = {evaluation_key(release, "dev", "same", "1")}
    Release.objects.filter(pk=release.pk).update(graph_version=copy)
    keys.add(evaluation_key(Release.objects.get(pk=release.pk), "dev", "same", "1"))
    assert len(keys) == 2


def test_the_masked_graph_and_its_base_stay(release: Release, version: Version) -> None:
    make_graphs(release)
    actor = make_person("root", is_administrator=True).user
    masked = ReleaseGraph.objects.get(release=release).version
    for one in (masked, version):
        with pytest.raises(VersionReferenced):
            delete_version(actor=actor, version=one)


def test_a_method_without_partitions_or_a_track_without_graphs_is_refused(
    tmp_path: Path, version: Version
) -> None:
    chosen: dict[str, Any] = {"splits_of": ["expert", "sscore"]}
    release = make_serenqa_release(tmp_path, version, slug="two", **chosen)
    out = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("release_graph", release.slug, "--method", "llm", "--json", stdout=out)
    assert json.loads(out.getvalue())["error"]["code"] in {"failed", "no_questions"}
    for fields, code in (
        ({"masked_by": "llm"}, "no_partitions"),
        ({"masked_by": "nobody"}, "no_mask_method"),
    ):
        with pytest.raises(DomainError) as raised:
            make_serenqa_release(tmp_path, version, slug="other", **chosen, **fields)
        assert raised.value.code == code
    with pytest.raises(DomainError) as raised:
        make_serenqa_release(tmp_path, None, slug="other", masked_by="expert")
    assert raised.value.code == "release_without_graph"


def submit(
    release: Release, rows: Sequence[Mapping[str, Any]], folder: Path, split: str
) -> Submission:
    file = folder / f"{split}.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    out = io.StringIO()
    command = ["submit", str(file), "--release", release.slug, "--model", "M", "--split", split]
    call_command(*command, "--json", stdout=out)
    return Submission.objects.get(pk=json.loads(out.getvalue())["submission"])


def test_the_files_queries_find_all_existing_answers_of_the_masked_graph(
    release: Release, tmp_path: Path
) -> None:
    (summary,) = make_graphs(release)
    by_id = {str(one["qid"]): one for one in demo_questions()}
    items = release.items.filter(split="dev").values_list("content", flat=True)
    ids = [item["question_id"] for item in items]
    rows = [{"question_id": id_, "cypher": by_id[id_]["cypher"]} for id_ in ids]
    submission = submit(release, rows, tmp_path, "dev")
    assert submission.evaluation is not None
    scores = {one.metric: one for one in submission.evaluation.scores.filter(slice="all")}
    counted = len(set(ids) & set(summary["included"]))
    assert (scores["hit"].value, scores["hit"].n) == (100.0, counted)
    assert (scores["executability"].value, counted < len(ids)) == (100.0, True)
    assert scores["f1"].value == 100.0


def correct(
    release: Release, slug: str, rows: Sequence[Mapping[str, Any]], folder: Path
) -> Release:
    file = folder / f"{slug}.json"
    file.write_text(json.dumps(rows))
    call_command("correct_release", release.slug, str(file), "--name", slug, stdout=io.StringIO())
    return Release.objects.get(slug=slug)


def test_a_correction_of_a_partition_gets_a_masked_graph_of_its_own(
    release: Release, visitor: APIClient, administrator: Person, tmp_path: Path
) -> None:
    (first,) = make_graphs(release)
    open_it(release)
    answers = dict(
        HiddenAnswer.objects.filter(item__release=release).values_list("item__key", "content")
    )
    chosen = first["included"][0]
    answer = answers[json.dumps([chosen])]
    hidden, existing = (
        answer["partitions"]["expert"][name] for name in ("serendipity", "existing")
    )
    hidden[0], existing[0] = existing[0], hidden[0]
    rows = [{"key": [chosen], "action": "answer", "answer": answer}]
    corrected = correct(release, "corrected", rows, tmp_path)
    own = ReleaseGraph.objects.get(release=corrected)
    assert own.version.snapshot != first["snapshot"]
    assert chosen in own.included
    address = f"/api/v1/graphs/{own.version.graph.slug}/export?format=csv"
    export = administrator.browser.get(address)
    graph = read_export(export.getvalue())
    question = next(one for one in demo_questions() if str(one["qid"]) == chosen)
    matches = match(graph, question)
    assert not matches & {*hidden} and matches >= {*existing}
    (listed,) = visitor.get("/api/v1/releases/corrected/graphs").json()["graphs"]
    assert (listed["made_for"], listed["graph"]) == ("corrected", own.version.graph.slug)


def test_a_correction_that_changes_no_mask_states_whose_graph_it_uses(
    release: Release, visitor: APIClient, tmp_path: Path
) -> None:
    (first,) = make_graphs(release)
    open_it(release)
    rows = [{"key": [first["included"][0]], "action": "withdraw"}]
    corrected = correct(release, "shorter", rows, tmp_path)
    assert not ReleaseGraph.objects.filter(release=corrected).exists()
    (listed,) = visitor.get("/api/v1/releases/shorter/graphs").json()["graphs"]
    assert (listed["made_for"], listed["graph"]) == (release.slug, first["graph"])


def test_a_true_verdict_changes_no_mask_and_leaves_no_question_out(
    release: Release, tmp_path: Path
) -> None:
    """An entity that the pattern does not find, as those that the graph lacks edges of."""
    (first,) = make_graphs(release)
    open_it(release)
    chosen = first["included"][0]
    item = release.items.get(key=json.dumps([chosen]))
    old = HiddenAnswer.objects.get(item=item).content
    known = {one["id"] for one in old["answers"]}
    others = (one["id"] for row in HiddenAnswer.objects.all() for one in row.content["answers"])
    new = next(one for one in others if one not in known)
    answers: TypeAdapter[Any] = TypeAdapter(TRACK.answer_schema)
    items: TypeAdapter[Any] = TypeAdapter(TRACK.item_schema)
    content, answer = items.validate_python(item.content), answers.validate_python(old)
    assert answers.dump_python(answer, mode="json") == old
    more = TRACK.add_true_answers(content, answer, [new])
    assert new in {one.id for one in gold_answers(content, more)}
    dumped = answers.dump_python(more, mode="json")
    corrected = correct(
        release, "judged", [{"key": [chosen], "action": "answer", "answer": dumped}], tmp_path
    )
    assert not ReleaseGraph.objects.filter(release=corrected).exists()
    stored = HiddenAnswer.objects.get(item__release=corrected, item__key=item.key)
    assert stored.content["partitions"]["expert"]["judged"] == [new]
    assert build_release_graph(corrected, "expert").mask.included == tuple(first["included"])


def test_vectors_of_documents_are_copied_before_the_release_is_locked(release: Release) -> None:
    built = build_release_graph(release, "expert")
    with tables_written_locked("benchmarks_release") as tables:
        graph = store_release_graph(release, "expert", built)
    assert tables == ["benchmarks_releasegraph"]
    name = graph.version.graph.name
    assert name == f"{release.slug}, masked by expert"
    assert graph.version.graph.slug == slugify(name)


def test_of_two_jobs_that_store_a_masked_graph_the_first_one_counts(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = build_release_graph(release, "expert")
    find = release_graph_lookup.find_release_graph

    def find_before_another_stores(*arguments: Any) -> None:
        monkeypatch.setattr(release_graphs, "find_release_graph", find)
        others.append(store_release_graph(release, "expert", built))

    others: list[ReleaseGraph] = []
    monkeypatch.setattr(release_graphs, "find_release_graph", find_before_another_stores)
    before = Graph.objects.count()
    assert store_release_graph(release, "expert", built) == others[0]
    assert Graph.objects.count() == before + 1
