"""SerenQA's second task: the summaries of a guided exploration become predictions."""

import io
import json
from decimal import Decimal
from pathlib import Path

import pytest

from backend.benchmarks.registered_models import get_or_create_model
from backend.evaluation.judging.score_files import read_texts
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.models import Exploration
from backend.evaluation.models.runs import RunState
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.services import NewRun, create_run, start_run
from backend.evaluation.services import get_job
from backend.tracks.serenqa_exploration.guided_state import read_state
from tests.evaluation.exploration_releases import make_exploration_release
from tests.evaluation.model_runs import file_of, work
from tests.evaluation.rule_player import RulePlayer
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer
from tests.personas import make_person

pytestmark = pytest.mark.django_db(transaction=True)


def test_summaries_of_each_level_are_predicted_and_name_the_ends_of_paths(
    tmp_path: Path, server: ScriptedServer
) -> None:
    release = make_exploration_release(tmp_path, "serenqa-reasoning").release
    server.script = RulePlayer(nodes=12, relations=6)
    settings = RunSettings(width=12, edges=40, relations=6, max_items=16)
    endpoint = make_endpoint(server.url, max_in_flight=4)
    model = get_or_create_model("Scripted explorer")
    task = "serenqa-reasoning-guided"
    run = create_run(actor=None, new=NewRun(release, endpoint, task, model, settings))
    work(run)
    assert run.state == RunState.ESTIMATED, run.error
    start_run(run=run, budget=Decimal(20))
    work(run)
    assert run.state == RunState.ENDED, run.error
    rows = [json.loads(line) for one in run.submissions.all() for line in file_of(one).splitlines()]
    assert len(rows) == 16
    states = {one.item_key: read_state(one.state) for one in Exploration.objects.filter(run=run)}
    texts = {tuple(summary.text for summary in one.summaries) for one in states.values()}
    for row in rows:
        reached = tuple(text for text in row["summaries"] if text)
        assert len(row["summaries"]) == 3
        assert reached in texts
        assert row["root"] in row["summaries"][0]
    covered = []
    for submission in run.submissions.all():
        run_or_await(get_job(submission))
        submission.refresh_from_db()
        assert submission.evaluation is not None
        covered.append(submission.evaluation.scores.get(metric="seren_cov", slice="all").value)
    assert covered and max(covered) > 0
    owner = make_person("rohan", is_administrator=True)
    page = owner.browser.get(f"/api/v1/runs/{run.pk}/explorations").json()
    assert page["count"] == 16
    content = owner.browser.get(f"/api/v1/runs/{run.pk}/summaries.jsonl").getvalue()
    lines = read_texts(io.BytesIO(content), "summaries.jsonl")
    assert sorted(one.item.text for one in lines) == sorted(it for one in texts for it in one if it)
    for one in lines:
        level = int(one.id.rpartition(":")[2])
        assert one.item.material and all(
            path.count(", ") >= 2 * level for path in one.item.material
        )
