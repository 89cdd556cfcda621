"""Runs of the scripted server in tests: it plays a model, and nothing outside takes it for one."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from backend.benchmarks.models import HiddenAnswer, Item, Release
from backend.benchmarks.registered_models import get_or_create_model
from backend.evaluation.models import Submission
from backend.evaluation.models.runs import Run
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.services import NewRun, create_run
from backend.jobs.runner import run_job
from backend.llm.models import Endpoint
from tests.evaluation.truthhypo_files import pair_of
from tests.llm.factories import QUICK
from tests.llm.scripted_server import Script, Scripted

PARAMETRIC = "truthhypo-parametric"


def skilled(release: Release, skill: float, seed: int = 0) -> Script:
    """A model that gives the true label to this share of the pairs, else another label."""
    rows = HiddenAnswer.objects.filter(item__release=release).select_related("item")
    truth = {row.item.content["x_id"]: (row.item.content, row.content["label"]) for row in rows}

    def script(body: dict[str, Any], number: int) -> Scripted:
        x_id = pair_of(body)
        item, label = truth[x_id]
        draws = np.random.default_rng([seed, *x_id.encode()])
        wrong = [one for one in item["labels"] if one != label]
        given = label if draws.random() < skill else str(draws.choice(wrong))
        return Scripted(text=json.dumps({"rationale": "It is scripted.", "label": given}))

    return script


def new_run(release: Release, endpoint: Endpoint, *, actor: Any = None, **settings: Any) -> Run:
    model = get_or_create_model("Scripted model")
    if actor is not None:
        type(model).objects.filter(pk=model.pk).update(owner=actor)
        model.refresh_from_db()
    new = NewRun(release, endpoint, PARAMETRIC, model, RunSettings(**settings))
    return create_run(actor=actor, new=new)


def work(run: Run) -> Run:
    """Let the run's job end in this process."""
    run.refresh_from_db()
    assert run.job_id is not None
    run_job(run.job_id, inputs={"rules": QUICK})
    run.refresh_from_db()
    return run


def file_of(submission: Submission) -> bytes:
    return prediction_path(submission.file_digest).read_bytes()


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def item_count(release: Release) -> int:
    return Item.objects.filter(release=release).count()
