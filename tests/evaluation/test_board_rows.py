"""Rows of large standings: what a search finds, and that a page is found by its index."""

import uuid
from typing import Any

import numpy as np
import pytest
from django.db import connection

from backend.benchmarks.models import Release
from backend.leaderboard.board_rows import CONTENTS_AT, contents_at
from backend.leaderboard.entry_names import positions_named
from backend.leaderboard.models import Standing, StandingRow

pytestmark = pytest.mark.django_db
ENTRIES = 3_000
WORDS = ("Ωmega", "straße", "BERT", "kg", "a%b", "x_1", "İzmir", "R-GCN", "\n", "null")


def standing_of(release: Release, models: list[dict[str, Any] | None]) -> Standing:
    standing = Standing.objects.create(
        release=release, split="test", digest="0" * 64, evaluator_version="1", entries=len(models)
    )
    StandingRow.objects.bulk_create(
        StandingRow(
            standing=standing,
            position=position,
            submission_id=uuid.uuid4(),
            content={"model": model, "filler": "x" * 400},
        )
        for position, model in enumerate(models, 1)
    )
    return standing


def random_model(draw: np.random.Generator) -> dict[str, Any] | None:
    if draw.random() < 0.1:
        return None
    name, organisation = ("".join(draw.choice(WORDS, draw.integers(4))) for _ in range(2))
    return {"name": name, "organisation": (organisation, "", None)[draw.integers(3)]}


@pytest.mark.parametrize("seed", range(5))
def test_a_search_finds_what_reading_every_name_finds(release: Release, seed: int) -> None:
    draw = np.random.default_rng(seed)
    models = [random_model(draw) for _ in range(200)]
    standing = standing_of(release, models)
    texts = [*WORDS, "OMEGA", "STRASSE", "ωm", "gc", "é", "1a", "model"]
    for text in texts:
        expected = [
            position
            for position, model in enumerate(models, 1)
            if model is not None
            and any(text.casefold() in (name or "").casefold() for name in model.values())
        ]
        assert list(positions_named(standing, text)) == expected, text
    assert list(positions_named(standing_of(release, []), "a")) == []


def test_rows_of_a_standing_newer_than_the_statistics_are_found_by_position(
    release: Release,
) -> None:
    """A board is read as soon as it is ranked."""
    for _ in range(20):
        standing_of(release, [None] * 20)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE leaderboard_standingrow")
    standing = standing_of(release, [None] * ENTRIES)
    positions = [ENTRIES, 5, 1_777]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {CONTENTS_AT}", [standing.pk, positions])
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "standing_position_once" in plan
    assert "Filter" not in plan
    assert len(contents_at(standing, positions)) == len(positions)
