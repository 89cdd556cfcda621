"""Pauses, cancellations and faults act while requests are still being made, one after another."""

import time
from collections.abc import Iterator

import pytest

from backend.evaluation.runs.model_loop import ModelLoop
from backend.evaluation.runs.request_loop import FaultCount, KeyedRequest, answer_all
from tests.llm.factories import COMMITTED, QUICK, make_budget, make_endpoint, make_request
from tests.llm.scripted_server import Scripted, ScriptedServer

pytestmark = COMMITTED
ITEMS = 40  # fewer than the window, so all of them would begin at once


class SlowRequests:
    """As those of tasks that read papers for each item. count: how many there were."""

    def __init__(self, server: ScriptedServer, pause_s: float) -> None:
        self.endpoint = make_endpoint(server.url)
        self.pause_s, self.count = pause_s, 0

    def __iter__(self) -> Iterator[KeyedRequest]:
        for item in range(ITEMS):
            time.sleep(self.pause_s)
            self.count += 1
            yield str(item), self.endpoint, make_request(item)


def test_a_pause_ends_the_making_of_requests_and_those_in_flight_are_answered(
    server: ScriptedServer,
) -> None:
    requests = SlowRequests(server, 0.01)
    with ModelLoop(make_budget(), QUICK) as loop:

        def pause_at_five() -> None:
            if requests.count == 5:
                loop.stop_calls()

        answers = [*answer_all(loop, requests, pause_at_five)]
    assert requests.count == 5 and len(answers) <= 4
    assert all(one.is_answered for _, one in answers) and len(server.log) == len(answers)


def test_a_cancelled_job_makes_no_further_request(server: ScriptedServer) -> None:
    requests = SlowRequests(server, 0.0)

    def cancel_at_five() -> None:
        if requests.count == 5:
            raise InterruptedError

    with ModelLoop(make_budget(), QUICK) as loop, pytest.raises(InterruptedError):
        list(answer_all(loop, requests, cancel_at_five))
    assert requests.count == 5 and len(server.log) <= 4


def test_faults_stop_an_endpoint_before_the_window_is_full(server: ScriptedServer) -> None:
    server.script = lambda body, number: Scripted(status=401, error="no such key")
    requests, faults = SlowRequests(server, 0.05), FaultCount()
    with ModelLoop(make_budget(), QUICK) as loop:
        for _, answer in answer_all(loop, requests):
            faults.add(answer)
            if faults.has_failed:
                loop.stop_calls()
    assert faults.has_failed and requests.count < ITEMS


@pytest.mark.parametrize("window", [1, 3, ITEMS + 1])
def test_every_request_is_answered_once_whatever_the_window(
    server: ScriptedServer, window: int
) -> None:
    with ModelLoop(make_budget(), QUICK) as loop:
        answers = [*answer_all(loop, SlowRequests(server, 0.0), window=window)]
    assert sorted(int(key) for key, _ in answers) == [*range(ITEMS)] and len(server.log) == ITEMS
