"""The leaderboard's routes, asked by a visitor: no session, and no database to lean on."""

import pytest
from django.test import Client


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
    assert tracks[0] == {
        "track": "serenqa-retrieval",
        "title": "Retrieval",
        "paper": "SerenQA",
        "about": "Turn a question into a graph query and return the entities that answer it.",
        "tables": 1,
        "entries": 13,
    }


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
