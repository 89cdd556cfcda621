"""Questionnaire files of SerenQA, imported without loss or rejected completely.

Each file is a batch, a list of questions. `batch<number>.json` has that number; a file of another
name names its batch, which gets the next number:

    {"question_number": 1, "qid": 0, "text": "…", "category": "…",
     "llm_ranking": [{"entity_name": "…", "llm_rank": 1, "entity_link": "https://…"}, …],
     "resource": [{"entity_name": "…", "entity_link": "https://…"}, …]}

A question may have a known answer, which checks experts and is no part of the results:

    "gold": {"answer": {…}, "explanation": "…"}

`batches.json`, if present, names the batches and gives the number of questions in each:

    {"batch_id": 1, "batch_name": "…", "total": 349, "categories": {…}}

Text is not trimmed or normalized. Ranks may be tied and may have gaps. Harmless oddities become
notices.
"""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Any, Self

from pydantic import Field

from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.validation.faults import Fault, FaultList, printable
from backend.validation.json_files import (
    MISSING,
    FileModel,
    NoteUnknown,
    integer_field,
    link_field,
    list_field,
    list_items,
    object_field,
    optional_field,
    optional_text_field,
    parse_json_file,
    place_of,
    text_field,
    validate,
)

CATALOGUE_FILE = "batches.json"
BATCH_NAME = re.compile(r"batch([0-9]{1,9})\.json")
MAX_NOTICES = 200
MAX_QUESTIONS = 20_000
MIN_CANDIDATES = 2
MAX_CANDIDATES = 100
MAX_RESOURCES = 100
MAX_TEXT_LENGTH = 10_000
MAX_NAME_LENGTH = 2_000
MAX_NUMBER = 2_147_483_647
MAX_BATCH_NUMBER = 999_999_999
MAX_RANK = 32_767
MAX_ID = 10**18 - 1


@dataclass(frozen=True)
class SourceFile:
    name: str
    content: bytes


class QuestionnaireCandidate(FileModel):
    list_name = "llm_ranking"
    name: Annotated[str, text_field(MAX_NAME_LENGTH)] = Field(alias="entity_name")
    rank: Annotated[int, integer_field(1, MAX_RANK)] = Field(alias="llm_rank")
    link: Annotated[str, link_field(MAX_NAME_LENGTH)] = Field(alias="entity_link")


class QuestionnaireResource(FileModel):
    list_name = "resource"
    name: Annotated[str, text_field(MAX_NAME_LENGTH)] = Field(alias="entity_name")
    link: Annotated[str, link_field(MAX_NAME_LENGTH)] = Field(alias="entity_link")


class KnownAnswerEntry(FileModel):
    """answer: in the form of the study kind, which checks it once the question is stored."""

    list_name = "gold"
    answer: Annotated[dict[str, Any], object_field()]
    explanation: Annotated[str, optional_text_field(MAX_TEXT_LENGTH)]


class QuestionEntry(FileModel):
    """What every study kind needs of an entry. A kind derives its own, with the fields it adds.

    `place` is the file and the question in it, for faults that are found later. Neither it nor
    `batch_number` is read from the entry itself, nor are candidates and resources here.
    """

    list_name = "questions"
    number: Annotated[int, integer_field(1, MAX_NUMBER)] = Field(alias="question_number")
    qid: Annotated[int, integer_field(0, MAX_ID)]
    text: Annotated[str, text_field(MAX_TEXT_LENGTH)]
    category: Annotated[str, text_field(MAX_NAME_LENGTH, empty=True)]
    gold: Annotated[KnownAnswerEntry | None, optional_field]
    candidates: tuple[QuestionnaireCandidate, ...] = ()
    resources: tuple[QuestionnaireResource, ...] = ()
    place: str = ""
    batch_number: int = 0

    def payload(self) -> dict[str, Any]:
        """The fields that a study kind has added, as JSON."""
        return self.model_dump(mode="json", exclude=set(QuestionEntry.model_fields))


class QuestionnaireQuestion(QuestionEntry):
    """With candidates in the order of the language models."""

    candidates: Annotated[
        tuple[QuestionnaireCandidate, ...], list_field(MIN_CANDIDATES, MAX_CANDIDATES, "candidates")
    ] = Field(alias="llm_ranking")
    resources: Annotated[
        tuple[QuestionnaireResource, ...], list_field(0, MAX_RESOURCES, "resources")
    ] = Field(alias="resource")


