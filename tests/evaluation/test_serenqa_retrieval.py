"""Retrieval on the demo's questions: queries are run, scored, and reported to who sent them."""

import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from backend.evaluation.management.commands.submit import query_lines
from backend.evaluation.models import Evaluation, QueryOutcome, Submission
from backend.evaluation.query_reports import get_query_report
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.tracks.serenqa_retrieval.rows import MOST_RETURNED
from tests.child_processes import child_processes
from tests.evaluation.hostile_queries import ALL_ENTITIES, Hostile, hostile_queries
from tests.evaluation.serenqa_releases import (
    answer_ids,
    demo_questions,
    make_serenqa_release,
    symmetric_questions,
)
from tests.personas import Person
from tests.thorough import thorough

pytestmark = pytest.mark.django_db


@pytest.fixture
def version(demo_graph: Version) -> Version:
    return demo_graph


@pytest.fixture
def full(tmp_path: Path, version: Version) -> Release:
    return make_serenqa_release(tmp_path, version, test_share=0.0)


def submit(
    release: Release, rows: list[dict[str, Any]], folder: Path, out: io.StringIO | None = None
) -> Evaluation:
    file = folder / "predictions.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    if not Model.objects.filter(name="M").exists():
        register_model(actor=None, name="M")
    out = out or io.StringIO()
    split = "dev" if release.test_share == 0 else "test"
    call_command(
        "submit", str(file), "--release", release.slug, "--model", "M", "--split", split, "--json",
        stdout=out,
    )  # fmt: skip
    submission = Submission.objects.get(pk=json.loads(out.getvalue())["submission"])
    assert submission.evaluation is not None
    return submission.evaluation


def values(evaluation: Evaluation, slice_: str = "all") -> dict[str, float]:
    return {one.metric: one.value for one in evaluation.scores.filter(slice=slice_)}


MARK = "canary-51cf"
PERFECT = {"hit": 100.0, "f1": 100.0, "executability": 100.0}


def test_the_queries_of_all_demo_questions_score_100(full: Release, tmp_path: Path) -> None:
    rows = [{"question_id": one["qid"], "cypher": one["cypher"]} for one in demo_questions()]
    evaluation = submit(full, rows, tmp_path)
    outcome = QueryOutcome.objects.get(evaluation=evaluation)
    assert (outcome.queries, outcome.failures) == (72, [])
    for name in ("all", "one-hop", "two-hop", "multi-hop", "intersection", "pattern-4.3"):
        assert values(evaluation, name) == PERFECT


def test_questions_of_symmetric_relations_score_100_whichever_way_their_arrows_point(
    full: Release, version: Version, tmp_path: Path
) -> None:
    questions = symmetric_questions(version)
    assert len(questions) >= 2
    evaluations = []
    for turned in (False, True):
        rows = [
            {"question_id": one["qid"], "cypher": turn(one["cypher"]) if turned else one["cypher"]}
            for one in questions
        ]
        assert all(("<-" in row["cypher"]) == turned for row in rows)
        evaluations.append(submit(full, rows, tmp_path))
    share = pytest.approx(100 * len(questions) / 72)
    for evaluation in evaluations:
        assert values(evaluation) == {"hit": share, "f1": share, "executability": share}


def turn(query: str) -> str:
    """The arrows of symmetric relations point the other way."""
    return re.sub(r"-(\[:interacts_with\w*\])->", r"<-\1-", query)


@pytest.mark.parametrize("as_query", [False, True])
def test_an_entity_in_several_spellings_counts_once(
    full: Release, tmp_path: Path, version: Version, as_query: bool
) -> None:
    drugs = [one for one in demo_questions() if "DRUGBANK:" in str(answer_ids(one))]
    gold = answer_ids(drugs[0])
    graph = open_version_snapshot(version)
    wrong = next(one.id for one in graph.entities() if one.type == "Drug" and one.id not in gold)
    local = wrong.removeprefix("DRUGBANK:")
    assert local != wrong and len({*map(str, gold)}) == len(gold)
    texts = [*gold, wrong, local, f"drugbank:{local}", gold[0].replace("DRUGBANK:", "drugbank:")]
    row = {"answers": texts} if not as_query else {"cypher": f"UNWIND {texts!r} AS id RETURN id"}
    evaluation = submit(full, [{"question_id": drugs[0]["qid"], **row}], tmp_path)
    f1 = 2 * len(gold) / (2 * len(gold) + 1)
    assert values(evaluation)["hit"] == pytest.approx(100 / 72)
    assert values(evaluation)["f1"] == pytest.approx(100 * f1 / 72)


