"""Releases of one partition each, and their masked graphs: SerenQA's reasoning and exploration."""

import io
import json
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import transaction
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from backend.benchmarks.models import HiddenAnswer, Item, Release, ReleaseGraph, ReleaseSplit
from backend.benchmarks.release_graph_lookup import ReleaseGraphMissing
from backend.benchmarks.release_questions import collect_questions
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import FrozenItem, ReleaseRequest, make_release, store_release
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import DomainError
from backend.evaluation.baselines import open_baselines
from backend.evaluation.models import Score, Submission
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.rescoring import Rescoring, pending_submissions
from backend.graphs.demo import load_demo_graph
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.leaderboard.api import correlations
from backend.leaderboard.api.correlations import boards_by_partition
from backend.leaderboard.models import Standing, StandingRow
from backend.leaderboard.overview import list_overview
from backend.leaderboard.standings import update_standing
from tests.benchmarks.exported_graph_matcher import match, read_export
from tests.evaluation.serenqa_releases import demo_questions, partitions
from tests.personas import Person

EXPLORATION, REASONING = "serenqa-exploration", "serenqa-reasoning"
QUESTIONS = 24
FILE_KEYS = {"expert": "expert", "llm": "llm", "rns": "sscore"}


def records() -> list[dict[str, Any]]:
    """With a path from the first root to each serendipitous answer."""
    result = partitions(demo_questions())[:QUESTIONS]
    for record in result:
        for key in FILE_KEYS.values():
            root = record[key]["exact_matches"]["list"][0]
            members = record[key]["serendipity_set"]["list"]
            record[key]["explore_queries"] = {"paths": [f"{root}--R--{one}" for one in members]}
    return result


def write_files(folder: Path, *keys: str) -> list[Path]:
    """keys: the partitions that the file has; all without."""
    chosen = [
        {k: v for k, v in one.items() if not keys or k in ("qid", *keys)} for one in records()
    ]
    files = folder / "questions.json", folder / "partitions.json"
    for path, content in zip(files, (demo_questions(), chosen), strict=True):
        path.write_text(json.dumps(content))
    return list(files)


@pytest.fixture(scope="module")
def shared_version(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Version]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield load_demo_graph()[0]
        transaction.set_rollback(True)


@pytest.fixture
def version(shared_version: Version, db: None) -> Version:
    return shared_version


Make = Callable[..., Release]


@pytest.fixture
def make(version: Version, tmp_path: Path) -> Make:
    def make_of(track: str, *keys: str, **fields: Any) -> Release:
        request = ReleaseRequest(
            **{"track": track, "name": track, "graph_version": version, **fields}
        )
        return make_release(actor=None, request=request, files=write_files(tmp_path, *keys))

    return make_of


def run(*arguments: object) -> Any:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def sets_by_question(key: str) -> dict[str, tuple[set[str], set[str]]]:
    """A_s and A_e."""
    return {
        str(one["qid"]): (
            {*one[key]["serendipity_set"]["list"]},
            {*one[key]["exact_matches"]["list"]},
        )
        for one in records()
    }


@pytest.mark.parametrize("track", [EXPLORATION, REASONING])
def test_no_root_of_a_release_is_a_serendipitous_answer_of_it(track: str, make: Make) -> None:
    release = make(track)
    contents = list(Item.objects.filter(release=release).values_list("content", flat=True))
    assert release.partition == "expert"
    assert {one["partition"] for one in contents} == {"expert"}
    roots = {(one["qid"], one["root"]) for one in contents}
    hidden = {
        (qid, one) for qid, (members, _) in sets_by_question("expert").items() for one in members
    }
    assert roots and not roots & hidden


def test_the_partition_is_the_chosen_one_or_the_preferred_of_the_files(
    make: Make, version: Version, tmp_path: Path
) -> None:
    assert make(EXPLORATION, "sscore").partition == "rns"
    assert make(EXPLORATION, partition="rns").partition == "rns"
    files = write_files(tmp_path)
    answer = run("make_release", EXPLORATION, *files, "--name", "by-rns", "--partition", "rns")
    assert answer["partition"] == "rns"
    assert make(EXPLORATION, "llm", "sscore").partition == "llm"
    for fields, code in (
        ({"partition": "llm"}, "no_partitions"),
        ({"partition": "nobody"}, "no_partition_method"),
        ({"masked_by": "expert"}, "no_mask_method"),
    ):
        with pytest.raises(DomainError) as raised:
            make(EXPLORATION, "expert", "sscore", **fields)
        assert raised.value.code == code
    with pytest.raises(DomainError) as raised:
        make("serenqa-retrieval", partition="expert")
    assert raised.value.code == "no_partition_method"