class CatalogueEntry(FileModel):
    list_name = "batches"
    number: Annotated[int, integer_field(1, MAX_BATCH_NUMBER)] = Field(alias="batch_id")
    name: Annotated[str, text_field(MAX_NAME_LENGTH, empty=True)] = Field(alias="batch_name")
    total: Annotated[int, integer_field(0, MAX_NUMBER)]
    categories: object


@dataclass(frozen=True)
class Batch:
    number: int
    file: str
    questions: tuple[QuestionEntry, ...]
    name: str = ""


@dataclass(frozen=True)
class Questionnaire:
    batches: tuple[Batch, ...]
    notices: tuple[str, ...]

    @property
    def questions(self) -> list[QuestionEntry]:
        return [question for batch in self.batches for question in batch.questions]


class FilesInvalid(DomainError):
    """Imported files have faults, all of which are counted and the first of which are listed."""

    @classmethod
    def of(cls, faults: FaultList) -> Self:
        many = pluralize(faults.total, "error")
        rest = faults.total - len(faults.listed)
        more = f" The first {len(faults.listed)} are listed." if rest else ""
        detail = f"Nothing was imported, because the files have {many}.{more}"
        return cls(detail, faults=faults.listed, data={"faults_total": faults.total})


class QuestionnaireInvalid(FilesInvalid):
    code = "questionnaire_invalid"


@dataclass
class _ParseState:
    schema: type[QuestionEntry]
    faults: FaultList = field(default_factory=FaultList)
    notices: dict[str, None] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)

    def note(self, notice: str) -> None:
        if len(self.notices) < MAX_NOTICES:
            self.notices[notice] = None

    def note_unknown(self, file: str) -> NoteUnknown:
        """Add a notice about an unknown field, once per file and list."""
        return lambda name, model: self.note(
            f"{file}: the field '{printable(name)}' of {model.list_name} was not read."
        )


def parse_questionnaire(
    files: Sequence[SourceFile],
    faults: Iterable[Fault] = (),
    schema: type[QuestionEntry] = QuestionnaireQuestion,
    known: Mapping[int, str] = MappingProxyType({}),
) -> Questionnaire:
    """All batches of the files. Raises QuestionnaireInvalid with every fault of every file.

    `faults`: faults found while the files were read. `schema`: of the questions. `known`: names of
    the batches that there are already, by number.
    """
    state = _ParseState(schema, FaultList.of(faults), numbers=_number_files(files, known))
    catalogue: dict[int, CatalogueEntry] = {}
    batches: list[Batch] = []
    for file in {file.name: file for file in files}.values():
        if file.name == CATALOGUE_FILE:
            catalogue |= _parse_catalogue(file, state)
        else:
            batches += _parse_batch(file, state)
    _check_files(files, batches, state.faults)
    if state.faults.total:
        raise QuestionnaireInvalid.of(state.faults)
    ordered = sorted(batches, key=lambda batch: batch.number)
    named = tuple(_with_catalogue_name(batch, catalogue, state) for batch in ordered)
    return Questionnaire(named, tuple(state.notices))


def batch_number(file_name: str) -> int | None:
    """12 for batch12.json; None for a name of another form."""
    match = BATCH_NAME.fullmatch(file_name)
    number = int(match[1]) if match else 0
    return number or None


def _number_files(files: Sequence[SourceFile], known: Mapping[int, str]) -> dict[str, int]:
    """By file: the number in its name, that of the known batch of its name, or the next one."""
    by_name = {name: number for number, name in known.items() if name}
    names = dict.fromkeys(file.name for file in files if file.name != CATALOGUE_FILE)
    numbers = {name: batch_number(name) or by_name.get(_batch_name(name)) for name in names}
    taken = [number for number in (*known, *numbers.values()) if number is not None]
    following = itertools.count(max(taken, default=0) + 1)
    return {name: number or next(following) for name, number in numbers.items()}


def _batch_name(file_name: str) -> str:
    """'Cardiology' for Cardiology.json; empty for batch12.json, which has a number instead."""
    return "" if batch_number(file_name) else printable(file_name.removesuffix(".json"), 120)


