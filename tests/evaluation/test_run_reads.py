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
from backend.llm.models import Exchange
from tests.evaluation.model_runs import PARAMETRIC, new_run, skilled, work
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer
from tests.personas import make_person

pytestmark = pytest.mark.django_db(transaction=True)
LONG_RUN = 20_000  # items


@pytest.fixture
def amara(db: None) -> User:
    return make_person("amara", is_administrator=True).user


@pytest.fixture
def ended_run(release: Release, server: ScriptedServer) -> Run:
    server.script = skilled(release, 1.0)
    run = work(new_run(release, make_endpoint(server.url)))
    return work(start_run(run=run, budget=Decimal(1)))


def page_of(reader: User | None, run: Run, after: str = "", limit: int = 20, **chosen: str) -> Any:
    filters = {"outcome": "", "text": "", **chosen}
    return list_answers(reader, run, after=after, limit=limit, **filters)


def read_pages(reader: User | None, run: Run, limit: int, **chosen: str) -> list[list[str]]:
    pages, after = list[list[str]](), ""
    while not pages or after:
        page = page_of(reader, run, after, limit, **chosen)
        pages.append([row["item_key"] for row in page.answers])
        after = page.next
    return pages


def test_answers_come_in_pages_each_item_once_and_dev_items_first(
    release: Release, ended_run: Run, amara: User
) -> None:
    pages = read_pages(amara, ended_run, 25)
    assert [len(one) for one in pages] == [25, 25, 10]
    items = Item.objects.filter(release=release).order_by("split", "position")
    names = [", ".join(json.loads(one.key)) for one in items]
    assert [one for page in pages for one in page] == names
    assert read_pages(None, ended_run, 25) == [[]]  # visitors see dev items alone
    assert read_pages(amara, ended_run, 30) == [names[:30], names[30:]]
    counts = {
        text: sum(len(one) for one in read_pages(amara, ended_run, 7, text=text))
        for text in ("CHEMICAL|c7,", "100%_")
    }
    assert counts == {"CHEMICAL|c7,": 1, "100%_": 0}
    assert page_of(amara, ended_run, outcome="unreadable").answers == []
    assert read_pages(amara, ended_run, 25, outcome="answered") == pages


def test_a_page_of_a_long_run_reads_the_rows_of_one_page(ended_run: Run, amara: User) -> None:
    one = Exchange.objects.filter(budget__subject=ended_run.subject).first()
    assert one is not None
    names = {"budget": one.budget, "endpoint": one.endpoint, "outcome": one.outcome}
    Exchange.objects.bulk_create(
        Exchange(**names, key=f"{number:064d}", item_key=f"test:{number}")
        for number in range(60, LONG_RUN)
    )
    Item.objects.bulk_create(
        Item(
            release=ended_run.release,
            position=number,
            split="test",
            number=number,
            key=json.dumps([str(number)]),
            content={},
        )
        for number in range(60, LONG_RUN)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE llm_exchange")
    for after in ("", f"test:{LONG_RUN // 2}"):
        with CaptureQueriesContext(connection) as queries:
            assert len(page_of(amara, ended_run, after, 10).answers) == 10
        (page,) = [row["sql"] for row in queries if row["sql"].lstrip().startswith("WITH ended")]
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {page}")
            ((plan,),) = cursor.fetchall()
        assert 10 <= count_read(plan[0]["Plan"]) < 100


def count_read(plan: dict[str, Any]) -> float:
    """Rows that scans of exchanges and items have read."""
    rows = sum(count_read(one) for one in plan.get("Plans", []))
    if plan.get("Relation Name") in {"llm_exchange", "benchmarks_item"}:
        rows += plan["Actual Loops"] * (plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0))
    return rows


def test_items_that_failed_are_among_the_answers(
    release: Release, server: ScriptedServer, amara: User
) -> None:
    server.script = skilled(release, 1.0)
    run = work(new_run(release, make_endpoint(server.url)))
    failures = {"test:7": {"outcome": "timed_out", "reason": "It took too long."}}
    Run.objects.filter(pk=run.pk).update(failures=failures)
    run.refresh_from_db()
    [answer] = page_of(amara, run, outcome="timed_out").answers
    assert (answer["outcome"], answer["reason"]) == ("timed_out", "It took too long.")
    item = Item.objects.get(release=release, split="test", number=7)
    assert answer["item_key"] == ", ".join(json.loads(item.key))
    pages = read_pages(amara, run, 2)
    assert sum(len(one) for one in pages) == 6  # five sample items, and this one
    assert len(pages) == 3


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
