"""Which test item has which answer changes nothing that anybody reads.

An answer of TruthHypo is one of three public words, so that no mark can be planted in it; of STaRK,
the slices follow from the number of hidden answers. So test items exchange their answers, and the
components of a scored entry, after all standings were computed, and the slices are stored again:
in TruthHypo within a group of relations, so that each slice has the same answers; in STaRK between
questions with different numbers of answers, of an entry without a hit. How many items a slice is
over is public, and stays the same. All that is read before and after must be the same, but for
which entries a reported item counts for, which its organisers read.
"""

import functools
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import transaction
from rest_framework.test import APIClient

from backend.benchmarks.item_reports import report_item
from backend.benchmarks.models import HiddenAnswer, Item, Release, ReleaseSplit
from backend.benchmarks.release_slices import read_slices, store_slices
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.component_files import load_components, store_components
from backend.evaluation.models import Submission, SubmissionState
from backend.evaluation.services import get_job
from backend.leaderboard import site_summary
from backend.runtime.lru_cache import LruCache
from tests.architecture.routes import V1, Route, World, make_world
from tests.architecture.test_permissions import request_as
from tests.cache import empty_cache
from tests.evaluation.api_tokens import token_headers
from tests.evaluation.submission_forms import form
from tests.evaluation.test_canaries import Recorder, live_routes
from tests.evaluation.truthhypo_files import LABELS, write_source

pytestmark = pytest.mark.django_db
PAIRS = 90
QUERIES, ANSWERS = 32, (1, 3, 8, 25)
WHO = ("visitor", "expert", "coordinator", "researcher", "administrator")
TOKENS = ("read token", "token of another", "revoked token")
ORGANISERS = ("coordinator", "administrator")
REPORTS = V1 + "releases/<slug:slug>/reports"
# What differs from one request to the next, whatever is asked.
VOLATILE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{27}"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[0-9.]*(Z|[+]00:00)?"
    r"|\d{4}-\d\d-\d\d"
    r"|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT"
    r"|\b[0-9a-f]{32,64}\b"
    r"|[\w-]{43}"
)


@dataclass(frozen=True)
class Secrets:
    """A world with the same people, whose paths name something of one release or of the other."""

    pairs: World
    queries: World


@dataclass(frozen=True)
class Reply:
    """What one persona reads by one route of a release, and what is logged of it."""

    release: str
    template: str
    who: str
    texts: Sequence[str]


Read = Callable[[World, Sequence[Route]], Iterator[Reply]]


@pytest.fixture
def secrets(tmp_path: Path, submit_and_score: Callable[..., Any]) -> Secrets:
    """With a scored entry on each split of two releases whose answers are hidden."""
    world = make_world()
    browser = APIClient()
    browser.force_login(world.researcher)

    def open_release(track: str, slug: str, path: Path) -> Release:
        request = ReleaseRequest(track=track, name=slug.title(), slug=slug, test_share=0.5)
        release = make_release(actor=world.cast.coordinator, request=request, files=[path])
        return change_release_state(actor=None, release=release, to=Release.State.OPEN)

    def submit(release: Release, predict: Callable[..., dict[str, Any]]) -> World:
        for split in ReleaseSplit.values:
            rows = Item.objects.filter(release=release, split=split)
            lines = (json.dumps(predict(**one)) for one in rows.values_list("content", flat=True))
            fields = {"release": release.slug, "model": world.submission.model.slug}
            text = "".join(f"{line}\n" for line in lines)
            entry = submit_and_score(browser, form(text, split=split, **fields))
            assert entry["state"] == SubmissionState.SCORED
        return name_in_paths(world, Submission.objects.get(release=release, split="test"))

    pairs = write_source(tmp_path, PAIRS)
    # Other pairs than those that another release of this world hides.
    pairs.write_text(pairs.read_text().replace("Chemical|C", "Chemical|D"))
    return Secrets(
        submit(open_release("truthhypo", "secret", pairs), predict_one_word),
        submit(open_release("stark-prime", "secret-queries", write_queries(tmp_path)), rank_wrong),
    )


def predict_one_word(x_id: str, y_id: str, **_: str) -> dict[str, Any]:
    """The same label for every item, so that the scores of a group depend on no order."""
    return {"x_id": x_id, "y_id": y_id, "label": LABELS[1]}


def rank_wrong(query_id: int, **_: str) -> dict[str, Any]:
    return {"query_id": query_id, "pred_rank": [7, 8, 9]}


def write_queries(folder: Path) -> Path:
    """Neighbours have different numbers of answers, and are in different slices."""
    lines = [
        {
            "query_id": query,
            "query": f"Which entity is number {query}?",
            "answer_ids": [100 * query + at for at in range(10, 10 + ANSWERS[query % 4])],
        }
        for query in range(QUERIES)
    ]
    path = folder / "queries.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def name_in_paths(world: World, submission: Submission) -> World:
    """Its release, its job, and a report of each item, which the entry counts for or not."""
    release = submission.release
    reports = [
        report_item(
            actor=world.researcher, release=release, key=one.key_parts, kind="other", text="Why?"
        )
        for one in Item.objects.filter(release=release, split=submission.split)
    ]
    job = get_job(submission)
    return replace(world, release=release, submission=submission, report=reports[0], job=job)