def test_the_submitter_sees_which_queries_failed_and_why(
    full: Release, tmp_path: Path, researcher: Person, outsider: Person
) -> None:
    good, *others = demo_questions()
    rows = [
        {"question_id": good["qid"], "cypher": good["cypher"]},
        {"question_id": others[0]["qid"], "cypher": "MATCH (n) DETACH DELETE n"},
        {"question_id": others[1]["qid"], "cypher": "MATCH (n:Nothing) RETURN n"},
        {"question_id": others[2]["qid"], "answers": answer_ids(others[2])},
        {"question_id": others[3]["qid"], "cypher": "MATCH (n) WHERE false RETURN n.id"},
        {
            "question_id": others[4]["qid"],
            "cypher": "MATCH (n) WHERE false RETURN COLLECT(n.id), MIN(n.name)",
        },
        {"question_id": others[5]["qid"], "cypher": "MATCH (n:Drug) RETURN n.name"},
        {"question_id": others[6]["qid"], "cypher": "MATCH (n) WHERE false RETURN COUNT(n)"},
    ]
    evaluation = submit(full, rows, tmp_path)
    Submission.objects.update(submitted_by=researcher.user)
    address = f"/api/v1/submissions/{Submission.objects.get().pk}/query-report"
    report = researcher.browser.get(address).json()
    assert (report["queries"], report["failed"]) == (7, 2)
    assert report["kinds"] == {"invalid": 1, "refused": 1}
    assert [(one["item"], one["kind"]) for one in report["failures"]] == [
        (str(others[0]["qid"]), "refused"),
        (str(others[1]["qid"]), "invalid"),
        (str(others[3]["qid"]), "nothing"),
        (str(others[4]["qid"]), "nothing"),
        (str(others[5]["qid"]), "no_entity"),
        (str(others[6]["qid"]), "no_entity"),
    ]
    assert (report["without_entity"], report["without_result"]) == (2, 2)
    read = researcher.browser.get(address.removesuffix("/query-report")).json()
    assert read["failed_queries"] == 2
    assert "DETACH" in report["failures"][0]["message"]
    # Where it is in the file, and what was asked.
    assert [(one["line"], one["question"]) for one in report["failures"]] == [
        (2, others[0]["question"]),
        (3, others[1]["question"]),
        *((line, others[line - 2]["question"]) for line in (5, 6, 7, 8)),
    ]
    assert outsider.browser.get(address).status_code == 404
    share = 100 / 72
    assert values(evaluation) == pytest.approx(
        {"hit": 2 * share, "f1": 2 * share, "executability": 6 * share}
    )
    Submission.objects.update(split="test")
    hidden = researcher.browser.get(address).json()
    assert hidden["failures"] is None and hidden["kinds"] == report["kinds"]


@pytest.fixture
def hostile(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, settings: Any
) -> Iterator[list[Hostile]]:
    """They name a file with a mark and an empty folder, which stay as they are."""
    settings.CYPHER_SECONDS, settings.CYPHER_MEMORY_MIB = 1, 256
    folder = tmp_path_factory.mktemp("outside")
    secret, empty = folder / "secret.csv", folder / "empty"
    secret.write_text(f"{MARK}\n")
    empty.mkdir()
    before = child_processes()
    yield hostile_queries(secret, empty)
    assert child_processes() == before
    assert {*folder.rglob("*")} == {secret, empty}
    assert secret.read_text() == f"{MARK}\n"


def query_rows(queries: Sequence[str]) -> list[dict[str, Any]]:
    """One for a question each."""
    questions = demo_questions()[: len(queries)]
    pairs = zip(questions, queries, strict=True)
    return [{"question_id": question["qid"], "cypher": query} for question, query in pairs]


def submit_queries(
    release: Release, queries: Sequence[Hostile], folder: Path, person: Person
) -> tuple[Evaluation, dict[str, str]]:
    """In one file; the result, and why queries were not executed or name no entity."""
    rows = query_rows([one.query for one in queries])
    evaluation = submit(release, rows, folder)
    submission = Submission.objects.get(evaluation=evaluation)
    Submission.objects.update(submitted_by=person.user)
    answer = person.browser.get(f"/api/v1/submissions/{submission.pk}/query-report")
    assert MARK not in answer.content.decode()
    report = answer.json()
    assert report["queries"] == len(queries)
    kinds = {one["item"]: one["kind"] for one in report["failures"]}
    failed = (one for one in rows if str(one["question_id"]) in kinds)
    return evaluation, {one["cypher"]: kinds[str(one["question_id"])] for one in failed}


