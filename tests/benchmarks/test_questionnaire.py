import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.benchmarks.questionnaire import (
    Questionnaire,
    QuestionnaireInvalid,
    SourceFile,
    parse_questionnaire,
)
from tests.benchmarks import hostile_questionnaire

BATCH = st.sampled_from(["batch1.json", "batch12.json", "batches.json"])


def faults_of(files: list[SourceFile]) -> list[tuple[str, str]]:
    with pytest.raises(QuestionnaireInvalid) as caught:
        parse_questionnaire(files)
    return [(fault.place, fault.message) for fault in caught.value.faults]


def raw(name: str, text: bytes) -> list[SourceFile]:
    return [SourceFile(name, text)]


def as_written(read: Questionnaire) -> list[dict[str, Any]]:
    """What was read, in the shape of the file."""
    return [
        {
            "question_number": question.number,
            "qid": question.qid,
            "text": question.text,
            "category": question.category,
            "llm_ranking": [
                hostile_questionnaire.candidate(c.name, c.rank, c.link) for c in question.candidates
            ],
            "resource": [
                {"entity_name": r.name, "entity_link": r.link} for r in question.resources
            ],
        }
        for question in read.questions
    ]


def test_every_character_of_a_questionnaire_is_kept() -> None:
    assert (
        as_written(parse_questionnaire(hostile_questionnaire.files()))
        == hostile_questionnaire.questions()
    )


def test_the_batch_number_is_in_the_files_name_and_its_name_in_the_catalogue() -> None:
    batches = parse_questionnaire(hostile_questionnaire.files()).batches
    assert [(b.number, b.name) for b in batches] == [(1, "First = one"), (12, "Zwölf ")]


def test_totals_that_disagree_are_a_notice() -> None:
    notices = parse_questionnaire(hostile_questionnaire.files()).notices
    assert notices == ("batches.json states that batch 12 has 9 questions; batch12.json has 2.",)


def test_fields_that_nobody_asked_for_are_a_notice_once_per_file() -> None:
    def add(created: list[dict[str, Any]]) -> None:
        for question in created:
            question["llm_ranking"][0]["hint"] = "x"

    notices = parse_questionnaire(hostile_questionnaire.changed(add)).notices
    assert notices == ("batch1.json: the field 'hint' of llm_ranking was not read.",)


def test_candidates_of_one_name_are_a_notice() -> None:
    def repeat(created: list[dict[str, Any]]) -> None:
        created[1]["llm_ranking"][0]["entity_name"] = created[1]["llm_ranking"][1]["entity_name"]

    notices = parse_questionnaire(hostile_questionnaire.changed(repeat)).notices
    assert notices == ("batch1.json, question 2 (qid 1): 2 candidates are named '@SUM'.",)


def test_a_mark_of_byte_order_is_no_part_of_the_text() -> None:
    content = b"\xef\xbb\xbf" + hostile_questionnaire.files()[1].content
    assert len(parse_questionnaire(raw("batch1.json", content)).questions) == 4


Q4 = "batch1.json, question 4 (qid 3)"
ONE_FAULT: list[tuple[Callable[[Any], object], str, str]] = [
    (lambda q: q["llm_ranking"][2].update(llm_rank="third"), "llm_ranking[2].llm_rank", "'third'"),
    (lambda q: q["llm_ranking"][2].update(llm_rank=1.0), "llm_ranking[2].llm_rank", "1.0"),
    (lambda q: q["llm_ranking"][2].update(llm_rank=True), "llm_ranking[2].llm_rank", "true"),
    (lambda q: q["llm_ranking"][2].update(llm_rank=None), "llm_ranking[2].llm_rank", "null"),
    (lambda q: q["llm_ranking"][2].update(llm_rank=-1), "llm_ranking[2].llm_rank", "-1"),
    (lambda q: q["llm_ranking"][2].update(llm_rank=0), "llm_ranking[2].llm_rank", "0"),
    (lambda q: q["llm_ranking"][2].update(llm_rank=40_000), "llm_ranking[2].llm_rank", "40000"),
    (lambda q: q["llm_ranking"][1].pop("llm_rank"), "llm_ranking[1].llm_rank", "missing"),
    (lambda q: q["llm_ranking"][1].update(entity_name=""), "llm_ranking[1].entity_name", "empty"),
    (lambda q: q["llm_ranking"][1].update(entity_name=7), "llm_ranking[1].entity_name", "7"),
    (lambda q: q["llm_ranking"].__setitem__(0, "AKT1"), "llm_ranking[0]", "'AKT1'"),
    (
        lambda q: q.update(llm_ranking=q["llm_ranking"][:1]),
        "llm_ranking",
        "number of candidates is 1",
    ),
    (lambda q: q.update(llm_ranking={}), "llm_ranking", "an object"),
    (lambda q: q.pop("llm_ranking"), "llm_ranking", "missing"),
    (lambda q: q.pop("resource"), "resource", "missing"),
    (lambda q: q.update(resource=[{"entity_name": "a"}]), "resource[0].entity_link", "missing"),
    (lambda q: q.update(text=" "), "text", "empty"),
    (lambda q: q.update(text="a" * 10_001), "text", "10,001 characters"),
    (lambda q: q.update(text="a\x00b"), "text", r"\x00"),
    (lambda q: q.update(category=None), "category", "null"),
    (lambda q: q.update(question_number=1), "question_number", "already"),
]


