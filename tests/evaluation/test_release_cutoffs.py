"""The cut-off of a release holds for its runs and tools; settings may only be earlier."""

import io
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from rest_framework.test import APIClient

from backend.benchmarks.corrections import make_corrected_release
from backend.benchmarks.croissant import describe_release
from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.common.errors import DomainError
from backend.evaluation.models.runs import Run
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.link_chains import LinkChains
from backend.evaluation.runs.release_tasks import list_tasks
from backend.evaluation.runs.run_settings import RunSettings
from backend.graphs.models import Graph, Version
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow, Section
from tests.evaluation.truthhypo_files import HEADER
from tests.graphs.literature.paper_files import make_collection, paper
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import ScriptedServer
from tests.personas import Person, make_person

pytestmark = pytest.mark.django_db
EARLY, BETWEEN, LATE = 10, 50, 90
SOURCE = HEADER + "".join(
    f"X:A\t{end}\tThing\tThing\tGene & Gene\tno_relation\tAre they?\n" for end in ("X:B", "X:late")
)
GRAPH_TASK, PARAMETRIC = "truthhypo-graph", "truthhypo-parametric"


def rows_of(dates: dict[str, int | None], unit: str = "first_pmid") -> SourceRows:
    """A to B over a middle entity for each date."""
    nodes: list[NodeRow | MalformedRow] = [
        NodeRow(f"X:{one}", "Thing", one, document=(Section("About", f"Text of {one}.", ""),))
        for one in ("A", "B", *dates)
    ]
    edges: list[EdgeRow | MalformedRow] = []
    for one, date in dates.items():
        more: dict[str, Any] = {unit: date} if date is not None else {}
        publications = (f"PMID:{date}", f"PMID:{LATE + 5}") if date else ()
        edges += [
            EdgeRow(f"X:{first}", "binds", f"X:{second}", publications=publications, **more)
            for first, second in (("A", one), (one, "B"))
        ]
    return SourceRows(nodes, edges)


DATES = {"early": EARLY, "between": BETWEEN, "late": LATE, "undated": None}


def make_pairs(folder: Path, rows: SourceRows | None = None, cutoff: int | None = None) -> Release:
    graph = make_graph("Dated", rows=rows or rows_of(DATES))
    path = folder / "edges_test.tsv"
    path.write_text(SOURCE)
    request = ReleaseRequest(
        track="truthhypo",
        name="Dated",
        slug="dated",
        graph_version=Version.objects.get(graph=graph),
        cutoff=cutoff,
    )
    release = make_release(actor=None, request=request, files=[path])
    Release.objects.filter(pk=release.pk).update(state=Release.State.OPEN)
    release.refresh_from_db()
    return release


@pytest.fixture
def researcher(db: None) -> Person:
    return make_person("rohan", is_researcher=True)


def request_run(
    person: Person, server: ScriptedServer, task: str = GRAPH_TASK, **settings: Any
) -> Any:
    model = register_model(actor=person.user, name=f"Model {uuid.uuid4()}")
    endpoint = make_endpoint(server.url, f"e{uuid.uuid4()}", usable_by="everyone")
    body = {
        "release": "dated",
        "endpoint": str(endpoint.pk),
        "task": task,
        "model": model.slug,
        "settings": settings,
    }
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    return client_of(person).post("/api/v1/runs", body, format="json", headers=headers)


def client_of(person: Person) -> APIClient:
    client = APIClient()
    client.force_login(person.user)
    return client


def test_a_run_has_the_cut_off_of_its_release_or_an_earlier_one(
    tmp_path: Path, researcher: Person, server: ScriptedServer
) -> None:
    make_pairs(tmp_path, cutoff=BETWEEN)
    cases: list[tuple[dict[str, Any], int]] = [
        ({}, BETWEEN),
        ({"cutoff": EARLY}, EARLY),
        ({"cutoff": BETWEEN}, BETWEEN),
    ]
    for given, used in cases:
        answer = request_run(researcher, server, **given)
        assert answer.status_code == 201, answer.content
        assert answer.json()["settings"]["cutoff"] == used
        assert f"--cutoff {used}" in answer.json()["command"]


def test_a_later_cut_off_is_refused_with_the_name_of_the_setting(
    tmp_path: Path, researcher: Person, server: ScriptedServer
) -> None:
    make_pairs(tmp_path, cutoff=BETWEEN)
    answer = request_run(researcher, server, cutoff=BETWEEN + 1)
    assert (answer.status_code, answer.json()["code"]) == (422, "cutoff")
    assert [one["place"] for one in answer.json()["errors"]] == ["settings.cutoff"]
    assert not Run.objects.exists()


