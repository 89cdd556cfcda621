"""Releases of later links from a graph with years: what is drawn, what is seen, what is scored."""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient
from scipy.stats import spearmanr

from backend.benchmarks.models import HiddenAnswer, Item, Release, ReleaseSplit
from backend.evaluation.baseline_graph import SnapshotGraph
from backend.evaluation.baselines import BaselineRuns, list_missing_baselines, open_baselines
from backend.evaluation.component_files import components_path
from backend.evaluation.models import Score, Submission, SubmissionState
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.contexts import open_context
from backend.evaluation.runs.entity_definitions import EntityDefinitions
from backend.evaluation.runs.release_tasks import list_tasks
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.touched_entries import find_touched_entries
from backend.graphs.masked_versions import known_snapshot
from backend.graphs.models import Version
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section
from backend.runtime import checkpoint
from backend.runtime.cancellation import CancellationToken, Cancelled
from backend.tracks.model_tasks import ContextKind, ModelTask
from backend.tracks.registry import load_model_tasks, load_tracks
from backend.tracks.trained_scores import TRAINED_SCORES, visible_triples
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows

pytestmark = pytest.mark.django_db
DRUGS, DISEASES, NEGATIVES = 30, 40, 5
DOCUMENT = (Section("Summary", "Lowers fever.", "own words"),)
COMPONENTS = ["integrated_gradients", "eigenvector_change", "betweenness", "jaccard"]
TRAIN, TEST, LATER = 2015, 2017, 2021
YEARS = ("--train", TRAIN, "--test", TEST, "--importance", LATER, "--negatives", NEGATIVES)


def dated_edges(seed: int = 1) -> list[EdgeRow]:
    """Random links between drugs and diseases in 2010 to 2023, some twice, and a few undated."""
    draw = np.random.default_rng(seed)
    edges = []
    for _ in range(420):
        drug, disease = int(draw.integers(DRUGS)), int(draw.integers(DISEASES))
        year = int(draw.integers(2010, 2024)) if draw.random() < 0.95 else None
        relation = "treats" if draw.random() < 0.8 else "worsens"
        edges.append(EdgeRow(f"X:d{drug}", relation, f"X:e{disease}", first_year=year))
    return edges


def serve(name: str, edges: list[EdgeRow]) -> str:
    nodes: list[NodeRow | MalformedRow] = [
        *(NodeRow(f"X:d{one}", "Drug", f"Drug {one}", document=DOCUMENT) for one in range(DRUGS)),
        *(NodeRow(f"X:e{one}", "Disease", f"Disease {one}") for one in range(DISEASES)),
    ]
    return make_graph(name, rows=SourceRows(nodes, [*edges])).slug


def run(command: str, *arguments: object) -> Any:
    out = io.StringIO()
    call_command(command, *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def refuse(*arguments: object) -> str:
    out = io.StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("make_dyport", *map(str, arguments), "--json", stdout=out)
    code: str = json.loads(out.getvalue())["error"]["code"]
    return code


def written(slug: str, path: Path, *more: object) -> list[dict[str, Any]]:
    run("make_dyport", slug, "--into", path, *YEARS, *more)
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_links_and_negatives_are_what_the_years_say(tmp_path: Path) -> None:
    edges = dated_edges()
    path = tmp_path / "pairs.jsonl"
    report = run("make_dyport", serve("Dated", edges), "--into", path, *YEARS)
    years: dict[tuple[str, str], list[int]] = {}
    for edge in edges:
        years.setdefault((edge.source, edge.target), []).append(edge.first_year or 0)
    known = {
        end
        for pair, dates in years.items()
        if 0 < min(d or 9999 for d in dates) <= TRAIN
        for end in pair
    }
    expected = {
        pair for pair, dates in years.items() if TRAIN < min(dates) <= TEST and set(pair) <= known
    }
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    positives = {row["id"]: row for row in rows if not row["negative_of"]}
    links = {(row["subject"], row["object"]) for row in positives.values()}
    assert links <= expected
    assert len(expected) - len(links) == report["dropped"].get("too_few_negatives", 0)
    assert report["links"] == len(links) > 20
    assert len(rows) == len(links) * (1 + NEGATIVES)
    for row in rows:
        if row["negative_of"]:
            dates = years.get((row["subject"], row["object"]), [9999])
            assert min(dates) > LATER
            own = positives[row["negative_of"]]
            assert (own["subject"], own["object_type"]) == (row["subject"], row["object_type"])
        assert {row["subject"], row["object"]} <= known
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)
    assert report["importance"] == COMPONENTS
    assert report["importance_missing"] == ["mentions", "citations"]
    true = [one["components"] for one in positives.values()]
    for one in COMPONENTS:
        assert set(report["correlations"][one]) == {*COMPONENTS} - {one}
        for other, value in report["correlations"][one].items():
            if "jaccard" in (one, other):  # constant: drugs and diseases share no second order
                assert value is None
                continue
            ranks = np.array([[row[name] for row in true] for name in (one, other)])
            assert value == pytest.approx(spearmanr(ranks[0], ranks[1]).statistic)
    assert all(0 < row["importance"] <= 1 for row in positives.values())