@pytest.mark.parametrize(("change", "field", "says"), ONE_FAULT)
def test_a_wrong_field_is_named_with_its_file_and_question(
    change: Callable[[Any], object], field: str, says: str
) -> None:
    [(place, message)] = faults_of(
        hostile_questionnaire.changed(lambda created: change(created[3]))
    )
    where = Q4 if field != "question_number" else "batch1.json, question 1 (qid 3)"
    assert (place, says in message) == (f"{where}, {field}", True), message


def test_a_list_that_is_too_short_has_its_own_faults_told_as_well() -> None:
    def change(created: Any) -> None:
        created[3]["llm_ranking"] = [{**created[3]["llm_ranking"][0], "entity_link": "ftp://a.b"}]

    places = [place for place, _ in faults_of(hostile_questionnaire.changed(change))]
    assert places == [f"{Q4}, llm_ranking", f"{Q4}, llm_ranking[0].entity_link"]


@pytest.mark.parametrize("qid", ["17", 17.0, -1, None, True, 10**30])
def test_an_id_is_a_whole_number_from_zero(qid: object) -> None:
    [(place, _)] = faults_of(
        hostile_questionnaire.changed(lambda created: created[3].update(qid=qid))
    )
    assert place.startswith("batch1.json, question 4")
    assert place.endswith(", qid")


@pytest.mark.parametrize(
    "link",
    ["javascript:alert(1)", " https://a.b", "https://a.b\n", "data:text/html,x", "//a.b", "https:",
     "https://[", "a.b", "ftp://a.b", "https://a b"],
)  # fmt: skip
def test_a_link_leads_to_the_web_or_is_empty(link: str) -> None:
    faults = faults_of(
        hostile_questionnaire.changed(lambda m: m[3]["llm_ranking"][0].update(entity_link=link))
    )
    assert [place for place, _ in faults] == [f"{Q4}, llm_ranking[0].entity_link"]


def test_half_a_character_is_refused_and_shown_without_breaking_the_page() -> None:
    content = json.dumps(hostile_questionnaire.questions()).replace("@SUM", "\\ud800").encode()
    [(place, message)] = faults_of(raw("batch1.json", content))
    assert place == "batch1.json, question 2 (qid 1), llm_ranking[1].entity_name"
    assert "\\ud800" in message
    assert message.encode()


def test_an_id_that_two_files_use_is_a_fault_of_the_second() -> None:
    one = hostile_questionnaire.question(1, 7, ["a", "b"])
    [(place, message)] = faults_of(
        [
            hostile_questionnaire.source("batch1.json", [one]),
            hostile_questionnaire.source("batch2.json", [one]),
        ]
    )
    assert place == "batch2.json, question 1 (qid 7), qid"
    assert "batch1.json, question 1 (qid 7)" in message


def test_every_fault_of_every_file_is_named_at_once() -> None:
    bad = hostile_questionnaire.question(3, 8, ["a"], text=None, resource=[1])
    files = [
        hostile_questionnaire.source("batch1.json", [bad, 5]),
        *raw("batch2.json", b"[}"),
        *raw("b.json", b"[]"),
    ]
    assert [place for place, _ in faults_of(files)] == [
        "batch1.json, question 3 (qid 8), text",
        "batch1.json, question 3 (qid 8), llm_ranking",
        "batch1.json, question 3 (qid 8), resource[0]",
        "batch1.json, entry 2 of the list",
        "batch2.json, line 1, column 2",
        "b.json",
    ]


def test_ten_thousand_faults_are_counted_and_two_hundred_listed() -> None:
    with pytest.raises(QuestionnaireInvalid) as caught:
        parse_questionnaire([hostile_questionnaire.source("batch1.json", [None] * 10_000)])
    assert len(caught.value.faults) == 200
    assert caught.value.data == {"faults_total": 10_000}
    assert "10,000 errors" in caught.value.detail


@pytest.mark.parametrize(
    ("content", "place", "says"),
    [
        (b'[\n{"qid": 1 2}]', "batch1.json, line 2, column 11", "not JSON"),
        (b"[NaN]", "batch1.json", "NaN is not a JSON number"),
        (b"[" * 100_000, "batch1.json", "nested too deeply"),
        (b'[\n"\xff"]', "batch1.json, line 2", "not UTF-8"),
        ("[]".encode("utf-16"), "batch1.json, line 1", "not UTF-8"),
        (b"", "batch1.json, line 1, column 1", "not JSON"),
        (b"[]", "batch1.json", "number of questions is 0"),
        (b"{}", "batch1.json", "an object"),
        (b"[" + b"1," * 1_000_001 + b"1]", "batch1.json", "too many values"),
        (b" " * 20_000_001, "batch1.json", "too large"),
    ],
)
def test_a_file_that_is_no_list_of_questions_says_why(
    content: bytes, place: str, says: str
) -> None:
    [(result, message)] = faults_of(raw("batch1.json", content))
    assert (result, says in message) == (place, True), message


