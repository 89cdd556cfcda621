"""Finding entities while somebody types, through real HTTP, beside an empty view in the same run.

SIZE=small has a hundred thousand entities, SIZE=full a million. Every question is asked once, so
that nothing is answered from a memory of the last time. An identifier, a name or words that do not
lead to their entity end the run; how many slips do not is a figure.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from tests.bench.figures import ROOT, Figure, bench
from tests.bench.names import KINDS, SEED, Names
from tests.e2e.stack import Stack
from tests.load.closed_loop import Timed, Turn, side_by_side
from tests.load.http import Browser
from tests.load.people import expect

FULL = {"small": False, "full": True}[os.environ.get("SIZE", "small")]
ENTITIES = 1_000_000 if FULL else 100_000
ROUNDS = 4
TURNS = {1: 100, 20: 10} if FULL else {1: 30, 20: 4}  # crowd: each, in a round
HOLDS = f"{ENTITIES:,} entities"
PEER = "empty view"
SEARCH = "/api/v1/graphs/names/search?"


@bench("graphs.search")
def typeahead() -> Iterator[Figure]:
    names = Names(ENTITIES)
    with Stack() as stack:
        began = time.perf_counter()
        bring_in(names, stack)
        took = time.perf_counter() - began
        yield Figure("graphs.search.import", took, "s", "lower", size=HOLDS, seed=SEED)
        yield from asyncio.run(asked(names, stack))


def bring_in(names: Names, stack: Stack) -> None:
    folder = stack.data / "names"
    names.write(folder)
    command = [sys.executable, "manage.py", "import_graph", "csv", str(folder)]
    subprocess.run(
        [*command, "--name", "names", "--public"],
        cwd=ROOT,
        env=stack.environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )


async def asked(names: Names, stack: Stack) -> list[Figure]:
    figures: list[Figure] = []
    for crowd, each in TURNS.items():
        visitors = [Browser(stack.url) for _ in range(crowd)]
        count = crowd * (each * ROUNDS + 1)
        questions = {kind: names.questions(kind, count) for kind in KINDS}
        found = {kind: list[bool]() for kind in KINDS}
        turns = [typing(visitors, questions[kind], found[kind]) for kind in KINDS]
        timed = await side_by_side([empty(visitors), *turns], crowd, each, ROUNDS)
        everything = Timed([one for it in timed[1:] for one in it.latencies])
        everything.seconds = sum(it.seconds for it in timed[1:])
        for kind, one in zip(("all", *KINDS), (everything, *timed[1:]), strict=True):
            figures += figures_of(kind, crowd, one, timed[0])
        figures += answered(found, crowd)
    return figures


def empty(visitors: Sequence[Browser]) -> Turn:
    async def turn(person: int) -> None:
        expect(204, await visitors[person].get("/livez"))

    return turn


def typing(visitors: Sequence[Browser], questions: list[str], found: list[bool]) -> Turn:
    """Each question once, whoever comes first."""
    waiting = iter(questions)

    async def turn(person: int) -> None:
        text = next(waiting)
        told = expect(200, await visitors[person].get(SEARCH + urlencode({"q": text})))
        found.append(bool(told["results"]))

    return turn


def answered(found: dict[str, list[bool]], crowd: int) -> Iterator[Figure]:
    """Only a slip may lead nowhere: of two words that lie near, another one may be meant."""
    for kind, all_of_it in found.items():
        if kind != "typo" and not all(all_of_it):
            raise AssertionError(f"{all_of_it.count(False)} of kind {kind} found nothing.")
    slips = found["typo"]
    share = 100 * sum(slips) / len(slips)
    size = f"{HOLDS}, {crowd} at once"
    yield Figure("graphs.search.typo.found", share, "%", "higher", size=size, seed=SEED)


def figures_of(kind: str, crowd: int, timed: Timed, peer: Timed) -> Iterator[Figure]:
    size = f"{HOLDS}, {crowd} at once, {len(timed.latencies)} requests"
    mine, theirs = timed.per_second, peer.per_second
    name = f"graphs.search.{kind}"
    yield Figure(f"{name}.rate", mine, "requests/s", "higher", PEER, theirs, size, SEED)
    for share in (50, 95, 99):
        mine, theirs = timed.percentile(share / 100), peer.percentile(share / 100)
        yield Figure(f"{name}.p{share}", mine, "ms", "lower", PEER, theirs, size, SEED)
