"""Commands of proposals and judges that are killed by SIGKILL, by the log of the server."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import Partition, QuestionSet
from backend.evaluation.models import HypothesisProposal, QuerySynthesis, RequestState
from backend.jobs.models import Job
from backend.llm.models import Budget, CachedAnswer, Call, Endpoint
from tests.command_processes import kill_after, start_command
from tests.evaluation.grounding_worlds import make_world
from tests.evaluation.synthesis_graph import make_primekg
from tests.evaluation.synthesis_worlds import synthesize
from tests.evaluation.test_hypothesis_proposals import planted, write_backgrounds
from tests.evaluation.test_judges import texts
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Script, Scripted, ScriptedServer
from tests.thorough import thorough

pytestmark = pytest.mark.django_db(transaction=True)
ITEMS, IN_FLIGHT, KILLS = 16, 2, 2
# Two kills: the calls in flight of each, and one that was reserved before it had a slot.
MOST_LOST = KILLS * (IN_FLIGHT + 1)


def slowly(script: Script) -> Script:
    return lambda body, number: replace(script(body, number), delay_s=0.15)


def kill_twice(
    server: ScriptedServer, words: tuple[str, ...], kills: tuple[int, int] = (4, 9)
) -> dict[str, Any]:
    """The result of the command that follows both, without help of the cache."""
    for requests in kills:
        kill_after(start_command(*words), server.log, requests)
        Job.objects.update(heartbeat_at=None)  # as after a minute without one
        CachedAnswer.objects.all().delete()
    out, errors = start_command(*words).communicate()
    assert out, errors
    result: dict[str, Any] = json.loads(out)
    return result


def assert_paid_once(server: ScriptedServer) -> None:
    paid = Counter(json.dumps(one.body["messages"]) for one in server.log if one.is_paid)
    lost = Call.objects.filter(outcome="lost").count()
    assert len(paid) == ITEMS
    assert sum(paid.values()) - ITEMS <= lost <= MOST_LOST


def test_a_killed_judge_goes_on_where_it_was(
    transactional_db: None, tmp_path: Path, server: ScriptedServer
) -> None:
    server.script = slowly(lambda body, number: Scripted(text='{"score": 4}'))
    make_endpoint(server.url, max_in_flight=IN_FLIGHT)
    into = tmp_path / "scores.jsonl"
    words = ("judge", str(texts(tmp_path, ITEMS)), "--kind", "faithfulness", "--budget", "1")
    result = kill_twice(server, (*words, "--endpoint", "scripted", "--into", str(into), "--json"))
    assert (result["scored"], result["mean"]) == (ITEMS, 4.0)
    assert_paid_once(server)


@thorough
def test_a_killed_proposal_goes_on_where_it_was(
    transactional_db: None, tmp_path: Path, server: ScriptedServer
) -> None:
    world = make_world(tmp_path)
    server.script = slowly(planted)
    make_endpoint(server.url, max_in_flight=IN_FLIGHT)
    into = tmp_path / "batch1.json"
    words = ("propose_hypotheses", str(write_backgrounds(tmp_path, ITEMS)), "--budget", "1")
    more = ("--endpoint", "scripted", "--graph", world.graph, "--into", str(into), "--json")
    result = kill_twice(server, (*words, *more))
    assert (result["pairs"], result["hypotheses"]) == (ITEMS, 5 * ITEMS)
    assert HypothesisProposal.objects.get().state == RequestState.ENDED
    assert_paid_once(server)
    assert len(json.loads(into.read_text())) == ITEMS


@thorough
def test_a_killed_ensemble_goes_on_where_it_was(
    transactional_db: None, server: ScriptedServer
) -> None:
    """Half of the items for each of two models."""
    questions = QuestionSet.objects.create(name="Several questions")
    for number in range(ITEMS // 2):
        one = questions.questions.create(file_id=f"q{number}", number=number, text=f"{number}?")
        for position in range(10):
            one.candidates.create(position=position, name=f"Drug {position}", prior_rank=1)
    scores = {f"c{one + 1}": float(one) for one in range(10)}
    server.script = slowly(lambda body, number: Scripted(text=json.dumps({"scores": scores})))
    for name in ("first", "second"):
        endpoint = make_endpoint(server.url, name, max_in_flight=IN_FLIGHT)
        Endpoint.objects.filter(pk=endpoint.pk).update(model=name)
    words = ("score_candidates", questions.name, "--endpoint", "first", "second", "--budget", "1")
    result = kill_twice(server, (*words, "--json"), kills=(6, 13))
    assert result["known"] + result["scored"] == ITEMS
    assert result["partitions"] == ITEMS // 2 == Partition.objects.filter(method="llm").count()
    paid = Counter((one.body["model"], one.user_text) for one in server.log if one.is_paid)
    lost = Call.objects.filter(outcome="lost").count()
    assert len(paid) == ITEMS
    assert sum(paid.values()) - ITEMS <= lost <= 2 * MOST_LOST  # for each endpoint
    budget = Budget.objects.get()
    assert 0 < budget.spent <= budget.amount


@thorough
def test_a_killed_synthesis_goes_on_where_it_was_and_writes_the_same_bytes(
    transactional_db: None, tmp_path: Path, server: ScriptedServer
) -> None:
    graph = make_primekg()
    server.script = slowly(synthesize)
    for name in ("writer", "rewriter", "first", "second"):
        endpoint = make_endpoint(server.url, name, max_in_flight=IN_FLIGHT)
        Endpoint.objects.filter(pk=endpoint.pk).update(model=name)
    into = tmp_path / "queries.csv"
    words = ("synthesize_queries", graph.graph.slug, "--name", "Set", "--count", "6", "--json")
    more = ("--writer", "writer", "--rewriter", "rewriter", "--verifier", "first", "--budget", "1")
    command = (*words, *more, "--verifier", "second", "--into", str(into))
    for requests in (2, 6, 10, 16):  # while properties, queries and verdicts are requested
        kill_after(
            start_command(*command, *(["--resume"] if server.log else [])), server.log, requests
        )
        Job.objects.update(heartbeat_at=None)  # as after a minute without one
        CachedAnswer.objects.all().delete()
    out, errors = start_command(*command, "--resume").communicate()
    assert out, errors
    result = json.loads(out)
    paid = Counter((one.body["model"], one.user_text) for one in server.log if one.is_paid)
    lost = Call.objects.filter(outcome="lost").count()
    assert sum(paid.values()) - len(paid) <= lost <= 4 * (IN_FLIGHT + 1)
    budget = Budget.objects.get(subject=QuerySynthesis.objects.get().subject)
    assert 0 < budget.spent <= budget.amount
    killed = into.read_bytes()

    call_command(*command, "--name", "Other")
    assert into.read_bytes() == killed
    assert result["accepted"] == 6
