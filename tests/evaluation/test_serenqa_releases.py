"""SerenQA's reasoning and exploration tracks on the demo's questions: from partitions to scores."""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from backend.benchmarks.demo import load_demo_questions
from backend.benchmarks.models import HiddenAnswer, Item, Release
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.errors import DomainError
from backend.evaluation.models import Submission
from backend.evaluation.prediction_files import store_predictions
from backend.evaluation.validation import validate_predictions
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Graph, Version
from backend.tracks.registry import load_tracks
from tests.evaluation.masked_release import triples
from tests.evaluation.model_runs import file_of
from tests.evaluation.test_release_cutoffs import BETWEEN, DATES, rows_of
from tests.graphs.served_graph import make_graph
from tests.tracks.serenqa_files import partitions, question, split

pytestmark = pytest.mark.django_db
EXPLORATION, REASONING = "serenqa-exploration", "serenqa-reasoning"


def run(*arguments: object) -> Any:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def version(demo_graph: Version) -> Version:
    return demo_graph


@dataclass(frozen=True)
class Demo:
    """The demo's questions, their partitions by RNS as the export writes them, and a draft."""

    folder: Path
    records: list[dict[str, Any]]
    exploration: Release


@pytest.fixture(scope="module")
def demo_module(
    demo_graph_module: int,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Demo]:
    """In a transaction of its own: the search of paths takes seconds."""
    folder = tmp_path_factory.mktemp("demo")
    with django_db_blocker.unblock(), transaction.atomic():
        version = Version.objects.get(pk=demo_graph_module)
        run("export_questions", load_demo_questions(version).question_set.name, "--into", folder)
        records = json.loads((folder / "partitions.json").read_text())
        yield Demo(folder, records, make(EXPLORATION, folder, version))
        transaction.set_rollback(True)


@pytest.fixture
def demo(demo_module: Demo, db: None) -> Demo:
    return demo_module


def make(track: str, folder: Path, version: Version) -> Release:
    files = folder / "partitions.json", folder / "questions.json"
    run("make_release", track, *files, "--name", track, "--graph", version.graph.slug)
    return Release.objects.get(slug=track)


def main_score(result: Any) -> float:
    """Of a baseline's only split."""
    (split,) = result["splits"]
    assert split["state"] == "scored"
    score = next(one for one in split["scores"] if one["slice"] == "all")
    return float(score["value"])


def submitted_rows(result: Any) -> list[dict[str, Any]]:
    """The file that was scored."""
    (split,) = result["splits"]
    return [
        json.loads(row)
        for row in file_of(Submission.objects.get(pk=split["submission"])).splitlines()
    ]


def test_the_demos_72_questions_become_releases_that_every_baseline_enters(
    demo: Demo, version: Version
) -> None:
    records, exploration = demo.records, demo.exploration
    roots = sum(len(one["sscore"]["exact_matches"]["list"]) for one in records)
    assert (len(records), exploration.items.count()) == (72, roots)
    (graph,) = run("release_graph", exploration.slug)["graphs"]
    counted = {*graph["included"]}
    roots = sum(
        len(one["sscore"]["exact_matches"]["list"]) for one in records if str(one["qid"]) in counted
    )
    names = load_tracks()[EXPLORATION].baselines
    assert len(names) > 1
    for name in names:
        result = run("run_baseline", name, "--release", exploration.slug)
        rows = submitted_rows(result)
        assert len(rows) == exploration.items.count()
        hits = count_hits([row for row in rows if row["qid"] in counted], records)
        assert main_score(result) == pytest.approx(hits / roots)
        require_paths_of_the_graph(rows[:20], version)
    reasoning = make(REASONING, demo.folder, version)
    run("release_graph", reasoning.slug)
    assert main_score(run("run_baseline", "path-template", "--release", reasoning.slug)) > 0.5


def count_hits(rows: Sequence[Mapping[str, Any]], records: Sequence[Mapping[str, Any]]) -> int:
    """Without the track: leaves that are in the file's serendipity set."""
    members = {str(one["qid"]): {*one["sscore"]["serendipity_set"]["list"]} for one in records}
    return sum(any(leaf["id"] in members[row["qid"]] for leaf in row["leaves"]) for row in rows)


