"""The command `serendib`: what it does, what it prints, its exit status."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import httpx
from pydantic import TypeAdapter

from backend.client.arguments import make_parser
from backend.client.client import Client
from backend.client.errors import ClientError, InvalidPredictions, RequestRefused
from backend.client.file_validation import validate_file
from backend.client.output import (
    clean,
    fetched_lines,
    model_lines,
    release_lines,
    state_line,
    submission_lines,
    validation_lines,
)
from backend.client.results import Submission
from backend.client.upload import Progress

SUCCEEDED, FAILED, NOT_RUN = 0, 1, 2
REFUSALS = frozenset({409, 413, 422, 429})  # of what was sent, not of who sent it or to where
DECLARED = (
    *("cost_usd", "latency_s", "hardware", "sample", "method", "notes"),
    *("knowledge_until", "anonymous_until"),
)
MODEL_FIELDS = (
    *("organisation", "family", "parameters", "licence"),
    *("training_cutoff", "training_data", "link", "code", "paper"),
)


@dataclass(frozen=True)
class Outcome:
    """What is printed: a JSON-ready value, or lines."""

    payload: object
    lines: Iterable[str]
    status: int = SUCCEEDED


def main(
    arguments: Sequence[str] | None = None, *, transport: httpx.BaseTransport | None = None
) -> int:
    """The exit status. argparse ends the process after errors of usage, with status 2."""
    options = make_parser().parse_args(arguments)
    try:
        with Client(options.url, options.token, transport=transport, notify=notify) as client:
            outcome = COMMANDS[options.command](client, options)
    except ClientError as error:
        outcome = error_outcome(options, error)
    except KeyboardInterrupt:
        return NOT_RUN
    return write(outcome, as_json=options.json)


def write(outcome: Outcome, *, as_json: bool) -> int:
    lines = outcome.lines
    if as_json and outcome.payload is not None:
        lines = [json.dumps(TypeAdapter(object).dump_python(outcome.payload, mode="json"))]
    try:
        for line in lines:
            print(line if as_json else clean(line), flush=True)
    except BrokenPipeError:
        # The reader has enough; Python would report at exit what it cannot flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return outcome.status


def notify(text: str) -> None:
    print(clean(text), file=sys.stderr)


def error_outcome(options: Namespace, error: ClientError) -> Outcome:
    if isinstance(error, InvalidPredictions):
        validation = error.validation
        return Outcome(validation, validation_lines(str(options.file), validation), FAILED)
    payload: Mapping[str, object] = {"code": error.code, "detail": error.detail}
    lines = [error.detail]
    status = NOT_RUN
    if isinstance(error, RequestRefused):
        payload = {**error.problem, **payload}
        lines += problem_lines(error)
        status = FAILED if error.status in REFUSALS else NOT_RUN
    if not options.json:
        for line in lines:
            notify(line)
    return Outcome({"error": payload}, (), status)


def problem_lines(error: RequestRefused) -> list[str]:
    faults = error.problem.get("errors")
    rows = [one for one in faults if isinstance(one, dict)] if isinstance(faults, list) else []
    return [f"{one.get('place', '')}: {one.get('message', '')}" for one in rows]


def validate(client: Client, options: Namespace) -> Outcome:
    if options.release:
        result = client.validate(options.file, release=options.release, split=options.split)
    else:
        result = validate_file(
            options.file, track=options.track, items=options.items, split=options.split
        )
    lines = validation_lines(str(options.file), result)
    return Outcome(result, lines, SUCCEEDED if result.is_valid else FAILED)


def submit(client: Client, options: Namespace) -> Outcome:
    submission = client.submit(
        options.file,
        release=options.release,
        model=options.model,
        split=options.split,
        session=options.session,
        declared={name: getattr(options, name) for name in DECLARED},
        progress=upload_progress() if sys.stderr.isatty() else None,
    )
    if not options.follow:
        return submission_outcome(client, submission)
    if not options.json:
        print(clean(f"Submission {submission.id}."), flush=True)
    return follow(client, Namespace(**{**vars(options), "id": submission.id}))


def upload_progress() -> Progress:
    shown = -1

    def show(sent: int, size: int) -> None:
        nonlocal shown
        percent = 100 * sent // max(size, 1)
        if percent != shown:
            shown = percent
            end = "\n" if percent >= 100 else ""
            print(f"\rUploading {percent:>3} %", end=end, file=sys.stderr, flush=True)

    return show


def follow(client: Client, options: Namespace) -> Outcome:
    def show(submission: Submission) -> None:
        if not submission.has_ended:
            notify(state_line(submission))

    return submission_outcome(client, client.follow(options.id, show))


def submission_outcome(client: Client, submission: Submission) -> Outcome:
    status = FAILED if submission.state == "failed" else SUCCEEDED
    return Outcome(submission, submission_lines(submission, client.page_of(submission)), status)


def withdraw(client: Client, options: Namespace) -> Outcome:
    return submission_outcome(client, client.withdraw(options.id, options.reason))


def choose_final(client: Client, options: Namespace) -> Outcome:
    return submission_outcome(client, client.choose_final(options.id, is_final=not options.undo))


def fetch(client: Client, options: Namespace) -> Outcome:
    fetched = client.fetch(options.release, options.output)
    return Outcome(fetched, fetched_lines(fetched))


def list_releases(client: Client, options: Namespace) -> Outcome:
    releases = client.releases()
    return Outcome(releases, release_lines(releases))


def list_models(client: Client, options: Namespace) -> Outcome:
    models = client.models()
    return Outcome(models, model_lines(models))


def register(client: Client, options: Namespace) -> Outcome:
    given = {name: getattr(options, name) for name in MODEL_FIELDS}
    fields = {name: value for name, value in given.items() if value is not None}
    model = client.register_model(options.name, **fields)
    return Outcome(model, model_lines([model]))


def relay_mcp(client: Client, options: Namespace) -> Outcome:
    """Standard output has the protocol's messages and nothing else."""

    def write_line(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    with suppress(BrokenPipeError):  # the agent has ended
        client.relay_mcp(sys.stdin.buffer, write_line, options.session)
    return Outcome(None, (), SUCCEEDED)


COMMANDS: Mapping[str, Callable[[Client, Namespace], Outcome]] = {
    "validate": validate,
    "submit": submit,
    "follow": follow,
    "fetch": fetch,
    "withdraw": withdraw,
    "choose-final": choose_final,
    "releases": list_releases,
    "models": list_models,
    "mcp": relay_mcp,
    "register": register,
}
