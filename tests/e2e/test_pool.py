"""A pool whose web server and worker are killed while its experts answer."""

import pytest

from tests.e2e.stack import Stack
from tests.load import play, virtual_users
from tests.load.pools import PoolSize, agreement_is_fresh, check_pool, run_pool

SMALL = PoolSize(items=40, raters=6, kills=3)


@pytest.mark.disrupts
def test_kills_leave_every_item_its_three_answers_and_lose_none(stack: Stack) -> None:
    play(_kills(stack))


async def _kills(stack: Stack) -> None:
    run = await run_pool(stack, SMALL, seed=1)
    assert run.kills == {"web": 2, "worker": 1}
    assert run.repeated > 0
    states = await check_pool(run)
    assert states["active"] == SMALL.answers
    await virtual_users.until(lambda: agreement_is_fresh(run), "agreement of all answers")
