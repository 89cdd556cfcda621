"""The client of a server: releases, models, submissions."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx
from pydantic import ValidationError

from backend.client.connection import Connection, Notify, ignore
from backend.client.errors import ConnectionFailed, RequestRefused, UsageError
from backend.client.file_validation import (
    CARD,
    ENTITIES,
    installed_tracks,
    items_path,
    read_item_table,
    reason_of,
)
from backend.client.mcp_relay import Relay, Write
from backend.client.results import (
    Fetched,
    Model,
    Page,
    Release,
    ReleaseGraphs,
    Result,
    Submission,
    Validation,
)
from backend.client.upload import Progress, send_file

DEFAULT_URL = "http://127.0.0.1:8000"
SLUG = re.compile(r"[-\w]{1,120}", re.ASCII)
SPLITS = ("test", "dev")
SHORTEST_WAIT_S, LONGEST_WAIT_S = 0.5, 5.0
EXAMPLE = "example_predictions.jsonl"
EXAMPLE_ROWS = 3
AnyResult = TypeVar("AnyResult", bound=Result)


class Client:
    """A Serendib server, as the owner of an API token.

    Every method raises RequestRefused for an answer that is a problem (`status`, `code`, `detail`)
    and ConnectionFailed if there is no complete answer. Requests are repeated while the server is
    busy or the connection is lost. Create tokens on your account page; without one, only what is
    public can be read.
    """

    def __init__(
        self,
        url: str = DEFAULT_URL,
        token: str = "",
        *,
        transport: httpx.BaseTransport | None = None,
        notify: Notify = ignore,
    ) -> None:
        self._connection = Connection(url, token, transport=transport, notify=notify)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._connection.close()

    def relay_mcp(self, lines: Iterable[bytes], write: Write, session: str = "") -> None:
        """Answer the messages of an agent, a line each, by the server's Model Context Protocol."""
        Relay(self._connection, session).run(lines, write)

    def releases(self) -> list[Release]:
        """Releases that you may see, the latest first."""
        return [parse(Release, row) for row in self._pages("releases")]

    def release(self, slug: str) -> Release:
        """Raises UsageError if the server answers with another release."""
        release = parse(Release, self._connection.get(f"releases/{check_slug(slug)}"))
        if release.slug != slug:
            message = f"The server answered with another release than '{slug}'."
            raise UsageError(message, code="wrong_answer")
        return release

    def fetch(self, slug: str, folder: Path | str | None = None) -> Fetched:
        """Write a release into a folder (its slug, if none is named).

        `release.json` is its card, `items-<split>.jsonl` has its public items, `entities.jsonl` the
        entities that predictions may name (where it has a list), and `example_predictions.jsonl`
        valid predictions of the first items.
        Raises UsageError if the folder cannot be written.
        """
        release = self.release(slug)
        into = Path(folder or slug)
        try:
            into.mkdir(parents=True, exist_ok=True)
            items = {
                split: self._fetch_items(release, split, into)
                for split in SPLITS
                if release.items.get(split)
            }
            entities = self._fetch_entities(release, into)
            (into / CARD).write_text(release.model_dump_json(indent=1) + "\n", encoding="utf-8")
            example = write_example(release, into, takes_queries=self._takes_queries(release))
        except (OSError, ValueError) as error:
            message = f"{into} cannot be written: {reason_of(error)}."
            raise UsageError(message, code="unwritable_folder") from error
        return Fetched(release, into, items, entities, example)

    def _takes_queries(self, release: Release) -> bool:
        track = installed_tracks().get(release.track)
        if track is None or not track.has_queries:
            return False
        graphs = parse(ReleaseGraphs, self._connection.get(f"releases/{release.slug}/graphs"))
        return graphs.takes_queries

    def _fetch_entities(self, release: Release, folder: Path) -> Path | None:
        """None where the release has no list of entities, or its graph is not visible to you."""
        path = folder / ENTITIES
        unfinished = path.with_suffix(".part")
        path.unlink(missing_ok=True)
        try:
            self._connection.download(f"releases/{release.slug}/entities", unfinished)
        except RequestRefused as error:
            if error.status == HTTPStatus.NOT_FOUND:
                return None
            raise
        return unfinished.replace(path)

    def _fetch_items(self, release: Release, split: str, folder: Path) -> Path:
        path = items_path(folder, split)
        unfinished = path.with_suffix(".part")
        self._connection.download(f"releases/{release.slug}/items?split={split}", unfinished)
        with unfinished.open("rb") as file:
            lines = sum(1 for _ in file)
        if lines != release.items[split]:
            unfinished.unlink()
            raise ConnectionFailed(
                f"{lines:,} of {release.items[split]:,} items arrived. Fetch the release again."
            )
        return unfinished.replace(path)

    def validate(self, path: Path | str, *, release: str, split: str = "test") -> Validation:
        """Every fault of a file, as the server finds it. No query is used.

        `validate_file` does the same without a server. Raises UsageError for a file that cannot
        be read.
        """
        fields = {"release": release, "split": split}
        return parse(Validation, send_file(self._connection, "validations", fields, Path(path)))

    def submit(
        self,
        path: Path | str,
        *,
        release: str,
        model: str,
        split: str = "test",
        session: str | None = None,
        declared: Mapping[str, object] | None = None,
        progress: Progress | None = None,
    ) -> Submission:
        """Submit a file for a score; `follow` returns when it has one.

        session: that of the tool calls which the predictions were made with.
        declared: `cost_usd`, `latency_s`, `hardware`, `sample`, `method` (how the predictions
        were made), `notes`, `knowledge_until`, `anonymous_until`. The file is streamed from the
        disk. Equal predictions of a model are submitted once, so a repetition returns the earlier
        submission.

        Raises InvalidPredictions with every fault, UsageError for a file that cannot be read.
        """
        stated = {**(declared or {}), "session": session}
        given = {name: str(value) for name, value in stated.items() if value is not None}
        fields = {**given, "release": release, "model": model, "split": split}
        sent = send_file(self._connection, "submissions", fields, Path(path), progress)
        return parse(Submission, sent)

    def page_of(self, submission: Submission) -> str:
        """The address of its page, for people."""
        return f"{self._connection.url}/submissions/{submission.id}"

    def submission(self, submission_id: str) -> Submission:
        return parse(Submission, self._connection.get(f"submissions/{check_slug(submission_id)}"))

    def submissions(self) -> list[Submission]:
        """Your submissions, the latest first."""
        return [parse(Submission, row) for row in self._pages("submissions")]

    def follow(
        self, submission_id: str, on_change: Callable[[Submission], None] | None = None
    ) -> Submission:
        """Wait until a submission is scored, has failed or is withdrawn.

        on_change is called with each new state, the first one included.
        """
        wait, state = SHORTEST_WAIT_S, ""
        while True:
            submission = self.submission(submission_id)
            if on_change is not None and submission.state != state:
                on_change(submission)
            if submission.has_ended:
                return submission
            state = submission.state
            time.sleep(wait)
            wait = min(1.5 * wait, LONGEST_WAIT_S)

    def withdraw(self, submission_id: str, reason: str = "") -> Submission:
        """Take a submission off the board; its address stays. Withdrawing twice is no error."""
        path = f"submissions/{check_slug(submission_id)}/withdraw"
        return parse(Submission, self._connection.post(path, {"reason": reason}))

    def choose_final(self, submission_id: str, *, is_final: bool = True) -> Submission:
        """Choose what the board shows of a model once its release has closed, or take that back.

        One entry of a model is final: the choice replaces an earlier one. RequestRefused has the
        code `conflict` once the release has closed.
        """
        path = f"submissions/{check_slug(submission_id)}/final"
        return parse(Submission, self._connection.post(path, {"is_final": is_final}))

    def models(self) -> list[Model]:
        """Your models, and those with a public result."""
        return [parse(Model, row) for row in self._pages("models")]

    def register_model(self, name: str, **fields: object) -> Model:
        """Register a model of yours; its slug names it in submissions.

        fields: `organisation`, `family`, `parameters`, `licence`, `training_cutoff`,
        `training_data`, `link`, `code`, `paper`. RequestRefused has the code `name_taken` if a
        model has this name.
        """
        return parse(
            Model, self._connection.post("models", {**fields, "name": name}, repeats=False)
        )

    def _pages(self, path: str) -> Iterator[Mapping[str, Any]]:
        address = f"{path}?limit=200"
        while True:
            page = parse(Page, self._connection.get(address))
            yield from page.results
            if not page.next:
                return
            cursor = cursor_of(page.next)
            address = f"{path}?{httpx.QueryParams(limit=200, cursor=cursor)}"