def test_negatives_of_a_subject_repeat_only_once_all_others_were_drawn(tmp_path: Path) -> None:
    edges = dated_edges()
    years: dict[tuple[str, str], list[int]] = {}
    for edge in edges:
        years.setdefault((edge.source, edge.target), []).append(edge.first_year or 0)
    known = {pair[1] for pair, dates in years.items() if any(0 < d <= TRAIN for d in dates)}
    rows = written(serve("Dated", edges), tmp_path / "pairs.jsonl", "--negatives", 12)
    drawn = Counter((row["subject"], row["object"]) for row in rows if row["negative_of"])
    most = 0
    for subject in {subject for subject, _ in drawn}:
        pool = [one for one in known if min(years.get((subject, one), [9999])) > LATER]
        counts = [drawn[subject, one] for one in pool]
        assert max(counts) - min(counts) <= 1
        most = max(most, *counts)
    assert most > 1, "some pool is drawn more than once"


def test_the_key_of_an_item_follows_from_what_is_public_of_it(tmp_path: Path) -> None:
    """Places of a pair count up, whichever is the link: true ones have no other keys."""
    rows = written(serve("Dated", dated_edges()), tmp_path / "pairs.jsonl")
    pairs = Counter((row["subject"], row["object"]) for row in rows)
    possible = {
        (row["subject"], row["object"], hash_of(1, row["subject"], row["object"], row["year"], at))
        for row in rows
        for at in range(pairs[row["subject"], row["object"]])
    }
    assert {(row["subject"], row["object"], row["id"]) for row in rows} <= possible
    assert len({row["id"] for row in rows}) == len(rows)


