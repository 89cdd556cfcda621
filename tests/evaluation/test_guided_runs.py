"""Guided exploration as a run: from a command or request to the board, on the masked graph."""

import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from pytest_django.plugin import DjangoDbBlocker
from rest_framework.test import APIClient

from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.models import Exploration
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.services import resume_run, start_run
from backend.evaluation.services import get_job
from backend.graphs import scored_neighbours
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.snapshots.snapshot import Snapshot
from backend.jobs.models import Job
from backend.llm.models import Budget, CachedAnswer, Call, StoredText
from tests.command_processes import kill_after, kill_when, start_command
from tests.evaluation.exploration_releases import make_exploration_release
from tests.evaluation.guided_runs import (
    GUIDED,
    LEVEL,
    files_of,
    new_guided_run,
    play_to_end,
    states_of,
)
from tests.evaluation.masked_release import MaskedRelease
from tests.evaluation.model_runs import file_of, work
from tests.evaluation.played_runs import committed_data
from tests.evaluation.rule_player import DATA, RulePlayer, schema_fields
from tests.fork_server import ForkedProcess
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer
from tests.personas import make_person
from tests.saved_rows import SavedRows
from tests.thorough import thorough

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def saved_release(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[MaskedRelease, SavedRows]:
    """Made once: it takes seconds, and each test commits."""
    with committed_data(django_db_blocker):
        release = make_exploration_release(tmp_path_factory.mktemp("release"))
        return release, SavedRows.of_database()


@pytest.fixture
def masked(saved_release: tuple[MaskedRelease, SavedRows], transactional_db: None) -> MaskedRelease:
    release, rows = saved_release
    rows.restore()
    return release


def prompts_of(run: Run) -> list[str]:
    digests = Call.objects.filter(budget__subject=run.subject).values("prompt")
    return [bytes(one.content).decode() for one in StoredText.objects.filter(digest__in=digests)]


def test_a_run_explores_many_roots_and_ends_as_a_submission(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    server.script = RulePlayer(slow_s=0.02)
    run = play_to_end(new_guided_run(masked, server.url))
    assert run.state == RunState.ENDED, run.error
    assert run.estimate is not None and run.estimate["sampled"] == 2
    rows = [json.loads(line) for one in run.submissions.all() for line in file_of(one).splitlines()]
    assert len(rows) == 6 == Exploration.objects.filter(run=run, has_ended=True).count()
    assert any(row["leaves"] for row in rows)
    depths = {len(leaf["path"]) // 2 for row in rows for leaf in row["leaves"]}
    assert depths == {1, 2, 3}
    assert server.most_in_flight > 1
    paid = Counter(json.dumps(one.body["messages"]) for one in server.log if one.is_paid)
    assert set(paid.values()) == {1}


def test_requests_of_many_roots_fill_the_places_of_the_endpoint_level_beside_level(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    """One root has four requests at once at most."""
    places = 8
    server.script = RulePlayer(slow_s=0.1)
    run = new_guided_run(masked, server.url, places=places, max_items=20, depth=2)
    assert play_to_end(run).state == RunState.ENDED, run.error
    assert server.most_in_flight == places
    levels = [LEVEL.findall(one.user_text) for one in server.log]
    together = (levels[at : at + places] for at in range(len(levels)))
    assert any(["1"] in one and ["2"] in one for one in together)


def test_an_estimate_that_was_interrupted_states_no_less_and_pays_nothing_twice(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    server.script = RulePlayer()
    run = work(new_guided_run(masked, server.url))
    first = run.estimate
    assert first is not None
    paid = sum(one.is_paid for one in server.log)
    # The worker dies when the roots of the sample have ended, and before the estimate is stored.
    Run.objects.filter(pk=run.pk).update(state=RunState.FAILED, estimate=None)
    run.refresh_from_db()
    again = work(resume_run(run=run, budget=None))
    assert again.estimate is not None
    for name in ("sampled", "worst_cost", "calls", "cost"):
        assert again.estimate[name] == first[name], name
    assert sum(one.is_paid for one in server.log) == paid


Walked = tuple[str, str, str]  # identifier or name, phrase, identifier


def walked_edges(prompts: list[str]) -> Iterator[Walked]:
    """Every edge that a prompt shows: of offered steps, of paths and of the example."""
    for prompt in prompts:
        for block in DATA.findall(json.loads(prompt)[1][1]):
            for line in block.splitlines():
                value = json.loads(line)
                if isinstance(value, dict) and "from" in value:
                    yield value["from"], value["phrase"], value["id"]
                if isinstance(value, list):
                    for first, phrase, second in zip(
                        value[::2], value[1::2], value[2::2], strict=False
                    ):
                        yield first["name"], phrase, second["id"]


def cut_as_walked(masked: MaskedRelease) -> set[Walked]:
    """The edges that the mask hides, in the words of prompts, in both directions."""
    snapshot = open_version_snapshot(masked.base)
    phrases = {one.name: one for one in snapshot.relations}
    names = {one.id: one.name for one in map(snapshot.entity_summary, range(snapshot.entity_count))}
    cut = set[Walked]()
    for source, relation, target in masked.cut:
        info = phrases[relation]
        cut.add((names[source], info.forward, target))
        cut.add((names[target], info.forward if info.symmetric else info.backward, source))
    return cut


@pytest.mark.parametrize("is_masked", [True, False])
def test_no_prompt_has_an_edge_that_the_mask_hides(
    masked: MaskedRelease,
    server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    is_masked: bool,
) -> None:
    """On the full graph the same walk meets such edges, so the search for them can find them."""
    if not is_masked:
        monkeypatch.setattr(ContextRequest, "version", masked.base)
    server.script = RulePlayer(relations=9, nodes=9)
    run = play_to_end(
        new_guided_run(masked, server.url, width=9, edges=60, relations=9, max_items=5)
    )
    assert run.state == (RunState.ENDED if is_masked else RunState.FAILED), run.error
    if not is_masked:  # its paths have edges that the walked graph has not
        assert "no such edge" in str(run.error)
    shown = {*walked_edges(prompts_of(run))}
    assert len(shown) > 100
    assert bool(shown & cut_as_walked(masked)) != is_masked


def test_the_example_is_of_another_dev_question(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    server.script = RulePlayer()
    run = play_to_end(new_guided_run(masked, server.url, max_items=12))
    dev = {one.content["question"] for one in masked.release.items.filter(split="dev")}
    examples = 0
    for prompt in prompts_of(run):
        text = json.loads(prompt)[1][1]
        question = json.loads(DATA.findall(text)[0])
        if "An example of another question" in text:
            example = text.split("An example of another question")[1]
            given = json.loads(DATA.findall(example)[0].splitlines()[0])
            assert given in dev and given != question
            examples += 1
    assert examples > 10


@pytest.mark.parametrize("without", [True, False])
def test_descriptions_of_earlier_levels_are_in_later_prompts_unless_left_out(
    masked: MaskedRelease, server: ScriptedServer, without: bool
) -> None:
    server.script = RulePlayer()
    run = play_to_end(new_guided_run(masked, server.url, without_summaries=without))
    choices = [one for one in prompts_of(run) if "Its relations" in one or "These steps" in one]
    assert any("level 2 of 3" in one for one in choices)
    assert any("Notes on the earlier levels" in one for one in choices) != without
    assert not any("Notes" in one for one in choices if "level 1 of 3" in one)


@pytest.mark.parametrize("without", [True, False])
def test_weights_of_edges_are_in_prompts_unless_left_out(
    masked: MaskedRelease, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, without: bool
) -> None:
    monkeypatch.setattr(scored_neighbours, "weigh_entries", weigh_by_place)
    server.script = RulePlayer()
    run = play_to_end(new_guided_run(masked, server.url, without_weights=without, max_items=3))
    assert any('"weight"' in json.loads(one)[1][1] for one in prompts_of(run)) != without


def weigh_by_place(snapshot: Snapshot, entries: scored_neighbours.Entries) -> Any:
    """As if every edge of the demo's graph had a score."""
    return np.linspace(0.1, 1, len(entries.edges)).astype(np.float32)


def test_a_run_that_is_paused_in_every_phase_ends_with_the_same_bytes(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    """Paused after each tenth request; no paid call is repeated."""
    server.script = RulePlayer()
    whole = play_to_end(new_guided_run(masked, server.url, seed=1))
    CachedAnswer.objects.all().delete()
    first = len(server.log)
    run = work(new_guided_run(masked, server.url, seed=1))
    start_run(run=run, budget=Decimal(5))
    phases = Counter[str]()
    player, pauses = RulePlayer(), {"at": len(server.log) + 10}

    def pausing(body: dict[str, Any], number: int) -> Scripted:
        if len(server.log) >= pauses["at"]:
            pauses["at"] += 10
            phases["/".join(schema_fields(body))] += 1
            Run.objects.filter(pk=run.pk, state=RunState.RUNNING).update(state=RunState.PAUSED)
        return player(body, number)

    server.script = pausing
    for _ in range(100):
        work(run)
        if run.state == RunState.ENDED:
            break
        assert run.state == RunState.PAUSED, run.error
        resume_run(run=run)
    assert run.state == RunState.ENDED and sum(phases.values()) > 3
    bodies = [json.dumps(one.body["messages"]) for one in server.log[first:] if one.is_paid]
    assert set(Counter(bodies).values()) == {1}
    assert files_of(run) == files_of(whole)
    assert states_of(run) == states_of(whole)


# Of the answer that each phase requests.
PHASES = ("relations", "nodes", "description", "go_on", "summary")
PLACES = 8


@thorough
def test_a_command_that_is_killed_in_each_phase_goes_on_and_predicts_the_same_bytes(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    server.script = RulePlayer(slow_s=0.03)
    # The places of a killed process are taken for seconds: there are others.
    make_endpoint(server.url, max_in_flight=PLACES)
    kill_after(start(), server.log, 40)
    for field in PHASES:
        Job.objects.update(heartbeat_at=None)  # as after a minute without one
        kill_in_phase(start("--resume"), server, field)
    Job.objects.update(heartbeat_at=None)
    _, errors = start("--resume").communicate()
    run = Run.objects.get()
    assert run.state == RunState.ENDED, errors
    paid = Counter(json.dumps(one.body["messages"]) for one in server.log if one.is_paid)
    lost = Call.objects.filter(outcome="lost").count()
    assert sum(paid.values()) - len(paid) <= lost <= (1 + len(PHASES)) * (PLACES + 1)
    assert 0 < run_budget(run).spent <= run_budget(run).amount
    killed, states = files_of(run), states_of(run)
    CachedAnswer.objects.all().delete()
    _, errors = start("--model", "Another").communicate()
    other = Run.objects.exclude(pk=run.pk).get()
    assert files_of(other) == killed, errors
    assert states_of(other) == states


def kill_in_phase(process: ForkedProcess, server: ScriptedServer, field: str) -> None:
    """While a request of the phase waits for its answer."""
    before = len(server.log)

    def is_requested() -> bool:
        fields = [schema_fields(one.body) for one in server.log[before:]]
        return any(field in one for one in fields)

    kill_when(process, is_requested)
    assert is_requested(), f"It ended before it requested {field}."


def run_budget(run: Run) -> Budget:
    return Budget.objects.get(subject=run.subject)


def start(*more: str) -> ForkedProcess:
    options = ["exploration", "--endpoint", "scripted", "--task", GUIDED, "--budget", "5", "--json"]
    options += ["--width", "4", "--edges", "5", "--relations", "3", "--max-items", "4", *more]
    return start_command("run_model", *options)


def test_a_trajectory_has_what_was_offered_chosen_and_paid(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    server.script = RulePlayer()
    owner = make_person("rohan", is_administrator=True)
    run = play_to_end(new_guided_run(masked, server.url, split="dev"))
    page = owner.browser.get(f"/api/v1/runs/{run.pk}/explorations").json()
    assert page["count"] == 6 == len(page["results"])
    total = Decimal(0)
    for one in page["results"]:
        path = f"/api/v1/runs/{run.pk}/explorations/{one['split']}/{one['position']}"
        shown = owner.browser.get(path).json()
        assert {name: shown[name] for name in one} == one
        assert shown["has_ended"] and shown["phase"] == "ended"
        assert (
            len(shown["paths"]) == one["leaves"] == sum(len(x["chosen"]) for x in shown["levels"])
        )
        assert sum(Decimal(level["cost"]) for level in shown["levels"]) == Decimal(one["cost"])
        total += Decimal(one["cost"])
        for level in shown["levels"]:
            offered = {edge["target"]["id"] for edge in level["edges"] if edge["is_chosen"]}
            assert offered == {node["id"] for node in level["chosen"]}
            for step in level["relations"]:
                assert {*step["chosen"]} <= {relation["name"] for relation in step["offered"]}
                assert step["reason"] == "Rule."
    answer = owner.browser.get(f"/api/v1/runs/{run.pk}").json()
    assert Decimal(answer["budget"]["spent"]) == pytest.approx(total, abs=Decimal("0.0001"))
    assert (answer["progress"]["done"], answer["progress"]["left"]) == (6, 0)
    missing = owner.browser.get(f"/api/v1/runs/{run.pk}/explorations/dev/999")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


def test_visitors_read_the_explorations_of_dev_items_alone(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    server.script = RulePlayer()
    run = play_to_end(new_guided_run(masked, server.url, max_items=14))
    for submission in run.submissions.all():
        run_or_await(get_job(submission))
    type(run.endpoint).objects.update(may_publish=True)
    visitor, owner = APIClient(), make_person("rohan", is_administrator=True).browser
    path = f"/api/v1/runs/{run.pk}/explorations"
    whole, public = owner.get(path).json()["results"], visitor.get(path).json()["results"]
    assert {one["split"] for one in whole} == {"dev", "test"}
    assert public == [one for one in whole if one["split"] == "dev"]
    for one in whole:
        answer = visitor.get(f"{path}/{one['split']}/{one['position']}")
        assert answer.status_code == (200 if one["split"] == "dev" else 404)


def test_answers_that_cannot_be_read_and_passing_faults_do_not_end_a_root(
    masked: MaskedRelease, server: ScriptedServer
) -> None:
    player = RulePlayer()

    def script(body: dict[str, Any], number: int) -> Scripted:
        fields = schema_fields(body)
        if "go_on" in fields:
            return Scripted(text="perhaps")
        if "nodes" in fields and number < 3:
            return Scripted(status=500)
        return player(body, number)

    server.script = script
    run = play_to_end(new_guided_run(masked, server.url, max_items=2))
    assert run.state == RunState.ENDED, run.error
    for one in Exploration.objects.filter(run=run):
        faults = [fault for level in one.state["levels"] for fault in level["faults"]]
        assert one.ending != "model_stopped"
        assert len(faults) == one.state["reached"]
        assert all("unreadable" in fault for fault in faults)
