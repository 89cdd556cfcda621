"""Guided explorations of a scripted server in tests, from the run that is made to its end."""

import re
from decimal import Decimal
from typing import Any

from backend.benchmarks.registered_models import get_or_create_model
from backend.evaluation.models import Exploration
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.services import NewRun, create_run, start_run
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.model_runs import file_of, work
from tests.llm.factories import make_endpoint

GUIDED = "serenqa-exploration-guided"
SMALL = {"width": 4, "edges": 5, "relations": 3, "max_items": 6}
LEVEL = re.compile("now at level ([0-9])")  # of prompts that choose relations


def new_guided_run(masked: MaskedRelease, url: str, *, places: int = 4, **settings: Any) -> Run:
    """places: of the endpoint."""
    name = f"scripted-{Run.objects.count()}"
    endpoint = make_endpoint(url, name, max_in_flight=places, timeout_s=300)
    model = get_or_create_model("Scripted explorer")
    chosen = RunSettings(**{**SMALL, **settings})
    return create_run(actor=None, new=NewRun(masked.release, endpoint, GUIDED, model, chosen))


def play_to_end(run: Run) -> Run:
    work(run)
    assert run.state == RunState.ESTIMATED, run.error
    start_run(run=run, budget=Decimal(5))
    return work(run)


def files_of(run: Run) -> dict[str, bytes]:
    return {one.split: file_of(one) for one in run.submissions.all()}


def states_of(run: Run) -> dict[str, str]:
    return dict(Exploration.objects.filter(run=run).values_list("item_key", "digest"))