def hash_of(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def test_the_same_seed_gives_the_same_bytes_whatever_else_was_discovered(tmp_path: Path) -> None:
    slug = serve("Dated", dated_edges())
    rows = [
        written(slug, tmp_path / f"{at}.jsonl", "--seed", seed) for at, seed in enumerate([1, 1, 2])
    ]
    files = [(tmp_path / f"{at}.jsonl").read_bytes() for at in range(3)]
    assert files[0] == files[1] != files[2]
    positives = [
        {row["subject"] + row["object"] for row in one if not row["negative_of"]} for one in rows
    ]
    assert positives[0] == positives[2]


def test_what_cannot_be_made_is_stated(tmp_path: Path) -> None:
    slug, path = serve("Dated", dated_edges()), tmp_path / "pairs.jsonl"
    years = ("--train", 2017, "--test", 2015, "--importance", 2020)
    assert refuse(slug, "--into", path, *years) == "years"
    late = ("--train", 2030, "--test", 2031, "--importance", 2032)
    assert refuse(slug, "--into", path, *late) == "no_discoveries"
    undated = serve("Undated", [replace(edge, first_year=None) for edge in dated_edges()])
    assert refuse(undated, "--into", path, *YEARS) == "no_years"
    assert not path.exists()


def make_release(name: str, edges: list[EdgeRow]) -> Release:
    run("make_dyport", serve(name, edges), "--name", name.lower(), *YEARS, "--open")
    return Release.objects.get(slug=name.lower())


def test_a_release_hides_what_is_true_and_is_scored_in_every_slice() -> None:
    release = make_release("Dated", dated_edges())
    assert (release.cutoff, release.track) == (TRAIN, "dyport")
    hidden = {"negative_of", "importance", "is_positive", "group"}
    for content in Item.objects.filter(release=release).values_list("content", flat=True):
        assert not hidden & set(content)
    answers = HiddenAnswer.objects.filter(item__release=release).values_list("content", flat=True)
    links = sum(answer["is_positive"] for answer in answers)
    assert len(answers) == links * (1 + NEGATIVES)
    result = run("run_baseline", "degree-product", "--release", release.slug)
    (split,) = result["splits"]
    scores = {(one["metric"], one["slice"]): one for one in split["scores"]}
    assert {slice_ for _, slice_ in scores} >= {"all", "importance low", "2016", "2017"}
    for slice_ in {slice_ for _, slice_ in scores}:
        # The baseline sees the training graph alone, so it is the degree product of the items.
        own, stated = (scores[name, slice_] for name in ("roc_auc", "degree_product_auc"))
        assert own["value"] == pytest.approx(stated["value"], abs=1e-12)
    assert scores["roc_auc", "all"]["n"] == links


def test_a_later_edge_that_is_planted_changes_neither_items_nor_scores_by_links() -> None:
    """Propagation starts from random vectors by the numbers of entities, which the edges change."""
    edges = dated_edges()
    planted = [
        EdgeRow(f"X:d{one}", "treats", f"X:e{one}", first_year=LATER + 1) for one in range(DRUGS)
    ]
    new = {(edge.source, edge.target) for edge in edges}
    planted = [edge for edge in planted if (edge.source, edge.target) not in new]
    assert len(planted) > 15
    releases = [make_release("Dated", edges), make_release("Planted", [*edges, *planted])]
    items = [{*Item.objects.filter(release=one).values_list("key")} for one in releases]
    assert items[0] == items[1]
    with open_baselines(releases[0]) as first, open_baselines(releases[1]) as other:
        for name in ("degree-product", "common-neighbours", "adamic-adar"):
            rows = [{*runs.predict(name, ReleaseSplit.TEST, 1)} for runs in (first, other)]
            assert rows[0] == rows[1], name
        triples = [
            read_triples(runs, one) for runs, one in zip((first, other), releases, strict=True)
        ]
        assert triples[0] == triples[1]
        assert len(triples[0]) > 50
        for name in TRAINED_SCORES:
            lines = [*first.predict(name, ReleaseSplit.TEST, 1)]
            assert lines == [*first.predict(name, ReleaseSplit.TEST, 1)]
            assert len(set(lines)) == Item.objects.filter(release=releases[0]).count()


def test_models_with_vectors_end_as_predictions_with_and_without_types() -> None:
    release = make_release("Dated", dated_edges())
    for name, title in (
        ("node2vec", "node2vec"),
        ("gcn", "GCN"),
        ("gcn-untyped", "GCN without types"),
        ("transe-untyped", "TransE without types"),
    ):
        [split] = run("run_baseline", name, "--release", release.slug)["splits"]
        entry = Submission.objects.get(pk=split["submission"])
        assert (entry.model.name, entry.state) == (f"Baseline: {title}", SubmissionState.SCORED)
        assert entry.declared["knowledge_until"] == TRAIN
    digests = {*Submission.objects.values_list("predictions_digest", flat=True)}
    assert len(digests) == 4
    missing = {name for name, _ in list_missing_baselines(release)}
    assert missing == {*load_tracks()["dyport"].baselines} - {"node2vec", "gcn"}


def test_models_read_the_documents_of_both_entities_as_definitions() -> None:
    release = make_release("Dated", dated_edges())
    reasons = {one.task.name: one.unavailable_reason for one in list_tasks(release)}
    refused = "Documents have no dates, so none is read under the cut-off of this release."
    assert reasons == {"dyport-parametric": "", "dyport-definitions": refused}
    Release.objects.update(cutoff=None)
    release.refresh_from_db()
    assert not any(one.unavailable_reason for one in list_tasks(release))
    task = load_model_tasks(load_tracks()["dyport"])["dyport-definitions"]
    assert isinstance(task, ModelTask)
    request = ContextRequest(release, RunSettings())
    look_up = open_context(request, [ContextKind.DEFINITIONS])
    for item in request.all_items[:5]:
        [definition] = look_up(item).definitions
        assert (definition.id, definition.title) == (item.subject, item.subject_name)
        assert definition.text == "Summary: Lowers fever."
        messages = task.messages(item, look_up(item))
        assert "Lowers fever." in messages[1].content and item.object_name in messages[1].content
    Release.objects.update(graph_version=None)
    release.refresh_from_db()
    reason = EntityDefinitions.find_missing(ContextRequest(release, RunSettings()))
    assert reason == "The release has no graph, which this task needs."


@pytest.mark.parametrize("name", ["transe", "node2vec", "gcn", "propagation"])
def test_a_killed_baseline_goes_on_from_its_checkpoint(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "SAVE_INTERVAL_S", 0.0)
    release = make_release("Dated", dated_edges())

    def predict(folder: Path | None, stop: CancellationToken | None = None) -> list[bytes]:
        with open_baselines(release, checkpoint=folder, stop=stop) as runs:
            return [*runs.predict(name, ReleaseSplit.TEST, 0)]

    lines = predict(None)
    assert predict(tmp_path) == lines
    [saved] = tmp_path.iterdir()
    assert saved.name == name and [*saved.iterdir()]
    assert predict(tmp_path) == lines
    stopped = CancellationToken()
    stopped.cancel()
    with pytest.raises(Cancelled):
        predict(None, stopped)


def test_a_baseline_is_trained_once_for_both_splits() -> None:
    slug = serve("Parts", dated_edges())
    run("make_dyport", slug, "--name", "parts", *YEARS, "--test-share", 0.5)
    release, stop = Release.objects.get(slug="parts"), CancellationToken()
    with open_baselines(release) as runs:
        alone = [*runs.predict("transe", ReleaseSplit.TEST, 0)]
        other = [*runs.predict("transe", ReleaseSplit.DEV, 1)]
    with open_baselines(release, stop=stop) as runs:
        dev = [*runs.predict("transe", ReleaseSplit.DEV, 0)]
        stop.cancel()
        assert [*runs.predict("transe", ReleaseSplit.TEST, 0)] == alone
        for name, seed in (("transe", 1), ("distmult", 0)):
            with pytest.raises(Cancelled):
                list(runs.predict(name, ReleaseSplit.TEST, seed))
    assert len(dev) == len(other) and dev != other
    with open_baselines(release, is_local=True) as runs:
        latencies = [runs.run("transe", one)[0].declared["latency_s"] for one in runs.splits]
    assert latencies[1] > latencies[0] / 4, "the training is in both"


def read_triples(runs: BaselineRuns, release: Release) -> list[tuple[str, str, str]]:
    """All that models of triples are trained on, by name."""
    graph = runs.graph
    assert graph is not None
    contents = Item.objects.filter(release=release).values_list("content", flat=True)
    hidden = [[graph.find_number(one[end]) for end in ("subject", "object")] for one in contents]
    rows = zip(*visible_triples(graph, np.array(hidden)), strict=True)
    names = graph.relation_names
    return sorted((graph.identifier(h), names[r], graph.identifier(t)) for h, r, t in rows)


def test_an_item_counts_for_an_entry_that_places_it_rightly_beside_any_other(
    tmp_path: Path,
) -> None:
    release = make_release("Dated", dated_edges())
    items = list(Item.objects.filter(release=release).select_related("hidden_answer"))
    true = [one for one in items if one.hidden_answer.content["is_positive"]]
    false = [one for one in items if not one.hidden_answer.content["is_positive"]]
    scores = dict.fromkeys(true, 1.0) | dict.fromkeys(false, 0.0)
    scores |= {true[0]: -1.0, false[0]: 2.0, true[1]: 0.4, false[1]: 0.5}
    rows = [{"id": one.content["id"], "score": scores[one]} for one in items]
    path = tmp_path / "scores.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("submit", path, "--release", release.slug, "--model", "mine")
    touched = find_touched_entries(release, items)
    not_credited = {one for one in items if touched[one.pk].not_credited == ["mine"]}
    assert not_credited == {true[0], false[0]}
    assert all(touched[one.pk].credited == ["mine"] for one in {*items} - not_credited)
    for one in (true[0], false[0], true[1], false[1], false[2]):
        assert find_touched_entries(release, [one]) == {one.pk: touched[one.pk]}


def test_discoveries_are_those_of_the_dev_split_alone(visitor: APIClient) -> None:
    address = "/api/v1/boards/{}/discoveries"
    hidden = make_release("Dated", dated_edges())
    answer = visitor.get(address.format(hidden.slug))
    assert (answer.status_code, answer.json()["code"]) == (404, "hidden_answers")
    hidden.delete()  # it would hide what the next one publishes
    slug = serve("Parts", dated_edges())
    run("make_dyport", slug, "--name", "parts", *YEARS, "--test-share", 0.5, "--open")
    release = Release.objects.get(slug="parts")
    run("run_baseline", "degree-product", "--release", "parts")
    page = visitor.get(address.format("parts")).json()
    dev = {
        (item.content["subject"], item.content["object"])
        for item in Item.objects.filter(release=release, split="dev").select_related()
        if item.hidden_answer.content["is_positive"]
    }
    assert {(one["subject"], one["object"]) for one in page["results"]} == dev
    assert (page["split"], page["entries"], page["total"]) == ("dev", 1, len(dev))
    foreseen = sum(bool(one["foreseen_by"]) for one in page["results"])
    score = Score.objects.get(
        evaluation__release=release,
        evaluation__split="dev",
        metric="own_negatives_hit1",
        slice="all",
    )
    assert foreseen / len(dev) == pytest.approx(score.value)
    for one in page["results"]:
        assert set(one["components"]) == {*COMPONENTS}
        assert np.mean([*one["components"].values()]) == pytest.approx(one["importance"])
    components_path(score.evaluation.key).unlink()
    lost = visitor.get(address.format("parts"))
    assert (lost.status_code, lost.json()["code"]) == (503, "result_lost")
    assert score.evaluation.key in lost.json()["detail"]


def test_a_discovery_names_what_states_its_year(visitor: APIClient, tmp_path: Path) -> None:
    """As its first edge has it; a later one has another source."""
    edges = []
    for one in dated_edges():
        source = "FDA approval" if (one.first_year or 0) % 2 else "synthetic"
        edges.append(replace(one, date_source=source))
        if one.first_year:
            later = one.first_year + 1
            edges.insert(0, replace(one, first_year=later, date_source="a later paper"))
    slug = serve("Sources", edges)
    rows = written(slug, tmp_path / "pairs.jsonl")
    run("make_dyport", slug, "--name", "sources", *YEARS, "--test-share", 0, "--open")
    page = visitor.get("/api/v1/boards/sources/discoveries").json()
    named = {one["year"]: set[str]() for one in page["results"]}
    for one in page["results"]:
        named[one["year"]].add(one["date_source"])
    assert named == {2016: {"synthetic"}, 2017: {"FDA approval"}}
    assert {row["date_source"] for row in rows if row["negative_of"]} == {""}


def test_a_later_edge_beside_an_earlier_one_adds_nothing_to_propagation() -> None:
    """It changes the order of entities by degree in neither graph, so vectors can be compared."""
    ends = ["AB", "AC", "AD", "BC"]
    edges = [EdgeRow(f"X:{pair[0]}", "joins", f"X:{pair[1]}", first_year=2001) for pair in ends]
    later = EdgeRow("X:A", "prevents", "X:B", first_year=LATER)
    nodes: list[NodeRow | MalformedRow] = [NodeRow(f"X:{name}", "Thing", name) for name in "ABCD"]
    no_pairs = np.zeros((0, 2), dtype=np.int64)
    vectors = []
    for name, rows in (("Once", edges), ("Twice", [*edges, later])):
        graph = make_graph(name, rows=SourceRows(nodes, [*rows]))
        version = Version.objects.get(graph=graph)
        with known_snapshot(version, TRAIN) as known:
            read = SnapshotGraph(version, snapshot=known)
            assert [read.identifier(one) for one in range(4)] == ["X:A", "X:B", "X:C", "X:D"]
            vectors.append(read.propagation_vectors(no_pairs, 1))
    assert (vectors[0] == vectors[1]).all()
    whole = SnapshotGraph(version).propagation_vectors(no_pairs, 1)
    assert (whole != vectors[1]).any()


def test_roc_curves_are_those_of_the_dev_split_alone(visitor: APIClient) -> None:
    address = "/api/v1/boards/{}/roc-curves"
    hidden = make_release("Dated", dated_edges())
    answer = visitor.get(address.format(hidden.slug))
    assert (answer.status_code, answer.json()["code"]) == (404, "hidden_answers")
    hidden.delete()  # it would hide what the next one publishes
    slug = serve("Parts", dated_edges())
    run("make_dyport", slug, "--name", "parts", *YEARS, "--test-share", 0.5, "--open")
    empty = visitor.get(address.format("parts")).json()
    assert (empty["results"], empty["degrees"], empty["positives"]) == ([], None, 0)
    for baseline in ("degree-product", "random"):
        run("run_baseline", baseline, "--release", "parts")
    page = visitor.get(address.format("parts")).json()
    assert (page["split"], page["negatives"]) == ("dev", page["positives"] * NEGATIVES)
    scores = dict(
        Score.objects.filter(
            evaluation__release__slug="parts",
            evaluation__split="dev",
            metric="roc_auc",
            slice="all",
        ).values_list("evaluation__submissions__model__slug", "value")
    )
    assert len(page["results"]) == 2
    for one in page["results"]:
        curve = one["curve"]
        assert curve["auc"] == pytest.approx(scores[one["entry"]["model"]])
        x, y = np.array(curve["points"]).T
        assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
        assert (np.diff(x) >= 0).all() and (np.diff(y) >= 0).all()
        assert np.trapezoid(y, x) == pytest.approx(curve["auc"], abs=0.02)
    aucs = [one["curve"]["auc"] for one in page["results"]]
    assert aucs == sorted(aucs, reverse=True)
    # The baseline sees the training graph alone, so its curve is that of the degrees of the items.
    assert page["degrees"] in [one["curve"] for one in page["results"]]


def test_components_of_importance_are_those_of_the_published_links(visitor: APIClient) -> None:
    address = "/api/v1/boards/{}/importance"
    hidden = make_release("Dated", dated_edges())
    answer = visitor.get(address.format(hidden.slug))
    assert (answer.status_code, answer.json()["code"]) == (404, "hidden_answers")
    hidden.delete()  # it would hide what the next one publishes
    slug = serve("Parts", dated_edges())
    run("make_dyport", slug, "--name", "parts", *YEARS, "--test-share", 0.5, "--open")
    page = visitor.get(address.format("parts")).json()
    contents = HiddenAnswer.objects.filter(
        item__release__slug="parts", item__split="dev"
    ).values_list("content", flat=True)
    true = [one for one in contents if one["is_positive"]]
    assert (page["split"], page["links"]) == ("dev", len(true))
    assert [one["name"] for one in page["components"]] == COMPONENTS
    assert page["missing"] == ["mentions", "citations"]
    for one in page["components"]:
        check_component(one, true)
    ranks = [[one["components"][name] for one in true] for name in COMPONENTS]
    for row, first in zip(page["correlations"], ranks, strict=True):
        for stated, second in zip(row, ranks, strict=True):
            if stated is None:
                assert 1 in (len({*first}), len({*second}))
            else:
                expected = spearmanr(first, second).statistic
                assert stated == pytest.approx(expected, abs=1e-9)


def check_component(one: dict[str, Any], true: list[dict[str, Any]]) -> None:
    name = one["name"]
    values = [link["component_values"][name] for link in true]
    ranks = [link["components"][name] for link in true]
    assert one["links"] == len(true)
    assert one["ties"] == sum(ranks.count(rank) > 1 for rank in ranks)
    assert one["less_is_more"] == (name == "jaccard")
    assert [one["lowest"], one["highest"]] == [min(values), max(values)]
    assert one["median"] == pytest.approx(np.median(values), abs=1e-12)
    assert sum(bin_["links"] for bin_ in one["bins"]) == len(values)
    for at, bin_ in enumerate(one["bins"]):
        is_last = at == len(one["bins"]) - 1
        inside = [
            bin_["low"] <= value < bin_["high"] or (is_last and value == bin_["high"])
            for value in values
        ]
        assert bin_["links"] == sum(inside)
    order = np.argsort(values)
    rising = np.array(ranks)[order if name != "jaccard" else order[::-1]]
    assert (np.diff(rising) >= 0).all()


def test_links_are_listed_by_one_component_where_it_is_named(visitor: APIClient) -> None:
    slug = serve("Parts", dated_edges())
    run("make_dyport", slug, "--name", "parts", *YEARS, "--test-share", 0, "--open")
    address = "/api/v1/boards/parts/discoveries"
    whole = visitor.get(address).json()
    page = visitor.get(address, {"component": "betweenness"}).json()
    ranks = [one["components"]["betweenness"] for one in page["results"]]
    assert ranks == sorted(ranks, reverse=True)
    assert page["total"] == whole["total"]
    assert [one["item"] for one in page["results"]] != [one["item"] for one in whole["results"]]
    assert visitor.get(address, {"component": "mentions"}).json()["total"] == 0
    assert visitor.get(address, {"component": "fame"}).status_code == 422
