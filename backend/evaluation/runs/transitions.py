"""The one function that moves a run from state to state."""

from typing import Any

from django.db.models import F

from backend.common.errors import Conflict
from backend.evaluation.models.runs import ALLOWED_RUN_TRANSITIONS, Run, RunState


def move_run(run: Run, to: RunState, **fields: Any) -> Run:
    """Change the state by compare-and-set. Raises Conflict if it has changed meanwhile."""
    origin = RunState(run.state)
    if to not in ALLOWED_RUN_TRANSITIONS[origin]:
        message = f"A run that is {origin.label.lower()} cannot become {to.label.lower()}."
        raise Conflict(message, code="run_state")
    rows = Run.objects.filter(pk=run.pk, state=origin)
    if not rows.update(state=to, version=F("version") + 1, **fields):
        raise Conflict("The run has changed meanwhile. Load it again.", code="run_changed")
    run.refresh_from_db()
    return run
