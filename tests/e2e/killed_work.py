"""Work of models whose worker is killed: runs of tasks, and an ensemble of two models.

Each is requested twice. The models of the work that nobody disturbs have other names, so that no
answer is shared.
"""

import json
import re
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.e2e.stack import Stack
from tests.e2e.task_runs import (
    GUIDED_RUNS,
    TASK_RUNS,
    add_endpoint,
    estimate_task,
    send,
    wait_for_run,
)
from tests.llm.scripted_server import Logged, Scripted
from tests.load import virtual_users
from tests.load.http import Browser
from tests.load.studies import COORDINATOR
from tests.load.virtual_users import expect_status

RESEARCHER = "researcher@demo.example"
ENSEMBLE = "serenqa-ensemble"
UNDISTURBED = " undisturbed"
IN_FLIGHT = 2
QUESTIONS, CANDIDATES = 12, 10
ENSEMBLES = "/api/v1/candidate-ensembles"
RUNS = {**TASK_RUNS, **GUIDED_RUNS}
NUMBER = re.compile(r"treats disease (\d+)")
MAKE_QUESTIONS = f"""
from backend.accounts.models import User
from backend.benchmarks.models import QuestionSet
owner = User.objects.get(email={{owner!r}})
made = QuestionSet.objects.create(name={{name!r}}, created_by=owner)
for number in range({QUESTIONS}):
    text = f"Which drug treats disease {{{{number}}}}?"
    one = made.questions.create(file_id=f"q{{{{number}}}}", number=number, text=text)
    for position in range({CANDIDATES}):
        one.candidates.create(position=position, name=f"Drug {{{{position}}}}", prior_rank=1)
print(made.pk)
"""


@dataclass(frozen=True)
class Work:
    """models: that the server is requested for. items: of a run; a guided one has several requests
    for each."""

    name: str
    is_disturbed: bool = True

    @property
    def models(self) -> Sequence[str]:
        names = [f"{self.name}-{one}" for one in "ab"] if self.name == ENSEMBLE else [self.name]
        return names if self.is_disturbed else [f"{one}{UNDISTURBED}" for one in names]

    @property
    def requests(self) -> int | None:
        """None where it depends on the answers."""
        if self.name == ENSEMBLE:
            return 2 * QUESTIONS
        return None if self.name in GUIDED_RUNS else self.items

    @property
    def items(self) -> int:
        return 4 if self.name in GUIDED_RUNS else 20

    def log_of(self, log: Sequence[Logged]) -> list[Logged]:
        return [one for one in log if one.body["model"] in self.models]


@dataclass
class Player:
    """slow: models that take a second for each answer."""

    slow: set[str] = field(default_factory=set)

    def __call__(self, body: dict[str, Any], number: int) -> Scripted:
        model = str(body["model"])
        name = model.removesuffix(UNDISTURBED)
        one = RUNS.get(name)
        text = score_candidates(body) if one is None else one.answer(one.number_of(body), body)
        return Scripted(text=text, delay_s=1.0 if model in self.slow else 0.0)


def score_candidates(body: dict[str, Any]) -> str:
    """Each model has an order of its own for each question."""
    match = NUMBER.search(body["messages"][1]["content"])
    assert match is not None
    first = int(match[1]) + str(body["model"]).startswith(f"{ENSEMBLE}-a")
    scores = {f"c{one + 1}": (first + 3 * one) % 10 for one in range(CANDIDATES)}
    return json.dumps({"scores": scores})


@dataclass
class Requested:
    """Work that waits for its start, then what it has become. subject: of its budget."""

    work: Work
    person: Browser
    id: str = ""
    endpoints: Sequence[str] = ()
    question_set: str = ""
    ended: Mapping[str, Any] = field(default_factory=dict)

    @property
    def subject(self) -> str:
        return f"{'ensembles' if self.work.name == ENSEMBLE else 'run'}:{self.id}"

    async def start(self) -> None:
        if self.work.name != ENSEMBLE:
            await send(self.person, f"/{self.id}/start", {"budget": "5"}, 200)
            return
        body = {"question_set": self.question_set, "endpoints": self.endpoints, "budget": "5"}
        key = {"Idempotency-Key": str(uuid.uuid4())}
        created = await self.person.send("POST", ENSEMBLES, body, key)
        self.id = expect_status(202, created)["id"]

    async def wait(self) -> None:
        if self.work.name != ENSEMBLE:
            self.ended = await wait_for_run(self.person, self.id, "ended")
            return

        async def has_ended() -> Any:
            read = expect_status(200, await self.person.get(f"{ENSEMBLES}/{self.id}"))
            assert read["state"] != "failed", read["error"]
            return read if read["state"] == "ended" else None

        self.ended = await virtual_users.until(has_ended, "the end of an ensemble", 300)


@dataclass(frozen=True)
class Workplace:
    """Where work is requested. suffix: of names, which are new in each test."""

    stack: Stack
    url: str
    suffix: str

    async def prepare(self, work: Work) -> Requested:
        """With endpoints and a connection of its own; a run is estimated."""
        email = COORDINATOR if work.name == ENSEMBLE else RESEARCHER
        person = await virtual_users.sign_in(self.stack.url, email)
        endpoints = [self._add_endpoint(model) for model in work.models]
        name = f"{work.models[0]} {self.suffix}"
        if work.name == ENSEMBLE:
            command = MAKE_QUESTIONS.format(name=name, owner=COORDINATOR)
            printed = self.stack.manage("shell", "--verbosity", "0", "--command", command)
            return Requested(work, person, endpoints=endpoints, question_set=printed.strip())
        run = await estimate_task(person, RUNS[work.name], endpoints[0], name, work.items)
        return Requested(work, person, run, endpoints)

    def _add_endpoint(self, model: str) -> str:
        options = ("--max-in-flight", str(IN_FLIGHT))
        return add_endpoint(self.stack, self.url, model, f"{model} {self.suffix}", *options)


def count_paid(log: Sequence[Logged]) -> Counter[str]:
    return Counter(one.body["model"] for one in log if one.is_paid)
