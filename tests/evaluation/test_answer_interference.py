"""Which test item has which answer changes nothing that anybody is told.

An answer of TruthHypo is one of three public words, so that no mark can be planted in it. Instead,
the test items of a group of relations exchange their answers, and the components of a scored
entry, after all standings were computed. Every answer before and after must be the same.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import transaction
from rest_framework.test import APIClient

from backend.benchmarks.models import HiddenAnswer, Item, Release, ReleaseSplit
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation import cases
from backend.evaluation.component_files import load_components, store_components
from backend.evaluation.models import Submission, SubmissionState
from backend.leaderboard import board_views
from backend.leaderboard.api import points
from backend.runtime.lru_cache import LruCache
from tests.architecture.routes import V1, Route, World, make_world
from tests.architecture.test_permissions import request_as
from tests.cache import empty_cache
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.evaluation.test_canaries import Recorder, live_routes
from tests.evaluation.truthhypo_files import LABELS, key_of, write_source

pytestmark = pytest.mark.django_db
PAIRS = 90
WHO = ("visitor", "expert", "coordinator", "researcher", "administrator")
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
class Told:
    """What one persona was told by one route."""

    template: str
    who: str
    texts: Sequence[str]


@pytest.fixture
def world(
    tmp_path: Path,
    run_queued_tasks: Callable[[], list[str]],
    django_capture_on_commit_callbacks: Any,
) -> World:
    """With a scored entry on both splits of a release whose answers are hidden."""
    world = make_world()
    request = ReleaseRequest(track="truthhypo", name="Secret", slug="secret", test_share=0.5)
    files = [write_source(tmp_path, PAIRS)]
    release = make_release(actor=world.cast.coordinator, request=request, files=files)
    change_release_state(actor=None, release=release, to=Release.State.OPEN)
    browser = APIClient()
    browser.force_login(world.researcher)
    fields = {"release": "secret", "model": world.submission.model.slug}
    entries = []
    for split in ReleaseSplit.values:
        with django_capture_on_commit_callbacks(execute=True):
            body = form(predict_one_word(release, split), split=split, **fields)
            answer = send(browser, SUBMISSIONS, body)
        assert answer.status_code == 202, answer.json()
        entries.append(answer.json()["id"])
    for _ in range(2):  # the second is the boards'
        with django_capture_on_commit_callbacks(execute=True):
            run_queued_tasks()
    scored = {one.split: one for one in Submission.objects.filter(pk__in=entries)}
    assert {one.state for one in scored.values()} == {SubmissionState.SCORED}
    return replace(world, release=release, submission=scored["test"])


def predict_one_word(release: Release, split: str) -> str:
    """The same label for every item, so that the scores of a group depend on no order."""
    rows = Item.objects.filter(release=release, split=split).values_list("content", flat=True)
    chosen = {tuple(one[name] for name in ("x_id", "y_id")) for one in rows}
    lines = [
        json.dumps({"x_id": x_id, "y_id": y_id, "label": LABELS[1]})
        for x_id, y_id in map(key_of, range(PAIRS))
        if (x_id, y_id) in chosen
    ]
    return "".join(f"{line}\n" for line in lines)


def exchange_answers(submission: Submission) -> int:
    """Each item takes the answer of the next one of its group; returns how many are new."""
    assert submission.evaluation is not None
    answers = list(
        HiddenAnswer.objects.filter(
            item__release=submission.release, item__split=submission.split
        ).order_by("item__position")
    )
    items = Item.objects.filter(release=submission.release, split=submission.split)
    groups = [one.content["rel_type"] for one in items.order_by("position")]
    source = np.arange(len(groups))
    for group in set(groups):
        members = np.flatnonzero([one == group for one in groups])
        source[members] = np.roll(members, 1)
    contents = [one.content for one in answers]
    for answer, at in zip(answers, source, strict=True):
        answer.content = contents[at]
    HiddenAnswer.objects.bulk_update(answers, ["content"])
    components = load_components(submission.evaluation.key)
    store_components(submission.evaluation.key, components[source])
    forget_in_memory()
    return sum(one.content != before for one, before in zip(answers, contents, strict=True))


def forget_in_memory() -> None:
    for module in (cases, board_views, points):
        for one in vars(module).values():
            if isinstance(one, LruCache):
                one._slots.clear()


def reading_routes(word: str = "") -> list[Route]:
    routes = (one for one in live_routes() if one.method == "get" and word in one.template)
    return [one for one in routes if one.template.startswith(V1)]


def tell_all(world: World, routes: Sequence[Route]) -> Iterator[Told]:
    browser = Recorder()
    for route in routes:
        for who in WHO:
            browser.forget()
            empty_cache()
            with transaction.atomic():
                request_as(world, route, who, browser)
                transaction.set_rollback(True)
            yield Told(route.template, who, [VOLATILE.sub("", one) for one in browser.texts])


def export_boards(folder: Path) -> dict[str, str]:
    call_command("export_boards", str(folder))
    files = (one for one in folder.iterdir() if one.name.startswith("secret"))
    return {one.name: VOLATILE.sub("", one.read_text()) for one in files}


def test_exchanged_answers_change_nothing_that_anybody_is_told(
    world: World, tmp_path: Path
) -> None:
    routes = reading_routes()
    before, files = list(tell_all(world, routes)), export_boards(tmp_path / "before")
    assert len(before) > 300 and len(files) == 4
    assert any("secret" in text for told in before for text in told.texts)
    assert exchange_answers(world.submission) > 10
    after = list(tell_all(world, routes))
    assert [(a.template, a.who) for a, b in zip(before, after, strict=True) if a != b] == []
    assert export_boards(tmp_path / "after") == files


def test_exchanged_answers_of_a_dev_split_are_told(world: World) -> None:
    """Those are public: the comparison above would see a difference."""
    dev = Submission.objects.get(release=world.release, split="dev")
    world = replace(world, submission=dev)
    routes = reading_routes("samples")
    before = list(tell_all(world, routes))
    exchange_answers(dev)
    assert list(tell_all(world, routes)) != before
