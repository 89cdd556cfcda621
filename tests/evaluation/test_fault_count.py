"""When an endpoint has failed, rather than single requests to it."""

import pytest

from backend.evaluation.runs.request_loop import MOST_FAULTS_IN_A_ROW, FaultCount
from backend.llm.calls import ModelAnswer, Outcome

REJECTED = ModelAnswer(Outcome.REJECTED, status=400)
UNAVAILABLE = ModelAnswer(Outcome.SERVER_ERROR, status=503)
ANSWERED = ModelAnswer(Outcome.ANSWERED)


def count(*answers: ModelAnswer) -> FaultCount:
    faults = FaultCount()
    for one in answers:
        faults.add(one)
    return faults


@pytest.mark.parametrize("fault", [REJECTED, UNAVAILABLE])
def test_an_endpoint_that_answers_nothing_has_failed(fault: ModelAnswer) -> None:
    assert not count(*[fault] * (MOST_FAULTS_IN_A_ROW - 1)).has_failed
    assert count(*[fault] * MOST_FAULTS_IN_A_ROW).has_failed


def test_items_that_an_answering_endpoint_rejects_do_not_end_the_run() -> None:
    assert not count(ANSWERED, *[REJECTED] * 3 * MOST_FAULTS_IN_A_ROW).has_failed
    gone = ModelAnswer(Outcome.REJECTED, status=404)
    for one in (UNAVAILABLE, gone):
        assert count(ANSWERED, *[one] * MOST_FAULTS_IN_A_ROW).has_failed


@pytest.mark.parametrize("status", [401, 402])
def test_a_refused_key_ends_a_run_at_once(status: int) -> None:
    assert count(ANSWERED, ModelAnswer(Outcome.REJECTED, status=status)).has_failed