def test_a_number_of_a_million_digits_is_a_fault_and_no_crash() -> None:
    content = json.dumps(hostile_questionnaire.questions()).replace(
        '"qid": 3', '"qid": ' + "9" * 1_000_000
    )
    [(place, _)] = faults_of(raw("batch1.json", content.encode()))
    assert place == "batch1.json, question 4, qid"


def test_a_field_given_twice_is_a_fault() -> None:
    content = json.dumps(hostile_questionnaire.questions()).replace(
        '"qid": 3', '"qid": 4, "qid": 3'
    )
    [(place, message)] = faults_of(raw("batch1.json", content.encode()))
    assert (place, "'qid' is given more than once" in message) == (Q4, True)


@pytest.mark.parametrize(
    ("name", "batch"),
    [
        ("batch.json", "batch"),
        ("batch0.json", "batch0"),
        ("Batch1.json", "Batch1"),
        ("batch1.json.bak", "batch1.json.bak"),
        ("Heart and lungs.json", "Heart and lungs"),
    ],
)
def test_a_file_of_another_name_names_its_batch(name: str, batch: str) -> None:
    content = hostile_questionnaire.files()[1].content
    (parsed,) = parse_questionnaire(raw(name, content)).batches
    assert (parsed.number, parsed.name) == (1, batch)
    assert {question.batch_number for question in parsed.questions} == {1}


def one_question(name: str, qid: int) -> SourceFile:
    return hostile_questionnaire.source(name, [hostile_questionnaire.question(1, qid, ["a", "b"])])


def test_files_of_other_names_get_the_numbers_after_those_that_are_taken() -> None:
    files = [
        one_question(name, qid) for qid, name in enumerate(("b.json", "batch4.json", "a.json"))
    ]
    numbers = {it.file: it.number for it in parse_questionnaire(files).batches}
    assert numbers == {"b.json": 5, "batch4.json": 4, "a.json": 6}


def test_a_file_of_a_known_batch_keeps_its_number() -> None:
    files = [one_question("new.json", 1), one_question("Heart.json", 2)]
    batches = parse_questionnaire(files, known={1: "", 3: "Heart"}).batches
    assert [(it.number, it.name) for it in batches] == [(3, "Heart"), (4, "new")]


def test_two_files_of_one_batch_number_are_a_fault() -> None:
    one, two = (
        hostile_questionnaire.question(1, 1, ["a", "b"]),
        hostile_questionnaire.question(1, 2, ["a", "b"]),
    )
    files = [
        hostile_questionnaire.source("batch3.json", [one]),
        hostile_questionnaire.source("batch03.json", [two]),
    ]
    assert faults_of(files) == [("batch03.json and batch3.json", "These are both batch 3.")]


def test_a_file_given_twice_is_one_fault() -> None:
    assert len(faults_of(hostile_questionnaire.changed(lambda created: None) * 2)) == 1


def test_no_file_at_all_is_a_fault() -> None:
    assert [place for place, _ in faults_of([])] == ["files"]
    assert [place for place, _ in faults_of([hostile_questionnaire.files()[2]])] == ["files"]


FIELD_NAMES = [*hostile_questionnaire.question(1, 1, []), "batch_id", "total"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(FIELD_NAMES), inner),
    max_leaves=12,
)  # fmt: skip


@given(name=BATCH, value=st.lists(JSON, max_size=4) | JSON)
def test_any_json_is_read_or_refused_with_faults(name: str, value: object) -> None:
    content = json.dumps(value).encode()
    with pytest.raises(QuestionnaireInvalid) as caught:
        parse_questionnaire(raw(name, content))
    assert caught.value.faults
    for fault in caught.value.faults:
        f"{fault.place} {fault.message}".encode()


@given(name=BATCH, content=st.binary())
def test_any_bytes_are_refused_with_faults(name: str, content: bytes) -> None:
    assert faults_of(raw(name, content))


STORABLE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
NAME = STORABLE.filter(str.strip)
CANDIDATES = st.lists(
    st.builds(hostile_questionnaire.candidate, NAME, st.integers(1, 32_767)), min_size=2, max_size=9
)


@given(
    rankings=st.lists(CANDIDATES, min_size=1, max_size=5),
    text=NAME,
    category=STORABLE,
    ascii_only=st.booleans(),
)
def test_whatever_can_be_stored_is_read_as_it_was_written(
    rankings: list[list[dict[str, Any]]], text: str, category: str, ascii_only: bool
) -> None:
    written = [
        hostile_questionnaire.question(
            place, place - 1, [], llm_ranking=ranking, text=text, category=category
        )
        for place, ranking in enumerate(rankings, 1)
    ]
    content = json.dumps(written, ensure_ascii=ascii_only).encode()
    assert as_written(parse_questionnaire(raw("batch1.json", content))) == written