def require_paths_of_the_graph(rows: Sequence[Mapping[str, Any]], version: Version) -> None:
    """Every step is an edge, every leaf has the type of its root and is no other root."""
    view = open_version_snapshot(version)
    edges = {(one.source, view.relations[one.relation].name, one.target) for one in view.edges()}
    for row in rows:
        kind = view.type_of[view.find_number(row["root"]) or 0]
        for leaf in row["leaves"]:
            numbers = [view.find_number(name) for name in leaf["path"][::2]]
            steps = zip(numbers, leaf["path"][1::2], numbers[1:], strict=False)
            assert all((a, r, b) in edges or (b, r, a) in edges for a, r, b in steps)
            assert view.type_of[numbers[-1] or 0] == kind


def test_what_is_hidden_is_in_no_item(demo: Demo) -> None:
    items = list(Item.objects.filter(release=demo.exploration).values_list("content", flat=True))
    assert items
    for item in items:
        assert {*item} == {"qid", "partition", "root", "question", "root_name"}
    for record in demo.records:
        own = json.dumps([one for one in items if one["qid"] == str(record["qid"])])
        for member in record["sscore"]["serendipity_set"]["list"]:
            assert member not in own
    answers = json.dumps(list(HiddenAnswer.objects.values_list("content", flat=True)))
    assert demo.records[0]["sscore"]["serendipity_set"]["list"][0] in answers


def write(folder: Path, *records: Mapping[str, Any]) -> list[Path]:
    path = folder / "both.json"
    path.write_text(json.dumps(records))
    return [path]


DRUGS = ("DRUGBANK:DB00390", "DB00945", "DB00005")  # Digoxin, aspirin, etanercept


def near_drugs(version: Version, source: str) -> dict[str, list[str]]:
    """Paths of the demo graph to other drugs within three relations: entity, relation, entity …"""
    edges = triples(version)
    steps: dict[str, list[tuple[str, str]]] = {}
    for a, relation, b in edges:
        steps.setdefault(a, []).append((relation, b))
        steps.setdefault(b, []).append((relation, a))
    paths = {source: [source]}
    reached = [source]
    for entity in reached:
        for relation, other in sorted(steps.get(entity, ())):
            if other not in paths:
                paths[other] = [*paths[entity], relation, other]
                reached.append(other)
    del paths[source]
    return {one: path for one, path in sorted(paths.items()) if is_near_drug(one, path)}


def is_near_drug(entity: str, path: list[str]) -> bool:
    return entity.startswith("DRUGBANK:DB") and len(path) <= 7


def test_an_entity_is_known_by_the_spelling_of_the_file_and_by_its_curie(
    version: Version, tmp_path: Path
) -> None:
    splits = {"expert": split(DRUGS[1:2], DRUGS[:1])}
    files = write(tmp_path, question(1, DRUGS, "Drug"), partitions(1, **splits))
    request = ReleaseRequest(track=EXPLORATION, name="Drugs", graph_version=version)
    release = make_release(actor=None, request=request, files=files)
    answers = HiddenAnswer.objects.filter(item__release=release)
    (answer,) = answers.values_list("content", flat=True)
    assert answer["entities"] == [["DB00945", "DRUGBANK:DB00945"]]
    curie, path = next(iter(near_drugs(version, "DRUGBANK:DB00390").items()))
    local = curie.removeprefix("DRUGBANK:")
    path = [*path[:-1], local]
    invented = [path[0], "treats", path[-1]]
    other_way = [path[0], "cures", *path[2:]]
    rows = {
        "known": {"id": local, "type": "drug", "path": path},
        "other_type": {"id": local, "type": "Disease", "path": path},
        "unknown_id": {"id": "DB99999", "type": "Drug", "path": [*path[:2], "DB99999"]},
        "unknown_edge": {"id": local, "type": "Drug", "path": invented},
    }
    others = [{"id": local, "type": "Drug", "path": other_way}]
    for code, leaf in [*rows.items(), *(("unknown_edge", one) for one in others)]:
        row = {"qid": 1, "partition": "expert", "root": path[0], "leaves": [leaf]}
        file = store_predictions(json.dumps(row).encode(), "rows.jsonl")
        checked = validate_predictions(release, "test", file, actor=None)
        assert {one.code for one in checked.faults.listed} == ({code} - {"known"})


