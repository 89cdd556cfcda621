"""A guided exploration reaches as many calls in flight as its endpoint allows, across its roots."""

import asyncio
import json
from collections import Counter
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import pytest
from aiohttp import web

from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.services import start_run
from backend.llm import limiter
from backend.llm.models import Budget, CachedAnswer, Call
from tests.evaluation.exploration_releases import make_exploration_release
from tests.evaluation.guided_runs import LEVEL, files_of, new_guided_run, play_to_end, states_of
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.model_runs import work
from tests.evaluation.rule_player import DATA, RulePlayer
from tests.llm.scripted_server import ScriptedServer
from tests.thorough import thorough

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 500
ROOTS = 100  # of which those that are not slow choose relations at 550 entities of level 2
WALK = {"width": 8, "edges": 10, "relations": 3, "depth": 2, "max_items": ROOTS}
PLAYER = RulePlayer(relations=3, nodes=8)
QUIET_S, PATIENCE_S = 1.0, 120.0


class DelayingServer(ScriptedServer):
    """While it is not open, it answers neither the first request about a slow root nor those of
    level 2. It opens once AT_ONCE of them wait, and a moment later, so that more than these would
    be counted; also when a run has long sent no other. waiting: by level."""

    def __init__(self) -> None:
        super().__init__(PLAYER)
        self.waiting = Counter[str]()
        self.is_open = asyncio.Event()
        self.is_open.set()
        self._timer: asyncio.TimerHandle | None = None

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if not self.is_open.is_set():
            text = str((await request.json())["messages"][-1]["content"])
            if LEVEL.findall(text) == ["2"] or is_of_slow_root(text):
                self.waiting.update(LEVEL.findall(text))
                self._open_later()
                await self.is_open.wait()
        return await super()._answer(request)

    def _open_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        left_s = PATIENCE_S if self.waiting.total() < AT_ONCE else QUIET_S
        self._timer = asyncio.get_running_loop().call_later(left_s, self.is_open.set)


def is_of_slow_root(text: str) -> bool:
    """A fifth of the roots are."""
    question_and_root = "".join(DATA.findall(text)[:2])
    return sha256(question_and_root.encode()).digest()[0] % 5 == 0


def explore_widely(masked: MaskedRelease) -> Run:
    with DelayingServer() as server:
        run = work(new_guided_run(masked, server.url, places=AT_ONCE, **WALK))
        server.is_open.clear()
        run = work(start_run(run=run, budget=Decimal(5)))
    assert (run.state, run.failures) == (RunState.ENDED, {}), run.error
    assert server.most_in_flight == AT_ONCE == server.waiting.total()
    assert {*server.waiting} == {"1", "2"}  # of different roots: each is at one level at a time
    paid = Counter(json.dumps(one.body["messages"]) for one in server.log)
    assert {*paid.values()} == {1}
    assert len(server.log) == Call.objects.count()
    return run


@thorough
def test_an_exploration_has_500_calls_in_flight_at_two_levels_and_ends_as_one_with_8_at_once(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if earlier calls had raised the limit, as a plain run does by itself.
    monkeypatch.setattr(limiter, "START", AT_ONCE)
    masked = make_exploration_release(tmp_path)
    wide = explore_widely(masked)
    budget = Budget.objects.get(subject=wide.subject)
    assert budget.spent == sum((one.cost for one in Call.objects.all()), Decimal(0))
    assert budget.spent <= budget.amount and budget.reserved == 0
    CachedAnswer.objects.all().delete()
    with ScriptedServer(PLAYER) as server:
        narrow = play_to_end(new_guided_run(masked, server.url, places=8, **WALK))
    assert server.most_in_flight <= 8
    assert 2 * len(server.log) == Call.objects.count()  # none is from the cache
    assert sum(len(one.splitlines()) for one in files_of(wide).values()) == ROOTS
    assert files_of(narrow) == files_of(wide)
    assert states_of(narrow) == states_of(wide)
