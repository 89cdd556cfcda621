"""Predictions on pairs that nobody has linked yet: sealed unscored, opened by a later version."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from backend.benchmarks.models import HiddenAnswer, Item, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.models import Evaluation, Score, Submission
from backend.graphs.models import Graph, Version
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.leaderboard.models import AFTER_CUTOFF
from backend.leaderboard.standings import update_standing
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
DRUGS, DISEASES, SEALED_IN = 40, 60, 2020
V1 = "/api/v1"


def edges_until(year: int, seed: int = 3) -> list[EdgeRow]:
    """Random links of 2001 to 2024; a later version has those of an earlier one."""
    draw = np.random.default_rng(seed)
    edges: dict[tuple[int, int], int] = {}
    for _ in range(800):
        pair = int(draw.integers(DRUGS)), int(draw.integers(DISEASES))
        edges.setdefault(pair, int(draw.integers(2001, 2025)))
    return [
        EdgeRow(f"X:d{drug}", "treats", f"X:e{disease}", first_year=first)
        for (drug, disease), first in edges.items()
        if first <= year
    ]


def rows_until(year: int, more: list[EdgeRow] | None = None) -> SourceRows:
    drugs = [NodeRow(f"X:d{one}", "Drug", f"Drug {one}") for one in range(DRUGS)]
    diseases = [NodeRow(f"X:e{one}", "Disease", f"Disease {one}") for one in range(DISEASES)]
    return SourceRows([*drugs, *diseases], [*edges_until(year), *(more or [])])


def add_version(graph: Graph, number: int, rows: SourceRows) -> Version:
    built = build_snapshot(rows, Path(settings.SNAPSHOTS))
    return Version.objects.create(
        graph=graph,
        snapshot=built.path.name,
        number=number,
        entities=built.entities,
        edges=built.edges,
        types=built.types,
        relations=built.relations,
        ready_at=timezone.now(),
    )


def run(command: str, *arguments: object) -> Any:
    out = io.StringIO()
    call_command(command, *map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def refuse(command: str, *arguments: object) -> str:
    out = io.StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command(command, *map(str, arguments), "--json", stdout=out)
    code: str = json.loads(out.getvalue())["error"]["code"]
    return code


@pytest.fixture
def graph() -> Graph:
    return make_graph("Dated", rows=rows_until(SEALED_IN))


@pytest.fixture
def sealed(graph: Graph) -> Release:
    types = ("--subjects", "Drug", "--objects", "Disease")
    result = run("seal_links", graph.slug, "--name", "later", *types, "--open")
    assert (result["cutoff"], result["state"]) == (SEALED_IN, "open")
    return Release.objects.get(slug="later")


def first_years(year: int) -> Mapping[tuple[str, str], int]:
    return {(one.source, one.target): one.first_year or 0 for one in edges_until(year)}


def scores_of(release: Release, score: Callable[[tuple[str, str]], float]) -> str:
    items = Item.objects.filter(release=release).values_list("content", flat=True)
    rows = [{"id": one["id"], "score": score((one["subject"], one["object"]))} for one in items]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def memory_until(year: int, seed: int = 1) -> Callable[[tuple[str, str]], float]:
    """A model that read which links were found until a year, and knows nothing else."""
    known, noise = first_years(year), np.random.default_rng(seed)
    return lambda pair: 2.0 if pair in known else float(noise.random())


def send(person: Person, text: str, model: str, **declared: object) -> Any:
    file = SimpleUploadedFile("scores.jsonl", text.encode())
    body = {"release": "later", "model": model, "file": file, **declared}
    return person.browser.post(f"{V1}/submissions", body, format="multipart")


@pytest.fixture
def rita(researcher: Person) -> Person:
    register_model(actor=researcher.user, name="Memory")
    return researcher


def board_rows(slug: str) -> dict[str, Any]:
    standing = update_standing(Release.objects.get(slug=slug), "test")
    assert standing is not None
    return {row.content["model"]["name"]: row.content for row in standing.rows.all()}


def test_sealed_pairs_are_all_that_no_edge_joins_and_have_no_answers(sealed: Release) -> None:
    linked = set(first_years(SEALED_IN))
    items = list(Item.objects.filter(release=sealed).values_list("content", flat=True))
    pairs = {(one["subject"], one["object"]) for one in items}
    linked_ends = {end for pair in linked for end in pair}
    assert pairs == {
        (f"X:d{drug}", f"X:e{disease}")
        for drug in range(DRUGS)
        for disease in range(DISEASES)
        if (f"X:d{drug}", f"X:e{disease}") not in linked
        and {f"X:d{drug}", f"X:e{disease}"} <= linked_ends
    }
    assert len(items) == len(pairs)
    assert {one["year"] for one in items} == {SEALED_IN}
    assert not HiddenAnswer.objects.filter(item__release=sealed).exists()


def test_a_sealed_file_has_a_hash_and_a_time_and_no_score(
    sealed: Release, rita: Person, visitor: APIClient
) -> None:
    text = scores_of(sealed, memory_until(2022))
    answer = send(rita, text, "memory", knowledge_until=2022)
    assert answer.status_code == 202, answer.json()
    body = answer.json()
    assert (body["state"], body["scores"], body["key"]) == ("sealed", [], None)
    assert body["file_digest"] == hashlib.sha256(text.encode()).hexdigest()
    again = send(rita, text, "memory").json()
    assert (again["id"], again["created_at"]) == (body["id"], body["created_at"])
    page = visitor.get(f"{V1}/releases/later/sealed").json()
    (entry,) = page["entries"]
    assert (entry["model"], entry["file_digest"]) == ("Memory", body["file_digest"])
    assert (entry["sealed_at"], entry["knowledge_until"]) == (body["created_at"], 2022)
    assert (page["count"], page["boards"], page["later_versions"]) == (1, [], [])
    assert not Evaluation.objects.exists()
    assert not Score.objects.exists()
    board = visitor.get(f"{V1}/boards/later")
    assert board.json()["entries"] == 0


def test_anonymous_entries_have_no_name_and_faults_are_refused(
    sealed: Release, rita: Person, visitor: APIClient
) -> None:
    text = scores_of(sealed, memory_until(2022))
    until = (timezone.now() + timedelta(days=9)).isoformat()
    assert send(rita, text, "memory", anonymous_until=until).status_code == 202
    (entry,) = visitor.get(f"{V1}/releases/later/sealed").json()["entries"]
    assert entry["model"] is None
    assert send(rita, '{"id": "unknown", "score": 1}\n', "memory").status_code == 422


def test_who_memorised_a_year_is_perfect_until_then_and_at_chance_after_it(
    graph: Graph, sealed: Release, tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text(scores_of(sealed, memory_until(2022)))
    stored = run("submit", path, "--release", "later", "--model", "Memory")
    assert (stored["state"], "scores" in stored) == ("sealed", False)
    Submission.objects.update(declared={"knowledge_until": 2022})
    assert refuse("unseal", "later") == "no_later_version"

    add_version(graph, 2, rows_until(2022))
    first = run("unseal", "later")
    assert (first["until"], first["submissions"], first["late"]) == (2022, 1, 0)
    row = board_rows(first["release"])["Memory"]
    assert row["scores"]["roc_auc all"][0] == 1
    assert f"roc_auc {AFTER_CUTOFF}" not in row["scores"]

    add_version(graph, 3, rows_until(2024))
    second = run("unseal", "later")
    assert (second["until"], second["submissions"]) == (2024, 1)
    row = board_rows(second["release"])["Memory"]
    value, low, high, n = row["scores"][f"roc_auc {AFTER_CUTOFF}"]
    assert row["scores"]["roc_auc 2022"][0] == 1
    assert low < 0.5 < high
    assert abs(value - 0.5) < 0.15
    later = [year for year in first_years(2024).values() if year > 2022]
    assert 5 < n <= len(later)
    release = Release.objects.get(slug=second["release"])
    assert (release.state, release.unseals, release.cutoff) == ("closed", sealed, SEALED_IN)
    assert refuse("unseal", "later") == "already_unsealed"


def test_true_links_are_those_of_the_later_version_and_negatives_are_never_linked(
    graph: Graph, sealed: Release
) -> None:
    backdated = [EdgeRow("X:d0", "worsens", f"X:e{one}", first_year=1999) for one in range(9)]
    add_version(graph, 2, rows_until(2024, backdated))
    result = run("unseal", "later", "--until", 2023)
    years = dict(first_years(2024))
    for edge in backdated:
        years[edge.source, edge.target] = edge.first_year or 0
    items = Item.objects.filter(release__slug=result["release"]).select_related("hidden_answer")
    positives = 0
    for item in items:
        pair = item.content["subject"], item.content["object"]
        if item.hidden_answer.content["is_positive"]:
            positives += 1
            assert SEALED_IN < years[pair] <= 2023
            assert item.content["year"] == years[pair]
        else:
            assert pair not in years
    assert positives == result["links"] > 20
    assert len(items) == 11 * positives
    was_linked = set(first_years(SEALED_IN))
    found_before = {(edge.source, edge.target) for edge in backdated} - was_linked
    assert result["dropped"]["known_before"] == len(found_before) > 0
    assert result["dropped"]["linked_later"] == sum(year == 2024 for year in years.values())


def test_nothing_is_sealed_once_the_answers_are_known(
    graph: Graph, sealed: Release, rita: Person, administrator: Person
) -> None:
    text = scores_of(sealed, memory_until(2022))
    add_version(graph, 2, rows_until(2022))
    refused = send(rita, text, "memory")
    assert (refused.status_code, refused.json()["code"]) == (409, "answers_are_known")
    run("unseal", "later")
    sealed.refresh_from_db()
    assert sealed.state == "closed"
    state = administrator.browser.post(f"{V1}/releases/later/state", {"state": "open"})
    assert state.status_code == 409


def test_what_was_sealed_after_the_version_was_imported_is_not_scored(
    graph: Graph, sealed: Release, rita: Person
) -> None:
    assert send(rita, scores_of(sealed, memory_until(2022)), "memory").status_code == 202
    Submission.objects.update(created_at=timezone.now() + timedelta(hours=1))
    add_version(graph, 2, rows_until(2022))
    result = run("unseal", "later")
    assert (result["submissions"], result["late"]) == (0, 1)
    assert not Evaluation.objects.exists()


def test_withdrawn_predictions_stay_sealed_for_good(
    graph: Graph, sealed: Release, rita: Person
) -> None:
    sent = send(rita, scores_of(sealed, memory_until(2022)), "memory").json()
    gone = rita.browser.post(f"{V1}/submissions/{sent['id']}/withdraw", {}).json()
    assert gone["state"] == "withdrawn"
    add_version(graph, 2, rows_until(2022))
    assert run("unseal", "later")["submissions"] == 0


def test_an_entry_of_a_dated_board_belongs_to_who_sealed_it(
    graph: Graph, sealed: Release, rita: Person
) -> None:
    sent = send(rita, scores_of(sealed, memory_until(2022)), "memory").json()
    add_version(graph, 2, rows_until(2022))
    run("unseal", "later")
    mine = rita.browser.get(f"{V1}/submissions").json()["results"]
    (scored,) = [one for one in mine if one["state"] == "scored"]
    assert scored["created_at"] == sent["created_at"]
    assert scored["is_free"] is True
    assert scored["score_visibility"] == "shown"


def test_only_organisers_seal_and_unseal(
    graph: Graph, sealed: Release, rita: Person, administrator: Person, visitor: APIClient
) -> None:
    new = {"name": "Mine", "graph": graph.slug, "subjects": "Drug", "objects": "Disease"}
    colleague = make_person("carl", is_researcher=True)
    for browser, expected in ((visitor, 401), (rita.browser, 403), (colleague.browser, 403)):
        assert browser.post(f"{V1}/sealed-releases", new).status_code == expected
        assert browser.post(f"{V1}/releases/later/unseal", {}).status_code == expected
    answer = administrator.browser.post(f"{V1}/sealed-releases", new)
    assert answer.status_code == 201, answer.json()
    assert (answer.json()["is_sealed"], answer.json()["state"]) == (True, "draft")
    assert administrator.browser.post(f"{V1}/releases/later/unseal", {}).status_code == 409
    unknown = {**new, "subjects": "Planet"}
    assert administrator.browser.post(f"{V1}/sealed-releases", unknown).json()["code"] == "no_type"


def test_predictions_are_sealed_on_the_newest_version_alone(graph: Graph) -> None:
    add_version(graph, 2, rows_until(2022))
    types = ("--subjects", "Drug", "--objects", "Disease")
    assert refuse("seal_links", "dated@1", "--name", "old", *types) == "not_the_newest"
    run("seal_links", "dated", "--name", "newest", *types)
    assert refuse("run_baseline", "random", "--release", "newest") == "release_is_sealed"


def test_a_dated_board_shows_what_mattered_and_who_foresaw_it(
    graph: Graph, sealed: Release, tmp_path: Path, visitor: APIClient
) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text(scores_of(sealed, memory_until(2022)))
    run("submit", path, "--release", "later", "--model", "Memory")
    assert visitor.get(f"{V1}/boards/later/discoveries").status_code == 404
    add_version(graph, 2, rows_until(2024))
    slug = run("unseal", "later")["release"]
    page = visitor.get(f"{V1}/boards/{slug}/discoveries").json()
    assert (page["split"], page["entries"]) == ("test", 1)
    assert set(page["years"]) == {"2021", "2022", "2023", "2024"}
    assert page["total"] == sum(page["years"].values())
    importances = [one["importance"] for one in page["results"]]
    assert importances == sorted(importances, reverse=True)
    for one in page["results"]:
        assert one["components"] == {"jaccard": one["importance"]}
        is_foreseen = [who["name"] for who in one["foreseen_by"]] == ["Memory"]
        assert is_foreseen or one["year"] > 2022
    late = visitor.get(f"{V1}/boards/{slug}/discoveries?year=2024").json()
    assert {one["year"] for one in late["results"]} == {2024}
    assert late["total"] == page["years"]["2024"]