@pytest.mark.parametrize("task", [GRAPH_TASK, "truthhypo-literature", "truthhypo-graph-literature"])
def test_a_task_whose_prompt_speaks_of_a_cut_off_is_refused_without_one(
    tmp_path: Path, researcher: Person, server: ScriptedServer, task: str
) -> None:
    make_pairs(tmp_path)
    make_collection(tmp_path, [paper("5", "A and B", "2001", "Known.")], "Dated papers")
    answer = request_run(researcher, server, task)
    assert (answer.status_code, answer.json()["code"]) == (422, "cutoff")
    assert request_run(researcher, server, task, cutoff=EARLY).status_code == 201


@pytest.mark.parametrize("setting", [{"cutoff": 5}, {"ranker": "bm25"}, {"papers": "some"}])
def test_a_setting_that_a_task_does_not_use_is_refused(
    tmp_path: Path, researcher: Person, server: ScriptedServer, setting: dict[str, Any]
) -> None:
    make_pairs(tmp_path)
    answer = request_run(researcher, server, PARAMETRIC, **setting)
    [name] = setting
    assert (answer.status_code, answer.json()["code"]) == (422, name)
    assert f"'{name}'" in answer.json()["detail"]
    assert request_run(researcher, server, PARAMETRIC).status_code == 201


def test_the_command_refuses_a_setting_that_the_task_does_not_use(
    tmp_path: Path, server: ScriptedServer
) -> None:
    make_pairs(tmp_path)
    make_endpoint(server.url)
    words = ("dated", "--endpoint", "scripted", "--task", PARAMETRIC, "--ranker", "bm25")
    with pytest.raises((CommandError, SystemExit)):
        call_command("run_model", *words)
    assert not Run.objects.exists()


def test_chains_end_at_the_cut_off_of_the_release_whatever_the_setting(tmp_path: Path) -> None:
    release = make_pairs(tmp_path, cutoff=BETWEEN)
    for setting, expected in ((None, 2), (LATE, 2), (EARLY, 1)):
        request = ContextRequest(release, RunSettings(cutoff=setting))
        assert len(LinkChains(request).find_chains("X:A", "X:B")) == expected


def test_a_task_with_chains_is_not_offered_on_a_graph_without_dates(tmp_path: Path) -> None:
    release = make_pairs(tmp_path, rows_of({"one": None}))
    offered = {one.task.name: one for one in list_tasks(release)}
    assert "no dates" in offered[GRAPH_TASK].unavailable_reason
    assert offered[PARAMETRIC].is_available


def test_a_pmid_is_no_cut_off_of_a_graph_that_is_dated_by_years(
    tmp_path: Path, researcher: Person, server: ScriptedServer
) -> None:
    make_pairs(tmp_path, rows_of({"early": 2001, "late": 2020}, "first_year"))
    assert request_run(researcher, server, cutoff=36_600_000).json()["code"] == "cutoff"
    assert request_run(researcher, server, cutoff=2010).status_code == 201


@pytest.mark.parametrize(
    ("rows", "cutoff"),
    [
        (rows_of({"one": None}), 10),
        (rows_of({"one": 2001}, "first_year"), 36_600_000),
        (rows_of(DATES), 0),
        (rows_of(DATES), 2**32),
    ],
)
def test_a_release_refuses_a_cut_off_that_its_graph_cannot_have(
    tmp_path: Path, rows: SourceRows, cutoff: int
) -> None:
    with pytest.raises(DomainError) as refused:
        make_pairs(tmp_path, rows, cutoff)
    assert [one.place for one in refused.value.faults] == ["cutoff"]
    assert not Release.objects.exists()


def test_the_command_the_api_and_the_data_card_have_the_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "edges_test.tsv"
    path.write_text(SOURCE)
    out = io.StringIO()
    words = ("--name", "by-command", "--cutoff", "36600000", "--json")
    call_command("make_release", "truthhypo", str(path), *words, stdout=out)
    assert json.loads(out.getvalue())["cutoff"] == 36_600_000
    release = Release.objects.get()
    assert "PMID 36600000" in describe_release(release, {})["description"]

    coordinator = make_person("coord", is_administrator=True)
    with path.open("rb") as file:
        form = {"track": "truthhypo", "name": "By API", "cutoff": "2015", "files": [file]}
        answer = client_of(coordinator).post("/api/v1/releases", form, format="multipart")
    assert (answer.status_code, answer.json().get("cutoff")) == (201, 2015), answer.content
    assert "year 2015" in describe_release(Release.objects.get(slug="by-api"), {})["description"]


