"""Runs of tasks on a served stack and over its API: those of one request for each item, and
guided explorations."""

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from backend.tracks.prompt_text import to_json
from tests.e2e.stack import Stack
from tests.evaluation.rule_player import RulePlayer
from tests.evaluation.serenqa_files import demo_questions, partitions
from tests.evaluation.world_tasks import PLAYED, PlayedTask, number_of
from tests.llm.scripted_server import Script, Scripted
from tests.load import virtual_users
from tests.load.http import Browser
from tests.load.virtual_users import expect_status

RUNS = "/api/v1/runs"
WORLD = """
from pathlib import Path
from backend.benchmarks.models import Release
from tests.evaluation.known_world import make_world_graph, make_world_papers, make_world_release
from tests.evaluation.world_tasks import TRACKS
graph, folder = make_world_graph(), Path({folder!r})
make_world_papers(folder)
for track in TRACKS:
    (folder / track).mkdir()
    make_world_release(folder / track, track, graph)
Release.objects.filter(slug__startswith="world-").update(queries=100, queries_per_day=100)
"""
QUERIES = "world-queries"
OPEN_QUERIES = f"""
from backend.benchmarks.models import Release
from backend.benchmarks.release_states import change_release_state
release = Release.objects.get(slug="{QUERIES}")
change_release_state(actor=None, release=release, to=Release.State.OPEN)
Release.objects.filter(pk=release.pk).update(queries=100, queries_per_day=100)
"""
GUIDED_TRACKS = ("serenqa-exploration", "serenqa-reasoning")
GUIDED_RELEASES = f"""
from pathlib import Path
from backend.benchmarks.models import Release
from tests.evaluation.exploration_releases import make_exploration_release
for track in {GUIDED_TRACKS!r}:
    made = make_exploration_release(Path({{folder!r}}), track, slug=f"world-{{{{track}}}}")
    Release.objects.filter(pk=made.release.pk).update(queries=100, queries_per_day=100)
"""


@dataclass(frozen=True)
class TaskRun:
    """answer: the right one to the item of a number."""

    task: str
    release: str
    number_of: Callable[[dict[str, Any]], int]
    answer: Callable[[int, dict[str, Any]], str]
    settings: Mapping[str, Any] = field(default_factory=dict)


def of_world(played: PlayedTask) -> TaskRun:
    def answer(number: int, body: dict[str, Any]) -> str:
        return json.dumps(played.answer(number, True, body))

    has_papers = "literature" in played.task
    settings = {**played.settings, **({"papers": "world-papers"} if has_papers else {})}
    return TaskRun(played.task, f"world-{played.track}", number_of, answer, settings)


def question_of(body: dict[str, Any]) -> int:
    prompt = body["messages"][1]["content"]
    texts = {int(one["qid"]): to_json(one["question"]) for one in demo_questions()}
    return max((qid for qid in texts if texts[qid] in prompt), key=lambda qid: len(texts[qid]))


def gold_query(number: int, body: dict[str, Any]) -> str:
    (query,) = (one["cypher"] for one in demo_questions() if int(one["qid"]) == number)
    return json.dumps({"cypher": query})


TASK_RUNS = {
    one.task: one
    for one in (
        *map(of_world, PLAYED.values()),
        TaskRun("serenqa-retrieval-query", QUERIES, question_of, gold_query, {"split": "test"}),
    )
}


def guided_run(track: str) -> TaskRun:
    player = RulePlayer()
    settings = {"width": 4, "edges": 5, "relations": 3}
    return TaskRun(
        *(f"{track}-guided", f"world-{track}", lambda body: 0),
        *(lambda number, body: json.dumps(player.answer(body)), settings),
    )


GUIDED_RUNS = {one.task: one for one in map(guided_run, GUIDED_TRACKS)}


def play_task(body: dict[str, Any], script: Callable[[TaskRun], Script], number: int) -> Scripted:
    """One server plays the models of all tasks: each endpoint names its model after its task."""
    return script(TASK_RUNS[body["model"]])(body, number)


def prepare_releases(stack: Stack, folder: Path) -> None:
    """Of the made-up world, and of the demo's questions on a masked graph."""

    def prepare() -> None:
        command = WORLD.format(folder=str(folder))
        stack.manage("shell", "--verbosity", "0", "--command", command)
        questions, splits = folder / "questions.json", folder / "partitions.json"
        questions.write_text(json.dumps(demo_questions()))
        splits.write_text(json.dumps(partitions(demo_questions())))
        files = (str(questions), str(splits), "--graph", "drug-repurposing-demo")
        shares = ("--masked-by", "expert", "--test-share", "0.5")
        stack.manage("make_release", "serenqa-retrieval", *files, "--name", QUERIES, *shares)
        stack.manage("release_graph", QUERIES, "--method", "expert")
        stack.manage("shell", "--verbosity", "0", "--command", OPEN_QUERIES)

    stack.prepare_once("task-runs", prepare)


def prepare_guided_releases(stack: Stack, folder: Path) -> None:
    def prepare() -> None:
        command = GUIDED_RELEASES.format(folder=str(folder))
        stack.manage("shell", "--verbosity", "0", "--command", command)

    stack.prepare_once("guided-runs", prepare)


def add_endpoint(stack: Stack, url: str, task: str, name: str, *more: str) -> str:
    printed = stack.manage(
        *("add_endpoint", name, "--url", url, "--model", task, "--private", "--json"),
        *("--price-in", "1", "--price-out", "2", "--usable-by", "everyone", *more),
    )
    return str(json.loads(printed)["id"])


async def send(person: Browser, path: str, body: Any, status: int) -> Any:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    return expect_status(status, await person.send("POST", f"{RUNS}{path}", body, key))


async def read_run(person: Browser, run: str) -> Any:
    read = expect_status(200, await person.get(f"{RUNS}/{run}"))
    assert read["state"] != "failed", (read["task"]["name"], read["error"])
    assert read["error"] is None, (read["task"]["name"], read["error"])
    return read


async def wait_for_run(person: Browser, run: str, state: str, seconds: float = 300) -> Any:
    async def is_there() -> Any:
        read = await read_run(person, run)
        return read if read["state"] == state else None

    return await virtual_users.until(is_there, f"a run that is {state}", seconds)


async def estimate_task(
    person: Browser, one: TaskRun, endpoint: str, model: str, items: int
) -> str:
    """The id of a run that waits for its budget."""
    registered = expect_status(201, await person.post("/api/v1/models", {"name": model}))
    body = {
        "release": one.release,
        "endpoint": endpoint,
        "task": one.task,
        "model": registered["slug"],
    }
    created = await send(
        person, "", {**body, "settings": {**one.settings, "max_items": items}}, 201
    )
    await wait_for_run(person, created["id"], "estimated")
    return str(created["id"])


async def start_task(person: Browser, one: TaskRun, endpoint: str, model: str, items: int) -> str:
    """Estimated and started; the id of the run."""
    run = await estimate_task(person, one, endpoint, model, items)
    await send(person, f"/{run}/start", {"budget": "1"}, 200)
    return run


async def wait_for_scores(person: Browser, run: str) -> Any:
    async def is_scored() -> Any:
        read = await read_run(person, run)
        states = [one["state"] for one in read["submissions"]]
        return read if states and {*states} == {"scored"} else None

    return await virtual_users.until(is_scored, "the scores of a run", 300)
