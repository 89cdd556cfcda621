"""What management commands share: results and errors as text or JSON, and a progress bar."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser
from tqdm import tqdm

from backend.common.bounds import MAX_SEED, is_seed, is_share
from backend.common.database_errors import DATABASE_ERRORS, classify_database_error
from backend.common.errors import DomainError
from backend.validation.faults import Fault

Output = tuple[Mapping[str, Any], Iterable[str]]  # of a command: as JSON, and as lines of text


MAX_COUNT = 100_000
# Of a command: Django's checks load every page of the API, which was half the time of its start.
# `make check` runs them.
NO_CHECKS: list[str] = []


class IntermixedParser(CommandParser):
    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        return self.parse_intermixed_args(args, namespace)


def json_value(value: object) -> str:
    """What JSON has no form for: times as the API has them, others by their text."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return str(value)


class JsonCommand(BaseCommand):
    """A command that ends with lines of text, or with one line of JSON if --json is given.

    After an error, its status is 1. lists_faults_of: what the command imports; then the JSON of an
    error is a list of faults with what was expected. has_files_last: files may stand behind the
    options, apart from the arguments before them.
    """

    requires_system_checks = NO_CHECKS
    lists_faults_of = ""
    has_files_last = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        if self.has_files_last:
            parser.__class__ = IntermixedParser
        return parser

    def run(self, options: dict[str, Any]) -> Output:
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            payload, lines = self.run(options)
        except DomainError as error:
            self.exit_with_error(error, as_json=options["json"])
        except DATABASE_ERRORS as error:
            fault = classify_database_error(error)
            self.exit_with_error(fault.to_domain_error(), as_json=options["json"])
        if options["json"]:
            lines = [json.dumps(payload, default=json_value)]
        for line in lines:
            self.stdout.write(line)

    def exit_with_error(self, error: DomainError, *, as_json: bool) -> NoReturn:
        if as_json:
            self.stdout.write(json.dumps(self._error_payload(error)))
            sys.exit(1)
        shows_expected = bool(self.lists_faults_of)
        for line in error_lines(error.detail, error.faults, shows_expected=shows_expected):
            self.stderr.write(line)
        sys.exit(1)

    def _error_payload(self, error: DomainError) -> dict[str, Any]:
        if self.lists_faults_of:
            whole = Fault(self.lists_faults_of, error.detail, error.code)
            faults = error.faults or (whole,)
            return {**error.data, "faults": [asdict(fault) for fault in faults]}
        listed = [{"place": fault.place, "message": fault.message} for fault in error.faults]
        payload = {"code": error.code, "detail": error.detail, **error.data}
        return {"error": {**payload, "errors": listed}}


def dropped_lines(dropped: Mapping[str, int]) -> list[str]:
    """What was left out, by reason; no line where nothing was."""
    counts = [(reason.replace("_", " "), count) for reason, count in sorted(dropped.items())]
    listed = ", ".join(f"{reason} {count:,}" for reason, count in counts if count)
    return [f"Left out: {listed}."] if listed else []


def parse_count(text: str) -> int:
    """An argument: how many of something a command makes."""
    if not text.isdecimal() or not 0 < int(text) <= MAX_COUNT:
        raise ArgumentTypeError(f"a whole number from 1 to {MAX_COUNT:,} is expected")
    return int(text)


def parse_year(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 4 and int(text)):
        raise ArgumentTypeError("a year from 1 to 9,999 is expected")
    return int(text)


def parse_seed(text: str) -> int:
    # isdecimal holds for digits of other scripts too, and int has a limit on their number.
    if not (text.isascii() and text.isdecimal() and len(text) <= 12 and is_seed(int(text))):
        raise ArgumentTypeError(f"a whole number from 0 to {MAX_SEED:,} is expected")
    return int(text)


def parse_share(text: str) -> float:
    """An argument: a part of a whole."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not is_share(share):
        raise ArgumentTypeError("a number from 0 to 1 is expected, such as 0.5")
    return share


@contextmanager
def report_unwritable(path: Path) -> Iterator[None]:
    """Raises DomainError where the file or folder cannot be written."""
    try:
        yield
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}."
        raise DomainError(message, code="unwritable") from error


def error_lines(
    detail: str, faults: Collection[Fault], *, shows_expected: bool = True
) -> Iterator[str]:
    """Each fault with its place, then the detail unless a fault has the same sentence."""
    for fault in faults:
        expected = f" Expected: {fault.expected}." if shows_expected and fault.expected else ""
        yield f"{fault.place}: {fault.message}{expected}"
    if detail not in {fault.message for fault in faults}:
        yield detail


@contextmanager
def progress_bar(unit: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, if that is a terminal, with a callback for the number done."""
    with tqdm(total=total, unit=f" {unit}", file=sys.stderr, disable=None, leave=False) as bar:

        def progress(done: int) -> None:
            bar.update(done - bar.n)

        yield progress
