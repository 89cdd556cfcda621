"""The demo's questions: all nine types, each with the answers that its pattern finds."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest

from backend.benchmarks.demo import DEMO_QUESTIONS_FILE, DEMO_SET_NAME, load_demo_questions
from backend.benchmarks.formats.serenqa.parser import parse_serenqa
from backend.benchmarks.formats.serenqa.writer import TYPE_NUMBERS
from backend.benchmarks.models import Match, Question, QuestionRecord, QuestionSet
from backend.benchmarks.patterns.binding import bind_pattern
from backend.benchmarks.patterns.matching import run_pattern
from backend.benchmarks.question_format import ParsedFiles, ParsedQuestion
from backend.benchmarks.question_generation import (
    MAX_ANSWERS,
    MAX_QUESTIONS_PER_ENTITY,
    MIN_ANSWERS,
)
from backend.benchmarks.question_import import import_questions
from backend.benchmarks.questionnaire import SourceFile
from backend.common.errors import Conflict
from backend.graphs.cypher.database_builder import Database
from backend.graphs.cypher.query_runner import QueryLimits, run_query
from backend.graphs.models import Version
from backend.tracks.serenqa_patterns import PATTERN_TYPES, Pattern
from tests.benchmarks.patterns.oracles import cypher_for, mask_question
from tests.graphs.cypher.factories import build_demo_database
from tools.demo_questions.generation import SEED, generate_file
from tools.demo_questions.templates import QUESTION_TEMPLATES

PATIENT = QueryLimits(seconds=120)  # how long the engine takes is not what is tested


@cache
def read() -> ParsedFiles:
    return parse_serenqa([SourceFile(DEMO_QUESTIONS_FILE.name, DEMO_QUESTIONS_FILE.read_bytes())])


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return build_demo_database(tmp_path_factory.mktemp("demo"))


def pattern_of(question: ParsedQuestion) -> Pattern:
    assert question.pattern is not None
    return question.pattern


def test_the_file_is_what_would_be_made_now() -> None:
    content, count = generate_file(SEED)
    assert content == DEMO_QUESTIONS_FILE.read_bytes()
    assert count == len(read().questions)


def test_there_are_at_least_60_questions_of_all_nine_types() -> None:
    types = Counter(pattern_of(question).type for question in read().questions)
    assert sum(types.values()) >= 60
    assert {*types} == {*PATTERN_TYPES} and min(types.values()) >= 4
    assert read().notices == ()


def test_every_recipe_has_the_shape_of_its_type() -> None:
    numbers = [TYPE_NUMBERS[recipe.type] for recipe in QUESTION_TEMPLATES]
    assert numbers == sorted(numbers)
    for question in read().questions:
        assert question.type_label == str(TYPE_NUMBERS[pattern_of(question).type])


def test_the_answers_are_what_the_pattern_finds(demo: Database) -> None:
    for question in read().questions:
        entities = run_pattern(demo.snapshot, pattern_of(question))
        answers = {answer.id for answer in question.answers}
        assert {demo.snapshot.entity(number).id for number in entities} == answers, question.text


@pytest.mark.parametrize("type_", PATTERN_TYPES)
def test_the_cypher_engine_finds_the_same_answers(demo: Database, type_: str) -> None:
    """The longest list of each type: every query starts a process of its own."""
    questions = (one for one in read().questions if pattern_of(one).type == type_)
    question = max(questions, key=lambda one: len(one.answers))
    query = cypher_for(demo.snapshot, bind_pattern(demo.snapshot, pattern_of(question)))
    identifiers = {
        identifier for row in run_query(demo, query, limits=PATIENT).rows for identifier in row
    }
    assert identifiers == {answer.id for answer in question.answers}


def test_a_question_names_its_entities_and_none_of_them_answers_it() -> None:
    named: Counter[str] = Counter()
    for question in read().questions:
        entities = [node for node in pattern_of(question).nodes if not node.is_variable]
        answers = {answer.id for answer in question.answers}
        assert MIN_ANSWERS <= len(answers) == len(question.answers) <= MAX_ANSWERS
        for node in entities:
            assert node.name.casefold() in question.text.casefold()
            assert node.id not in answers
        named.update(node.id for node in entities)
    assert max(named.values()) <= MAX_QUESTIONS_PER_ENTITY


def test_the_texts_are_plain_sentences_and_none_is_there_twice() -> None:
    texts = [question.text for question in read().questions]
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert text[0].isupper() and text.endswith("?")
        assert text.isprintable() and "  " not in text and "{" not in text
        assert len(text) <= 250


def test_each_answer_of_each_question_can_be_hidden_while_the_others_are_found(
    demo: Database,
) -> None:
    snapshot = demo.snapshot
    for question in read().questions:
        answers = run_pattern(snapshot, pattern_of(question))
        for one in answers:
            known = answers - {one}
            mask = mask_question(snapshot, pattern_of(question), serendipity=[one], existing=known)
            assert mask.holds, question.text


def test_the_questions_are_loaded_once_and_found_in_the_demo_graph(demo_graph: Version) -> None:
    first = load_demo_questions(demo_graph)
    assert first.question_set.is_demo and first.added == len(read().questions)
    rows = [
        list(model.objects.order_by("pk").values()) for model in (Question, QuestionRecord, Match)
    ]
    again = load_demo_questions(demo_graph)
    assert (again.added, again.question_set) == (0, first.question_set)
    assert rows == [
        list(model.objects.order_by("pk").values()) for model in (Question, QuestionRecord, Match)
    ]
    resolution = first.question_set.resolutions.get()
    answers = sum(len(question.answers) for question in read().questions)
    assert resolution.counts["candidates"] == {"identifier": answers}


def test_questions_that_a_later_release_changed_become_a_set_beside_the_first(
    demo_graph: Version,
) -> None:
    older = json.loads(DEMO_QUESTIONS_FILE.read_bytes())[:3]
    older[0]["question"] = "Which diseases did it treat?"
    content = json.dumps(older).encode()
    there = QuestionSet.objects.create(name=DEMO_SET_NAME, is_demo=True)
    import_questions(
        actor=None, question_set=there, parsed=parse_serenqa([SourceFile("old.json", content)])
    )
    stored = load_demo_questions(demo_graph)
    assert stored.question_set != there and stored.question_set.name.startswith(DEMO_SET_NAME)
    assert there.questions.count() == 3
    assert load_demo_questions(demo_graph).question_set == stored.question_set


def test_a_real_set_of_the_demos_name_is_left_alone(demo_graph: Version) -> None:
    QuestionSet.objects.create(name=DEMO_SET_NAME)
    with pytest.raises(Conflict):
        load_demo_questions(demo_graph)
    assert not Question.objects.exists()