def codes_of(release: Release, root: str, *paths: Sequence[str]) -> list[str]:
    """Of the faults of one leaf for each path."""
    leaves = [{"id": path[-1], "type": "Thing", "path": path} for path in paths]
    row = {"qid": 1, "partition": "expert", "root": root, "leaves": leaves}
    file = store_predictions(json.dumps(row).encode(), "rows.jsonl")
    checked = validate_predictions(release, "test", file, actor=None)
    return [f"{one.field} {one.code}" for one in checked.faults.listed]


def make_dated(folder: Path, cutoff: int | None) -> Release:
    """Without the name of a partition, and so without a masked graph, as earlier releases are."""
    graph = make_graph("Dated", rows=rows_of(DATES))
    ids = ("X:A", "X:B")
    files = write(folder, question(1, ids, "Thing"), partitions(1, expert=split(ids[1:], ids[:1])))
    version = Version.objects.get(graph=graph)
    request = ReleaseRequest(track=EXPLORATION, name="Dated", graph_version=version, cutoff=cutoff)
    return make_release(actor=None, request=request, files=files)


def test_an_edge_later_than_the_cut_off_of_a_release_is_unknown(db: None, tmp_path: Path) -> None:
    paths = [["X:A", "binds", f"X:{one}"] for one in ("early", "late")]
    release = make_dated(tmp_path, BETWEEN)
    assert codes_of(release, "X:A", *paths) == ["leaves[1].path[1] unknown_edge"]


def test_a_check_of_paths_reveals_no_edge_of_a_graph_that_is_not_public(
    db: None, tmp_path: Path
) -> None:
    paths = [["X:A", "binds", "X:early"], ["X:A", "binds", "X:B"]]
    release = make_dated(tmp_path, None)
    assert codes_of(release, "X:A", *paths) == ["leaves[1].path[1] unknown_edge"]
    Graph.objects.update(visibility=Graph.Visibility.PRIVATE)
    release.refresh_from_db()
    assert codes_of(release, "X:A", *paths) == []


def test_a_leaf_in_two_spellings_is_a_repeated_one(version: Version, tmp_path: Path) -> None:
    files = write(
        tmp_path,
        question(1, DRUGS, "Drug"),
        partitions(1, expert=split(DRUGS[1:2], DRUGS[:1])),
    )
    request = ReleaseRequest(track=EXPLORATION, name="Drugs", graph_version=version)
    release = make_release(actor=None, request=request, files=files)
    near = list(near_drugs(version, DRUGS[0]).values())[:2]
    local = near[0][-1].removeprefix("DRUGBANK:")
    spelled = (near[0], local), (near[0], f"drugbank:{local}"), (near[1], near[1][-1])
    leaves = [{"id": id_, "type": "Drug", "path": [*path[:-1], id_]} for path, id_ in spelled]
    row = {"qid": 1, "partition": "expert", "root": DRUGS[0], "leaves": leaves}
    file = store_predictions(json.dumps(row).encode(), "rows.jsonl")
    checked = validate_predictions(release, "test", file, actor=None)
    faults = [(one.field, one.code) for one in checked.faults.listed]
    assert faults == [("leaves[0].id", "repeated_leaf"), ("leaves[1].id", "repeated_leaf")]


def test_a_release_needs_entities_of_its_graph(version: Version, tmp_path: Path) -> None:
    ids = ("DRUGBANK:DB00390", "DB99999")
    files = write(tmp_path, question(1, ids, "Drug"), partitions(1, expert=split(ids[1:], ids[:1])))
    request = ReleaseRequest(track=EXPLORATION, name="Drugs", graph_version=version)
    with pytest.raises(DomainError) as raised:
        make_release(actor=None, request=request, files=files)
    (fault,) = raised.value.faults
    assert (fault.place, fault.code) == ("question 1, answer", "unknown_id")
    assert "'DB99999'" in fault.message
    assert not Release.objects.filter(name="Drugs").exists()
