"""The arguments of the command `serendib`."""

import os
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from backend.client.client import DEFAULT_URL, SPLITS

EPILOG = """Exit status: 0 success, 1 faults in the file or no score, 2 usage or connection.
SERENDIB_URL and SERENDIB_TOKEN stand for --url and --token."""
Command = Callable[[Namespace], object]


def installed_version() -> str:
    try:
        return version("serendib")
    except PackageNotFoundError:
        return "of the checkout"


def make_parser() -> ArgumentParser:
    parser = ArgumentParser(prog="serendib", description="Submit predictions.", epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"serendib {installed_version()}")
    add_common(parser)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, text: str) -> ArgumentParser:
        command = commands.add_parser(name, help=text, description=text, epilog=EPILOG)
        add_common(command, has_defaults=False)
        return command

    add_validate(add("validate", "List every fault of a file, on this machine or by the server."))
    add_submit(add("submit", "Submit a file for a score."))
    add("follow", "Wait until a submission is scored.").add_argument("id", metavar="ID")
    fetch = add("fetch", "Write the public items and the card of a release into a folder.")
    fetch.add_argument("release", metavar="RELEASE")
    fetch.add_argument("--output", type=Path, metavar="DIR", help="default: the release's name")
    withdraw = add("withdraw", "Take a submission off the board.")
    withdraw.add_argument("id", metavar="ID")
    withdraw.add_argument("--reason", default="", metavar="TEXT")
    final = add("choose-final", "Choose what the board shows of a model once its release closes.")
    final.add_argument("id", metavar="ID")
    final.add_argument("--undo", action="store_true", help="take the choice back")
    mcp = add("mcp", "Relay the Model Context Protocol between an agent's program and a server.")
    mcp.add_argument("--session", default="", metavar="ID", help="of tool calls, for all messages")
    add("releases", "List the releases that you may see.")
    add("models", "List your models and the public ones.")
    register = add("register", "Register a model of yours.")
    register.add_argument("name", metavar="NAME")
    register.add_argument("--organisation", metavar="TEXT")
    register.add_argument("--parameters", type=int, metavar="N")
    register.add_argument("--licence", metavar="TEXT")
    register.add_argument("--family", metavar="TEXT")
    register.add_argument("--training-cutoff", metavar="DATE")
    register.add_argument(
        "--training-data", metavar="TEXT", help="what it is, and which benchmarks are in it"
    )
    for name in ("--link", "--code", "--paper"):
        register.add_argument(name, metavar="URL")
    return parser


def add_common(parser: ArgumentParser, *, has_defaults: bool = True) -> None:
    """Before or after the command. What stands before it holds unless it is given again."""
    url = os.environ.get("SERENDIB_URL") or DEFAULT_URL
    token = os.environ.get("SERENDIB_TOKEN", "")
    defaults = (url, token, False) if has_defaults else (SUPPRESS, SUPPRESS, SUPPRESS)
    parser.add_argument("--url", default=defaults[0], help=f"of the server, default {url}")
    parser.add_argument(
        "--token", default=defaults[1], help="an API token; better in SERENDIB_TOKEN"
    )
    parser.add_argument(
        "--json", action="store_true", default=defaults[2], help="print one JSON document"
    )


def add_validate(command: ArgumentParser) -> None:
    add_file(command)
    where = command.add_mutually_exclusive_group(required=True)
    where.add_argument("--track", metavar="T", help="check on this machine")
    where.add_argument("--release", metavar="R", help="let the server check; uses no query")
    command.add_argument(
        "--items", type=Path, metavar="PATH", help="file of items, or the folder of 'fetch'"
    )


def add_file(command: ArgumentParser) -> None:
    command.add_argument("file", type=Path, metavar="FILE")
    command.add_argument("--split", choices=SPLITS, default="test")


def add_submit(command: ArgumentParser) -> None:
    add_file(command)
    command.add_argument("--release", required=True, metavar="R")
    command.add_argument("--model", required=True, metavar="M", help="slug of a model of yours")
    command.add_argument("--follow", action="store_true", help="wait until it is scored")
    command.add_argument(
        "--session", metavar="ID", help="of the tool calls that the predictions were made with"
    )
    declared = command.add_argument_group("what you declare about the predictions")
    declared.add_argument("--cost-usd", type=float, metavar="USD")
    declared.add_argument("--latency-s", type=float, metavar="SECONDS", help="per item")
    declared.add_argument("--hardware", metavar="TEXT")
    declared.add_argument("--sample", metavar="TEXT", help="the part of the items answered")
    declared.add_argument(
        "--method", metavar="TEXT", help="how they were made: prompt, decoding, training"
    )
    declared.add_argument("--notes", metavar="TEXT")
    declared.add_argument(
        "--knowledge-until", type=int, metavar="YEAR", help="the last that the model has read of"
    )
    declared.add_argument("--anonymous-until", metavar="TIME", help="in ISO 8601")
