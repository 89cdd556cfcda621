"""SerenQA's files as its tracks read them: questions with patterns, partitions of their answers.

A file has questions, partitions of them, or both (appendix A.3), as a JSON list or JSON lines. They
are joined by `qid`, over all files and in any order. The files' key `sscore` is the method `rns`.

`read_serenqa` returns every question of the files so far, so that a track builds its items anew
after each file:

    questions = read_serenqa(file, name, source)
    source.items[:] = map(to_item, questions)

What a published file breaks (a trailing comma, an object that is not closed) the import of question
sets accepts; its export is valid.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, BinaryIO, Literal

from pydantic import BeforeValidator, ConfigDict, Field, Strict, StringConstraints
from pydantic.dataclasses import dataclass as schema

from backend.tracks.item_table import Source
from backend.tracks.serenqa_graph_queries import GraphQueryField, pattern_to_graph_query
from backend.tracks.serenqa_patterns import Pattern
from backend.validation.faults import printable
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault
from backend.validation.row_files.limits import MEGABYTE, ReadLimits
from backend.validation.row_files.reader import RowSchema, read_rows

Method = Literal["llm", "expert", "rns"]
METHODS: tuple[Method, ...] = ("llm", "expert", "rns")
PREFERRED_METHODS: tuple[Method, ...] = ("expert", "llm", "rns")
FILE_KEYS: Mapping[Method, str] = MappingProxyType(
    {"llm": "llm", "expert": "expert", "rns": "sscore"}
)
SHAPES: Mapping[str, str] = MappingProxyType(
    {
        "1.1": "one-hop",
        "1.2": "one-hop",
        "2.1": "two-hop",
        "3.1": "multi-hop",
        "3.2": "multi-hop",
        "3.3": "multi-hop",
        "4.1": "intersection",
        "4.2": "intersection",
        "4.3": "intersection",
    }
)
MOST_ANSWERS = 10_000
MOST_PATHS = 10_000
LIMITS = ReadLimits(row_bytes=50 * MEGABYTE)
QUESTIONS, PARTITIONS = "serenqa questions", "serenqa partitions"


def integer_as_text(value: object) -> object:
    """The files write identifiers as numbers or as text."""
    return str(value) if type(value) is int else value


def none_as_empty(value: object) -> object:
    return "" if value is None else value


def none_as_list(value: object) -> object:
    return () if value is None else value


Identifier = Annotated[
    str,
    BeforeValidator(integer_as_text),
    Strict(),
    StringConstraints(min_length=1, max_length=2_000, pattern=r"^[^\x00-\x1f\x7f]*$"),
]
QuestionId = Annotated[
    str,
    BeforeValidator(integer_as_text),
    Strict(),
    StringConstraints(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$"),
]
Text = Annotated[str, Strict(), StringConstraints(min_length=1, max_length=10_000)]
OptionalText = Annotated[
    str, BeforeValidator(none_as_empty), Strict(), StringConstraints(max_length=20_000)
]
Texts = Annotated[
    tuple[Annotated[str, Strict(), StringConstraints(max_length=20_000)], ...],
    BeforeValidator(none_as_list),
    Field(max_length=MOST_PATHS),
]
IGNORES_OTHERS = ConfigDict(extra="ignore", populate_by_name=True)


@schema(frozen=True, slots=True, config=IGNORES_OTHERS)
class AnswerRow:
    answer_argument: Identifier
    entity_name: OptionalText = ""


@schema(frozen=True, slots=True, config=IGNORES_OTHERS)
class SetRow:
    list: Annotated[tuple[Identifier, ...], Field(max_length=MOST_ANSWERS)] = ()


@schema(frozen=True, slots=True, config=IGNORES_OTHERS)
class QueriesRow:
    paths: Texts = ()
    questions: Texts = ()


@schema(frozen=True, slots=True, config=IGNORES_OTHERS)
class SplitRow:
    serendipity_set: SetRow
    exact_matches: SetRow
    explore_queries: QueriesRow | None = None
    partition: OptionalText = ""


@schema(frozen=True, slots=True, config=IGNORES_OTHERS)
class SourceRow:
    """A question if it has a `graph_query`, partitions if it has any, or both."""

    qid: QuestionId
    question: OptionalText = ""
    answer: Annotated[tuple[AnswerRow, ...], Field(max_length=MOST_ANSWERS)] = ()
    graph_query: GraphQueryField | None = None
    category: OptionalText = ""
    cypher: OptionalText = ""
    llm: SplitRow | None = None
    expert: SplitRow | None = None
    sscore: SplitRow | None = None


SOURCE = RowSchema(
    SourceRow,
    Columns(
        ("qid", "question", "answer", "graph_query", "category", "cypher", *FILE_KEYS.values()),
        required=("qid",),
        ignores_others=True,
    ),
    ("qid",),
)
SOURCE_COLUMNS = SOURCE.columns
SOURCE_EXAMPLE = (
    '[{"qid": 1, "question": "Which drugs treat this disease?", "answer": '
    '[{"answer_argument": "DB00001", "entity_name": "A drug"}, '
    '{"answer_argument": "DB00002", "entity_name": "Another drug"}], "graph_query": {"nodes": '
    '[{"nid": 0, "node_type": "class", "id": "Drug", "class": "Drug", "question_node": 1}, '
    '{"nid": 1, "node_type": "entity", "id": "5716", "class": "Disease", "question_node": 0}], '
    '"edges": [{"start": 0, "end": 1, "friendly_name": "treats"}]}, "expert": '
    '{"serendipity_set": {"list": ["DB00002"]}, "exact_matches": {"list": ["DB00001"]}}}]\n'
)


@dataclass(frozen=True)
class SourceAnswer:
    """An answer by its identifier in the file. types: of the target nodes, as the pattern has."""

    id: str
    name: str
    types: tuple[str, ...]


@dataclass(frozen=True)
class Partition:
    """Identifiers of A_s and A_e. paths: from existing to serendipitous answers, as A.3 writes."""

    serendipity: tuple[str, ...]
    existing: tuple[str, ...]
    paths: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True)
class SourceQuestion:
    """A question of the files with its partitions by method."""

    id: str
    text: str
    answers: tuple[SourceAnswer, ...]
    pattern: Pattern
    category: str = ""
    cypher: str = ""
    partitions: Mapping[Method, Partition] = field(default_factory=dict)

    @property
    def pattern_type(self) -> str:
        """'1.1' to '4.3', from the pattern itself; empty for another shape."""
        return self.pattern.type

    @property
    def shape(self) -> str:
        """'one-hop', 'two-hop', 'multi-hop' or 'intersection'; empty for another."""
        return SHAPES.get(self.pattern_type, "")

    def graph_query_as_json(self) -> dict[str, Any]:
        """As in the files, so that it can be parsed again."""
        return pattern_to_graph_query(self.pattern)


def read_serenqa(file: BinaryIO, name: str, source: Source[Any, Any]) -> list[SourceQuestion]:
    """Every question of this file and those before it, in the order of the files.

    Faults are added to the source. Partitions of questions that no file has are left out.
    """
    questions: dict[str, SourceRow] = source.parts.setdefault(QUESTIONS, {})
    partitions: dict[str, SourceRow] = source.parts.setdefault(PARTITIONS, {})
    for batch in read_rows(file, name, SOURCE, source.faults, LIMITS):
        for line, row in zip(batch.lines, batch.values, strict=True):
            for fault in _add_row(line, row, questions, partitions):
                source.faults.add(fault)
    for qid in questions.keys() & partitions.keys():
        for fault in _partition_faults(questions[qid], partitions[qid]):
            source.faults.add(fault)
    if source.faults.total:
        return []
    return [_to_question(row, partitions.get(qid)) for qid, row in questions.items()]


def _add_row(
    line: int, row: SourceRow, questions: dict[str, SourceRow], partitions: dict[str, SourceRow]
) -> Iterator[RowFault]:
    has_partitions = bool(splits_of(row))
    for is_of, rows in ((row.graph_query is not None, questions), (has_partitions, partitions)):
        if is_of and row.qid in rows:
            yield _repeated(line, row)
        elif is_of:
            rows[row.qid] = row
    yield from _row_faults(line, row, is_partitions=has_partitions)


def splits_of(row: SourceRow) -> dict[Method, SplitRow]:
    given: dict[Method, SplitRow | None] = {
        method: getattr(row, FILE_KEYS[method]) for method in METHODS
    }
    return {method: split for method, split in given.items() if split is not None}


def _to_question(row: SourceRow, partitions: SourceRow | None) -> SourceQuestion:
    if row.graph_query is None:
        raise TypeError("a question has a graph_query")
    pattern = row.graph_query.pattern()
    types = tuple(dict.fromkeys(one.type for one in pattern.targets))
    splits = splits_of(partitions) if partitions is not None else {}
    return SourceQuestion(
        row.qid,
        row.question,
        tuple(SourceAnswer(one.answer_argument, one.entity_name, types) for one in row.answer),
        pattern,
        row.category,
        row.cypher,
        {method: _to_partition(split) for method, split in splits.items()},
    )


def _to_partition(split: SplitRow) -> Partition:
    queries = split.explore_queries or QueriesRow()
    return Partition(
        split.serendipity_set.list,
        split.exact_matches.list,
        queries.paths,
        queries.questions,
        split.partition,
    )


def _row_faults(line: int, row: SourceRow, *, is_partitions: bool) -> Iterator[RowFault]:
    if row.graph_query is None:
        if not is_partitions:
            message = "This is neither a question nor a record of partitions."
            expected = "graph_query, or llm, sscore or expert"
            yield _fault(line, row, "graph_query", "missing_field", message, expected)
        return
    if not row.question:
        yield _fault(line, row, "question", "empty", "This text is empty.", "the question")
    if not row.answer:
        yield _fault(line, row, "answer", "empty", "There is no answer.", "one answer or more")
    if repeated := _first_repeated([one.answer_argument for one in row.answer]):
        message = f"'{printable(repeated)}' is given more than once."
        yield _fault(line, row, "answer", "repeated", message, "each answer once")
    if any(edge.is_negated for edge in row.graph_query.edges):
        message = "An edge is negated: SerenQA's tracks have no such patterns."
        yield _fault(line, row, "graph_query", "no_pattern", message, "edges that exist")


def _partition_faults(question: SourceRow, row: SourceRow) -> Iterator[RowFault]:
    known = {one.answer_argument for one in question.answer}
    for method, split in splits_of(row).items():
        listed = [*split.serendipity_set.list, *split.exact_matches.list]
        key = FILE_KEYS[method]
        if repeated := _first_repeated(listed):
            message = f"'{printable(repeated)}' is in the partition more than once."
            yield _fault(0, row, key, "repeated", message, "each answer once")
        if unknown := next((one for one in listed if one not in known), None):
            message = f"'{printable(unknown)}' is not an answer of this question."
            yield _fault(0, row, key, "no_answer", message, "an answer_argument")


def _first_repeated(identifiers: Sequence[str]) -> str:
    known: set[str] = set()
    for one in identifiers:
        if one in known:
            return one
        known.add(one)
    return ""


def _fault(
    line: int, row: SourceRow, field_: str, code: str, message: str, expected: str
) -> RowFault:
    return RowFault(line, field_, code, message, expected, "", row.qid)


def _repeated(line: int, row: SourceRow) -> RowFault:
    message = "This question was given before."
    return RowFault(line, "qid", "duplicate_item", message, "each question once", row.qid, row.qid)
