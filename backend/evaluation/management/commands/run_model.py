"""Let a language model answer the items of a release, and submit its predictions."""

import re
from argparse import ArgumentParser
from decimal import ROUND_DOWN, Decimal
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from pydantic import ValidationError

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.common.command_utils import JsonCommand, Output, parse_count, parse_seed
from backend.common.errors import Conflict, DomainError, NotFound
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.management.commands.submit import result_lines as score_lines
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.commands import repeat_command
from backend.evaluation.runs.estimates import format_money
from backend.evaluation.runs.run_settings import MOST_SAMPLES, RunSettings
from backend.evaluation.runs.services import (
    LEAST_DOLLARS,
    NewRun,
    create_run,
    resume_run,
    start_run,
)
from backend.evaluation.services import get_job
from backend.jobs.command_runner import run_with_progress_bar
from backend.jobs.models import Job
from backend.jobs.services import recover_job
from backend.llm.budgets import read_standing
from backend.llm.endpoints import get_endpoint_by_name_or_raise
from backend.llm.management.commands.add_endpoint import parse_budget
from backend.llm.models import Budget, Endpoint


class Command(JsonCommand):
    help = (
        "Let a language model answer the items of a release, within a budget, and submit the "
        "predictions. Without a budget, an endpoint with a price answers five items, and "
        "the estimate is printed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("release", metavar="RELEASE", help="its slug")
        parser.add_argument("--endpoint", required=True, metavar="E", help="its name")
        parser.add_argument("--task", required=True, metavar="T", help="truthhypo-parametric, …")
        parser.add_argument("--budget", type=parse_budget, metavar="DOLLARS")
        parser.add_argument("--model", default="", help="submit under this name")
        parser.add_argument("--split", choices=ReleaseSplit.values)
        parser.add_argument("--temperature", type=float, metavar="T", help="0 if none")
        parser.add_argument("--max-items", type=int, metavar="N")
        parser.add_argument("--cutoff", type=int, metavar="PMID|YEAR", help="show nothing later")
        parser.add_argument("--papers", metavar="SLUG", help="of a collection")
        parser.add_argument("--paper-ranker", help="bm25 if none, or hybrid with vectors")
        parser.add_argument("--ranker", help="whose first entities are reranked; bm25 if none")
        parser.add_argument("--relations", type=int, metavar="M", help="of a node; 5 if none")
        parser.add_argument("--edges", type=int, metavar="K", help="offered of a node; 10 if none")
        parser.add_argument("--width", type=int, metavar="N", help="of a level; 30 if none")
        parser.add_argument("--depth", type=int, metavar="H", help="levels; 3 if none")
        parser.add_argument("--seed", type=parse_seed, help="of the draws of edges; 0 if none")
        parser.add_argument(
            "--without-summaries",
            action="store_true",
            default=None,
            help="no description of a level is in a later prompt",
        )
        parser.add_argument(
            "--without-weights",
            action="store_true",
            default=None,
            help="edges are drawn, and no prompt has a weight",
        )
        samples = parser.add_mutually_exclusive_group()
        samples.add_argument(
            "--sample", type=parse_count, metavar="K", help="number of a repeated answer"
        )
        samples.add_argument(
            "--samples",
            type=parse_count,
            metavar="N",
            help="answer the items N times at a temperature, a run each; --budget is for all",
        )
        parser.add_argument(
            "--resume", action="store_true", help="go on with the last run of these that stopped"
        )

    def run(self, options: dict[str, Any]) -> Output:
        try:
            if options["samples"] is None:
                return self._run_once(options)
            results = [self._run_once(one) for one in list_samples(options)]
        except KeyboardInterrupt:
            message = "The command was stopped. Answers so far are stored; go on with --resume."
            raise DomainError(message, code="stopped") from None
        lines = [line for _, lines in results for line in lines]
        return {"samples": [payload for payload, _ in results]}, lines

    def _run_once(self, options: dict[str, Any]) -> Output:
        run = self._choose_run(options)
        if run.state == RunState.ESTIMATING:
            run = work_off(run)
        if run.state == RunState.ESTIMATED:
            budget = options["budget"]
            if budget is None and is_free(run.endpoint):
                budget = Budget.objects.get(subject=run.subject).amount
            if budget is None:
                return payload(run), estimate_lines(run)
            run = work_off(start_run(run=run, budget=budget, is_local=True))
        if run.state != RunState.ENDED:
            error = run.error or {}
            detail = error.get("detail", f"The run is {run.state}.")
            raise DomainError(f"{detail} Go on with --resume.", code="run_not_ended")
        score(run)
        return payload(run), result_lines(run)

    def _choose_run(self, options: dict[str, Any]) -> Run:
        """Of several samples, those that have ended stay, and missing ones are made."""
        if not options["resume"]:
            return self._make_run(options)
        if options["samples"] is None:
            return self._find_run(options)
        latest = find_runs(options).exclude(state=RunState.CANCELLED).first()
        if latest is None:
            return self._make_run(options)
        require_same_settings(latest, options)
        return latest if latest.state == RunState.ENDED else self._find_run(options)

    def _make_run(self, options: dict[str, Any]) -> Run:
        release, endpoint = find(options)
        try:
            chosen = RunSettings(**given_settings(options))
        except ValidationError as error:
            wrong = error.errors()[0]
            raise DomainError(f"--{wrong['loc'][0]}: {wrong['msg']}.") from error
        name = options["model"] or default_model_name(endpoint, options["task"])
        model = get_or_create_model(name)
        new = NewRun(release, endpoint, options["task"], model, chosen)
        return create_run(actor=None, new=new, is_local=True)

    def _find_run(self, options: dict[str, Any]) -> Run:
        """The last one that has not ended, set going."""
        ended = (RunState.ENDED, RunState.CANCELLED)
        run = find_runs(options).exclude(state__in=ended).first()
        if run is None:
            raise NotFound("There is no such run that stopped. Run it without --resume.")
        require_same_settings(run, options)
        release_dead_job(run)
        if run.state in (RunState.PAUSED, RunState.FAILED):
            run = resume_run(run=run, budget=options["budget"], is_local=True)
            if run.state == RunState.RUNNING:
                run = work_off(run)
        return run


def find_runs(options: dict[str, Any]) -> QuerySet[Run]:
    """Of commands, the latest first; those of a sample only where its number is given."""
    release, endpoint = find(options)
    rows = Run.objects.filter(release=release, endpoint=endpoint, task=options["task"], owner=None)
    sample = options["sample"]
    if sample:
        rows = rows.filter(settings__sample=sample)
    else:
        rows = rows.exclude(settings__has_key="sample")
    return rows.select_related("release", "endpoint", "model", "job")


def list_samples(options: dict[str, Any]) -> list[dict[str, Any]]:
    """Each with its part of the budget, under a model of its own: a board has one entry of each.

    Raises DomainError for another number than 2 to 20.
    """
    count, budget = options["samples"], options["budget"]
    if not 2 <= count <= MOST_SAMPLES:
        raise DomainError(f"--samples: Use 2 to {MOST_SAMPLES}.", code="sample_count")
    if budget is not None:
        budget = (budget / count).quantize(LEAST_DOLLARS, ROUND_DOWN)
    name = options["model"] or default_model_name(find(options)[1], options["task"])
    return [
        {**options, "sample": one, "model": f"{name[:180]}, sample {one}", "budget": budget}
        for one in range(1, count + 1)
    ]


def given_settings(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in RunSettings.model_fields if options[name] is not None}


def require_same_settings(run: Run, options: dict[str, Any]) -> None:
    """Raises Conflict with the options that differ from those of the run."""
    own = RunSettings.model_validate(run.settings).model_dump()
    given = given_settings(options)
    differing = [name for name, value in given.items() if own[name] != value]
    if options["model"] and options["model"] != run.model.name:
        differing.append("model")
    if differing:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in differing)
        message = f"The run has other settings: {names}. Leave them out, or run without --resume."
        raise Conflict(message, code="other_settings", data={"settings": differing})


