"""Finding entities while somebody types, through real HTTP, beside an empty view in the same run.

SIZE=small has a hundred thousand entities, SIZE=full a million. Questions are drawn anew each time,
but the common words and first letters come again by chance, as they do where people type, and those
a process may remember. An identifier, a name or words that lead nowhere end the run; how many slips
lead somewhere is a figure.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from tests.bench.figures import Figure, bench, run_size
from tests.bench.http_baseline import bring_in, empty_view, figures_of
from tests.bench.names import KINDS, SEED, Names
from tests.e2e.stack import Stack
from tests.load.closed_loop import Operation, Timed, side_by_side
from tests.load.http import Browser
from tests.load.virtual_users import expect_status

FULL = run_size() == "full"
ENTITIES = 1_000_000 if FULL else 100_000
ROUNDS = 4
REPETITIONS = {1: 100, 20: 10} if FULL else {1: 30, 20: 4}  # crowd: each, in a round
HOLDS = f"{ENTITIES:,} entities"
SEARCH = "/api/v1/graphs/names/search?"


@bench("graphs.search")
def typeahead() -> Iterator[Figure]:
    names = Names(ENTITIES)
    with Stack() as stack:
        began = time.perf_counter()
        folder = stack.data / "names"
        names.write(folder)
        bring_in(folder, "names", stack)
        seconds = time.perf_counter() - began
        yield Figure("graphs.search.import", seconds, "s", "lower", size=HOLDS, seed=SEED)
        yield from asyncio.run(measure_searches(names, stack))


async def measure_searches(names: Names, stack: Stack) -> list[Figure]:
    figures: list[Figure] = []
    for crowd, each in REPETITIONS.items():
        visitors = [Browser(stack.url) for _ in range(crowd)]
        count = crowd * (each * ROUNDS + 1)
        questions = {kind: names.questions(kind, count) for kind in KINDS}
        result = {kind: list[bool]() for kind in KINDS}
        operations = [typing(visitors, questions[kind], result[kind]) for kind in KINDS]
        timed = await side_by_side([empty_view(visitors), *operations], crowd, each, ROUNDS)
        everything = Timed([one for it in timed[1:] for one in it.latencies])
        everything.seconds = sum(it.seconds for it in timed[1:])
        for kind, one in zip(("all", *KINDS), (everything, *timed[1:]), strict=True):
            size = f"{HOLDS}, {crowd} at once"
            figures += figures_of(f"graphs.search.{kind}", size, one, timed[0], SEED)
        figures += answered(result, crowd)
    return figures


def typing(visitors: Sequence[Browser], questions: list[str], result: list[bool]) -> Operation:
    """Every query once, shared by all users."""
    waiting = iter(questions)

    async def turn(person: int) -> None:
        text = next(waiting)
        reported = expect_status(200, await visitors[person].get(SEARCH + urlencode({"q": text})))
        result.append(bool(reported["results"]))

    return turn


def answered(result: dict[str, list[bool]], crowd: int) -> Iterator[Figure]:
    """Only a mistyped query may have no result: it may match another word."""
    for kind, all_of_it in result.items():
        if kind != "typo" and not all(all_of_it):
            raise AssertionError(f"{all_of_it.count(False)} of kind {kind} found nothing.")
    slips = result["typo"]
    share = 100 * sum(slips) / len(slips)
    size = f"{HOLDS}, {crowd} at once"
    yield Figure("graphs.search.typo.found", share, "%", "higher", size=size, seed=SEED)
