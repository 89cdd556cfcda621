"""Guided exploration as a run: from a command or request to the board, on the masked graph."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from backend.benchmarks.registered_models import get_or_create_model
from backend.evaluation.models import Exploration, Submission
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.services import NewRun, create_run, pause_run, resume_run, start_run
from backend.llm.models import CachedAnswer, Call, StoredText
from tests.evaluation.exploration_releases import RulePlayer, make_exploration_release
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.model_runs import file_of, work
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer

pytestmark = pytest.mark.django_db(transaction=True)
GUIDED = "serenqa-exploration-guided"
SMALL = {"width": 4, "edges": 5, "relations": 3, "max_items": 6}


@pytest.fixture
def masked(transactional_db: None, tmp_path: Path) -> MaskedRelease:
    return make_exploration_release(tmp_path)


def new_guided_run(masked: MaskedRelease, url: str, **settings: Any) -> Run:
    endpoint = make_endpoint(url, f"scripted-{Run.objects.count()}", max_in_flight=4)
    model = get_or_create_model("Scripted explorer")
    chosen = RunSettings(**{**SMALL, **settings})
    return create_run(actor=None, new=NewRun(masked.release, endpoint, GUIDED, model, chosen))


def play_to_end(run: Run) -> Run:
    work(run)
    assert run.state == RunState.ESTIMATED, run.error
    from decimal import Decimal

    start_run(run=run, budget=Decimal(5))
    return work(run)


def prompts_of(run: Run) -> list[str]:
    digests = Call.objects.filter(budget__subject=run.subject).values("prompt")
    return [bytes(one.content).decode() for one in StoredText.objects.filter(digest__in=digests)]


def test_a_run_explores_many_roots_and_ends_as_a_submission(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    server.script = RulePlayer()
    run = play_to_end(new_guided_run(masked, server.url))
    assert run.state == RunState.ENDED, run.error
    assert run.estimate is not None and run.estimate["sampled"] == 2
    rows = [json.loads(line) for one in run.submissions.all() for line in file_of(one).splitlines()]
    assert len(rows) == 6 == Exploration.objects.filter(run=run, has_ended=True).count()
    assert any(row["leaves"] for row in rows)
    depths = {len(leaf["path"]) // 2 for row in rows for leaf in row["leaves"]}
    assert depths == {1, 2, 3}
    assert server.most_in_flight > 1
    paid = Counter(json.dumps(one.body["messages"]) for one in server.log if one.is_paid)
    assert set(paid.values()) == {1}