def find(options: dict[str, Any]) -> tuple[Release, Endpoint]:
    release = Release.objects.filter(slug=options["release"]).first()
    if release is None:
        raise NotFound(f"There is no release '{options['release']}'.")
    return release, get_endpoint_by_name_or_raise(options["endpoint"])


def default_model_name(endpoint: Endpoint, task: str) -> str:
    name = re.sub(r"\s+", " ", endpoint.model).strip()
    return f"{name} ({task})"[:200]


def is_free(endpoint: Endpoint) -> bool:
    return endpoint.price_in == 0 == endpoint.price_out


def release_dead_job(run: Run) -> None:
    """Raises Conflict while another process works on the run."""
    if run.job is None or run.job.has_ended:
        run.refresh_from_db()
        return
    if not Job.objects.abandoned().filter(pk=run.job.pk).exists():
        if run.job.started_at is not None or not run.job.is_local:
            message = "Another process works on this run, or worked on it a minute ago. Wait."
            raise Conflict(message, code="run_is_active")
        return
    recover_job(run.job)
    run.refresh_from_db()


def work_off(run: Run) -> Run:
    assert run.job is not None
    job = run_with_progress_bar(run.job)
    run = Run.objects.select_related("release", "endpoint", "model", "job").get(pk=run.pk)
    if job.error and run.state not in (RunState.FAILED, RunState.PAUSED):
        raise DomainError(str(job.error.get("detail", "The job failed.")))
    return run


