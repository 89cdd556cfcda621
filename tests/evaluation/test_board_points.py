"""All entries of a board as points: the Pareto front of the whole board, however long it is."""

import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.leaderboard.board_points import MOST_POINTS, BoardPoint, pareto_front
from backend.leaderboard.models import Standing, StandingRow
from tests.evaluation.submission_forms import form
from tests.evaluation.truthhypo_files import prediction_lines
from tests.personas import Person

BOARD = "/api/v1/boards/pairs"
KEY = "relation_accuracy average"


def entry_id(number: int) -> str:
    return str(uuid.UUID(int=number))


def point(number: int, x: float, score: float) -> BoardPoint:
    return BoardPoint(str(number), None, x, score, None, None, is_simulated=False)


def is_dominated(one: BoardPoint, other: BoardPoint, sign: int) -> bool:
    as_good = other.x <= one.x and sign * other.score >= sign * one.score
    return as_good and (other.x, other.score) != (one.x, one.score)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_front_is_what_no_other_point_dominates(sign: int) -> None:
    rng = np.random.default_rng(7)
    for size in (0, 1, 2, 40):
        values = rng.integers(0, 6, size=(size, 2)).tolist()
        points = [point(number, x, score) for number, (x, score) in enumerate(values)]
        front = pareto_front(points, lower_is_better=sign < 0)
        undominated = [
            one for one in points if not any(is_dominated(one, other, sign) for other in points)
        ]
        assert {one.submission for one in front} == {one.submission for one in undominated}
        assert [one.x for one in front] == sorted(one.x for one in front)


@pytest.fixture
def long_board(
    researcher: Person, release: Release, submit_and_score: Callable[..., Any]
) -> Standing:
    """One entry many times: dearer and better downwards, so that the last one is on the front."""
    model = register_model(actor=researcher.user, name="omega")
    lines = prediction_lines(range(60))
    entry = submit_and_score(researcher.browser, form(lines, model=model.slug))
    standing = Standing.objects.get()
    content = standing.rows.get().content
    standing.rows.all().delete()
    count = MOST_POINTS + 50

    def described(number: int) -> dict[str, Any]:
        cost = None if number == 2 else float(number if number < count else 0.5)
        value = 90.0 if number < count else 10.0
        scores = content["scores"] | {KEY: [value, value - 1, value + 1, 60]}
        return {**content, "submission": entry_id(number), "cost_usd": cost, "scores": scores}

    StandingRow.objects.bulk_create(
        StandingRow(
            standing=standing,
            position=number,
            submission_id=entry["id"],
            content=described(number) | ({"sample": "1 %", "rank": None} if number == 3 else {}),
        )
        for number in range(1, count + 1)
    )
    Standing.objects.update(entries=count)
    return standing


@pytest.mark.django_db
def test_the_last_entry_of_a_long_board_is_on_its_front(
    visitor: APIClient, long_board: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backend.leaderboard.api.points.time.time", lambda: 60.0)
    count = MOST_POINTS + 50
    data = visitor.get(f"{BOARD}/points", {"x": "cost"}).json()
    assert data["front"] == [entry_id(count), entry_id(1)]
    # Without the declared sample; one entry has no cost.
    assert (data["entries"], data["placed"]) == (count - 1, count - 2)
    drawn = [one["submission"] for one in data["points"]]
    assert (len(drawn), drawn[-1]) == (MOST_POINTS + 1, entry_id(count))
    with CaptureQueriesContext(connection) as queries:
        visitor.get(f"{BOARD}/points", {"x": "cost"})
    assert not [one for one in queries if "standingrow" in one["sql"]]


@pytest.mark.django_db
def test_points_follow_the_filter_and_have_no_name_of_an_anonymous_entry(
    visitor: APIClient, long_board: Standing
) -> None:
    first = long_board.rows.get(position=1)
    first.content |= {"model": None, "anonymous_until": "2099-01-01T00:00:00Z"}
    first.save()
    data = visitor.get(f"{BOARD}/points", {"x": "cost", "hide": "simulated"}).json()
    assert data["points"][0]["name"] is None
    nothing = visitor.get(f"{BOARD}/points", {"x": "cost", "text": "nobody"}).json()
    assert nothing == {"entries": 0, "placed": 0, "points": [], "front": []}
    sizes = visitor.get(f"{BOARD}/points", {"x": "parameters"}).json()
    assert (sizes["placed"], sizes["points"]) == (0, [])
    for query in ({}, {"x": "beauty"}, {"x": "cost", "slice": "nothing"}):
        assert visitor.get(f"{BOARD}/points", query).status_code in {400, 422}
