"""Pages of a large public board through real HTTP, beside an empty view in the same run.

The board is ranked by its job's function. SIZE=full has 10,000 entries and 50 visitors.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator, Mapping, Sequence

from tests.bench.figures import Figure, bench, run_size
from tests.bench.http_baseline import empty_view, figures_of
from tests.bench.large_board import SEED, SLUG
from tests.e2e.stack import Stack
from tests.load.closed_loop import Operation, side_by_side
from tests.load.http import Browser

FULL = run_size() == "full"
ENTRIES, VISITORS, EACH, ROUNDS = (10_000, 50, 10, 4) if FULL else (300, 10, 5, 2)
ROWS_PER_PAGE = 100
VIEWS = {
    "sorted": "sort=link_recall&order=descending",
    "sorted_slice": "sort=link_f1&slice=gene-gene",
    "filtered": "hide=simulated&provenance=evaluated",
    "searched": "text=Model+1",
}


@bench("evaluation.board")
def board() -> Iterator[Figure]:
    with Stack() as stack:
        code = f"from tests.bench.large_board import fill; fill({ENTRIES})"
        stack.manage("shell", "-v0", "-c", code)
        visitors = open_browsers(stack)
        operations = {
            "first_page": reading(visitors, "", itertools.repeat(0)),
            "any_page": reading(visitors, "", any_page()),
            **{name: reading(visitors, view, any_page()) for name, view in VIEWS.items()},
            "new_search": searching(visitors),
        }
        yield from asyncio.run(measure_pages(visitors, operations))
        stack.manage(
            "shell", "-v0", "-c", "from tests.bench.large_board import hide_names; hide_names()"
        )
        visitors = open_browsers(stack)
        anonymous = {"anonymous_page": reading(visitors, "", any_page())}
        yield from asyncio.run(measure_pages(visitors, anonymous))


def open_browsers(stack: Stack) -> list[Browser]:
    return [Browser(stack.url) for _ in range(VISITORS)]


async def measure_pages(
    visitors: Sequence[Browser], operations: Mapping[str, Operation]
) -> list[Figure]:
    timed = await side_by_side([empty_view(visitors), *operations.values()], VISITORS, EACH, ROUNDS)
    figures: list[Figure] = []
    for name, one in zip(operations, timed[1:], strict=True):
        size = f"{ENTRIES:,} entries, {VISITORS} visitors"
        figures += figures_of(f"evaluation.board.{name}", size, one, timed[0], SEED, goal=3)
    return figures


def any_page() -> Iterator[int]:
    return itertools.cycle(range(0, ENTRIES, ROWS_PER_PAGE))


def reading(visitors: Sequence[Browser], view: str, offsets: Iterator[int]) -> Operation:
    async def turn(person: int) -> None:
        await read_page(visitors[person], f"offset={next(offsets)}&{view}")

    return turn


def searching(visitors: Sequence[Browser]) -> Operation:
    """A text that nobody has searched yet: most have a few entries, and none is in memory."""
    texts = (f"{number}" for number in itertools.count(ENTRIES // 100))

    async def turn(person: int) -> None:
        await read_page(visitors[person], f"text={next(texts)}")

    return turn


async def read_page(browser: Browser, query: str) -> None:
    path = f"/api/v1/boards/{SLUG}?{query}"
    answered = await browser.send("GET", path, headers={"Accept-Encoding": "gzip"})
    if answered.status != 200 or len(answered.body) < ROWS_PER_PAGE:
        raise AssertionError(f"A page of the board was answered {answered.status}.")
