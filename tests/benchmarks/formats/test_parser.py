"""SerenQA's files: read leniently, with every fault at once; written strictly, without loss."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.benchmarks.formats.serenqa.parser import parse_serenqa
from backend.benchmarks.formats.serenqa.writer import (
    build_partition_record,
    build_question_record,
    serialize_records,
)
from backend.benchmarks.lossless_json import format_json
from backend.benchmarks.question_format import (
    FileCandidate,
    NewQuestion,
    ParsedFiles,
    QuestionFilesInvalid,
    Split,
)
from backend.benchmarks.questionnaire import SourceFile
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, PatternNode
from tests.benchmarks.formats import factories


def faults_of(*contents: object) -> list[tuple[str, str]]:
    files = [factories.source(one, f"{place}.json") for place, one in enumerate(contents)]
    with pytest.raises(QuestionFilesInvalid) as caught:
        parse_serenqa(files)
    return [(fault.place, fault.code) for fault in caught.value.faults]


def read(*contents: object) -> ParsedFiles:
    files = [factories.source(one, f"{place}.json") for place, one in enumerate(contents)]
    return parse_serenqa(files)


def test_a_question_is_read_with_its_pattern_and_answers() -> None:
    (question,) = read([factories.question()]).questions
    assert (question.qid, question.text) == ("800", "Which proteins are part of it 800? ")
    assert question.answers == (FileCandidate("P1", "NOS3"), FileCandidate("P2", factories.NASTY))
    assert question.pattern == Pattern(
        (
            PatternNode(0, "class", "Protein", "Protein", "Protein", is_target=True),
            PatternNode(1, "entity", "DOID:1", "Disease", "heart disease"),
            PatternNode(2, "entity", "5716", "Complex", "a complex, induced"),
        ),
        (PatternEdge(0, 1, "ASSOCIATED_WITH"), PatternEdge(0, 2, "IS_SUBUNIT_OF")),
    )
    assert question.category == "genetic disease:None "
    assert question.cypher == factories.question()["cypher"]


def test_the_type_is_that_of_the_shape_whatever_the_file_says() -> None:
    (question,) = read([factories.question(pattern_type=9)]).questions
    assert question.pattern is not None
    assert (question.pattern.type, question.type_label) == ("4.1", "9")


def test_the_form_in_which_the_paper_prints_it_is_read() -> None:
    file = SourceFile("printed.json", factories.printed().encode())
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(factories.printed())
    read = parse_serenqa([file])
    (question,) = read.questions
    assert [(one.id, one.name) for one in question.answers] == [("P1", "NOS3"), ("P2", "HSP90AA1")]
    assert question.pattern is not None and question.pattern.type == "1.2"
    assert read.notices == (
        "printed.json, line 9, column 5: an object is not closed before the next one begins.",
        "printed.json, line 12, column 32: a comma stands before a closing bracket.",
    )
    again = parse_serenqa([SourceFile("again.json", serialize_records([question.record]))])
    assert again.notices == ()
    assert again.questions[0].record == question.record
    assert json.loads(serialize_records([question.record])) == [question.record]


def test_partitions_are_read_under_our_names_of_the_methods() -> None:
    (record,) = read([factories.partitions()]).partitions
    assert [split.method for split in record.splits] == ["llm", "rns", "expert"]
    assert record.splits[1] == Split(
        "rns", ("P2",), ("P1",), "test", tuple(factories.PATHS), ("How are they linked?",)
    )


def test_a_method_may_be_missing_and_so_may_paths() -> None:
    partition = factories.partitions(
        llm=None, sscore=factories.split(["P1"], ["P2"], explore_queries={})
    )
    del partition["expert"]
    (record,) = read([partition]).partitions
    assert [(split.method, split.paths) for split in record.splits] == [("rns", ())]


def test_questions_and_partitions_may_stand_in_one_object_or_in_any_files() -> None:
    both = {**factories.question(1), **factories.partitions(1)}
    parsed = read([both], [factories.question(2)], factories.partitions(2))
    assert [one.qid for one in parsed.questions] == ["1", "2"]
    assert [one.qid for one in parsed.partitions] == ["1", "2"]


def test_what_is_read_is_written_as_it_was() -> None:
    text = json.dumps([factories.question(7), factories.partitions(7)], ensure_ascii=False)
    text = text.replace('"commonness": 0.0', '"commonness": 0.00, "more": {"x": [1E5, "é"]}')
    parsed = parse_serenqa([SourceFile("a.json", text.encode())])
    records = [parsed.questions[0].record, parsed.partitions[0].record]
    again = serialize_records(records).decode()
    assert json.loads(again) == json.loads(text)
    assert "0.00" in again and "1E5" in again
    assert parse_serenqa([SourceFile("b.json", again.encode())]).questions[0].record == records[0]


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
    question_record = factories.question(question=text, category=name, **more)
    question_record["graph_query"]["nodes"][0] |= more
    question_record["answer"][0] |= {"entity_name": name, **more}
    parts = factories.partitions(llm=factories.split(["P1"], ["P2"], **more))
    parts["llm"]["explore_queries"]["paths"] = paths
    parsed = read([question_record], [parts])
    assert json.loads(serialize_records([parsed.questions[0].record])) == [question_record]
    assert json.loads(serialize_records([parsed.partitions[0].record])) == [parts]
    assert parsed.questions[0].text == text
    assert parsed.partitions[0].splits[0].paths == tuple(paths)


def test_every_fault_of_every_file_is_told_at_once() -> None:
    broken = factories.question(
        5, question=" ", answer=[{"entity_name": "x"}, 7], category=3, pattern_type=[1]
    )
    broken["graph_query"]["nodes"][1]["node_type"] = "literal"
    broken["graph_query"]["edges"] = []
    odd = factories.partitions(
        6, llm=factories.split(["P1", "P1"], ["P1"]), expert={"partition": 1}
    )
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
    (lambda q: q.update(edges=[factories.edge(0, 1, "r")] * 40), "edges"),
    (
        lambda q: q.update(nodes=[factories.node(n, "class", "a", "b", "c", 1) for n in range(99)]),
        "nodes",
    ),
    (lambda q: q["edges"].pop(), ""),
]


@pytest.mark.parametrize(("change", "path"), CHANGES)
def test_a_pattern_that_cannot_be_run_is_a_fault_that_names_the_place(
    change: Any, path: str
) -> None:
    record = factories.question()
    change(record["graph_query"])
    places = [place for place, _ in faults_of([record])]
    assert places[0] == f"0.json, entry 1 (qid 800), graph_query.{path}".rstrip(".")


def test_a_partition_of_other_entities_than_the_answers_is_a_fault() -> None:
    parts = factories.partitions(sscore=factories.split(["P9"], ["P1"]))
    assert faults_of([factories.question()], [parts]) == [
        ("1.json, entry 1 (qid 800), sscore.serendipity_set.list", "no_answer")
    ]


def test_an_answer_that_a_partition_leaves_out_is_a_notice() -> None:
    parts = factories.partitions(expert=factories.split(["P1"], []))
    assert read([factories.question()], [parts]).notices == (
        "1.json, entry 1 (qid 800): expert leaves out 1 of the answers.",
    )


def test_an_identifier_that_is_given_twice_is_a_fault() -> None:
    twice = factories.question(answer=[factories.answer("P1", "a"), factories.answer("P1", "b")])
    assert faults_of([factories.question(1), factories.question(1)], [twice]) == [
        ("0.json, entry 2 (qid 1), qid", "repeated"),
        ("1.json, entry 1 (qid 800), answer", "repeated"),
    ]


def test_numbers_of_nodes_and_edges_that_are_wrong_are_notices() -> None:
    assert len(read([factories.question(num_node=7, num_edge=1)]).notices) == 2


def test_files_without_a_record_are_refused() -> None:
    assert faults_of([]) == [("files", "invalid")]


def test_what_we_write_is_read_as_what_it_was_made_of() -> None:
    original = read([factories.question()]).questions[0]
    assert original.pattern is not None
    new_question = NewQuestion(3, "Which?", original.answers, original.pattern, "a:b")
    parts = Split("rns", ("P1",), ("P2",), "dev", tuple(factories.PATHS), ())
    content = serialize_records(
        [build_question_record(new_question), build_partition_record(3, "Which?", [parts])]
    )
    again = parse_serenqa([SourceFile("ours.json", content)])
    assert again.questions[0].pattern == original.pattern
    assert again.questions[0].answers == original.answers
    assert again.questions[0].type_label == "7"
    assert again.partitions[0].splits == (parts,)
    assert [*json.loads(content)[0]] == [*factories.question()]


def test_a_pattern_of_none_of_the_types_is_not_written() -> None:
    path = Pattern(
        (
            PatternNode(0, "class", "T", "T", is_target=True),
            PatternNode(1, "class", "T", "T", is_target=True),
        ),
        (PatternEdge(0, 1, "r"),),
    )
    with pytest.raises(ValueError, match="none of the nine types"):
        build_question_record(NewQuestion(1, "?", (), path, ""))


def test_what_could_not_be_read_again_is_not_written() -> None:
    with pytest.raises(QuestionFilesInvalid):
        serialize_records([factories.question(question="")])
    with pytest.raises(QuestionFilesInvalid):
        serialize_records([factories.question(num_node=9)])
    assert format_json([]) == "[]"
