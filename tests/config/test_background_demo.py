"""The demo's releases that workers made after the first page was there, in the data of a start."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from backend.leaderboard.models import AFTER_CUTOFF
from backend.tracks.registry import load_tracks
from tests.e2e.stack import ROOT, Stack
from tests.prepared_data import copy_data

IN_SHELL = "from tests.config import demo_facts as facts; facts.print_facts()"
TRACKS = ("serenqa-retrieval", "serenqa-exploration", "biohopr", "dyport")


@pytest.fixture(scope="module")
def facts(prepared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Before and after the demo is loaded again, without workers."""
    stack = Stack(tmp_path_factory.mktemp("demo") / "data")
    copy_data(prepared_data, stack.data)
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", IN_SHELL]
    printed = subprocess.check_output(command, cwd=ROOT, env=stack.environment, text=True)
    result: dict[str, Any] = json.loads(printed)
    return result


def test_a_worker_makes_the_releases_that_take_longer(facts: dict[str, Any]) -> None:
    assert facts["job"] == {"state": "succeeded", "error": None}
    assert facts["has_background_demo"]
    releases = facts["releases"]
    assert {one: releases[one]["state"] for one in TRACKS} == dict.fromkeys(TRACKS, "open")
    for track in TRACKS:
        rows = releases[track]["board"]
        simulated = [row for row in rows if row["is_simulated"]]
        assert len(simulated) == (6 if track == "serenqa-retrieval" else 12)
        baselines = [row for row in rows if row["provenance"] == "baseline"]
        assert len(baselines) == len(load_tracks()[track].baselines)
    for track in ("serenqa-retrieval", "serenqa-exploration"):
        [graph] = releases[track]["graphs"]
        assert graph["method"] == "rns"
        assert graph["removed_edges"] > 0


def test_the_best_three_are_those_that_are_not_simulated(facts: dict[str, Any]) -> None:
    boards = {one: facts["releases"][one]["board"] for one in TRACKS}
    for track, rows in boards.items():
        real = [row["submission"] for row in rows if not row["is_simulated"]]
        assert facts["best"][track] == real[:3]
        assert real


def test_simulated_queries_are_executed_and_some_fail(facts: dict[str, Any]) -> None:
    board = facts["releases"]["serenqa-retrieval"]["board"]
    queries = [row for row in board if row["is_simulated"]]
    executed = [row["scores"]["executability all"][0] for row in queries]
    assert max(executed) > 90 > 60 > min(executed)


def test_a_simulated_forecaster_knows_the_links_until_2008(facts: dict[str, Any]) -> None:
    board = facts["releases"]["dyport"]["board"]
    forecasts = {row["model"]["name"][-1]: row for row in board if row["is_simulated"]}
    # The others know none of them.
    assert {row["knowledge_until"] for row in forecasts.values()} == {2004, 2008}
    known, later = (forecasts["C"]["scores"][f"roc_auc {name}"] for name in ("2008", AFTER_CUTOFF))
    assert known[0] > 0.99
    assert later == forecasts["C"]["scores"]["roc_auc 2009 and later"]
    of_a = forecasts["A"]["scores"]
    assert later[0] < of_a[f"roc_auc {AFTER_CUTOFF}"][0] < 0.95
    assert of_a[f"roc_auc {AFTER_CUTOFF}"] == of_a["roc_auc all"]


def test_loading_the_background_demo_again_changes_nothing(facts: dict[str, Any]) -> None:
    assert facts["again"]["is_same_job"]
    assert facts["again"]["before"] == facts["again"]["after"]
    assert facts["again"]["before"]["releases"]


def test_a_release_of_walks_without_its_masked_graph_gets_it_at_the_next_start(
    facts: dict[str, Any],
) -> None:
    """An earlier version opened it without."""
    assert facts["without_graph"] == {"before": False, "after": True}
