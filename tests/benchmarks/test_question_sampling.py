"""Questions drawn from any graph: all types, true answers, plain words, the same each time."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.benchmarks.models import QuestionSet
from backend.benchmarks.patterns.matching import run_pattern
from backend.benchmarks.question_format import NewQuestion
from backend.benchmarks.question_generation import (
    MAX_ANSWERS,
    MAX_QUESTIONS_PER_ENTITY,
    MIN_ANSWERS,
)
from backend.benchmarks.question_sampling import sample_questions
from backend.benchmarks.question_text import pattern_to_text
from backend.graphs.importers.registry import open_source
from backend.graphs.models import Version
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import Snapshot, open_snapshot
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow
from backend.tracks.serenqa_patterns import PATTERN_TYPES
from tests.benchmarks.patterns.factories import random_graph, tried_out
from tests.graphs.cypher.factories import DEMO
from tests.graphs.snapshots.sources import SourceRows, build_snapshot_of

COUNT, SEED = 63, 3


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    folder = tmp_path_factory.mktemp("demo")
    return open_snapshot(build_snapshot(open_source([DEMO]).source, folder).path)


@pytest.fixture(scope="module")
def drawn(demo: Snapshot) -> list[NewQuestion]:
    return sample_questions(demo, SEED, COUNT)


def test_every_type_comes_up_equally_often_in_the_order_of_types(drawn: list[NewQuestion]) -> None:
    types = [question.pattern.type for question in drawn]
    assert types == sorted(types)
    assert Counter(types) == dict.fromkeys(PATTERN_TYPES, COUNT // len(PATTERN_TYPES))


def test_the_same_seed_gives_the_same_questions_and_another_gives_others(
    demo: Snapshot, drawn: list[NewQuestion]
) -> None:
    assert sample_questions(demo, SEED, COUNT) == drawn
    others = {question.text for question in sample_questions(demo, SEED + 1, COUNT // 3)}
    assert len(others & {question.text for question in drawn}) < COUNT / 6


def test_the_answers_are_what_the_pattern_finds(demo: Snapshot, drawn: list[NewQuestion]) -> None:
    for question in drawn:
        result = {demo.entity(number).id for number in run_pattern(demo, question.pattern)}
        assert result == {answer.id for answer in question.answers}, question.text


@pytest.mark.parametrize("seed", range(6))
def test_in_random_graphs_the_answers_are_those_of_trying_everything(seed: int) -> None:
    """With parallel edges, loops and symmetric relations; few questions fit, or none."""
    with random_graph(seed, entities=9, edges=60) as (view, _):
        for question in sample_questions(view, seed, 9):
            result = {view.entity(one).id for one in tried_out(view, question.pattern)}
            assert result == {answer.id for answer in question.answers}, question.text
            assert question.pattern.type in PATTERN_TYPES


def test_a_question_can_be_ranked_and_names_no_answer(drawn: list[NewQuestion]) -> None:
    named: Counter[str] = Counter()
    for question in drawn:
        entities = [node for node in question.pattern.nodes if not node.is_variable]
        assert MIN_ANSWERS <= len(question.answers) <= MAX_ANSWERS
        assert not {node.id for node in entities} & {answer.id for answer in question.answers}
        named.update(node.id for node in entities)
    assert max(named.values()) <= MAX_QUESTIONS_PER_ENTITY


def test_who_asks_for_fewer_answers_gets_fewer(demo: Snapshot) -> None:
    assert {len(one.answers) for one in sample_questions(demo, SEED, 9, most=3)} <= {2, 3}


def test_the_words_name_what_is_asked_and_what_it_is_asked_by(drawn: list[NewQuestion]) -> None:
    texts = [question.text for question in drawn]
    assert len({*texts}) == len(texts)
    for question in drawn:
        assert question.text.startswith("Which ") and question.text.endswith("?")
        assert "{" not in question.text and "  " not in question.text
        for node in question.pattern.nodes:
            message = node.type if node.is_variable else node.name
            assert message.casefold() in question.text.casefold(), question.text


def test_entities_in_between_are_named_or_unknown(drawn: list[NewQuestion]) -> None:
    texts = [question.text for question in drawn]
    assert any(" some " in text for text in texts) and any("(which " in text for text in texts)


def test_braces_in_a_graph_are_only_text() -> None:
    others = [NodeRow(f"B:{n}", "b", "") for n in range(3)]
    rows = SourceRows(
        [NodeRow("A:1", "a {0}", "{1} {x}"), *others],
        [EdgeRow("A:1", "has {}", f"B:{n}") for n in range(3)],
    )
    with build_snapshot_of(rows) as view:
        question = sample_questions(view, 1, 1)[0]
        assert question.text == "Which b {phrase} {1} {x}?".replace("{phrase}", phrase_of(view))
        assert pattern_to_text(view, question.pattern).format(0, "there").endswith(" there?")


def test_types_are_written_as_common_nouns(drawn: list[NewQuestion]) -> None:
    assert not [text for text in (one.text for one in drawn) if text.startswith("Which Drug ")]


def phrase_of(view: Snapshot) -> str:
    return view.relations[0].backward


def test_a_graph_that_has_no_more_gives_fewer_and_one_without_edges_none() -> None:
    nodes: list[NodeRow | MalformedRow] = [NodeRow(f"A:{n}", "a", f"name {n}") for n in range(4)]
    with build_snapshot_of(
        SourceRows(nodes, [EdgeRow("A:0", "r", f"A:{n}") for n in (1, 2, 3)])
    ) as view:
        assert len(sample_questions(view, 1, 50)) == 1
    with build_snapshot_of(SourceRows(nodes)) as view:
        assert sample_questions(view, 1, 50) == []


def command(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_what_the_command_writes_is_imported_with_every_answer(
    tmp_path: Path, demo_graph: Version
) -> None:
    slug = demo_graph.graph.slug
    paths = [tmp_path / name / "questions.json" for name in ("one", "two")]
    for path in paths:
        output = command(
            "make_questions", slug, "--count", "20", "--seed", "8", "--into", str(path)
        )
        assert output.startswith("20 questions written.") and "4.3 2" in output
    assert paths[0].read_bytes() == paths[1].read_bytes()
    imported = command("import_questions", "serenqa", str(paths[0]), "--name", "Q", "--graph", slug)
    assert "Of 20 patterns, 20 could be run" in imported
    assert "20 have exactly the answers of the file" in imported
    assert QuestionSet.objects.get(name="Q").questions.count() == 20


def test_the_command_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], demo_graph: Version
) -> None:
    into = str(tmp_path / "questions.json")
    refused(capsys, "this graph or version does not exist", "nothing", "--into", into)
    slug = demo_graph.graph.slug
    (tmp_path / "file").write_text("")
    refused(capsys, "cannot be written", slug, "--count", "1", "--into", f"{tmp_path}/file/q.json")
    for count in ("0", "-1", "x", "100001"):
        with pytest.raises(CommandError, match="a whole number from 1 to 100,000"):
            command("make_questions", slug, f"--count={count}", "--into", into)


def refused(capsys: pytest.CaptureFixture[str], why: str, *arguments: Any) -> None:
    with pytest.raises(SystemExit):
        call_command("make_questions", *arguments)
    assert why in capsys.readouterr().err.casefold()


def test_the_command_tells_programs_in_json(tmp_path: Path, demo_graph: Version) -> None:
    into = str(tmp_path / "questions.json")
    out = command("make_questions", demo_graph.graph.slug, "--count=9", "--into", into, "--json")
    output = json.loads(out.splitlines()[-1])
    assert output["questions"] == 9 and output["types"] == dict.fromkeys(PATTERN_TYPES, 1)
    assert output["snapshot"] == demo_graph.snapshot and output["mean_answers"] >= MIN_ANSWERS