def test_a_corrected_release_has_the_same_cut_off(tmp_path: Path) -> None:
    release = make_pairs(tmp_path, cutoff=BETWEEN)
    rows = [{"key": ["X:A", "X:late"], "action": "withdraw"}]
    new = make_corrected_release(release=release, name="New", slug="newer", rows=rows)
    assert new.cutoff == BETWEEN


def test_tasks_state_their_settings_and_the_cut_off(tmp_path: Path) -> None:
    make_pairs(tmp_path, cutoff=BETWEEN)
    rows = APIClient().get("/api/v1/releases/dated/model-tasks").json()["results"]
    tasks = {one["name"]: (one["settings"], one["cutoff"]) for one in rows}
    assert tasks[PARAMETRIC] == (["sample"], None)
    assert tasks[GRAPH_TASK] == (["cutoff", "sample"], BETWEEN)


class Tools:
    """A session of a researcher on the release."""

    def __init__(self, person: Person) -> None:
        self.client = client_of(person)
        Graph.objects.update(visibility="public")
        answer = self.client.post("/api/v1/releases/dated/tool-sessions", {}, format="json")
        assert answer.status_code == 201, answer.content
        self.calls = f"/api/v1/tool-sessions/{answer.json()['id']}/calls"

    def call(self, tool: str, **arguments: Any) -> Any:
        body = {"tool": tool, "arguments": arguments}
        return self.client.post(self.calls, body, format="json").json()


@pytest.mark.parametrize(
    ("given", "expected"),
    [(None, ["between", "early"]), (LATE, ["between", "early"]), (EARLY, ["early"])],
)
def test_tools_show_nothing_after_the_cut_off_of_the_release(
    tmp_path: Path, researcher: Person, given: int | None, expected: list[str]
) -> None:
    make_pairs(tmp_path, cutoff=BETWEEN)
    tools = Tools(researcher)
    until = {"first_seen_until": given}
    neighbours = tools.call("neighbours", id="X:A", **until)["result"]
    assert sorted(one["entity"]["name"] for one in neighbours["neighbours"]) == expected
    assert (neighbours["total"], neighbours["undated"], neighbours["entity"]["degree"]) == (
        len(expected),
        1,
        len(expected),
    )
    papers = {
        one for row in neighbours["neighbours"] for one in row["edge"]["evidence"]["publications"]
    }
    assert papers == {f"PMID:{DATES[one]}" for one in expected}
    evidence = [row["edge"]["evidence"] for row in neighbours["neighbours"]]
    assert {one["first_seen"] for one in evidence} == {DATES[one] for one in expected}
    assert {one["date_source"] for one in evidence} == {""}
    paths = tools.call("paths", sources=["X:A"], targets=["X:B"], **until)["result"]
    assert (paths["total"], len(paths["paths"])) == (len(expected), len(expected))
    assert "late" not in json.dumps(paths)
    assert str(LATE + 5) not in json.dumps([neighbours, paths])


def test_documents_have_no_dates_and_are_left_out_under_a_cut_off(
    tmp_path: Path, researcher: Person
) -> None:
    make_pairs(tmp_path, cutoff=BETWEEN)
    tools = Tools(researcher)
    document = tools.call("document", id="X:A")["result"]
    assert (document["sections"], document["text"], document["undated"]) == ([], "", 1)
    assert tools.call("entity", id="X:A")["result"]["document_sections"] == 0
    assert tools.call("search", query="Text", mode="documents")["code"] == "undated_documents"
    hits = tools.call("search", query="A")["result"]["hits"]
    assert {one["entity"]["degree"] for one in hits if one["entity"]["name"] == "A"} == {2}
    assert tools.call("graph_schema")["result"]["cutoff"] == BETWEEN


def test_tools_of_a_release_without_a_cut_off_show_everything(
    tmp_path: Path, researcher: Person
) -> None:
    make_pairs(tmp_path)
    tools = Tools(researcher)
    assert tools.call("neighbours", id="X:A")["result"]["total"] == len(DATES)
    document = tools.call("document", id="X:A")["result"]
    assert (document["text"], document["undated"]) == ("Text of A.", None)
