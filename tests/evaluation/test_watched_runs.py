"""What a page that follows a guided exploration reads: ranked paths, public hits, notifications."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pytest_django.plugin import DjangoDbBlocker

from backend.benchmarks.models import HiddenAnswer
from backend.evaluation.announcements import announce_call
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.models import Exploration
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.explorations import Effort, store_checkpoint
from backend.evaluation.services import get_job
from backend.llm.models import Endpoint
from backend.tracks.serenqa_exploration.guided_state import GuidedState
from tests.annotation.socket_client import open_socket
from tests.architecture.routes import make_world
from tests.evaluation.exploration_releases import make_exploration_release
from tests.evaluation.guided_runs import new_guided_run, play_to_end
from tests.evaluation.played_runs import committed_data
from tests.evaluation.rule_player import RulePlayer
from tests.llm.scripted_server import ScriptedServer
from tests.personas import Person, make_person
from tests.saved_rows import SavedRows

pytestmark = pytest.mark.django_db(transaction=True)
Payload = Mapping[str, Any]


@pytest.fixture(scope="module")
def saved_run(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> SavedRows:
    """Of both splits, so wide that some leaves hit. Played once: each test commits."""
    with committed_data(django_db_blocker):
        release = make_exploration_release(tmp_path_factory.mktemp("release"))
        with ScriptedServer(RulePlayer(nodes=12, relations=6)) as server:
            wide = {"width": 12, "edges": 40, "relations": 6, "depth": 2, "max_items": 32}
            ended = play_to_end(new_guided_run(release, server.url, **wide))
        assert ended.state == RunState.ENDED, ended.error
        return SavedRows.of_database()


@pytest.fixture
def run(saved_run: SavedRows, transactional_db: None) -> Run:
    saved_run.restore()
    return Run.objects.get()


@pytest.fixture
def owner(run: Run) -> Person:
    return make_person("rohan", is_administrator=True)


def read_trajectories(person: Person, run: Run) -> Sequence[Payload]:
    base = f"/api/v1/runs/{run.pk}/explorations"
    page = person.browser.get(f"{base}?limit=100").json()
    return [
        person.browser.get(f"{base}/{one['split']}/{one['position']}").json()
        for one in page["results"]
    ]


def hidden_members(run: Run, shown: Payload) -> set[str]:
    rows = HiddenAnswer.objects.filter(item__release=run.release, item__split=shown["split"])
    content = rows.get(item__number=shown["position"]).content
    return {spelling for member in content["entities"] for spelling in member}


def test_hits_are_stated_of_dev_items_and_of_no_test_item(run: Run, owner: Person) -> None:
    shown = read_trajectories(owner, run)
    assert {one["split"] for one in shown} == {"dev", "test"}
    stated, hidden = [], 0
    for one in shown:
        members = hidden_members(run, one)
        for path in one["paths"]:
            is_member = path["leaf"]["id"] in members
            if one["split"] == "test":
                hidden += is_member
                assert path["is_hit"] is None
            else:
                assert path["is_hit"] is is_member
                stated.append(is_member)
    assert any(stated) and not all(stated)
    assert hidden > 0  # there was something to hide


def test_the_strongest_path_comes_first(run: Run, owner: Person) -> None:
    for one in read_trajectories(owner, run):
        strengths = []
        for path in one["paths"]:
            product: float | None = 1.0
            for edge in path["edges"]:
                known = product is not None and edge["weight"] is not None
                product = product * edge["weight"] if known and product is not None else None
            assert path["strength"] == (None if product is None else pytest.approx(product))
            strengths.append(path["strength"])
        known_ones = [value for value in strengths if value is not None]
        assert strengths[: len(known_ones)] == sorted(known_ones, reverse=True)
        depths = [path["depth"] for path in one["paths"] if path["strength"] is None]
        assert depths == sorted(depths)


def test_a_visitor_reads_trajectories_of_dev_items_once_the_run_is_on_the_board(run: Run) -> None:
    outsider = make_person("otto")
    path = f"/api/v1/runs/{run.pk}/explorations"
    Endpoint.objects.update(may_publish=True)
    assert outsider.browser.get(path).status_code == 404
    for submission in run.submissions.all():
        run_or_await(get_job(submission))
    shown = read_trajectories(outsider, run)
    assert shown and {one["split"] for one in shown} == {"dev"}
    assert any(step["is_hit"] for one in shown for step in one["paths"])
    test = Exploration.objects.filter(run=run, item_key__startswith="test:").first()
    assert test is not None
    assert outsider.browser.get(f"{path}/{test.item_key.replace(':', '/')}").status_code == 404


async def test_whoever_may_see_a_run_is_notified_of_each_phase(run: Run, owner: Person) -> None:
    page = await open_socket(f"/ws/runs/{run.pk}", owner.user)
    state = GuidedState("D:1")
    await sync_to_async(store_checkpoint)(run, "dev:0", state, Effort(requests=4))
    assert await page.expect_change() == {
        "type": "changed",
        "what": "exploration",
        "item": "dev:0",
        "version": 4,
    }
    await page.disconnect()
    outsider = await sync_to_async(make_person)("otto")
    closed = await open_socket(f"/ws/runs/{run.pk}", outsider.user)
    assert await closed.closed_with() == 4403


async def test_the_owner_of_a_session_is_notified_of_each_call(transactional_db: None) -> None:
    world = await sync_to_async(make_world)()
    page = await open_socket(f"/ws/tool-sessions/{world.tool_session.pk}", world.researcher)
    await sync_to_async(announce_call)(world.tool_session.pk, 2)
    assert await page.expect_change() == {"type": "changed", "what": "tool_call", "version": 2}
    await page.disconnect()
