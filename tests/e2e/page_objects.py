"""One object of each kind that has a page of its own, for tests that open every page.

The first process to need them makes them; each is stored with the name of its part of an address.
"""

import asyncio
import json
import time
import uuid
from collections.abc import Callable
from typing import Any

from tests.e2e.browser_helpers import DEMO_PASSWORD
from tests.e2e.ranking_page import new_expert
from tests.e2e.stack import Stack
from tests.load import play, virtual_users
from tests.load.http import Browser
from tests.load.virtual_users import expect_status

GRAPH = "drug-repurposing-demo"
WALKS = "demo-walks"
RESEARCHER = "researcher@demo.example"
COORDINATOR = "coordinator@demo.example"
ADMINISTRATOR = "administrator@demo.example"
IN_SHELL = "from tests.e2e import page_objects as one; one.print_stored_objects()"
READY_S = 300  # on a busy machine
Objects = dict[str, str]


def page_objects(stack: Stack) -> Objects:
    """By the names of PATHS in test_page_weights.py."""
    file = stack.data / "page_objects.json"

    def prepare() -> None:
        stack.wait_for_demo()
        requested = play(requested_objects(stack.url))
        stored = json.loads(stack.manage("shell", "--verbosity", "0", "--command", IN_SHELL))
        file.write_text(json.dumps({**requested, **stored}))

    stack.prepare_once("page_objects", prepare)
    objects: Objects = json.loads(file.read_text())
    return objects


def print_stored_objects() -> None:
    """In a process with Django: a scored submission, runs and a synthesis."""
    from backend.accounts.models import User
    from backend.benchmarks.models import Release
    from backend.graphs.models import Version
    from backend.llm.endpoints import add_endpoint
    from tests.architecture.routes import (
        endpoint_body,
        make_run,
        make_synthesis,
        make_walked_run,
        open_release,
        submit,
    )

    people = {user.email: user for user in User.objects.all()}
    submission = submit(people[RESEARCHER], open_release(people[COORDINATOR]))
    fields = endpoint_body(None)
    endpoint = add_endpoint(actor=people[ADMINISTRATOR], fields=fields)
    run = make_run(submission, endpoint)
    graph = Version.objects.ready().filter(graph__slug=GRAPH).latest("pk")
    synthesis = make_synthesis(people[COORDINATOR], graph, endpoint)
    names = {"submission": submission.pk, "endpoint": endpoint.pk, "run": run.pk}
    names["synthesis"] = synthesis.pk
    names["walked_run"] = make_walked_run(run, Release.objects.get(slug=WALKS)).pk
    print(json.dumps({name: str(key) for name, key in names.items()}))  # noqa: T201  for the caller


async def requested_objects(address: str) -> Objects:
    """What people make by the API."""
    researcher = await virtual_users.sign_in(address, RESEARCHER)
    coordinator = await virtual_users.sign_in(address, COORDINATOR)
    questions = "/api/v1/question-sets"
    [question_set, *_] = (await read(researcher, questions))["results"]
    listed = await read(researcher, f"{questions}/{question_set['id']}/questions")
    board = await read_when(
        researcher, "/api/v1/boards/demo-hypotheses", lambda board: bool(board["results"])
    )
    view = {"title": "Measured", "state": {"page": "", "query": "q=aspirin"}}
    return {
        "question": listed["results"][0]["id"],
        "result": board["results"][0]["submission"],
        "model": board["results"][0]["model"]["slug"],
        "view": (await send(researcher, f"/api/v1/graphs/{GRAPH}/views", view))["id"],
        "session": await tool_session(researcher),
        **await grounding(researcher),
        **await study(coordinator),
    }


async def read(browser: Browser, path: str) -> Any:
    return expect_status(200, await browser.get(path))


async def read_when(browser: Browser, path: str, is_ready: Callable[[Any], bool]) -> Any:
    """What a worker changes, once it has: the demo's releases are scored after the first page."""
    limit = time.monotonic() + READY_S
    while not is_ready(result := await read(browser, path)):
        assert time.monotonic() < limit, f"{path} is not ready: {result}"
        await asyncio.sleep(0.2)
    return result


async def send(browser: Browser, path: str, body: Any, status: int = 201) -> Any:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    return expect_status(status, await browser.send("POST", path, body, key))


async def tool_session(researcher: Browser) -> str:
    """With one call."""
    session = await send(researcher, f"/api/v1/releases/{WALKS}/tool-sessions", {})
    call = {"tool": "graph_schema", "arguments": {}}
    await send(researcher, f"/api/v1/tool-sessions/{session['id']}/calls", call, 200)
    return str(session["id"])


async def grounding(researcher: Browser) -> Objects:
    """Public, once its claims have verdicts."""
    body = {
        "hypothesis": "Imatinib treats gastrointestinal stromal tumours.",
        "rationale": "Imatinib inhibits KIT. Zinc cures baldness.",
        "graph": GRAPH,
        "is_public": True,
    }
    grounded = await send(researcher, "/api/v1/groundings", body, 202)
    path = f"/api/v1/groundings/{grounded['id']}"
    grounded = await read_when(researcher, path, lambda one: one["state"] != "queued")
    assert grounded["state"] == "ended"
    return {"grounding": grounded["id"], "grounding_batch": grounded["batch"]}


async def study(coordinator: Browser) -> Objects:
    """With an expert who has consented and has not begun."""
    expert = await new_expert(coordinator.address, password=DEMO_PASSWORD)
    board = await read(coordinator, f"/api/v1/studies/{expert.study}/questions")
    return {
        "study": expert.study,
        "batch": expert.batch,
        "expert": expert.email,
        "study_question": board["results"][0]["question_id"],
    }