def test_the_api_takes_a_partition_and_states_it(
    administrator: Person, version: Version, tmp_path: Path
) -> None:
    def send(partition: str) -> Any:
        files = [SimpleUploadedFile(path.name, path.read_bytes()) for path in write_files(tmp_path)]
        form = {"track": EXPLORATION, "name": "Sent", "partition": partition, "files": files}
        return administrator.browser.post("/api/v1/releases", form, format="multipart")

    answer = send("rns").json()
    assert (answer["partition"], answer["has_several_partitions"]) == ("rns", False)
    refused = send("nobody")
    assert (refused.status_code, refused.json()["code"]) == (422, "no_partition_method")
    (track,) = [
        one
        for one in administrator.browser.get("/api/v1/tracks").json()["results"]
        if one["slug"] == EXPLORATION
    ]
    assert track["partition_methods"] == ["expert", "llm", "rns"]


def store_older(version: Version | None, folder: Path) -> Release:
    """A release as earlier versions made it: of all partitions, answers without patterns."""
    track = get_track_or_raise(EXPLORATION)
    rows = []
    for method in ("expert", "rns"):
        key = FILE_KEYS[method]
        request = ReleaseRequest(track=EXPLORATION, name=method, partition=method)
        part = make_release(actor=None, request=request, files=write_files(folder, key))
        answers = dict(
            HiddenAnswer.objects.filter(item__release=part).values_list("item", "content")
        )
        for item in Item.objects.filter(release=part):
            answer = {k: v for k, v in answers[item.pk].items() if k != "graph_query"}
            rows.append(FrozenItem(item.key, ReleaseSplit(item.split), item.content, answer))
    request = ReleaseRequest(track=EXPLORATION, name="Older", slug="older", graph_version=version)
    release = store_release(None, request, track, rows)
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)


def enter(release: Release, hits: Mapping[str, set[str]], name: str, folder: Path) -> None:
    """One leaf for each root: a true answer in the partitions of `hits`, else none."""
    rows = []
    answers = HiddenAnswer.objects.filter(item__release=release).values_list(
        "item__content", "content"
    )
    for item, answer in answers:
        leaf = answer["entities"][0][0]
        path = [item["root"], "R", leaf]
        leaves = (
            [{"id": leaf, "type": "Drug", "path": path}] if item["partition"] in hits[name] else []
        )
        key = {field: item[field] for field in ("qid", "partition", "root")}
        rows.append({**key, "leaves": leaves})
    file = folder / f"{name}.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    run("submit", file, "--release", release.slug, "--model", name)


def test_an_older_release_of_several_partitions_is_marked_and_ranked_by_what_it_shows(
    tmp_path: Path, visitor: APIClient, db: None
) -> None:
    release = store_older(None, tmp_path)
    hits = {"Both": {"expert", "rns"}, "Experts": {"expert"}}
    for name in hits:
        enter(release, hits, name, tmp_path)
    update_standing(release, "test")
    page = visitor.get("/api/v1/releases/older").json()
    assert (page["partition"], page["has_several_partitions"]) == ("", True)
    board = visitor.get("/api/v1/boards/older").json()
    assert {*board["slices"]} == {"all", "expert", "rns"}
    assert board["default_slice"] == "all"
    shown = [row["scores"][f"seren_hit {board['default_slice']}"][0] for row in board["results"]]
    assert shown == sorted(shown, reverse=True) and shown[0] > shown[1]
    assert [row["rank"]["best"] for row in board["results"]] == [1, 2]
    # Over the experts' partition alone the two are equal: a rank of 2 would be of something else.
    assert len({row["scores"]["seren_hit expert"][0] for row in board["results"]}) == 1


