"""RNS of one's own sets: by a command, over HTTP, and what is wrong with what is asked."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from backend.benchmarks.serendipity import artefacts
from backend.benchmarks.serendipity.artefacts import NotComputed, marginal_folder, vectors_folder
from backend.benchmarks.serendipity.basis import basis_of
from backend.benchmarks.serendipity.options import Options
from backend.graphs.models import Graph, Version
from backend.graphs.reading import snapshot_of
from backend.graphs.snapshots.opening import Snapshot
from tests.benchmarks.serendipity.making import DRUGS, drug, gene, make_version
from tests.personas import Person

pytestmark = pytest.mark.django_db
EXISTING, SERENDIPITY = [drug(1), drug(2)], [drug(3), gene(5)]


def told(version: Version, *more: str) -> dict[str, Any]:
    out = io.StringIO()
    named = ["--existing", *EXISTING, "--serendipity", *SERENDIPITY, *more, "--json"]
    call_command("rns", version.graph.slug, *named, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def ask(browser: APIClient, version: Version, **more: object) -> Any:
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
    found: np.ndarray[Any, Any] = one / 6 + one @ one / 3 + one @ one @ one / 2
    return found


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
    found = told(version, "--direction", direction, "--dangling", dangling)
    snapshot = snapshot_of(version)
    numbers = snapshot.numbers_of([one["id"] for one in found["entities"]])
    walk = dense(snapshot, direction, dangling)
    assert np.allclose(found["p3"], walk[np.ix_(numbers, numbers)], atol=1e-12)
    rows = walk[numbers]
    assert found["surprise"] == pytest.approx(
        divergence(rows[2:].mean(axis=0), rows[:2].mean(axis=0)), abs=1e-10
    )
    marginal = np.array(found["marginal"])
    assert [one["marginal"] for one in found["entities"]] == found["marginal"]
    terms = [
        marginal[i]
        * walk[numbers[i], numbers[j]]
        * np.log2(walk[numbers[i], numbers[j]] / marginal[j])
        for i in (0, 1)
        for j in (2, 3)
        if walk[numbers[i], numbers[j]] > 0
    ]
    assert found["mutual_information"] == pytest.approx(sum(terms), abs=1e-10)
    assert found["novelty"] == 1 - found["mutual_information"]
    parts = found["relevance"] + found["novelty"] + found["surprise"]
    assert found["total"] == pytest.approx(parts / 3)


def test_the_marginal_is_that_of_the_whole_graph(version: Version) -> None:
    snapshot = snapshot_of(version)
    found = basis_of(snapshot, Options()).marginal
    walk = dense(snapshot, "both", "self")
    count = len(walk)
    exact = np.linalg.solve(np.eye(count) - 0.85 * walk.T, np.full(count, 0.15 / count))
    assert np.abs(found.values - exact).sum() <= found.error + 1e-12
    assert found.error <= 1e-9


def test_every_option_changes_the_score_and_is_told(version: Version) -> None:
    plain = told(version)
    for name, value in (
        ("direction", "out"),
        ("dangling", "uniform"),
        ("support", "candidates"),
        ("novelty", "conditional"),
    ):
        found = told(version, f"--{name}", value)
        assert found["parameters"][name] == value
        assert found["total"] != plain["total"]
    assert plain["parameters"]["hops"] == 3 and plain["parameters"]["precision"] == "float64"
    assert told(version, "--weights", "1,0,0")["total"] == plain["relevance"]
    assert told(version, "--weighted")["parameters"]["weighted"] is True


def test_every_number_and_every_parameter_is_printed(version: Version) -> None:
    found = told(version)
    keys = {"relevance", "novelty", "surprise", "total", "entities", "p3", "marginal"}
    assert {*found} >= keys
    parameters = found["parameters"]
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
    for value in (*found["marginal"], *np.ravel(found["p3"])):
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
    answer = ask(visitor, version, existing=existing, serendipity=serendipity)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == code
    assert answer.json()["errors"][0]["place"] in ("existing", "serendipity")


def test_weights_off_the_simplex_are_refused(visitor: APIClient, version: Version) -> None:
    weights = {"relevance": 1, "novelty": 1, "surprise": 0}
    answer = ask(visitor, version, weights=weights)
    assert answer.status_code == 422
    assert answer.json()["code"] == "weights_off_simplex"


def test_the_api_says_what_the_command_says(visitor: APIClient, version: Version) -> None:
    answer = ask(visitor, version)
    assert answer.status_code == 200
    body = answer.json()
    assert body.pop("percentile") is None
    assert body == told(version)
    assert [bar["id"] for bar in body["bars"]] == [*EXISTING, *SERENDIPITY]


def test_an_entity_without_links_counts_as_orthogonal_and_is_named(
    visitor: APIClient, version: Version
) -> None:
    answer = ask(visitor, version, existing=[drug(1)], serendipity=[drug(DRUGS - 1)]).json()
    assert [one["embedded"] for one in answer["entities"]] == [True, False]
    assert answer["relevance"] == pytest.approx(-(0.5**0.5))


def test_the_percentile_is_the_same_each_time(visitor: APIClient, version: Version) -> None:
    first, again = (ask(visitor, version, percentile=True).json() for _ in range(2))
    assert first["percentile"] == again["percentile"]
    assert first["percentile"]["draws"] == 200
    for part in ("relevance", "novelty", "surprise", "total"):
        assert 0 <= first["percentile"][part] <= 100


def test_too_many_entities_are_refused(visitor: APIClient, version: Version) -> None:
    many = [f"LOCAL:{number}" for number in range(101)]
    answer = ask(visitor, version, existing=many)
    assert (answer.status_code, answer.json()["code"]) == (422, "too_many")


def test_a_private_graph_is_its_owners_alone(
    visitor: APIClient, researcher: Person, outsider: Person
) -> None:
    private = make_version(researcher.user, Graph.Visibility.PRIVATE)
    assert ask(researcher.browser, private).status_code == 200
    assert ask(outsider.browser, private).status_code == 404
    assert ask(visitor, private).status_code == 404


def test_a_large_graph_is_not_worked_off_while_somebody_waits(
    visitor: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = make_version(seed=7)
    monkeypatch.setattr(artefacts, "AT_ONCE", 10)
    answer = ask(visitor, version)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_computed")
    assert answer.json()["kind"] == "transition"
    with pytest.raises(NotComputed):
        basis_of(snapshot_of(version), Options())
    call_command("transition", version.graph.slug, stdout=io.StringIO())
    assert ask(visitor, version).json()["kind"] == "embedding"
    call_command("embed", version.graph.slug, stdout=io.StringIO())
    assert ask(visitor, version).status_code == 200


def test_what_is_computed_lies_beside_the_snapshot_and_a_damaged_file_is_made_anew(
    version: Version,
) -> None:
    first = told(version)
    snapshot = snapshot_of(version)
    folders = [marginal_folder(snapshot, Options()), vectors_folder(snapshot, "propagation")]
    assert all(one.name.startswith(f"{version.snapshot}.rns-") for one in folders)
    values = folders[0] / "values.npy"
    content = values.read_bytes()
    (folders[0] / "manifest.json").unlink()
    assert told(version) == first
    assert values.read_bytes() == content
