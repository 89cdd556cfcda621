"""What an explorer's page asks, through real HTTP, beside an empty view in the same run.

Pages of 25 neighbours along a relation and whole entity pages, of random entities and of the one
with most links; the ten strongest edges of that one. SIZE=small has ten thousand entities and ten
times the edges, SIZE=full a million. An answer without neighbours ends the run.
"""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from tests.bench.figures import Figure, bench, run_size
from tests.bench.http_baseline import bring_in, empty_view, figures_of
from tests.bench.synthetic import RELATIONS, SEED, TYPES, Synthetic, identifier
from tests.e2e.stack import Stack
from tests.load.closed_loop import Operation, side_by_side
from tests.load.http import Browser
from tests.load.virtual_users import expect_status

FULL = run_size() == "full"
ENTITIES, EDGES = (1_000_000, 10_000_000) if FULL else (10_000, 100_000)
ROUNDS = 4
REPETITIONS = {1: 100, 20: 10} if FULL else {1: 30, 20: 4}
HOLDS = f"{ENTITIES:,} entities, {EDGES:,} edges"
GRAPH = "/api/v1/graphs/synthetic"


@bench("graphs.http")
def explorer() -> Iterator[Figure]:
    created = Synthetic(ENTITIES, EDGES)
    with Stack() as stack:
        folder = stack.data / "synthetic"
        write(created, folder)
        bring_in(folder, "synthetic", stack)
        yield from asyncio.run(measure_pages(created, stack))


def write(created: Synthetic, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "entities.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("id", "name", "type"))
        for number in range(created.entity_count):
            rows.writerow((identifier(number), f"entity {number}", TYPES[number % len(TYPES)]))
    with (folder / "edges.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("source", "relation", "target", "score"))
        for sources, relations, targets, scores, _ in created.batches():
            for one in zip(
                sources.tolist(), relations.tolist(), targets.tolist(), scores.tolist(), strict=True
            ):
                source, relation, target, score = one
                rows.writerow(
                    (identifier(source), RELATIONS[relation], identifier(target), f"{score:.3f}")
                )


async def measure_pages(created: Synthetic, stack: Stack) -> list[Figure]:
    figures: list[Figure] = []
    sources, relations, _, _, _ = next(created.batches())
    hub = int(np.argmax(np.bincount(sources)))
    pairs = list(zip(sources.tolist(), relations.tolist(), strict=True))
    of_hub = [(hub, relation) for source, relation in pairs if source == hub]
    for crowd, each in REPETITIONS.items():
        visitors = [Browser(stack.url) for _ in range(crowd)]
        operations = {
            "neighbours.random": paging(visitors, iter(pairs)),
            "neighbours.hub": paging(visitors, iter(of_hub * (EDGES // len(of_hub)))),
            "strongest.hub": strongest(visitors, hub),
            "entity.random": opening(visitors, iter(pairs[::-1])),
        }
        timed = await side_by_side(
            [empty_view(visitors), *operations.values()], crowd, each, ROUNDS
        )
        for name, one in zip(operations, timed[1:], strict=True):
            size = f"{HOLDS}, {crowd} at once"
            figures += figures_of(f"graphs.http.{name}", size, one, timed[0], SEED)
    return figures


def paging(visitors: Sequence[Browser], pairs: Iterator[tuple[int, int]]) -> Operation:
    async def turn(person: int) -> None:
        source, relation = next(pairs)
        query = urlencode({"relation": RELATIONS[relation], "outgoing": "true", "limit": 25})
        page = f"{GRAPH}/entities/{identifier(source)}/neighbours?{query}"
        if not expect_status(200, await visitors[person].get(page))["results"]:
            raise AssertionError(f"{page} has no neighbours.")

    return turn


def strongest(visitors: Sequence[Browser], number: int) -> Operation:
    """The ten strongest of all edges of the entity, as a guided exploration weighs them."""

    async def turn(person: int) -> None:
        page = f"{GRAPH}/entities/{identifier(number)}/strongest-neighbours?limit=10"
        results = expect_status(200, await visitors[person].get(page))["results"]
        if len(results) < 10 or results[0]["weight"] is None:
            raise AssertionError(f"{page} has fewer than ten neighbours, or no weights.")

    return turn


def opening(visitors: Sequence[Browser], pairs: Iterator[tuple[int, int]]) -> Operation:
    async def turn(person: int) -> None:
        source, _ = next(pairs)
        page = f"{GRAPH}/entities/{identifier(source)}"
        if not expect_status(200, await visitors[person].get(page))["relations"]:
            raise AssertionError(f"{page} has no relations.")

    return turn