def _check_files(files: Sequence[SourceFile], batches: Sequence[Batch], faults: FaultList) -> None:
    if not any(file.name != CATALOGUE_FILE for file in files) and not faults.total:
        faults.add("files", "There is no questionnaire here.", "a file of questions")
    for name, times in Counter(file.name for file in files).items():
        if times > 1:
            faults.add(printable(name), f"This file is given {times} times.", "each file once")
    numbers = Counter(batch.number for batch in batches)
    for number, times in numbers.items():
        names = sorted({batch.file for batch in batches if batch.number == number})
        if times > 1:
            message = f"These are both batch {number}."
            faults.add(" and ".join(names), message, "one file per batch")


def _parse_batch(file: SourceFile, state: _ParseState) -> list[Batch]:
    number = state.numbers[file.name]
    name = printable(file.name, longest=120)
    root = parse_json_file(name, file.content, state.faults)
    if root is MISSING:
        return []
    entries = list_items(root, 1, MAX_QUESTIONS, "questions", name, state.faults)
    numbers: dict[int, str] = {}
    questions = [_parse_question(it, name, n, numbers, state) for n, it in enumerate(entries)]
    numbered = {"batch_number": number}
    result = tuple(one.model_copy(update=numbered) for one in questions if one is not None)
    return [Batch(number, name, result, _batch_name(file.name))]


def _parse_question(
    value: object, file: str, index: int, numbers: dict[int, str], state: _ParseState
) -> QuestionEntry | None:
    place = _place(value, file, index)
    question = validate(state.schema, value, place, state.faults, state.note_unknown(file))
    is_unique = [
        _check_unique(value, field, taken, place, state.faults)
        for field, taken in (("question_number", numbers), ("qid", state.ids))
    ]
    if question is None or not all(is_unique):
        return None
    names = Counter(candidate.name for candidate in question.candidates)
    for name, times in names.items():
        if times > 1:
            state.note(f"{place}: {times} candidates are named '{printable(name)}'.")
    return question.model_copy(update={"place": place})


def _place(value: object, file: str, index: int) -> str:
    """`batch3.json, question 4 (qid 17)`, as far as the entry has these numbers."""
    fields = value if isinstance(value, dict) else {}
    number, qid = fields.get("question_number"), fields.get("qid")
    known = f"question {number}" if type(number) is int else f"entry {index + 1} of the list"
    return f"{file}, {known} (qid {qid})" if type(qid) is int else f"{file}, {known}"


def _check_unique(
    value: object, field: str, taken: dict[int, str], place: str, faults: FaultList
) -> bool:
    number = value.get(field) if isinstance(value, dict) else None
    if type(number) is not int or number not in taken:
        if type(number) is int:
            taken[number] = place
        return True
    message = f"{number} is already that of {taken[number]}."
    faults.add(place_of(place, (field,)), message, "each once", "repeated")
    return False


def _parse_catalogue(file: SourceFile, state: _ParseState) -> dict[int, CatalogueEntry]:
    root = parse_json_file(file.name, file.content, state.faults)
    if root is MISSING:
        return {}
    result: dict[int, CatalogueEntry] = {}
    visible: dict[int, str] = {}
    entries = list_items(root, 0, MAX_QUESTIONS, "batches", file.name, state.faults)
    for index, value in enumerate(entries):
        place = f"{file.name}, entry {index + 1} of the list"
        note = state.note_unknown(file.name)
        entry = validate(CatalogueEntry, value, place, state.faults, note)
        _check_unique(value, "batch_id", visible, place, state.faults)
        if entry is not None:
            result[entry.number] = entry
    return result


def _with_catalogue_name(
    batch: Batch, catalogue: dict[int, CatalogueEntry], state: _ParseState
) -> Batch:
    entry = catalogue.get(batch.number)
    if entry is None:
        return batch
    if entry.total != len(batch.questions):
        state.note(
            f"{CATALOGUE_FILE} states that batch {batch.number} has "
            f"{pluralize(entry.total, 'question')}; {batch.file} has {len(batch.questions)}."
        )
    return replace(batch, name=entry.name or batch.name)
