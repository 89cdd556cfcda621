"""An ensemble from its page through the worker's process, in a storm of faults."""

import json
import pickle
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from backend.llm.calls import Outcome
from tests.e2e.browser_helpers import JOB_MS, BrowserProfiles
from tests.e2e.page_objects import COORDINATOR
from tests.e2e.stack import Stack
from tests.e2e.task_runs import add_endpoint
from tests.evaluation.fault_storm import TIMEOUT_S, FaultStorm, outcome_of
from tests.evaluation.scored_questions import MODELS, QUESTIONS, REQUESTS, answer, number_of
from tests.llm.scripted_server import ScriptedServer

MAKE_SET = """
from backend.accounts.models import User
from tests.evaluation.scored_questions import make_question_set
make_question_set({name!r}, User.objects.by_email({owner!r}))
"""
CHECK = """
import json, pickle
from pathlib import Path
from backend.benchmarks.models import Partition
from backend.evaluation.models import CandidateEnsemble, CandidateScoring
from tests.evaluation.scored_questions import CANDIDATES, scores_of
from tests.evaluation.stormed_ledger import assert_ledger_is_log
ensemble = CandidateEnsemble.objects.get(question_set__name={name!r})
assert_ledger_is_log(ensemble.subject, pickle.loads(Path({path!r}).read_bytes()))
rows = CandidateScoring.objects.filter(question__question_set=ensemble.question_set)
for row in rows:
    given = scores_of(row.model)
    assert row.scores == {{str(one): given[f"c{{one + 1}}"] for one in range(CANDIDATES)}}
methods = Partition.objects.filter(question__question_set=ensemble.question_set, method="llm")
print(json.dumps([rows.count(), methods.count()]))
"""


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(FaultStorm(number_of, answer).play) as server:
        yield server


def test_an_ensemble_ends_on_its_page_and_the_ledger_is_what_the_servers_saw(
    profiles: BrowserProfiles, served: Stack, server: ScriptedServer, tmp_path: Path
) -> None:
    name = f"Stormed {tmp_path.name}"
    script = MAKE_SET.format(name=name, owner=COORDINATOR)
    served.manage("shell", "--verbosity", "0", "--command", script)
    for model in MODELS:
        options = ("--timeout", str(TIMEOUT_S), "--parameters", "135000000")
        add_endpoint(served, server.url, model, f"{model} {tmp_path.name}", *options)
    page = profiles.open_signed_in(COORDINATOR, "/candidate-ensembles")
    page.get_by_label("Question set").select_option(label=name)
    size = "a 135-million-parameter model"
    for place, model in zip(("First model", "Second model"), MODELS, strict=True):
        chosen = f"{model} {tmp_path.name}: {model}, {size}"
        page.get_by_label(place).select_option(label=chosen)
    page.get_by_label("Budget in US dollars").fill("1")
    page.get_by_role("button", name="Score candidates").click()
    shown = page.get_by_role("article", name=name)
    counts = f"{QUESTIONS} questions partitioned. {REQUESTS} answers of models stored, "
    expect(shown).to_contain_text(f"{counts}0 stored before, 0 failed.", timeout=JOB_MS)
    expect(shown).to_contain_text(f"(first, {size})")

    answered = Counter(number_of(one.body) for one in server.log if is_answer(outcome_of(one)))
    assert answered == dict.fromkeys(range(REQUESTS), 1)
    path = tmp_path / "log"
    path.write_bytes(pickle.dumps(server.log))
    check = CHECK.format(name=name, path=str(path))
    printed = served.manage("shell", "--verbosity", "0", "--command", check)
    assert json.loads(printed) == [REQUESTS, QUESTIONS]


def is_answer(outcome: Outcome | None) -> bool:
    return outcome == Outcome.ANSWERED