@thorough
def test_hostile_queries_are_scored_zeros(
    full: Release, tmp_path: Path, researcher: Person, hostile: list[Hostile]
) -> None:
    queries = [one for one in hostile if not one.is_harmless and not one.is_fault]
    assert len(hostile) >= 200 and len(queries) > len(hostile) * 0.8
    for start in range(0, len(queries), len(demo_questions())):
        part = queries[start : start + len(demo_questions())]
        evaluation, kinds = submit_queries(full, part, tmp_path, researcher)
        assert values(evaluation) == {"hit": 0, "f1": 0, "executability": 0}
        assert kinds.keys() == {one.query for one in part}
        assert not {"no_entity", "out_of_time"} & {*kinds.values()}


def test_harmless_ones_among_hostile_queries_find_nothing(
    full: Release, tmp_path: Path, researcher: Person, hostile: list[Hostile], settings: Any
) -> None:
    settings.CYPHER_SECONDS = 4  # no query of a few milliseconds takes this on a busy machine
    queries = [one for one in hostile if one.is_harmless and not one.is_fault]
    evaluation, kinds = submit_queries(full, queries, tmp_path, researcher)
    assert {one.query for one in queries} - kinds.keys() == {ALL_ENTITIES}
    assert values(evaluation)["hit"] == pytest.approx(100 / 72)
    assert values(evaluation)["executability"] > 100 * 15 / 72


def test_hostile_queries_that_are_no_text_are_faults_of_the_file(
    full: Release, tmp_path: Path, hostile: list[Hostile]
) -> None:
    queries = [one.query for one in hostile if one.is_fault]
    assert len(queries) == 5
    out = io.StringIO()
    with pytest.raises(SystemExit):
        submit(full, query_rows(queries), tmp_path, out)
    reported = json.loads(out.getvalue())
    assert {one["place"] for one in reported["faults"]} == {
        f"line {at}, cypher" for at in range(1, 6)
    }
    assert not Submission.objects.exists()


def test_a_query_names_no_more_entities_than_a_list_of_answers(
    full: Release, tmp_path: Path
) -> None:
    """Each is looked up in the graph, and a row of 5 MB names half a million."""
    first, second = (one["qid"] for one in demo_questions()[:2])
    query = "RETURN list_transform(range(1, {}), x -> concat('x', cast(x AS STRING)))"
    rows = [
        {"question_id": first, "cypher": query.format(MOST_RETURNED)},
        {"question_id": second, "cypher": query.format(MOST_RETURNED + 1)},
    ]
    outcome = QueryOutcome.objects.get(evaluation=submit(full, rows, tmp_path))
    kinds = [(one["item"], one["kind"]) for one in outcome.failures]
    assert kinds == [(str(first), "no_entity"), (str(second), "output")]


def test_a_release_of_a_large_graph_takes_answers_alone(
    full: Release, tmp_path: Path, settings: Any
) -> None:
    settings.CYPHER_LARGEST_GRAPH = 10
    question, out = demo_questions()[0], io.StringIO()
    with pytest.raises(SystemExit):
        submit(full, query_rows(["RETURN 1"]), tmp_path, out)
    assert "no_queries" in out.getvalue()
    rows = [{"question_id": question["qid"], "answers": answer_ids(question)}]
    assert values(submit(full, rows, tmp_path))["f1"] > 0


def test_the_baseline_matches_the_demos_questions(full: Release) -> None:
    out = io.StringIO()
    command = ["run_baseline", "pattern-templates", "--release", full.slug, "--json"]
    call_command(*command, stdout=out)
    evaluation = Submission.objects.get().evaluation
    assert evaluation is not None
    assert values(evaluation)["f1"] > 80


def test_a_query_without_an_entity_and_an_unknown_label_are_explained(
    full: Release, tmp_path: Path
) -> None:
    full.items.update(split="dev")
    first, second, third = (one["qid"] for one in demo_questions()[:3])
    rows = [
        {"question_id": first, "cypher": "MATCH (n:Drug) RETURN n.name"},
        {"question_id": second, "cypher": "MATCH (d:Drug)\nMATCH (d)--(s:Symptom) RETURN s"},
        {"question_id": third, "cypher": "RETURN 1 AS \u202en"},
    ]
    evaluation = submit(full, rows, tmp_path)
    report = get_query_report(Submission.objects.get(evaluation=evaluation))
    assert report is not None and report.failures is not None
    by_item = {one.item: one for one in report.failures}
    assert report.without_entity >= 1
    assert by_item[str(first)].kind == "no_entity"
    unknown = by_item[str(second)].message
    assert unknown.startswith("The graph has no label Symptom (line 2, column 15). It has: ")
    assert "Drug" in unknown.partition("It has: ")[2]
    assert not any("\u202e" in one.message for one in report.failures)
    lines = query_lines(Submission.objects.get(evaluation=evaluation))
    assert f"{report.failed} of 3 queries failed" in lines[0]
