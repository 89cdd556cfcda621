"""RNS of one's own sets: by a command, over HTTP, and what is wrong with what is asked."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from pytest_django import Settings
from rest_framework.test import APIClient

from backend.benchmarks.rns.artifacts import NotComputed, marginal_folder, vectors_folder
from backend.benchmarks.rns.options import RnsOptions
from backend.benchmarks.rns.scoring_context import open_scoring_context
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.embeddings.evaluation import NEGATIVES
from tests.benchmarks.rns.factories import DRUGS, drug, gene, make_version
from tests.personas import Person

pytestmark = pytest.mark.django_db
EXISTING, SERENDIPITY = [drug(1), drug(2)], [drug(3), gene(5)]


def run_command(version: Version, *more: str) -> dict[str, Any]:
    out = io.StringIO()
    named = ["--existing", *EXISTING, "--serendipity", *SERENDIPITY, *more, "--json"]
    call_command("rns", version.graph.slug, *named, stdout=out)
    result: dict[str, Any] = json.loads(out.getvalue())
    return result


def request_score(browser: APIClient, version: Version, **more: object) -> Any:
    body = {"existing": EXISTING, "serendipity": SERENDIPITY, **more}
    return browser.post(f"/api/v1/graphs/{version.graph.slug}/rns", body)


def dense(snapshot: Snapshot, direction: str, dangling: str) -> np.ndarray[Any, Any]:
    """P_3 as a matrix, by the definition."""
    count = snapshot.entity_count
    links = np.zeros((count, count))
    for edge in snapshot.edges():
        links[edge.source, edge.target] += 1
        if direction == "both" and edge.source != edge.target:
            links[edge.target, edge.source] += 1
    for alone in np.flatnonzero(links.sum(axis=1) == 0):
        links[alone] = np.eye(count)[alone] if dangling == "self" else 1 / count
    one = links / links.sum(axis=1, keepdims=True)
    result: np.ndarray[Any, Any] = one / 6 + one @ one / 3 + one @ one @ one / 2
    return result


def divergence(p: np.ndarray[Any, Any], q: np.ndarray[Any, Any]) -> float:
    middle = (p + q) / 2

    def half(row: np.ndarray[Any, Any]) -> float:
        some = row > 0
        return float((row[some] * np.log2(row[some] / middle[some])).sum()) / 2

    return half(p) + half(q)


@pytest.mark.parametrize("direction", ["both", "out"])
@pytest.mark.parametrize("dangling", ["self", "uniform"])
def test_the_command_gives_what_the_definition_says(
    version: Version, direction: str, dangling: str
) -> None:
    result = run_command(version, "--direction", direction, "--dangling", dangling)
    snapshot = open_version_snapshot(version)
    numbers = snapshot.find_numbers([one["id"] for one in result["entities"]])
    walk = dense(snapshot, direction, dangling)
    assert np.allclose(result["p3"], walk[np.ix_(numbers, numbers)], atol=1e-12)
    rows = walk[numbers]
    assert result["surprise"] == pytest.approx(
        divergence(rows[2:].mean(axis=0), rows[:2].mean(axis=0)), abs=1e-10
    )
    marginal = np.array(result["marginal"])
    assert [one["marginal"] for one in result["entities"]] == result["marginal"]
    terms = [
        marginal[i]
        * walk[numbers[i], numbers[j]]
        * np.log2(walk[numbers[i], numbers[j]] / marginal[j])
        for i in (0, 1)
        for j in (2, 3)
        if walk[numbers[i], numbers[j]] > 0
    ]
    assert result["mutual_information"] == pytest.approx(sum(terms), abs=1e-10)
    assert result["novelty"] == 1 - result["mutual_information"]
    parts = result["relevance"] + result["novelty"] + result["surprise"]
    assert result["total"] == pytest.approx(parts / 3)


def test_the_marginal_is_that_of_the_whole_graph(version: Version) -> None:
    snapshot = open_version_snapshot(version)
    result = open_scoring_context(snapshot, RnsOptions()).marginal
    walk = dense(snapshot, "both", "self")
    count = len(walk)
    exact = np.linalg.solve(np.eye(count) - 0.85 * walk.T, np.full(count, 0.15 / count))
    assert np.abs(result.values - exact).sum() <= result.error + 1e-12
    assert result.error <= 1e-9


def test_every_option_changes_the_score_and_is_told(version: Version) -> None:
    plain = run_command(version)
    for name, value in (
        ("direction", "out"),
        ("dangling", "uniform"),
        ("support", "candidates"),
        ("novelty", "conditional"),
    ):
        result = run_command(version, f"--{name}", value)
        assert result["parameters"][name] == value
        assert result["total"] != plain["total"]
    assert plain["parameters"]["hops"] == 3 and plain["parameters"]["precision"] == "float64"
    assert run_command(version, "--weights", "1,0,0")["total"] == plain["relevance"]
    assert run_command(version, "--weighted")["parameters"]["weighted"] is True


def test_every_number_and_every_parameter_is_printed(version: Version) -> None:
    result = run_command(version)
    keys = {"relevance", "novelty", "surprise", "total", "entities", "p3", "marginal"}
    assert {*result} >= keys
    parameters = result["parameters"]
    assert {*parameters} == {
        *("direction", "dangling", "support", "novelty", "method"),
        *("hops", "damping", "weighted", "precision"),
    }
    out = io.StringIO()
    sets = ["--existing", *EXISTING, "--serendipity", *SERENDIPITY]
    call_command("rns", version.graph.slug, *sets, stdout=out)
    printed = out.getvalue()
    assert all(f"{key} {value}" in printed for key, value in parameters.items())
    assert {line.split()[0].strip(",") for line in printed.splitlines()} >= keys
    for value in (*result["marginal"], *np.ravel(result["p3"])):
        assert f"{value:.6e}" in printed


def test_a_slug_a_number_and_a_snapshot_name_the_same_version(version: Version) -> None:
    outs = []
    for named in (version.graph.slug, f"{version.graph.slug}@1", version.snapshot):
        out = io.StringIO()
        sets = ["--existing", *EXISTING, "--serendipity", *SERENDIPITY]
        call_command("rns", named, *sets, stdout=out)
        outs.append(out.getvalue())
    assert outs[0] == outs[1] == outs[2]
    assert all(
        word in outs[0]
        for word in ("relevance", "novelty", "surprise", "total", "entities", "p3", "marginal")
    )


@pytest.mark.parametrize(
    ("existing", "serendipity", "code"),
    [
        ([], [drug(1)], "empty_set"),
        ([drug(1)], [], "empty_set"),
        ([drug(1), drug(1)], [drug(2)], "repeated_candidate"),
        ([drug(1)], [drug(1)], "overlapping_sets"),
        ([drug(1)], ["LOCAL:nothing"], "unknown_entity"),
        ([drug(1)], [f" {drug(2)}"], "unknown_entity"),
    ],
)
def test_sets_that_are_none_are_refused_with_the_place(
    visitor: APIClient, version: Version, existing: list[str], serendipity: list[str], code: str
) -> None:
    answer = request_score(visitor, version, existing=existing, serendipity=serendipity)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == code
    assert answer.json()["errors"][0]["place"] in ("existing", "serendipity")


def test_weights_off_the_simplex_are_refused(visitor: APIClient, version: Version) -> None:
    weights = {"relevance": 1, "novelty": 1, "surprise": 0}
    answer = request_score(visitor, version, weights=weights)
    assert answer.status_code == 422
    assert answer.json()["code"] == "weights_off_simplex"


def test_the_api_says_what_the_command_says(visitor: APIClient, version: Version) -> None:
    answer = request_score(visitor, version)
    assert answer.status_code == 200
    body = answer.json()
    assert body.pop("percentile") is None
    assert body == run_command(version)
    assert [bar["id"] for bar in body["bars"]] == [*EXISTING, *SERENDIPITY]


def test_an_entity_without_links_counts_as_orthogonal_and_is_named(
    visitor: APIClient, version: Version
) -> None:
    answer = request_score(
        visitor, version, existing=[drug(1)], serendipity=[drug(DRUGS - 1)]
    ).json()
    assert [one["embedded"] for one in answer["entities"]] == [True, False]
    assert answer["relevance"] == pytest.approx(-(0.5**0.5))


def test_the_percentile_is_the_same_each_time(visitor: APIClient, version: Version) -> None:
    first, again = (request_score(visitor, version, percentile=True).json() for _ in range(2))
    assert first["percentile"] == again["percentile"]
    assert first["percentile"]["draws"] == 200
    for part in ("relevance", "novelty", "surprise", "total"):
        assert 0 <= first["percentile"][part] <= 100


def test_too_many_entities_are_refused(visitor: APIClient, version: Version) -> None:
    many = [f"LOCAL:{number}" for number in range(101)]
    answer = request_score(visitor, version, existing=many)
    assert (answer.status_code, answer.json()["code"]) == (422, "too_many")


def test_a_private_graph_is_its_owners_alone(
    visitor: APIClient, researcher: Person, outsider: Person
) -> None:
    private = make_version(researcher.user, Graph.Visibility.PRIVATE)
    assert request_score(researcher.browser, private).status_code == 200
    assert request_score(outsider.browser, private).status_code == 404
    assert request_score(visitor, private).status_code == 404


def test_a_large_graph_is_not_worked_off_while_somebody_waits(
    visitor: APIClient, settings: Settings
) -> None:
    version = make_version(seed=7)
    settings.RNS_COMPUTED_IN_REQUEST = 10
    answer = request_score(visitor, version)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_computed")
    assert answer.json()["kind"] == "transition"
    with pytest.raises(NotComputed):
        open_scoring_context(open_version_snapshot(version), RnsOptions())
    call_command("transition", version.graph.slug, stdout=io.StringIO())
    assert request_score(visitor, version).json()["kind"] == "embedding"
    call_command("embed", version.graph.slug, stdout=io.StringIO())
    answer = request_score(visitor, version)
    assert answer.status_code == 200
    ranks = answer.json()["embedding"]["ranks"]
    assert ranks["embedding"]["n"] == ranks["degree_product"]["n"] > 0
    assert 0 < ranks["embedding"]["mrr"] <= ranks["embedding"]["high"] <= 1


def test_models_that_are_trained_here_state_what_they_predict_of_links(version: Version) -> None:
    out = io.StringIO()
    names = ["hole", "node2vec", "gcn"]
    call_command("measure_links", version.graph.slug, "--model", *names, "--json", stdout=out)
    body = json.loads(out.getvalue())
    assert [*body["models"]] == names and body["uses_types"]
    for quality in body["models"].values():
        assert [one["negatives"] for one in quality["aucs"]] == [*NEGATIVES]
        assert quality["ranks"]["n"] > 0


def test_what_is_computed_lies_beside_the_snapshot_and_a_damaged_file_is_made_anew(
    version: Version,
) -> None:
    first = run_command(version)
    snapshot = open_version_snapshot(version)
    folders = [marginal_folder(snapshot, RnsOptions()), vectors_folder(snapshot, "propagation")]
    assert all(one.name.startswith(f"{version.snapshot}.rns-") for one in folders)
    values = folders[0] / "values.npy"
    content = values.read_bytes()
    (folders[0] / "manifest.json").unlink()
    assert run_command(version) == first
    assert values.read_bytes() == content