def parse(result: type[AnyResult], body: object) -> AnyResult:
    """Raises UsageError if the server's version does not fit."""
    try:
        return result.model_validate(body)
    except ValidationError as error:
        raise other_version() from error


def cursor_of(address: str) -> str:
    """Raises UsageError if it is no address."""
    try:
        return str(httpx.URL(address).params.get("cursor", ""))
    except httpx.InvalidURL as error:
        raise other_version() from error


def other_version() -> UsageError:
    message = "The server's answer does not fit this client. Install the client of the server."
    return UsageError(message, code="other_version")


def check_slug(slug: str) -> str:
    """Raises UsageError for what cannot be a part of an address."""
    if not SLUG.fullmatch(slug):
        raise UsageError(f"'{slug}' is not the name of anything on a server.", code="invalid_name")
    return slug


def write_example(release: Release, folder: Path, *, takes_queries: bool) -> Path | None:
    """Predictions of the first items; None if this client does not have the track's version."""
    split = next((one for one in SPLITS if release.items.get(one)), None)
    track = installed_tracks().get(release.track)
    if track is None or split is None or track.version != release.evaluator_version:
        return None
    table = replace(read_item_table(track, folder, split), takes_queries=takes_queries)
    rows = track.example_predictions(table, EXAMPLE_ROWS)
    written = (track.prediction_list.dump_json([row], exclude_none=True)[1:-1] for row in rows)
    lines = [line + b"\n" for line in written]
    path = folder / EXAMPLE
    path.write_bytes(b"".join(lines))
    return path