def test_the_experts_release_stands_for_its_track_before_a_newer_one(
    make: Make, tmp_path: Path
) -> None:
    for method in ("expert", "rns"):
        release = make(EXPLORATION, partition=method, name=method, slug=method, graph_version=None)
        change_release_state(actor=None, release=release, to=Release.State.OPEN)
        enter(release, {"M": {method}}, "M", tmp_path)
        update_standing(release, "test")
    (track,) = [one for one in list_overview() if one.track == EXPLORATION]
    assert track.evaluated is not None
    assert track.evaluated.id == "expert"


@pytest.mark.parametrize("track", [EXPLORATION, REASONING])
@pytest.mark.parametrize("method", FILE_KEYS)
def test_the_masked_graph_of_a_partition_finds_its_existing_answers_alone(
    track: str, make: Make, administrator: Person, method: str
) -> None:
    release = make(track, slug=track, partition=method)
    (summary,) = run("release_graph", release.slug)["graphs"]
    assert summary["method"] == method
    export = administrator.browser.get(f"/api/v1/graphs/{summary['graph']}/export?format=csv")
    graph = read_export(export.getvalue())
    questions = {str(one["qid"]): one for one in demo_questions()}
    sets = sets_by_question(FILE_KEYS[method])
    assert len(summary["included"]) > QUESTIONS / 2
    for id_ in summary["included"]:
        hidden, existing = sets[id_]
        matches = match(graph, questions[id_])
        assert existing <= matches and not hidden & matches, id_
    assert {*summary["included"], *summary["excluded"]} == {*sets}
    for other in FILE_KEYS.keys() - {method}:
        with pytest.raises(SystemExit):
            run("release_graph", release.slug, "--method", other)


@pytest.mark.parametrize("track", [EXPLORATION, REASONING])
def test_without_the_masked_graph_it_does_not_open_and_nothing_walks_the_whole_one(
    track: str, make: Make, administrator: Person
) -> None:
    release = make(track, slug="walks")
    with pytest.raises(ReleaseGraphMissing, match="masked graph by experts is missing"):
        change_release_state(actor=None, release=release, to=Release.State.OPEN)
    page = administrator.browser.get("/api/v1/releases/walks/graphs").json()
    assert (page["offered"], page["needed"], page["walked"]) == (["expert"], ["expert"], "")
    session = administrator.browser.post("/api/v1/releases/walks/tool-sessions")
    assert (session.status_code, session.json()["code"]) == (422, "release_graph_missing")
    with pytest.raises(ReleaseGraphMissing), open_baselines(release):
        pass
    (task,) = administrator.browser.get("/api/v1/releases/walks/model-tasks").json()["results"]
    assert (task["is_available"], task["unavailable_reason"]) == (
        False,
        "The masked graph of this release by experts is missing.",
    )


def test_entries_from_before_the_masked_graph_are_scored_again(make: Make, tmp_path: Path) -> None:
    release = make(EXPLORATION, slug="walks", test_share=1.0)
    file = tmp_path / "empty.jsonl"
    rows = (
        {key: item.content[key] for key in ("qid", "partition", "root")} | {"leaves": []}
        for item in release.items.all()
    )
    file.write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    run("submit", file, "--release", "walks", "--model", "M")
    first = Submission.objects.get().evaluation
    assert first is not None and not pending_submissions(release).exists()
    run("release_graph", "walks")
    graph = ReleaseGraph.objects.get()
    graph.included = graph.included[::2]
    graph.save()
    assert [*pending_submissions(release)] == [Submission.objects.get()]
    Rescoring(release, tmp_path / "keys").exchange()
    second = Submission.objects.get().evaluation
    assert second is not None and second.key != first.key
    counts = [one.scores.get(metric="seren_hit", slice="all").n for one in (first, second)]
    assert counts[0] == release.items.count() > counts[1] > 0
    assert not pending_submissions(release).exists()


def test_questions_that_the_masked_graph_leaves_out_count_in_no_metric(
    make: Make,
) -> None:
    release = open_release(make(EXPLORATION, slug="walks", test_share=1.0))
    graph = ReleaseGraph.objects.get(release=release)
    graph.included = graph.included[::2]  # as where the others conflict
    graph.save()
    counted = [one for one in release.items.all() if one.content["qid"] in graph.included]
    assert 0 < len(counted) < release.items.count()
    run("run_baseline", "random-walk", "--release", release.slug)
    score = Score.objects.get(metric="seren_hit", slice="all")
    leaves = {
        (row["qid"], row["root"]): {leaf["id"] for leaf in row["leaves"]}
        for row in read_rows(Submission.objects.get())
    }
    hits = [
        any(leaves[one.content["qid"], one.content["root"]] & {*names} for names in entities)
        for one in counted
        for entities in [HiddenAnswer.objects.get(item=one).content["entities"]]
    ]
    assert score.n == len(counted)
    assert score.value == pytest.approx(np.mean(hits))


