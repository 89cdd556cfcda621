"""A run reaches as many calls in flight as its endpoint allows, in one process."""

import asyncio
import time
from decimal import Decimal
from pathlib import Path

import pytest
from aiohttp import web

from backend.evaluation.models.runs import RunState
from backend.evaluation.runs.services import start_run
from backend.llm.models import Budget, Call
from tests.evaluation.model_runs import file_of, new_run, skilled, work
from tests.evaluation.releases import open_pairs
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer
from tests.thorough import thorough

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 500
ITEMS = 1_400  # of which the limit takes 620 to grow from 20 by doubling
QUIET_S = 1.0


class RoundServer(ScriptedServer):
    """Answers once no further request has come for a while: a client has then sent all that it
    may, however slow the machine is."""

    arrived_at = 0.0

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.arrived_at = time.monotonic()
        while time.monotonic() - self.arrived_at < QUIET_S:
            await asyncio.sleep(QUIET_S / 4)
        return await super()._answer(request)


@thorough
def test_a_run_has_500_calls_in_flight_pays_for_each_item_once_and_stays_within_its_budget(
    transactional_db: None, tmp_path: Path
) -> None:
    release = open_pairs(tmp_path, ITEMS)
    with RoundServer(skilled(release, 1.0)) as server:
        endpoint = make_endpoint(server.url, max_in_flight=AT_ONCE, timeout_s=300)
        run = work(new_run(release, endpoint))
        run = work(start_run(run=run, budget=Decimal(5)))
        assert (run.state, run.failures) == (RunState.ENDED, {})
        assert server.most_in_flight == AT_ONCE
        assert len(server.log) == Call.objects.count() == ITEMS
    assert len(file_of(run.submissions.get()).splitlines()) == ITEMS
    budget = Budget.objects.get()
    assert budget.spent == sum((one.cost for one in Call.objects.all()), Decimal(0))
    assert budget.spent <= budget.amount and budget.reserved == 0
