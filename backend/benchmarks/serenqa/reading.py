"""SerenQA's two kinds of file (appendix A.3): the QA set, and the partitions of its answers.

Which of the two an object is, is told from its fields, so that any mixture of files will do:
`graph_query` makes a question, `llm`, `sscore` or `expert` make a record of partitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from backend.benchmarks.patterns.parsing import identifier, read_pattern
from backend.benchmarks.questionnaire import SourceFile
from backend.benchmarks.reading import MISSING, Faults, Node, Object, shown
from backend.benchmarks.serenqa.lenient import NOTICES_LISTED, Note, read_values
from backend.benchmarks.serenqa.records import (
    FILE_WORDS,
    METHODS,
    Answer,
    PartitionRecord,
    QARecord,
    SerenQA,
    SerenQAInvalid,
    Split,
)
from backend.benchmarks.serenqa.strict import json_text
from backend.common.errors import Fault

MOST_QUESTIONS = 50_000
MOST_ANSWERS = 10_000
MOST_PATHS = 10_000
LONGEST_ID = 100
LONGEST_TEXT = 10_000
LONGEST_PATH = 20_000
Record = TypeVar("Record", QARecord, PartitionRecord)
EXPECTED = "an object with graph_query, or with llm, sscore or expert"


@dataclass
class _Reading:
    faults: Faults
    notices: dict[str, None] = field(default_factory=dict)
    questions: dict[str, QARecord] = field(default_factory=dict)
    partitions: dict[str, PartitionRecord] = field(default_factory=dict)

    def note(self, notice: str) -> None:
        if len(self.notices) < NOTICES_LISTED:
            self.notices[notice] = None


def read_serenqa(files: Sequence[SourceFile], faults: Iterable[Fault] = ()) -> SerenQA:
    """All records of the files, or SerenQAInvalid with every fault of every file.

    `faults`: what was already wrong when the files were fetched.
    """
    reading = _Reading(Faults.of(faults))
    for file in files:
        nodes = read_values(shown(file.name, 120), file.content, reading.faults, reading.note)
        for place, node in enumerate(nodes, start=1):
            _read(Node(node.value, _where(node, place), reading.faults), reading)
    _check_whole(reading)
    if reading.faults.total:
        raise SerenQAInvalid.of(reading.faults)
    return SerenQA(
        tuple(reading.questions.values()),
        tuple(reading.partitions.values()),
        tuple(reading.notices),
    )


def _where(node: Node, place: int) -> str:
    qid = node.value.get("qid", MISSING) if isinstance(node.value, dict) else MISSING
    known = qid if isinstance(qid, str) else str(qid) if type(qid) is int else ""
    said = f" (qid {shown(known, 30)})" if known else ""
    return f"{node.where}, entry {place}{said}"


def _check_whole(reading: _Reading) -> None:
    found = len(reading.questions) + len(reading.partitions)
    if not found and not reading.faults.total:
        reading.faults.add("files", "There are no questions and no partitions here.", EXPECTED)
    if max(len(reading.questions), len(reading.partitions)) > MOST_QUESTIONS:
        reading.faults.add("files", "There are too many questions.", f"at most {MOST_QUESTIONS:,}")
    for qid, record in reading.partitions.items():
        if qid in reading.questions:
            check_answers(record, reading.questions[qid].answers, reading.faults, reading.note)


def _read(node: Node, reading: _Reading) -> None:
    if not isinstance(node.value, Object):
        node.wrong("This is no object.", EXPECTED)
        return
    is_question = "graph_query" in node.value
    is_partitions = any(isinstance(node.value.get(name), Object) for name in METHODS)
    if not is_question and not is_partitions:
        node.wrong("This is neither a question nor a record of partitions.", EXPECTED)
    if is_question and (question := _read_question(node, node.value, reading)):
        _take_once(node, question.qid, question, reading.questions)
    if is_partitions and (record := _read_partitions(node, node.value)):
        _take_once(node, record.qid, record, reading.partitions)


def _take_once(node: Node, qid: str, one: Record, known: dict[str, Record]) -> None:
    if qid in known:
        node.field("qid").wrong(f"{shown(qid)} was there before.", "each once", "repeated")
    known[qid] = one


def _read_question(node: Node, record: Object, reading: _Reading) -> QARecord | None:
    before = node.faults.total
    qid, text = _qid(node), node.field("question").text(LONGEST_TEXT)
    answers = _read_answers(node.field("answer"))
    pattern = read_pattern(node.field("graph_query"))
    category = _optional(node.field("category"), LONGEST_TEXT)
    cypher = _optional(node.field("cypher"), LONGEST_PATH)
    said_type = _said_type(node.field("pattern_type"))
    if pattern is None or node.faults.total > before:
        return None
    for name, count in (("num_node", len(pattern.nodes)), ("num_edge", len(pattern.edges))):
        if record.get(name, count) != count:
            reading.note(f"{node.where}: {name} is not {count}, as its graph_query has it.")
    return QARecord(node.where, qid, text, answers, pattern, category, cypher, said_type, record)


def _qid(node: Node) -> str:
    qid = identifier(node.field("qid"))
    if len(qid) > LONGEST_ID:
        node.field("qid").wrong("This identifier is too long.", f"at most {LONGEST_ID} characters")
    return qid


def _said_type(node: Node) -> str:
    """What the file says, as it is written there; nothing is concluded from it."""
    if node.value is MISSING or node.value is None:
        return ""
    said = node.value if isinstance(node.value, str) else ""
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        said = json_text(node.value)
    if not 0 < len(said) <= LONGEST_ID:
        node.wrong(
            "This is no name of a type.", f"a number or text of 1 to {LONGEST_ID} characters"
        )
    return said


def _optional(node: Node, longest: int) -> str:
    if node.value is MISSING or node.value is None:
        return ""
    return node.text(longest, empty=True)


def _read_answers(node: Node) -> tuple[Answer, ...]:
    found = []
    for item in node.items(1, MOST_ANSWERS, "answers"):
        if isinstance(item.value, Object):
            name = _optional(item.field("entity_name"), LONGEST_TEXT)
            found.append(Answer(identifier(item.field("answer_argument")), name))
        else:
            item.wrong("This is no object.", "an object with answer_argument and entity_name")
    _check_once(node, [one.id for one in found])
    return tuple(found)


def _check_once(node: Node, identifiers: Iterable[str]) -> None:
    seen: set[str] = set()
    for one in identifiers:
        if one and one in seen:
            node.wrong(f"'{shown(one)}' is given more than once.", "each once", "repeated")
        seen.add(one)


def _read_partitions(node: Node, record: Object) -> PartitionRecord | None:
    before = node.faults.total
    qid, text = _qid(node), _optional(node.field("question"), LONGEST_TEXT)
    splits = tuple(
        _read_split(node.field(name), method)
        for name, method in METHODS.items()
        if record.get(name) is not None
    )
    if node.faults.total > before:
        return None
    return PartitionRecord(node.where, qid, text, splits, record)


def _read_split(node: Node, method: str) -> Split:
    serendipity = _identifiers(node.field("serendipity_set").field("list"))
    existing = _identifiers(node.field("exact_matches").field("list"))
    explored = node.field("explore_queries")
    split = Split(
        method,
        serendipity,
        existing,
        _optional(node.field("partition"), LONGEST_ID),
        _texts(explored.field("paths"), "paths"),
        _texts(explored.field("questions"), "questions"),
    )
    _check_once(node, (*serendipity, *existing))
    return split


def _identifiers(node: Node) -> tuple[str, ...]:
    return tuple(identifier(item) for item in node.items(0, MOST_ANSWERS, "identifiers"))


def _texts(node: Node, of: str) -> tuple[str, ...]:
    if node.value is MISSING or node.value is None:
        return ()
    return tuple(item.text(LONGEST_PATH, empty=True) for item in node.items(0, MOST_PATHS, of))


def check_answers(
    record: PartitionRecord, answers: Sequence[Answer], faults: Faults, note: Note
) -> None:
    """A partition is of the question's answers: of no others, and of all, or that is noted."""
    known = {one.id for one in answers}
    for split in record.splits:
        parts = {"serendipity_set": split.serendipity, "exact_matches": split.existing}
        for name, identifiers in parts.items():
            for one in identifiers:
                if one not in known:
                    message = f"'{shown(one)}' is no answer of this question."
                    place = f"{record.place}, {FILE_WORDS[split.method]}.{name}.list"
                    faults.add(place, message, "an answer_argument", "no_answer")
        missing = len(known - {*split.serendipity, *split.existing})
        if missing:
            note(f"{record.place}: {FILE_WORDS[split.method]} leaves out {missing} of the answers.")