def test_what_the_items_tell_apart_is_of_those_that_count_in_metrics(
    make: Make, administrator: Person
) -> None:
    release = make(EXPLORATION, slug="walks", test_share=1.0)
    before = read_contents(administrator)
    open_release(release)
    graph = ReleaseGraph.objects.get(release=release)
    graph.included = graph.included[::2]  # as where the others conflict
    graph.save()
    qids = [one.content["qid"] for one in release.items.all()]
    qids = [qid for qid in qids if qid in graph.included]
    after = read_contents(administrator)
    assert before["items"] == after["items"] == release.items.count()
    assert (before["left_out"], after["left_out"]) == (0, release.items.count() - len(qids))
    assert after["clusters"] == len({*qids}) < before["clusters"]
    assert after["resolution_floor"] > before["resolution_floor"]
    run("run_baseline", "random-walk", "--release", release.slug)
    standing = update_standing(release, "test")
    assert standing is not None
    assert standing.audit["resolution_floor"] == pytest.approx(after["resolution_floor"])
    card = administrator.browser.get(f"/api/v1/releases/{release.slug}/croissant.json").json()
    assert f"The {len(qids)} test items tell apart" in card["description"]


def read_contents(person: Person) -> dict[str, Any]:
    (test,) = person.browser.get("/api/v1/releases/walks/contents").json()["results"]
    return dict(test)


def test_baselines_walk_the_masked_graph_and_name_it(
    make: Make, version: Version, visitor: APIClient
) -> None:
    release = make(EXPLORATION, slug="walks")
    (summary,) = run("release_graph", release.slug)["graphs"]
    masked = open_version_snapshot(ReleaseGraph.objects.get(release=release).version)
    cut = triples(open_version_snapshot(version)) - triples(masked)
    assert cut and summary["removed_edges"] >= len(cut)
    assert visitor_page(release, visitor)["walked"] == "expert"
    for name in ("rns-beam", "random-walk"):
        run("run_baseline", name, "--release", release.slug)
        submission = Submission.objects.latest("created_at")
        assert "masked by expert" in submission.declared["method"]
        steps = steps_of(read_rows(submission))
        assert len(steps) > 100
        assert not steps & (cut | {(b, r, a) for a, r, b in cut})


def open_release(release: Release) -> Release:
    """With the masked graph that it needs."""
    if release.graph_version is not None:
        run("release_graph", release.slug)
    return change_release_state(actor=None, release=release, to=Release.State.OPEN)


def visitor_page(release: Release, visitor: APIClient) -> dict[str, Any]:
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    page: dict[str, Any] = visitor.get(f"/api/v1/releases/{release.slug}/graphs").json()
    return page


def triples(snapshot: Any) -> set[tuple[str, str, str]]:
    names = {one.number: one.name for one in snapshot.relations}
    ids = {one.number: one.id for one in snapshot.entities()}
    return {(ids[one.source], names[one.relation], ids[one.target]) for one in snapshot.edges()}


def read_rows(submission: Submission) -> list[dict[str, Any]]:
    return [json.loads(line) for line in prediction_path(submission.file_digest).open()]


def steps_of(rows: Sequence[Mapping[str, Any]]) -> set[tuple[str, str, str]]:
    paths = [leaf["path"] for row in rows for leaf in row["leaves"]]
    return {tuple(path[at : at + 3]) for path in paths for at in range(0, len(path) - 2, 2)}


def test_an_older_answer_without_a_pattern_is_named_and_left_out(
    tmp_path: Path, version: Version
) -> None:
    release = store_older(version, tmp_path)
    collected = collect_questions(release, open_version_snapshot(version), "expert")
    assert not collected.questions
    assert set(collected.excluded.values()) == {"no_partition"}


