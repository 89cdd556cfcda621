"""Visitors who ask for the most expensive searches that are public, each from an address of its
own, as visitors have them."""

import asyncio
import itertools
import random
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tests.load import virtual_users
from tests.load.http import Browser, TimedResponse
from tests.load.virtual_users import expect_status

ADMINISTRATOR = "administrator@demo.example"
HUBS = 40
EDGES_PER_ENTITY = 15
Request = tuple[str, str, Any]


@dataclass(frozen=True)
class HubGraph:
    """A public graph with hubs; `path` is that of the API."""

    path: str
    entities: int


def hub_files(size: int) -> dict[str, bytes]:
    """Every edge has a hub at one end, so that three steps lead nearly anywhere."""
    chance = random.Random(1)  # noqa: S311  test data, not secrets
    entities = "".join(f"LOCAL:{number},entity {number},Thing\n" for number in range(size))
    count = EDGES_PER_ENTITY * size
    edges = {(chance.randrange(HUBS), chance.randrange(HUBS, size)) for _ in range(count)}
    lines = "".join(f"LOCAL:{hub},leads_to,LOCAL:{other}\n" for hub, other in sorted(edges))
    return {
        "entities.csv": f"id,name,type\n{entities}".encode(),
        "edges.csv": f"source,relation,target\n{lines}".encode(),
    }


async def import_hub_graph(address: str, entities: int = 2_000) -> HubGraph:
    administrator = await virtual_users.sign_in(address, ADMINISTRATOR)
    fields = {"name": f"Hubs {uuid.uuid4().hex[:8]}", "visibility": "public"}
    answered = await administrator.upload("/api/v1/graph-imports", fields, hub_files(entities))
    path = f"/api/v1/jobs/{expect_status(202, answered)['id']}"

    async def result() -> Any:
        job = expect_status(200, await administrator.get(path))
        return job["state"] == "succeeded" and job["result"]

    imported = await virtual_users.until(result, "the graph")
    return HubGraph(f"/api/v1/graphs/{imported['graph']}", entities)


def paths(graph: HubGraph, chance: random.Random) -> Request:
    """20 x 20 ends, three hops, through hubs."""
    ends = [f"LOCAL:{number}" for number in chance.sample(range(HUBS, graph.entities), 40)]
    query = {"from": ",".join(ends[:20]), "to": ",".join(ends[20:]), "hops": 3, "hubs": "true"}
    return "GET", f"{graph.path}/paths?{urlencode(query)}", None


def rns(graph: HubGraph, chance: random.Random) -> Request:
    """RNS of 100 entities, with its percentile among random sets."""
    ids = [f"LOCAL:{number}" for number in chance.sample(range(graph.entities), 100)]
    return (
        "POST",
        f"{graph.path}/rns",
        {"existing": ids[:50], "serendipity": ids[50:], "percentile": True},
    )


def subgraph(graph: HubGraph, chance: random.Random) -> Request:
    """All edges between 900 entities, or half of a smaller graph."""
    count = min(900, graph.entities // 2)
    numbers = [*range(HUBS), *chance.sample(range(HUBS, graph.entities), count - HUBS)]
    return "POST", f"{graph.path}/subgraph", {"ids": [f"LOCAL:{number}" for number in numbers]}


@dataclass
class Visitors:
    """What visitors were answered: by status, and refusals without a time to try again."""

    graph: HubGraph
    statuses: Counter[int] = field(default_factory=Counter)
    unexplained: list[TimedResponse] = field(default_factory=list)

    async def has_both_answers(self) -> bool:
        """Whether some search was answered and some refused."""
        return bool(self.statuses[200] and self.statuses[429] + self.statuses[503])

    async def search_until(self, ended: asyncio.Event, browser: Browser, number: int) -> None:
        """Search after search, of all kinds in turn; after a refusal, wait a moment."""
        chance = random.Random(number)  # noqa: S311  test data, not secrets
        for build in itertools.islice(itertools.cycle((paths, rns, subgraph)), number % 3, None):
            if ended.is_set():
                return browser.hang_up()
            answered = await browser.send(*build(self.graph, chance))
            self.statuses[answered.status] += 1
            if answered.status != 200:
                self.note_refusal(answered)
                await asyncio.sleep(1)

    def note_refusal(self, answered: TimedResponse) -> None:
        if answered.status not in {429, 503} or "retry-after" not in dict(answered.headers):
            self.unexplained.append(answered)


@asynccontextmanager
async def searching(
    address: str, graph: HubGraph, sources: Iterable[str]
) -> AsyncIterator[Visitors]:
    """One visitor from each of these addresses searches until the block ends."""
    visitors, ended = Visitors(graph), asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for number, source in enumerate(sources):
            browser = Browser(address, source=source)
            group.create_task(visitors.search_until(ended, browser, number))
        try:
            yield visitors
        finally:
            ended.set()


def addresses(count: int) -> Iterator[str]:
    """Addresses of this machine, all different."""
    return (f"127.0.1.{number}" for number in range(1, count + 1))
