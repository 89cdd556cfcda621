"""SerenQA's files: read leniently, with every fault at once; written strictly, without loss."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.benchmarks.patterns.shapes import Pattern, PatternEdge, PatternNode
from backend.benchmarks.questionnaire import SourceFile
from backend.benchmarks.serenqa.reading import read_serenqa
from backend.benchmarks.serenqa.records import Answer, SerenQA, SerenQAInvalid, Split
from backend.benchmarks.serenqa.strict import json_text
from backend.benchmarks.serenqa.writing import (
    NewQuestion,
    partitions_object,
    question_object,
    written,
)
from tests.benchmarks.serenqa import making


def faults_of(*contents: object) -> list[tuple[str, str]]:
    files = [making.source(one, f"{place}.json") for place, one in enumerate(contents)]
    with pytest.raises(SerenQAInvalid) as caught:
        read_serenqa(files)
    return [(fault.place, fault.code) for fault in caught.value.faults]


def read(*contents: object) -> SerenQA:
    files = [making.source(one, f"{place}.json") for place, one in enumerate(contents)]
    return read_serenqa(files)


def test_a_question_is_read_with_its_pattern_and_answers() -> None:
    (question,) = read([making.question()]).questions
    assert (question.qid, question.text) == ("800", "Which proteins are part of it 800? ")
    assert question.answers == (Answer("P1", "NOS3"), Answer("P2", making.NASTY))
    assert question.pattern == Pattern(
        (
            PatternNode(0, "class", "Protein", "Protein", "Protein", asked=True),
            PatternNode(1, "entity", "DOID:1", "Disease", "heart disease"),
            PatternNode(2, "entity", "5716", "Complex", "a complex, induced"),
        ),
        (PatternEdge(0, 1, "ASSOCIATED_WITH"), PatternEdge(0, 2, "IS_SUBUNIT_OF")),
    )
    assert question.category == "genetic disease:None "
    assert question.cypher == making.question()["cypher"]


def test_the_type_is_that_of_the_shape_whatever_the_file_says() -> None:
    (question,) = read([making.question(pattern_type=9)]).questions
    assert (question.pattern.type, question.said_type) == ("4.1", "9")


def test_the_form_in_which_the_paper_prints_it_is_read() -> None:
    file = SourceFile("printed.json", making.printed().encode())
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(making.printed())
    read = read_serenqa([file])
    (question,) = read.questions
    assert [(one.id, one.name) for one in question.answers] == [("P1", "NOS3"), ("P2", "HSP90AA1")]
    assert question.pattern.type == "1.2"
    assert read.notices == (
        "printed.json, line 9, column 5: an object is not closed before the next one begins.",
        "printed.json, line 12, column 32: a comma stands before a closing bracket.",
    )
    again = read_serenqa([SourceFile("again.json", written([question.record]))])
    assert again.notices == ()
    assert again.questions[0].record == question.record
    assert json.loads(written([question.record])) == [question.record]


def test_partitions_are_read_under_our_names_of_the_methods() -> None:
    (record,) = read([making.partitions()]).partitions
    assert [split.method for split in record.splits] == ["llm", "rns", "expert"]
    assert record.splits[1] == Split(
        "rns", ("P2",), ("P1",), "test", tuple(making.PATHS), ("How are they linked?",)
    )


def test_a_method_may_be_missing_and_so_may_paths() -> None:
    made = making.partitions(llm=None, sscore=making.split(["P1"], ["P2"], explore_queries={}))
    del made["expert"]
    (record,) = read([made]).partitions
    assert [(split.method, split.paths) for split in record.splits] == [("rns", ())]


def test_questions_and_partitions_may_stand_in_one_object_or_in_any_files() -> None:
    both = {**making.question(1), **making.partitions(1)}
    found = read([both], [making.question(2)], making.partitions(2))
    assert [one.qid for one in found.questions] == ["1", "2"]
    assert [one.qid for one in found.partitions] == ["1", "2"]


def test_what_is_read_is_written_as_it_was() -> None:
    text = json.dumps([making.question(7), making.partitions(7)], ensure_ascii=False)
    text = text.replace('"commonness": 0.0', '"commonness": 0.00, "more": {"x": [1E5, "é"]}')
    found = read_serenqa([SourceFile("a.json", text.encode())])
    records = [found.questions[0].record, found.partitions[0].record]
    again = written(records).decode()
    assert json.loads(again) == json.loads(text)
    assert "0.00" in again and "1E5" in again
    assert read_serenqa([SourceFile("b.json", again.encode())]).questions[0].record == records[0]


unknown = st.dictionaries(
    st.text(min_size=1).map(lambda name: f"x{name}"),
    st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.none(),
    max_size=4,
)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)


@given(unknown, texts.filter(str.strip), texts, st.lists(texts, max_size=3))
def test_no_text_and_no_unknown_field_is_lost_on_the_way(
    more: dict[str, Any], text: str, name: str, paths: list[str]
) -> None:
    asked = making.question(question=text, category=name, **more)
    asked["graph_query"]["nodes"][0] |= more
    asked["answer"][0] |= {"entity_name": name, **more}
    parts = making.partitions(llm=making.split(["P1"], ["P2"], **more))
    parts["llm"]["explore_queries"]["paths"] = paths
    found = read([asked], [parts])
    assert json.loads(written([found.questions[0].record])) == [asked]
    assert json.loads(written([found.partitions[0].record])) == [parts]
    assert found.questions[0].text == text
    assert found.partitions[0].splits[0].paths == tuple(paths)


def test_every_fault_of_every_file_is_told_at_once() -> None:
    broken = making.question(
        5, question=" ", answer=[{"entity_name": "x"}, 7], category=3, pattern_type=[1]
    )
    broken["graph_query"]["nodes"][1]["node_type"] = "literal"
    broken["graph_query"]["edges"] = []
    odd = making.partitions(6, llm=making.split(["P1", "P1"], ["P1"]), expert={"partition": 1})
    assert faults_of([broken, 3, {"qid": 1}], [odd]) == [
        ("0.json, entry 1 (qid 5), question", "invalid"),
        ("0.json, entry 1 (qid 5), answer[0].answer_argument", "invalid"),
        ("0.json, entry 1 (qid 5), answer[1]", "invalid"),
        ("0.json, entry 1 (qid 5), graph_query.nodes[1].node_type", "invalid"),
        ("0.json, entry 1 (qid 5), graph_query.edges", "invalid"),
        ("0.json, entry 1 (qid 5), category", "invalid"),
        ("0.json, entry 1 (qid 5), pattern_type", "invalid"),
        ("0.json, entry 2", "invalid"),
        ("0.json, entry 3 (qid 1)", "invalid"),
        ("1.json, entry 1 (qid 6), llm", "repeated"),
        ("1.json, entry 1 (qid 6), llm", "repeated"),
        ("1.json, entry 1 (qid 6), expert.serendipity_set.list", "invalid"),
        ("1.json, entry 1 (qid 6), expert.exact_matches.list", "invalid"),
        ("1.json, entry 1 (qid 6), expert.partition", "invalid"),
    ]


CHANGES: list[tuple[Any, str]] = [
    (lambda q: q["nodes"][1].update(nid=0), "nodes[1].nid"),
    (lambda q: q["nodes"][1].update(nid=-1), "nodes[1].nid"),
    (lambda q: q["nodes"][1].update(nid=2**60), "nodes[1].nid"),
    (lambda q: q["nodes"][1].update(question_node=1), "nodes[1].question_node"),
    (lambda q: q["nodes"][0].update(question_node=0), "nodes"),
    (lambda q: q["nodes"][0].update(question_node=2), "nodes[0].question_node"),
    (lambda q: q["nodes"][0].pop("class"), "nodes[0].class"),
    (lambda q: q["nodes"][0].update(id={"a": 1}), "nodes[0].id"),
    (lambda q: q["nodes"][0].update(id="a\0"), "nodes[0].id"),
    (lambda q: q["edges"][1].update(end=9), "edges[1].end"),
    (lambda q: q["edges"][1].update(end=0), "edges[1]"),
    (lambda q: q["edges"][1].update(friendly_name="x" * 5000), "edges[1].friendly_name"),
    (lambda q: q.update(edges=[making.edge(0, 1, "r")] * 40), "edges"),
    (
        lambda q: q.update(nodes=[making.node(n, "class", "a", "b", "c", 1) for n in range(99)]),
        "nodes",
    ),
    (lambda q: q["edges"].pop(), ""),
]


@pytest.mark.parametrize(("change", "path"), CHANGES)
def test_a_pattern_that_cannot_be_run_is_a_fault_that_names_the_place(
    change: Any, path: str
) -> None:
    made = making.question()
    change(made["graph_query"])
    places = [place for place, _ in faults_of([made])]
    assert places[0] == f"0.json, entry 1 (qid 800), graph_query.{path}".rstrip(".")


def test_a_partition_of_other_entities_than_the_answers_is_a_fault() -> None:
    parts = making.partitions(sscore=making.split(["P9"], ["P1"]))
    assert faults_of([making.question()], [parts]) == [
        ("1.json, entry 1 (qid 800), sscore.serendipity_set.list", "no_answer")
    ]


def test_an_answer_that_a_partition_leaves_out_is_a_notice() -> None:
    parts = making.partitions(expert=making.split(["P1"], []))
    assert read([making.question()], [parts]).notices == (
        "1.json, entry 1 (qid 800): expert leaves out 1 of the answers.",
    )


def test_an_identifier_that_is_given_twice_is_a_fault() -> None:
    twice = making.question(answer=[making.answer("P1", "a"), making.answer("P1", "b")])
    assert faults_of([making.question(1), making.question(1)], [twice]) == [
        ("0.json, entry 2 (qid 1), qid", "repeated"),
        ("1.json, entry 1 (qid 800), answer", "repeated"),
    ]


def test_numbers_of_nodes_and_edges_that_are_wrong_are_notices() -> None:
    assert len(read([making.question(num_node=7, num_edge=1)]).notices) == 2


def test_files_without_a_record_are_refused() -> None:
    assert faults_of([]) == [("files", "invalid")]


def test_what_we_write_is_read_as_what_it_was_made_of() -> None:
    asked = read([making.question()]).questions[0]
    made = NewQuestion(3, "Which?", asked.answers, asked.pattern, "a:b")
    parts = Split("rns", ("P1",), ("P2",), "dev", tuple(making.PATHS), ())
    content = written([question_object(made), partitions_object(3, "Which?", [parts])])
    again = read_serenqa([SourceFile("ours.json", content)])
    assert again.questions[0].pattern == asked.pattern
    assert again.questions[0].answers == asked.answers
    assert again.questions[0].said_type == "7"
    assert again.partitions[0].splits == (parts,)
    assert [*json.loads(content)[0]] == [*making.question()]


def test_a_pattern_of_none_of_the_types_is_not_written() -> None:
    path = Pattern(
        (
            PatternNode(0, "class", "T", "T", asked=True),
            PatternNode(1, "class", "T", "T", asked=True),
        ),
        (PatternEdge(0, 1, "r"),),
    )
    with pytest.raises(ValueError, match="none of the nine types"):
        question_object(NewQuestion(1, "?", (), path, ""))


def test_what_could_not_be_read_again_is_not_written() -> None:
    with pytest.raises(SerenQAInvalid):
        written([making.question(question="")])
    with pytest.raises(SerenQAInvalid):
        written([making.question(num_node=9)])
    assert json_text([]) == "[]"
