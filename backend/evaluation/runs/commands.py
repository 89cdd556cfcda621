"""The command that repeats a run."""

import shlex

from backend.evaluation.models.runs import Run
from backend.evaluation.runs.task_settings import GUIDED, GUIDED_FLAGS
from backend.llm.models import Budget


def repeat_command(run: Run) -> str:
    words = ["manage.py", "run_model", run.release.slug]
    words += ["--endpoint", run.endpoint.name, "--task", run.task, "--model", run.model.name]
    if run.settings.get("split"):
        words += ["--split", run.settings["split"]]
    if run.settings.get("temperature"):
        words += ["--temperature", str(run.settings["temperature"])]
    for name in ("cutoff", "papers", "paper_ranker", "ranker"):
        if run.settings.get(name):
            words += [f"--{name.replace('_', '-')}", str(run.settings[name])]
    for name in GUIDED:
        if run.settings.get(name):
            value = [] if name in GUIDED_FLAGS else [str(run.settings[name])]
            words += [f"--{name.replace('_', '-')}", *value]
    if run.settings.get("max_items"):
        words += ["--max-items", str(run.settings["max_items"])]
    if run.settings.get("sample"):
        words += ["--sample", str(run.settings["sample"])]
    budget = Budget.objects.filter(subject=run.subject).first()
    if budget is not None and run.started_at is not None:
        words += ["--budget", f"{budget.amount.normalize():f}"]
    return shlex.join(words)
