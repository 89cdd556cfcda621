"""Lists of runs, answers and tasks take a bounded number of queries, and few rows."""

import json
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backend.accounts.models import User
from backend.benchmarks.models import Item, Release
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.release_tasks import list_tasks
from backend.evaluation.runs.run_answers import list_answers
from backend.evaluation.runs.services import start_run
from tests.evaluation.model_runs import PARAMETRIC, new_run, skilled, work
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer
from tests.personas import make_person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def amara(db: None) -> User:
    return make_person("amara", is_administrator=True).user


@pytest.fixture
def ended_run(release: Release, server: ScriptedServer) -> Run:
    server.script = skilled(release, 1.0)
    run = work(new_run(release, make_endpoint(server.url)))
    return work(start_run(run=run, budget=Decimal(1)))


def page_of(reader: User, run: Run, first: int = 0, limit: int = 20, **chosen: str) -> Any:
    filters = {"outcome": "", "text": "", **chosen}
    return list_answers(reader, run, first=first, limit=limit, **filters)


def test_answers_come_in_pages_in_the_order_of_the_release(
    release: Release, ended_run: Run, amara: User
) -> None:
    page = partial(page_of, amara, ended_run)
    pages = [page(first, 25) for first in (0, 25, 50)]
    assert [len(one.answers) for one in pages] == [25, 25, 10]
    assert {one.total for one in pages} == {60}
    keys = [row["item_key"] for one in pages for row in one.answers]
    items = Item.objects.filter(release=release).order_by("position")
    assert keys == [", ".join(json.loads(one.key)) for one in items]
    assert page(100).total == 60
    assert page(100).answers == []
    assert page(text="CHEMICAL|c7,").total == 1
    assert page(text="100%_").total == 0
    assert page(outcome="unreadable").total == 0
    assert page(outcome="answered").total == 60


def test_items_that_failed_are_among_the_answers(
    release: Release, server: ScriptedServer, amara: User
) -> None:
    run = work(new_run(release, make_endpoint(server.url)))
    failures = {"test:7": {"outcome": "timed_out", "reason": "It took too long."}}
    Run.objects.filter(pk=run.pk).update(failures=failures)
    run.refresh_from_db()
    [answer] = page_of(amara, run, outcome="timed_out").answers
    assert (answer["outcome"], answer["reason"]) == ("timed_out", "It took too long.")
    assert answer["item_key"].startswith("Chemical|C7,")


def count_queries(read: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        read()
    return len(queries)


def test_a_page_of_answers_takes_as_many_queries_as_one_answer(ended_run: Run, amara: User) -> None:
    page_of(amara, ended_run)  # reads the release and the owner
    counts = {count_queries(partial(page_of, amara, ended_run, limit=limit)) for limit in (1, 50)}
    assert len(counts) == 1
    assert counts.pop() <= 8


def test_a_list_of_runs_takes_as_many_queries_as_one_run(release: Release, ended_run: Run) -> None:
    person, run = make_person("rohan", is_researcher=True), ended_run
    Run.objects.filter(pk=run.pk).update(owner=person.user)

    def read() -> Any:
        return person.browser.get("/api/v1/runs").json()["results"]

    assert len(read()) == 1
    alone = count_queries(read)
    for _ in range(6):
        Run.objects.filter(pk=new_run(release, run.endpoint).pk).update(
            owner=person.user, state=RunState.PAUSED
        )
    assert len(read()) == 7
    assert count_queries(read) == alone
    row = next(one for one in read() if one["id"] == str(run.pk))
    assert (row["progress"]["done"], row["submissions"][0]["split"]) == (60, "test")
    assert row["submission"] == row["submissions"][0]["id"]
    detail = person.browser.get(f"/api/v1/runs/{run.pk}").json()
    assert {name: detail[name] for name in row} == row


def test_tasks_are_listed_without_reading_the_items(
    release: Release, server: ScriptedServer
) -> None:
    with CaptureQueriesContext(connection) as queries:
        offered = {one.task.name: one.items for one in list_tasks(release)}
    assert offered[PARAMETRIC] == 60
    assert not any('"content"' in one["sql"] and "benchmarks_item" in one["sql"] for one in queries)
