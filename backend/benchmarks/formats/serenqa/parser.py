"""Parser of SerenQA's two kinds of file (appendix A.3): the QA set, and partitions of its answers.

The kind of a record is derived from its fields, so that files may be mixed: `graph_query` makes a
question; `llm`, `sscore` or `expert` make a record of partitions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, TypeVar

from pydantic import Field, PlainValidator
from pydantic_core import InitErrorDetails

from backend.benchmarks.formats.serenqa.lenient_json import MAX_NOTICES, parse_json_values
from backend.benchmarks.lossless_json import format_json
from backend.benchmarks.question_format import (
    FileCandidate,
    ParsedFiles,
    ParsedPartitions,
    ParsedQuestion,
    QuestionFilesInvalid,
    Split,
    check_split_answers,
)
from backend.benchmarks.questionnaire import SourceFile
from backend.tracks.serenqa_graph_queries import GraphQuery, check_identifier
from backend.validation.faults import Fault, FaultList, printable
from backend.validation.json_files import (
    FileModel,
    JsonObject,
    check_text,
    error_at,
    is_absent,
    list_field,
    optional_field,
    optional_text_field,
    place_of,
    text_field,
    validate,
    value_error,
)

MAX_QUESTIONS = 50_000
MAX_ANSWERS = 10_000
MAX_PATHS = 10_000
MAX_ID_LENGTH = 100
MAX_TEXT_LENGTH = 10_000
MAX_PATH_LENGTH = 20_000
EXPECTED = "an object with graph_query, or with llm, sscore or expert"
# The files' keys of the methods, and ours; `sscore` is the RNS-guided partition.
METHOD_BY_FILE_KEY: Mapping[str, str] = MappingProxyType(
    {"llm": "llm", "sscore": "rns", "expert": "expert"}
)


def _check_qid(value: object) -> str:
    qid = check_identifier(value)
    if len(qid) > MAX_ID_LENGTH:
        expected = f"at most {MAX_ID_LENGTH} characters"
        raise value_error("This identifier is too long.", expected)
    return qid


def _check_type_label(value: object) -> str:
    """The file's own label, which is not interpreted."""
    if is_absent(value):
        return ""
    label = value if isinstance(value, str) else ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        label = format_json(value)
    if not 0 < len(label) <= MAX_ID_LENGTH:
        expected = f"a number or text of 1 to {MAX_ID_LENGTH} characters"
        raise value_error("This is not the name of a type.", expected)
    return label


def _check_path(value: object) -> str:
    return check_text(value, MAX_PATH_LENGTH, empty=True)


Identifier = Annotated[str, PlainValidator(check_identifier)]
QuestionId = Annotated[str, PlainValidator(_check_qid)]
Identifiers = Annotated[tuple[Identifier, ...], list_field(0, MAX_ANSWERS, "identifiers")]
Texts = Annotated[
    tuple[Annotated[str, PlainValidator(_check_path)], ...] | None,
    list_field(0, MAX_PATHS, "texts"),
    optional_field,
]


class CandidateModel(FileModel):
    id: Identifier = Field(alias="answer_argument")
    name: Annotated[str, optional_text_field(MAX_TEXT_LENGTH)] = Field(alias="entity_name")


class QuestionModel(FileModel):
    qid: QuestionId
    text: Annotated[str, text_field(MAX_TEXT_LENGTH)] = Field(alias="question")
    answers: Annotated[tuple[CandidateModel, ...], list_field(1, MAX_ANSWERS, "answers")] = Field(
        alias="answer"
    )
    graph_query: GraphQuery
    category: Annotated[str, optional_text_field(MAX_TEXT_LENGTH)]
    cypher: Annotated[str, optional_text_field(MAX_PATH_LENGTH)]
    type_label: Annotated[str, PlainValidator(_check_type_label)] = Field(alias="pattern_type")

    @classmethod
    def cross_field_errors(cls, value: JsonObject) -> Iterable[InitErrorDetails]:
        answers = value.get("answer")
        items = answers if isinstance(answers, list) else []
        ids = [one.get("answer_argument") for one in items if isinstance(one, JsonObject)]
        return _repeated(("answer",), ids)


class SetModel(FileModel):
    needs_object = False
    list: Identifiers


class ExplorationModel(FileModel):
    needs_object = False
    paths: Texts
    questions: Texts


class SplitModel(FileModel):
    serendipity_set: SetModel
    exact_matches: SetModel
    partition: Annotated[str, optional_text_field(MAX_ID_LENGTH)]
    explore_queries: ExplorationModel

    @classmethod
    def cross_field_errors(cls, value: JsonObject) -> Iterable[InitErrorDetails]:
        ids: list[object] = []
        for name in ("serendipity_set", "exact_matches"):
            set_ = value.get(name)
            listed = set_.get("list") if isinstance(set_, JsonObject) else None
            ids += listed if isinstance(listed, list) else []
        return _repeated((), ids)

    def split(self, key: str) -> Split:
        return Split(
            METHOD_BY_FILE_KEY[key],
            self.serendipity_set.list,
            self.exact_matches.list,
            self.partition,
            self.explore_queries.paths or (),
            self.explore_queries.questions or (),
            places=(f"{key}.serendipity_set.list", f"{key}.exact_matches.list"),
        )