def exchange_answers(submission: Submission, group: str = "") -> int:
    """Each item takes the answer of the next one of its group; returns how many are new."""
    assert submission.evaluation is not None
    answers = list(
        HiddenAnswer.objects.filter(
            item__release=submission.release, item__split=submission.split
        ).order_by("item__position")
    )
    items = Item.objects.filter(release=submission.release, split=submission.split)
    groups = [one.content.get(group) for one in items.order_by("position")]
    source = np.arange(len(groups))
    for name in set(groups):
        members = np.flatnonzero([one == name for one in groups])
        source[members] = np.roll(members, 1)
    contents = [one.content for one in answers]
    for answer, at in zip(answers, source, strict=True):
        answer.content = contents[at]
    HiddenAnswer.objects.bulk_update(answers, ["content"])
    components = load_components(submission.evaluation.key)
    store_components(submission.evaluation.key, components[source])
    store_slices(submission.release)
    forget_in_memory()
    return sum(one.content != before for one, before in zip(answers, contents, strict=True))


def forget_in_memory() -> None:
    """All that this process computed of releases."""
    packages = ("backend.benchmarks.", "backend.evaluation.", "backend.leaderboard.")
    modules = [module for name, module in [*sys.modules.items()] if name.startswith(packages)]
    for one in (one for module in modules for one in [*vars(module).values()]):
        if isinstance(one, LruCache):
            one._slots.clear()
        elif isinstance(one, functools._lru_cache_wrapper):
            one.cache_clear()
    site_summary._latest = None


def reading_routes(word: str = "") -> list[Route]:
    routes = (one for one in live_routes() if one.method == "get" and word in one.template)
    return [one for one in routes if one.template.startswith(V1)]


@pytest.fixture
def read(secrets: Secrets, caplog: pytest.LogCaptureFixture) -> Read:
    """Requests of all readers for what a world names."""
    caplog.set_level(logging.INFO)
    headers = token_headers(secrets.pairs)
    readers = [*((who, {}) for who in WHO), *((name, headers[name]) for name in TOKENS)]
    browser = Recorder()

    def read(world: World, routes: Sequence[Route]) -> Iterator[Reply]:
        for route, (who, sent) in product(routes, readers):
            browser.forget()
            browser.credentials(**sent)
            caplog.clear()
            empty_cache()
            with transaction.atomic():
                request_as(world, route, who if who in WHO else "visitor", browser)
                transaction.set_rollback(True)
            texts = [VOLATILE.sub("", one) for one in (*browser.texts, *caplog.messages)]
            yield Reply(world.release.slug, route.template, who, texts)

    return read


def read_all(secrets: Secrets, read: Read) -> list[Reply]:
    """By all routes, and of the second release by those that name something of it."""
    forget_in_memory()
    pairs, queries, routes = secrets.pairs, secrets.queries, reading_routes()
    second = [one for one in routes if pairs.path(one.template) != queries.path(one.template)]
    return [*read(pairs, routes), *read(queries, second)]


def export_boards(folder: Path) -> dict[str, str]:
    call_command("export_boards", str(folder))
    files = (one for one in folder.iterdir() if one.name.startswith("secret"))
    return {one.name: VOLATILE.sub("", one.read_text()) for one in files}


def test_exchanged_answers_change_nothing_that_anybody_reads(
    secrets: Secrets, read: Read, tmp_path: Path
) -> None:
    before, files = read_all(secrets, read), export_boards(tmp_path / "before")
    assert len(before) > 1_000 and len(files) == 8
    assert any("secret" in text for reply in before for text in reply.texts)
    assert exchange_answers(secrets.pairs.submission, "rel_type") > 10
    slices = read_slices(secrets.queries.release, "test")
    assert exchange_answers(secrets.queries.submission) > 10
    masks = read_slices(secrets.queries.release, "test")
    assert {name: (mask != slices[name]).any() for name, mask in masks.items()} == {
        name: name != "all" for name in slices
    }
    compared = zip(before, read_all(secrets, read), strict=True)
    differing = [(a.release, a.template, a.who) for a, b in compared if a != b]
    assert differing == [("secret", REPORTS, who) for who in ORGANISERS]
    assert export_boards(tmp_path / "after") == files


def test_what_is_public_of_answers_is_read(secrets: Secrets, read: Read) -> None:
    """Those of a dev split and the sizes of slices: the comparison above would see a difference."""
    dev = Submission.objects.get(release=secrets.pairs.release, split="dev")
    world = replace(secrets.pairs, submission=dev)
    samples, contents = reading_routes("samples"), reading_routes("releases/<slug:slug>/contents")
    before = list(read(world, samples)), list(read(secrets.queries, contents))
    exchange_answers(dev, "rel_type")
    release = secrets.queries.release
    answers = HiddenAnswer.objects.filter(item__release=release, item__split="test")
    answers.update(content={"answer_ids": [1]})
    store_slices(release)
    forget_in_memory()
    assert list(read(world, samples)) != before[0]
    assert list(read(secrets.queries, contents)) != before[1]