def score(run: Run) -> None:
    for submission in run.submissions.all():
        job = get_job(submission)
        if not job.has_ended:
            run_or_await(job)


def payload(run: Run) -> dict[str, Any]:
    standing = read_standing(Budget.objects.get(subject=run.subject))
    scores = [
        {"submission": str(one.pk), "split": one.split, "state": one.state}
        | ({"scores": main_scores(one)} if one.evaluation else {})
        for one in run.submissions.select_related("evaluation").order_by("split")
    ]
    return {
        "run": str(run.pk),
        "address": address("runs", run.pk),
        "is_sample": any(one.is_sample for one in run.submissions.all()),
        "state": run.state,
        "answered_by": {
            "model": run.endpoint.model,
            "size": run.endpoint.size_label,
            "parameters": run.endpoint.parameters,
        },
        "estimate": run.estimate,
        "budget": {"amount": str(standing.amount), "spent": str(standing.spent)},
        "calls": standing.calls,
        "submissions": scores,
        "command": repeat_command(run),
    }


def main_scores(submission: Any) -> list[dict[str, Any]]:
    names = ("metric", "slice", "value", "low", "high", "n", "coverage")
    return [*submission.evaluation.scores.order_by("pk").values(*names)]


def estimate_lines(run: Run) -> list[str]:
    estimate = run.estimate or {}
    return [
        describe_model(run.endpoint),
        f"{run.items:,} items, about {estimate['calls']:,} calls and {estimate['seconds']:,} s",
        f"cost about ${estimate['cost']}, at most ${estimate['worst_cost']}",
        *papers_lines(estimate.get("papers")),
        "No other call was made. Run again with --resume --budget DOLLARS.",
    ]


def papers_lines(papers: dict[str, Any] | None) -> list[str]:
    if papers is None:
        return []
    line = f"papers of {papers['collection']}: {papers['papers']:,}"
    if papers["later"] is None:
        return [f"{line}, without a cut-off"]
    left_out = f"{papers['later']:,} later and {papers['undated']:,} without a date or PMID"
    return [f"{line}, {left_out} left out"]


def describe_model(endpoint: Endpoint) -> str:
    return f"Answered by {endpoint.model_and_size}"


def result_lines(run: Run) -> list[str]:
    result = payload(run)
    spent = format_money(Decimal(result["budget"]["spent"]))
    lines = [
        describe_model(run.endpoint),
        f"{result['calls']:,} calls, ${spent} spent",
        f"Run: {result['address']}",
    ]
    for one in run.submissions.select_related("evaluation").order_by("split"):
        lines.append(f"Submission of the {one.split} split: {address('submissions', one.pk)}")
        if one.is_sample:
            lines.append(f"A sample of {run.items:,} items: boards do not rank it.")
        if one.evaluation:
            lines += [f"{one.split:<5} {line}" for line in score_lines(one.evaluation)]
    return lines


def address(page: str, identifier: object) -> str:
    return f"{settings.SITE_URL}/{page}/{identifier}"