class PartitionsModel(FileModel):
    qid: QuestionId
    text: Annotated[str, optional_text_field(MAX_TEXT_LENGTH)] = Field(alias="question")
    llm: Annotated[SplitModel | None, optional_field]
    sscore: Annotated[SplitModel | None, optional_field]
    expert: Annotated[SplitModel | None, optional_field]

    @property
    def splits(self) -> tuple[Split, ...]:
        models = {"llm": self.llm, "sscore": self.sscore, "expert": self.expert}
        return tuple(model.split(key) for key, model in models.items() if model is not None)


def _repeated(path: tuple[str | int, ...], identifiers: Iterable[object]) -> list[InitErrorDetails]:
    visible: set[str] = set()
    errors = []
    for one in identifiers:
        identifier = str(one) if isinstance(one, str | int) else ""
        if identifier and identifier in visible:
            message = f"'{printable(identifier)}' is given more than once."
            errors.append(error_at(path, message, "each once", "repeated"))
        visible.add(identifier)
    return errors


@dataclass
class _ParseState:
    faults: FaultList
    notices: dict[str, None] = field(default_factory=dict)
    questions: dict[str, ParsedQuestion] = field(default_factory=dict)
    partitions: dict[str, ParsedPartitions] = field(default_factory=dict)

    def note(self, notice: str) -> None:
        if len(self.notices) < MAX_NOTICES:
            self.notices[notice] = None


def parse_serenqa(files: Sequence[SourceFile], faults: Iterable[Fault] = ()) -> ParsedFiles:
    """All records of the files. Raises QuestionFilesInvalid with every fault of every file.

    `faults`: faults found while the files were read.
    """
    state = _ParseState(FaultList.of(faults))
    for file in files:
        name = printable(file.name, 120)
        values = parse_json_values(name, file.content, state.faults, state.note)
        for number, (value, place) in enumerate(values, start=1):
            _parse_record(value, _place(value, place, number), state)
    _check_all(state)
    if state.faults.total:
        raise QuestionFilesInvalid.of(state.faults)
    return ParsedFiles(
        tuple(state.questions.values()), tuple(state.partitions.values()), tuple(state.notices)
    )


def _place(value: object, place: str, number: int) -> str:
    qid = value.get("qid") if isinstance(value, dict) else None
    known = qid if isinstance(qid, str) else str(qid) if type(qid) is int else ""
    suffix = f" (qid {printable(known, 30)})" if known else ""
    return f"{place}, entry {number}{suffix}"


def _check_all(state: _ParseState) -> None:
    result = len(state.questions) + len(state.partitions)
    if not result and not state.faults.total:
        state.faults.add("files", "There are no questions and no partitions here.", EXPECTED)
    if max(len(state.questions), len(state.partitions)) > MAX_QUESTIONS:
        state.faults.add("files", "There are too many questions.", f"at most {MAX_QUESTIONS:,}")
    for qid, record in state.partitions.items():
        if qid in state.questions:
            answers = state.questions[qid].answers
            check_split_answers(record, answers, state.faults, state.note)


def _parse_record(value: object, place: str, state: _ParseState) -> None:
    if not isinstance(value, JsonObject):
        state.faults.add(place, "This is not an object.", EXPECTED)
        return
    is_question = "graph_query" in value
    is_partitions = any(isinstance(value.get(key), JsonObject) for key in METHOD_BY_FILE_KEY)
    if not is_question and not is_partitions:
        message = "This is neither a question nor a record of partitions."
        state.faults.add(place, message, EXPECTED)
    if is_question and (question := _parse_question(value, place, state)):
        _add_once(question, state.questions, state.faults)
    if is_partitions and (partitions := validate(PartitionsModel, value, place, state.faults)):
        splits = partitions.splits
        record = ParsedPartitions(place, partitions.qid, partitions.text, splits, value)
        _add_once(record, state.partitions, state.faults)


Record = TypeVar("Record", ParsedQuestion, ParsedPartitions)


def _add_once(record: Record, known: dict[str, Record], faults: FaultList) -> None:
    if record.qid in known:
        message = f"{printable(record.qid)} is already in the files."
        faults.add(place_of(record.place, ("qid",)), message, "each once", "repeated")
    known[record.qid] = record


def _parse_question(value: JsonObject, place: str, state: _ParseState) -> ParsedQuestion | None:
    read = validate(QuestionModel, value, place, state.faults)
    if read is None:
        return None
    pattern = read.graph_query.pattern()
    for name, count in (("num_node", len(pattern.nodes)), ("num_edge", len(pattern.edges))):
        if value.get(name, count) != count:
            state.note(f"{place}: {name} is not {count}, the number in its graph_query.")
    answers = tuple(FileCandidate(one.id, one.name) for one in read.answers)
    return ParsedQuestion(
        place,
        read.qid,
        read.text,
        answers,
        value,
        pattern,
        read.category,
        read.cypher,
        read.type_label,
    )
