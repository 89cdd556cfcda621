"""What models read beside an item: nothing later than the cut-off, and no hidden link."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from backend.benchmarks.models import Release, ReleaseGraph, ReleaseSplit
from backend.benchmarks.registered_models import get_or_create_model
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.demo import load_demo_releases
from backend.evaluation.management.commands.run_model import estimate_lines, papers_lines
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.release_items import load_items
from backend.evaluation.runs.answer_flags import AnswerFlags, read_answer_flags
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.graph_schema_text import GraphSchemas
from backend.evaluation.runs.item_pass import ItemPass
from backend.evaluation.runs.link_chains import LinkChains
from backend.evaluation.runs.pair_papers import count_left_out
from backend.evaluation.runs.release_tasks import get_task_or_raise, list_tasks
from backend.evaluation.runs.rerank_candidates import RerankCandidates
from backend.evaluation.runs.run_items import select_items
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.services import NewRun, create_run, start_run
from backend.graphs.demo import load_demo_graph
from backend.graphs.models import Version
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow
from backend.llm.call_keys import lasting_key
from backend.llm.calls import ModelRequest
from backend.llm.models import Budget, Endpoint, StoredText
from backend.tracks.model_tasks import NO_CONTEXT, ModelTask
from tests.evaluation.masked_release import make_masked_release
from tests.evaluation.model_runs import file_of, work
from tests.evaluation.truthhypo_files import HEADER
from tests.graphs.literature.paper_files import make_collection, paper
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows
from tests.llm.factories import make_endpoint
from tests.llm.scripted_server import Scripted, ScriptedServer

COMMITTED = pytest.mark.django_db(transaction=True)
EARLY, LATE = 10, 90
# Pairs: A1 with B1, and A2 with B2. Their links, and what was seen late, are not to be shown.
PAIRS = (("X:A1", "X:B1"), ("X:A2", "X:B2"))
LINKS = (
    ("X:A1", "inhibits", "X:M1", EARLY),
    ("X:M1", "controls", "X:B1", EARLY),
    ("X:A1", "plainly reveals", "X:B1", EARLY),
    ("X:A2", "plainly reveals", "X:B2", EARLY),
    ("X:A1", "resembles", "X:A2", EARLY),
    ("X:B2", "resembles", "X:B1", EARLY),
    ("X:A1", "later binds", "X:M2", LATE),
    ("X:M2", "later binds", "X:B1", LATE),
    ("X:A1", "undated link", "X:M3", None),
    ("X:M3", "undated link", "X:B1", EARLY),
)


def dated_rows() -> SourceRows:
    names = sorted({one for first, _, second, _ in LINKS for one in (first, second)})
    nodes: list[NodeRow | MalformedRow] = [
        NodeRow(one, "Thing", f"Entity {one[2:]}") for one in names
    ]
    edges: list[EdgeRow | MalformedRow] = [
        EdgeRow(first, name, second, first_pmid=pmid) for first, name, second, pmid in LINKS
    ]
    return SourceRows(nodes, edges)


@pytest.fixture
def dated(db: None, tmp_path: Path) -> Release:
    graph = make_graph("Dated", rows=dated_rows())
    version = Version.objects.get(graph=graph)
    path = tmp_path / "edges_test.tsv"
    rows = (
        f"{first}\t{second}\tThing\tThing\tGene & Gene\tno_relation\tAre they related?\n"
        for first, second in PAIRS
    )
    path.write_text(HEADER + "".join(rows))
    request = ReleaseRequest(
        track="truthhypo", name="Dated", slug="dated-pairs", graph_version=version
    )
    release = make_release(actor=None, request=request, files=[path])
    Release.objects.filter(pk=release.pk).update(state=Release.State.OPEN)
    release.refresh_from_db()
    return release


def chains(release: Release, cutoff: int | None) -> list[str]:
    request = ContextRequest(release, RunSettings(cutoff=cutoff))
    return LinkChains(request).find_chains(*PAIRS[0])


@pytest.mark.django_db
def test_chains_are_the_shortest_paths_in_words_under_the_cut_off(dated: Release) -> None:
    first = "“Entity A1” (Thing) inhibits “Entity M1” (Thing)"
    second = "“Entity M1” (Thing) controls “Entity B1” (Thing)"
    assert chains(dated, EARLY) == [f"{first}; {second}."]
    assert len(chains(dated, None)) == 3  # also those of the later and the undated links


@pytest.mark.django_db
def test_chains_over_the_hidden_link_of_another_pair_are_left_out(dated: Release) -> None:
    """A1 resembles A2, A2 reveals B2, B2 resembles B1: the answer to the other pair."""
    request = ContextRequest(dated, RunSettings(cutoff=EARLY))
    source = LinkChains(request)
    first, second = (request.graph.find_number(one) for one in PAIRS[0])
    shown_chains = [*source._chains(first, second, 3)]
    assert shown_chains
    assert not any("plainly reveals" in one for one in shown_chains)


@COMMITTED
def test_a_run_its_estimate_and_its_entry_count_the_papers_that_the_cut_off_leaves_out(
    transactional_db: None, dated: Release, tmp_path: Path, server: ScriptedServer
) -> None:
    papers = [
        paper("5", "Entity A1 and Entity B1 as they were known", "2001"),
        paper("95", "A later paper", "2020"),
        paper("96", "Another later paper"),
        paper("SYN:1", "A paper without a PMID", "1999"),
    ]
    make_collection(tmp_path, papers, "Dated papers")
    server.script = always_no_relation
    endpoint = make_endpoint(server.url)
    run = run_task(dated, endpoint, "truthhypo-literature", cutoff=EARLY)
    counted = {"collection": "Dated papers", "papers": 4, "undated": 1, "later": 2}
    assert run.estimate is not None and run.estimate["papers"] == counted
    assert run.submissions.get().declared["run"]["papers"] == counted
    assert estimate_lines(run)[3] == (
        "papers of Dated papers: 4, 2 later and 1 without a date or PMID left out"
    )
    without = run_task(dated, endpoint, "truthhypo-parametric")
    assert without.estimate is not None and "papers" not in without.estimate


@pytest.mark.django_db
def test_without_a_cut_off_no_paper_is_counted_as_left_out(dated: Release, tmp_path: Path) -> None:
    make_collection(tmp_path, [paper("5", "Entity A1"), paper("6", "Entity B1")], "Dated papers")
    counted = count_left_out(ContextRequest(dated, RunSettings()))
    assert counted == {"collection": "Dated papers", "papers": 2, "undated": None, "later": None}
    assert papers_lines(counted) == ["papers of Dated papers: 2, without a cut-off"]


@COMMITTED
def test_no_recorded_prompt_has_what_came_after_the_cut_off(
    transactional_db: None, dated: Release, tmp_path: Path, server: ScriptedServer
) -> None:
    papers = [
        paper("5", "Entity A1 and Entity B1 as they were known", "2001", "An early abstract."),
        paper("95", "Entity A1 and Entity B1, the planted later paper", "2020", "Later."),
        paper("SYN:1", "Entity A1 and Entity B1, a paper without a PMID"),
    ]
    make_collection(tmp_path, papers, "Dated papers")
    server.script = always_no_relation
    run = run_task(dated, make_endpoint(server.url), "truthhypo-graph-literature", cutoff=EARLY)
    assert run.state == RunState.ENDED
    assert run.settings["papers"] == "dated-papers"
    prompts = [bytes(one.content).decode() for one in StoredText.objects.all()]
    sent = [json.dumps(one.body) for one in server.log]
    assert any("as they were known" in one for one in prompts)
    assert any("inhibits" in one for one in prompts)
    forbidden = ("planted later paper", "without a PMID", "later binds", "undated link")
    for text in (*prompts, *sent):
        assert not any(one in text for one in (*forbidden, "plainly reveals"))


@COMMITTED
@pytest.mark.parametrize(("tokens", "count"), [(None, None), (1_000, len(PAIRS))])
def test_a_run_counts_the_answers_whose_papers_were_cut_to_fit(
    transactional_db: None,
    dated: Release,
    tmp_path: Path,
    server: ScriptedServer,
    tokens: int | None,
    count: int | None,
) -> None:
    text = "Entity A1 and Entity B1 " + "are related " * 2_000
    make_collection(tmp_path, [paper("5", "Entity A1 and Entity B1", "2001", text)], "Dated papers")
    server.script = always_no_relation
    endpoint = make_endpoint(server.url, context_tokens=tokens)
    run = run_task(dated, endpoint, "truthhypo-graph-literature", cutoff=EARLY)
    flags = read_answer_flags([run.subject]).get(run.subject, AnswerFlags())
    assert flags.counts.get("cut_context") == count


@COMMITTED
def test_items_that_are_paid_for_are_not_requested_again_once_the_endpoint_reads_less_elsewhere(
    transactional_db: None, dated: Release, tmp_path: Path, server: ScriptedServer
) -> None:
    text = "Entity A1 and Entity B1 " + "are related " * 2_000
    make_collection(tmp_path, [paper("5", "Entity A1 and Entity B1", "2001", text)], "Dated papers")
    server.script = always_no_relation
    endpoint, name = make_endpoint(server.url), "truthhypo-graph-literature"
    settings = RunSettings(cutoff=EARLY)
    new = NewRun(dated, endpoint, name, get_or_create_model("Scripted model"), settings)
    run = work(create_run(actor=None, new=new))  # the sample is of all its items
    assert len(server.log) == len(PAIRS)
    [item, *_] = run_requests(run, endpoint)
    with ScriptedServer(always_no_relation) as moved:
        Endpoint.objects.update(base_url=moved.url, context_tokens=1_000)
        endpoint = Endpoint.objects.get()
        assert run_requests(run, endpoint)[0].messages != item.messages
        run = work(start_run(run=Run.objects.get(pk=run.pk), budget=Decimal(5)))
        assert (run.state, len(moved.log)) == (RunState.ENDED, 0)
    assert file_of(run.submissions.get()).count(b"no_relation") == len(PAIRS)
    endpoint.is_private = False
    public = run_requests(run, endpoint)[0]
    assert public.schema != item.schema
    assert lasting_key(endpoint, public) == lasting_key(endpoint, item)


def run_requests(run: Run, endpoint: Endpoint) -> list[ModelRequest]:
    run.endpoint = endpoint
    task = get_task_or_raise(run.release, run.task)
    assert isinstance(task, ModelTask)
    items = select_items(run.release, task, RunSettings.model_validate(run.settings)).items
    one_pass = ItemPass(run, task, Budget(), lambda done: True)
    return [request for _, request in one_pass.requests(items)]


@COMMITTED
def test_no_cut_edge_is_in_a_recorded_prompt_of_queries(
    transactional_db: None, tmp_path: Path, server: ScriptedServer
) -> None:
    masked = make_masked_release(tmp_path)
    assert masked.cut
    request = ContextRequest(masked.release, RunSettings())
    source, item = GraphSchemas(request), request.all_items[0]
    schema = source.add_to(NO_CONTEXT, item).graph_schema
    assert "Properties of every node: id, name, type, synonyms." in schema
    assert "Drug" in schema.splitlines()[0]
    assert "->(:" in schema
    server.script = lambda body, number: Scripted(
        text=json.dumps({"cypher": "MATCH (d:Drug) RETURN d.id LIMIT 1"})
    )
    run = run_task(
        masked.release, make_endpoint(server.url), "serenqa-retrieval-query", max_items=5
    )
    assert run.state == RunState.ENDED
    for entry in server.log:
        text = json.dumps(entry.body)
        assert not any(source in text and target in text for source, _, target in masked.cut)
    assert_left_out_items_are_not_requested(masked.release)


def assert_left_out_items_are_not_requested(release: Release) -> None:
    """They count in no metric. A run over all others is no part of the items."""
    graph = ReleaseGraph.objects.get(release=release)
    absent, *included = graph.included
    ReleaseGraph.objects.filter(pk=graph.pk).update(included=included)
    task = get_task_or_raise(release, "serenqa-retrieval-query")
    selected = select_items(release, task, RunSettings())
    questions = {one.item.question_id for one in selected.items}
    assert questions == {*included} and absent not in questions
    assert 0 < len(questions) < release.items.count()
    assert not any(selected.is_part_of(split) for split in ReleaseSplit)
    assert select_items(release, task, RunSettings(max_items=1)).is_part_of(ReleaseSplit.TEST)


@pytest.mark.django_db
def test_a_task_says_what_the_release_lacks(dated: Release) -> None:
    offered = {one.task.name: one for one in list_tasks(dated)}
    assert offered["truthhypo-parametric"].is_available
    assert offered["truthhypo-graph"].is_available
    assert offered["truthhypo-literature"].unavailable_reason == (
        "There is no public collection of papers. Import one first."
    )


def always_no_relation(body: dict[str, Any], number: int) -> Scripted:
    return Scripted(text='{"rationale": "None is known.", "label": "no_relation"}')


def run_task(release: Release, endpoint: Endpoint, task: str, **settings: Any) -> Run:
    model = get_or_create_model("Scripted model")
    new = NewRun(release, endpoint, task, model, RunSettings(**settings))
    run = work(create_run(actor=None, new=new))
    assert run.state == RunState.ESTIMATED, run.error
    return work(start_run(run=run, budget=Decimal(5)))


@COMMITTED
def test_candidates_of_a_search_are_put_in_order(
    transactional_db: None, server: ScriptedServer
) -> None:
    """A model that turns the first twenty around: the others stay behind them."""
    version, _ = load_demo_graph()
    load_demo_releases(version)
    release = Release.objects.get(slug="demo-questions")
    contexts = RerankCandidates(ContextRequest(release, RunSettings(split="dev")))
    item = load_items(release, "dev").table.items[0]
    candidates = contexts.add_to(NO_CONTEXT, item).candidates
    assert 20 < len(candidates) <= 100
    assert all(one.text for one in candidates[:20])
    assert not any(one.text for one in candidates[20:])

    def turn_around(body: dict[str, Any], number: int) -> Scripted:
        schema = body["response_format"]["json_schema"]["schema"]
        ids = schema["properties"]["ranking"]["items"]["enum"]
        return Scripted(text=json.dumps({"ranking": ids[::-1]}))

    server.script = turn_around
    run = run_task(
        release, make_endpoint(server.url), "stark-prime-rerank", split="dev", max_items=5
    )
    assert run.state == RunState.ENDED, run.error
    rows = [json.loads(line) for line in file_of(run.submissions.get()).splitlines()]
    assert len(rows) == 5
    by_query = {str(row["query_id"]): row for row in rows}
    first = next(iter(by_query.values()))
    item = next(
        one
        for one in load_items(release, "dev").table.items
        if str(one.query_id) == str(first["query_id"])
    )
    ids = [one.id for one in contexts.add_to(NO_CONTEXT, item).candidates]
    ranked = [str(one) for one in next(v for v in first.values() if isinstance(v, list))]
    assert ranked == [*ids[:20][::-1], *ids[20:]]


@COMMITTED
@pytest.mark.parametrize("tokens", [None, 2_000])
def test_a_rerankers_prompt_is_cut_to_what_the_endpoint_reads_and_its_entry_states_it(
    transactional_db: None, server: ScriptedServer, tokens: int | None
) -> None:
    """The server refuses what is longer, as llama.cpp does; each candidate stays in its prompt."""
    version, _ = load_demo_graph()
    load_demo_releases(version)
    release = Release.objects.get(slug="demo-questions")
    most = None if tokens is None else 2.5 * (tokens - 512 - 200)

    def answer(body: dict[str, Any], number: int) -> Scripted:
        if most is not None and sum(len(one["content"]) for one in body["messages"]) > most:
            return Scripted(status=400, error="the request exceeds the available context size")
        schema = body["response_format"]["json_schema"]["schema"]
        return Scripted(
            text=json.dumps({"ranking": schema["properties"]["ranking"]["items"]["enum"]})
        )

    server.script = answer
    endpoint = make_endpoint(server.url, context_tokens=tokens)
    run = run_task(release, endpoint, "stark-prime-rerank", split="dev", max_items=5)
    assert run.state == RunState.ENDED, run.error
    assert len(server.log) == 5
    for entry in server.log:
        assert entry.user_text.count('{"id": ') == 20
    declared = run.submissions.get().declared["run"]
    assert (declared["answered"], declared["context_tokens"]) == (5, tokens)
    assert declared["flags"] == ({"cut_context": 5} if tokens else {})
    assert all((" …" in entry.user_text) is bool(tokens) for entry in server.log)
