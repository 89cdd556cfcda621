"""The leaderboard's routes, read by a visitor without a session."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor() -> Client:
    return Client()


def test_a_visitor_sees_every_track_with_its_paper_and_numbers(visitor: Client) -> None:
    tracks = visitor.get("/api/v1/leaderboards").json()["results"]
    assert {track["paper"] for track in tracks} == {
        "SerenQA",
        "TruthHypo",
        "STaRK",
        "Dyport",
        "BioHopR",
    }
    first = tracks[0]
    assert (first["track"], first["title"], first["tables"]) == (
        "serenqa-retrieval",
        "Retrieval",
        1,
    )
    assert (first["entries"], first["models"], first["evaluated"]) == (13, 13, None)
    assert not [one for one in tracks if one["track"] == "dyport-importance"]


def test_models_are_counted_once_however_many_rows_they_have(visitor: Client) -> None:
    tracks = {one["track"]: one for one in visitor.get("/api/v1/leaderboards").json()["results"]}
    assert (tracks["truthhypo"]["entries"], tracks["truthhypo"]["models"]) == (16, 4)
    assert (tracks["biohopr"]["entries"], tracks["biohopr"]["models"]) == (11, 9)


def test_the_best_three_models_as_printed_with_their_source(visitor: Client) -> None:
    tracks = {one["track"]: one for one in visitor.get("/api/v1/leaderboards").json()["results"]}
    printed = tracks["truthhypo"]["printed"]
    assert (printed["id"], printed["date"], printed["items"]) == ("truthhypo-2", "2025", 2024)
    assert [(one["name"], one["text"]) for one in printed["best"]] == [
        ("GPT-4o", "66.95"),
        ("Llama-3.1-70B", "60.18"),
        ("GPT-4o-mini", "59.93"),
    ]
    assert [one["rank_best"] for one in printed["best"]] == [1, 2, 3]
    assert [one["rank_best"] for one in tracks["biohopr"]["printed"]["best"]] == [1, 1, 1]
    assert printed["best"][0]["note"] == "Own knowledge, graph and literature"
    assert {one["low"] for one in printed["best"]} == {None}
    assert tracks["dyport"]["printed"]["reference"] == {"name": "chance", "value": 0.5}


def test_rows_over_a_sample_are_not_among_the_best(visitor: Client) -> None:
    tracks = {one["track"]: one for one in visitor.get("/api/v1/leaderboards").json()["results"]}
    best = [one["name"] for one in tracks["stark-prime"]["printed"]["best"]]
    assert len(best) == 3 and not [name for name in best if "Reranker" in name]


def test_a_name_that_the_paper_spells_otherwise_is_the_models_own(visitor: Client) -> None:
    table = visitor.get("/api/v1/leaderboards/serenqa-reasoning").json()["tables"][0]
    [row] = [one for one in table["rows"] if one["model"] == "Gamma-2-27B"]
    assert (row["model_label"], row["model_name"]) == ("Gamma-2-27B", "Gemma-2-27B")


def test_a_visitor_reads_the_tables_of_a_track_as_printed(visitor: Client) -> None:
    answer = visitor.get("/api/v1/leaderboards/stark-prime").json()
    table = answer["tables"][0]
    assert (answer["paper"], table["table"], table["rows"][5]["provenance"]) == (
        "STaRK",
        "7",
        "published",
    )
    assert table["columns"][0] == {
        "key": "all.hit@1",
        "slice": "all",
        "metric": "hit@1",
        "label": "Hit@1",
        "direction": "higher",
        "unit": "fraction",
        "scale": "0 to 1",
        "decimals": 4,
    }
    assert table["rows"][5]["cells"][0] == {
        "column": "all.hit@1",
        "value": 0.1828,
        "text": "0.1828",
        "place": "best",
    }


def test_every_listed_track_can_be_opened(visitor: Client) -> None:
    for track in visitor.get("/api/v1/leaderboards").json()["results"]:
        answer = visitor.get(f"/api/v1/leaderboards/{track['track']}").json()
        assert len(answer["tables"]) == track["tables"]
        assert answer["entries"] == track["entries"]


@pytest.mark.parametrize("track", ["serenqa", "STARK-PRIME", "..", "%00", "stark-prime%20"])
def test_an_unknown_track_is_a_problem_that_no_cache_keeps(visitor: Client, track: str) -> None:
    answer = visitor.get(f"/api/v1/leaderboards/{track}", headers={"If-None-Match": "*"})
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "not_found"
    assert answer["Cache-Control"] == "no-store"


def test_an_answer_may_be_kept_by_anyone_and_is_sent_once(visitor: Client) -> None:
    first = visitor.get("/api/v1/leaderboards/truthhypo")
    assert first["Cache-Control"] == "public, max-age=300"
    assert "Cookie" not in first.get("Vary", "")
    assert not first.cookies
    again = visitor.get("/api/v1/leaderboards/truthhypo", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_can_be_written(visitor: Client, method: str) -> None:
    for path in ("/api/v1/leaderboards", "/api/v1/leaderboards/truthhypo"):
        assert getattr(visitor, method)(path).status_code == 405
