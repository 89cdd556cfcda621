"""Baselines on a stored graph: what they see of it, and where their predictions go."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from backend.benchmarks.models import Item, Model, Release, ReleaseSplit
from backend.benchmarks.releases import make_release
from backend.benchmarks.split_rows import load_answers
from backend.evaluation.baseline_graph import SnapshotGraph
from backend.evaluation.baselines import open_baselines
from backend.evaluation.demo_sources import DEMO
from backend.evaluation.models import Submission
from backend.evaluation.release_items import load_items
from backend.graphs.models import Version
from tests.evaluation.truthhypo_files import write_source
from tests.thorough import thorough

pytestmark = pytest.mark.django_db
NODES = 10_000


def run(*arguments: object) -> Any:
    out = io.StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def refuse(*arguments: object) -> Any:
    out = io.StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())["error"]


@pytest.fixture
def version(demo_graph: Version) -> Version:
    return demo_graph


@pytest.fixture
def pairs(version: Version) -> Release:
    return make_release(
        actor=None,
        request=DEMO[0].request(version),
        files=[*DEMO[0].write_sources(version, Path())],
    )


def pair_numbers(release: Release, graph: SnapshotGraph) -> Any:
    items = [item for split in ReleaseSplit for item in load_items(release, split).table.items]
    return np.array([[graph.find_number(id_) for id_ in (one.x_id, one.y_id)] for one in items])


def test_the_graph_of_baselines_has_no_edge_of_any_pair(pairs: Release, version: Version) -> None:
    graph = SnapshotGraph(version)
    numbers = pair_numbers(pairs, graph)
    assert (numbers >= 0).all()
    nothing = np.empty((0, 2), np.int64)
    everything, public = graph.links_without(nothing), graph.links_without(numbers)
    x, y = numbers.T
    assert everything[x, y].sum() > 200
    assert public[x, y].sum() == public[y, x].sum() == 0
    assert set(public.data.tolist()) == {1.0}
    assert abs(public - public.T).sum() == 0
    assert (everything - public).nnz == 2 * everything[x, y].sum()
    withheld = sum(
        graph.relation_degrees(one.name, nothing)[0].sum()
        - graph.relation_degrees(one.name, numbers)[0].sum()
        for one in graph.snapshot.relations
    )
    assert withheld == 242


def test_a_text_has_names_document_and_relations(version: Version) -> None:
    graph = SnapshotGraph(version)
    text = graph.texts()[graph.find_number("DRUGBANK:DB00390")]
    assert text.splitlines()[0] == "Digoxin, Lanoxin"
    assert "A glycoside of the foxglove." in text
    assert "treats: " in text and "atrial fibrillation" in text


def test_pairs_are_also_named_as_truthhypo_names_them(version: Version) -> None:
    graph = SnapshotGraph(version)
    known = graph.find_number("DRUGBANK:DB00390")
    assert graph.find_number("Chemical|DRUGBANK:DB00390") == known >= 0
    assert graph.find_number("Gene|6833") == graph.find_number("NCBIGene:6833") >= 0
    assert graph.find_number("Gene|no such") == graph.find_number("|") == -1


def test_a_baseline_is_submitted_for_both_splits_and_marked(pairs: Release) -> None:
    result = run("run_baseline", "adamic-adar", "--release", pairs.slug)
    assert [one["split"] for one in result["splits"]] == ["dev", "test"]
    assert all(one["state"] == "scored" and one["scores"] for one in result["splits"])
    model = Model.objects.get(name="Baseline: Adamic-Adar")
    assert model.is_baseline and model.owner is None
    rows = Submission.objects.filter(model=model)
    assert set(rows.values_list("provenance", "is_free")) == {("baseline", True)}
    again = run("run_baseline", "adamic-adar", "--release", pairs.slug)
    assert again == result and rows.count() == 2


def test_the_seed_decides(pairs: Release) -> None:
    keys = {
        seed: [one["key"] for one in run("run_baseline", "random", *options)["splits"]]
        for seed, options in {
            seed: ("--release", pairs.slug, "--seed", seed) for seed in (1, 2)
        }.items()
    }
    assert set(keys[1]).isdisjoint(keys[2])


def test_no_baseline_reads_an_answer_of_the_test_split(
    pairs: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def record(release: Release, split: str) -> Any:
        read.append(split)
        return load_answers(release, split)

    monkeypatch.setattr("backend.evaluation.baselines.load_answers", record)
    with open_baselines(pairs) as runs:
        for name in runs.track.baselines:
            rows: Iterator[bytes] = runs.predict(name, ReleaseSplit.TEST, 0)
            assert len(list(rows)) == 234
    assert set(read) == {ReleaseSplit.DEV}


def test_what_a_baseline_lacks_is_stated(tmp_path: Path) -> None:
    run("make_release", "truthhypo", write_source(tmp_path), "--name", "th")
    unknown = refuse("run_baseline", "oracle", "--release", "th")
    assert unknown["code"] == "unknown_baseline" and "adamic-adar" in unknown["detail"]
    assert refuse("run_baseline", "propagation", "--release", "th")["code"] == (
        "release_without_graph"
    )
    assert refuse("run_baseline", "random", "--release", "none")["code"] == "not_found"
    (split,) = run("run_baseline", "majority-label", "--release", "th")["splits"]
    assert split["split"] == "test"


def write_knowledge_base(folder: Path) -> Path:
    """Four things of each kind, whose texts alone have its name."""
    path = folder / "nodes.jsonl"
    with path.open("w") as file:
        file.write(json.dumps({"stark": 1, "name": "made-up"}) + "\n")
        for number in range(NODES):
            text = f"Thing of the kind word{number // 4}, made {number % 7} times"
            document = [{"title": "About", "text": text, "source": "made up"}]
            node = {"id": f"STARK:{number}", "type": "thing", "name": f"Thing {number}"}
            file.write(json.dumps({"node": {**node, "document": document}}) + "\n")
    return path


def write_queries(folder: Path) -> Path:
    lines = ["id,query,answer_ids"]
    for number in range(0, 400, 4):
        answers = list(range(number, number + 4))
        lines.append(f'{number},Which things are of the kind word{number // 4}?,"{answers}"')
    path = folder / "queries.csv"
    path.write_text("\n".join(lines))
    return path


@thorough
def test_ten_thousand_entities_are_ranked_by_stark_numbers(tmp_path: Path) -> None:
    nodes = write_knowledge_base(tmp_path)
    slug = run("import_graph", "stark", nodes, "--name", "Made up")["graph"]["slug"]
    for track in ("stark-amazon", "stark-mag"):
        share = ("--graph", slug, "--test-share", 0.7)
        release = run("make_release", track, write_queries(tmp_path), "--name", track, *share)
        assert release["items"] == {"dev": 30, "test": 70}
        scores = {
            (name, split["split"], score["metric"], score["slice"]): score["value"]
            for name in ("bm25", "random")
            for split in run("run_baseline", name, "--release", track)["splits"]
            for score in split["scores"]
        }
        for split in ("dev", "test"):
            for metric in ("hit@1", "mrr", "recall@20"):
                assert scores["bm25", split, metric, "all"] == 1
                assert scores["random", split, metric, "all"] < 0.1
        assert scores["bm25", "test", "recall@20", "answers-2-5"] == 1


def test_an_entity_that_the_graph_does_not_have_is_a_fault(
    version: Version, tmp_path: Path
) -> None:
    release = make_release(
        actor=None,
        request=DEMO[1].request(version),
        files=[*DEMO[1].write_sources(version, Path())],
    )
    item = Item.objects.filter(release=release, split="test").first()
    assert item is not None
    file = tmp_path / "predictions.jsonl"
    ranked = ["DRUGBANK:DB00390", "DRUGBANK:none", 17]
    file.write_text(json.dumps({"query_id": item.content["query_id"], "pred_rank": ranked}))
    out = io.StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command(
            "submit", str(file), "--release", release.slug, "--model", "M", "--json", stdout=out
        )
    faults = json.loads(out.getvalue())["faults"]
    assert [one["code"] for one in faults] == ["unknown_id", "unknown_id"]


def test_a_release_of_another_graph_is_refused(version: Version, tmp_path: Path) -> None:
    file = tmp_path / "queries.csv"
    rows = ["id,query,answer_ids", '7,Which?,"[17]"', """8,Which?,"['DRUGBANK:DB00390']" """]
    file.write_text("\n".join(row.strip() for row in rows))
    out = io.StringIO()
    options = ("--name", "q", "--graph", version.graph.slug, "--json")
    with pytest.raises(SystemExit, match="1"):
        call_command("make_release", "stark-prime", str(file), *options, stdout=out)
    (fault,) = json.loads(out.getvalue())["faults"]
    assert (fault["place"], fault["code"]) == ("item 7", "unknown_id")
    assert not Release.objects.exists()