def test_the_examples_leaves_are_reached_over_edges_of_the_demo_graph(
    version: Version, tmp_path: Path
) -> None:
    track = get_track_or_raise(EXPLORATION)
    source = tmp_path / "source.json"
    source.write_text(track.source_example)
    request = ReleaseRequest(track=EXPLORATION, name="Example", graph_version=version)
    release = make_release(actor=None, request=request, files=[source])
    file = tmp_path / "example.jsonl"
    file.write_text(track.example_file.read_text())
    result = run("submit", file, "--release", release.slug, "--model", "M")
    (hit,) = (
        one["value"]
        for one in result["scores"]
        if (one["metric"], one["slice"]) == ("seren_hit", "all")
    )
    assert hit == 1
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    edges = triples(open_version_snapshot(version))
    assert len(steps_of(rows)) == 3
    assert all((a, r, b) in edges or (b, r, a) in edges for a, r, b in steps_of(rows))


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [
        ({}, {}, 2),
        ({"graph_version": None}, {"graph_version": None}, 1),
        ({"is_demo": True}, {}, 1),
        ({"is_demo": True}, {"is_demo": True}, 2),
    ],
)
def test_releases_are_paired_where_they_have_the_same_graph_and_both_or_none_are_demos(
    make: Make, first: dict[str, Any], second: dict[str, Any], count: int
) -> None:
    standings = []
    for method, fields in (("expert", first), ("rns", second)):
        release = open_release(make(EXPLORATION, partition=method, slug=method, **fields))
        standings.append(
            Standing.objects.create(
                release=release, split="test", digest=method, entries=0, audit={}
            )
        )
    chosen = {"split": "test"}
    paired = boards_by_partition(standings[0].release, standings[0], chosen)
    assert len(paired) == count


def test_a_board_without_correlations_states_the_reason(make: Make, visitor: APIClient) -> None:
    def add_board(release: Release) -> None:
        Standing.objects.create(
            release=release, split="test", digest=release.slug, entries=0, audit={}
        )

    def reason(slug: str) -> str:
        answer = visitor.get(f"/api/v1/boards/{slug}/correlations").json()
        assert answer["metrics"] == []
        return str(answer["reason"])

    bare = open_release(make(EXPLORATION, partition="expert", slug="bare", graph_version=None))
    first = open_release(make(EXPLORATION, partition="expert", slug="first"))
    assert reason("first") == "no_board"
    for release in (bare, first):
        add_board(release)
    assert (reason("bare"), reason("first")) == ("no_graph", "no_other_partition")
    second = open_release(make(EXPLORATION, partition="rns", slug="second"))
    assert reason("first") == "no_other_board"
    changed = Item.objects.filter(release=second).first()
    assert changed is not None
    Item.objects.filter(pk=changed.pk).update(content={**changed.content, "qid": "other"})
    correlations._questions.cache_clear()
    assert reason("first") == "other_questions"


def test_partitions_of_a_track_are_compared_over_the_boards_of_its_releases(
    make: Make, visitor: APIClient
) -> None:
    scores = {"expert": (0.5, 0.75, 1.0, 0.25), "rns": (0.25, 0.5, 0.5, 0.125)}
    for method, values in scores.items():
        release = open_release(make(EXPLORATION, partition=method, slug=method))
        standing = Standing.objects.create(
            release=release, split="test", digest=method, evaluator_version="1", entries=4, audit={}
        )
        for number, value in enumerate(values):
            is_anonymous = number == 3
            model = {"slug": f"m{number}", "name": f"M{number}"}
            submission = uuid.uuid4()
            content = {
                "submission": str(submission),
                "model": None if is_anonymous else model,
                "anonymous_until": "2999-01-01T00:00:00+00:00" if is_anonymous else None,
                "rank": {"best": 1, "worst": 3},
                "scores": {"seren_hit all": [value, None, None, 9]},
            }
            StandingRow.objects.create(
                standing=standing,
                position=number + 1,
                submission_id=submission,
                content=content,
            )
    answer = visitor.get("/api/v1/boards/rns/correlations").json()
    (metric,) = answer["metrics"]
    (pair,) = metric["pairs"]
    assert {pair["first"], pair["second"]} == {"expert", "rns"}
    expected = np.corrcoef(scores["expert"][:3], scores["rns"][:3])[0, 1]
    assert (pair["n"], pair["correlation"]) == (3, pytest.approx(expected))
