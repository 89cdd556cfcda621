"""SerenQA's own questionnaire files, read without loss or refused whole.

`batch<number>.json` is a list of questions; the batch's number is in the file's name:

    {"question_number": 1, "qid": 0, "text": "…", "category": "…",
     "llm_ranking": [{"entity_name": "…", "llm_rank": 1, "entity_link": "https://…"}, …],
     "resource": [{"entity_name": "…", "entity_link": "https://…"}, …]}

`batches.json`, where there is one, names the batches and says how many questions each has:

    {"batch_id": 1, "batch_name": "…", "total": 349, "categories": {…}}

Text is kept as it is: nothing is trimmed or normalised. Ranks may be tied and may have gaps.
What is odd but harmless becomes a notice.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from backend.benchmarks.reading import Faults, Node, read_json, shown
from backend.common.errors import DomainError, Fault
from backend.common.words import counted

CATALOGUE = "batches.json"
BATCH_NAME = re.compile(r"batch([0-9]{1,9})\.json")
QUESTION_FIELDS = ("question_number", "qid", "text", "category", "llm_ranking", "resource")
CANDIDATE_FIELDS = ("entity_name", "llm_rank", "entity_link")
RESOURCE_FIELDS = ("entity_name", "entity_link")
CATALOGUE_FIELDS = ("batch_id", "batch_name", "total", "categories")
NOTICES_LISTED = 200
MOST_QUESTIONS = 20_000
FEWEST_CANDIDATES = 2
MOST_CANDIDATES = 100
MOST_RESOURCES = 100
LONGEST_TEXT = 10_000
LONGEST_NAME = 2_000
LARGEST_NUMBER = 2_147_483_647
LARGEST_RANK = 32_767
LARGEST_ID = 10**18 - 1


@dataclass(frozen=True)
class SourceFile:
    name: str
    content: bytes


@dataclass(frozen=True)
class Candidate:
    name: str
    link: str
    rank: int


@dataclass(frozen=True)
class Resource:
    name: str
    link: str


@dataclass(frozen=True)
class Question:
    place: str
    number: int
    qid: int
    text: str
    category: str
    candidates: tuple[Candidate, ...]
    resources: tuple[Resource, ...]


@dataclass(frozen=True)
class Batch:
    number: int
    file: str
    questions: tuple[Question, ...]
    name: str = ""


@dataclass(frozen=True)
class Questionnaire:
    batches: tuple[Batch, ...]
    notices: tuple[str, ...]

    @property
    def questions(self) -> list[Question]:
        return [question for batch in self.batches for question in batch.questions]


class QuestionnaireInvalid(DomainError):
    code = "questionnaire_invalid"

    @classmethod
    def of(cls, faults: Faults) -> "QuestionnaireInvalid":
        many = counted(faults.total, "fault")
        rest = faults.total - len(faults.listed)
        more = f" The first {len(faults.listed)} are listed." if rest else ""
        detail = f"Nothing was imported, because the files have {many}.{more}"
        return cls(detail, faults=faults.listed, data={"faults_total": faults.total})


@dataclass
class _Reading:
    """One reading of all files: what is wrong, what is odd, and which ids are taken."""

    faults: Faults = field(default_factory=Faults)
    notices: dict[str, None] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)

    def note(self, notice: str) -> None:
        if len(self.notices) < NOTICES_LISTED:
            self.notices[notice] = None

    def ignored(self, file: str, of: str) -> Callable[[str], None]:
        """Notes a field that nobody asked for, once per file and list."""

        def note(name: str) -> None:
            self.note(f"{file}: the field '{shown(name)}' of {of} was not read.")

        return note


@dataclass(frozen=True)
class _Entry:
    name: str
    total: int


def read_questionnaire(files: Sequence[SourceFile], faults: Iterable[Fault] = ()) -> Questionnaire:
    """All batches of the files, or QuestionnaireInvalid with every fault of every file.

    `faults`: what was already wrong when the files were fetched.
    """
    reading = _Reading(Faults.of(faults))
    catalogue: dict[int, _Entry] = {}
    batches: list[Batch] = []
    for file in {file.name: file for file in files}.values():
        if file.name == CATALOGUE:
            catalogue = _read_catalogue(file, reading)
        else:
            batches += _read_batch(file, reading)
    _check_files(files, batches, reading)
    if reading.faults.total:
        raise QuestionnaireInvalid.of(reading.faults)
    named = [_named(batch, catalogue, reading) for batch in sorted(batches, key=_number)]
    return Questionnaire(tuple(named), tuple(reading.notices))


def batch_number(file_name: str) -> int | None:
    """12 for batch12.json; None for a name of another form."""
    match = BATCH_NAME.fullmatch(file_name)
    number = int(match[1]) if match else 0
    return number or None


def _number(batch: Batch) -> int:
    return batch.number


def _check_files(files: Sequence[SourceFile], batches: list[Batch], reading: _Reading) -> None:
    if not any(file.name != CATALOGUE for file in files) and not reading.faults.total:
        reading.faults.add("files", "There is no questionnaire here.", "files named batch1.json …")
    for name, times in Counter(file.name for file in files).items():
        if times > 1:
            reading.faults.add(shown(name), f"This file is given {times} times.", "each file once")
    numbers = Counter(batch.number for batch in batches)
    for number, times in numbers.items():
        names = sorted({batch.file for batch in batches if batch.number == number})
        if times > 1:
            message = f"These are both batch {number}."
            reading.faults.add(" and ".join(names), message, "one file per batch")


def _read_batch(file: SourceFile, reading: _Reading) -> list[Batch]:
    number = batch_number(file.name)
    name = shown(file.name, longest=120)
    if number is None:
        message = "The batch's number cannot be read from this file's name."
        reading.faults.add(name, message, "a name like batch12.json", "file_name")
    root = read_json(name, file.content, reading.faults)
    if root is None:
        return []
    nodes = root.items(1, MOST_QUESTIONS, "questions")
    numbers: dict[int, str] = {}
    questions = [
        question
        for index, node in enumerate(nodes)
        if (question := _read_question(node, name, index, numbers, reading))
    ]
    return [] if number is None else [Batch(number, name, tuple(questions))]


def _read_question(
    item: Node, file: str, index: int, numbers: dict[int, str], reading: _Reading
) -> Question | None:
    where = _where(item.value, file, index)
    node = Node(item.value, where, reading.faults).object(
        QUESTION_FIELDS, reading.ignored(file, "questions")
    )
    if node is None:
        return None
    before = reading.faults.total
    question = Question(
        place=where,
        number=node.field("question_number").whole(1, LARGEST_NUMBER),
        qid=node.field("qid").whole(0, LARGEST_ID),
        text=node.field("text").text(LONGEST_TEXT),
        category=node.field("category").text(LONGEST_NAME, empty=True),
        candidates=_read_candidates(node.field("llm_ranking"), file, reading),
        resources=_read_resources(node.field("resource"), file, reading),
    )
    _check_once(node.field("question_number"), numbers)
    _check_once(node.field("qid"), reading.ids)
    return question if reading.faults.total == before else None


def _where(value: object, file: str, index: int) -> str:
    """`batch3.json, question 4 (qid 17)`, as far as the entry says so itself."""
    fields = value if isinstance(value, dict) else {}
    number, qid = fields.get("question_number"), fields.get("qid")
    known = f"question {number}" if type(number) is int else f"entry {index + 1} of the list"
    return f"{file}, {known} (qid {qid})" if type(qid) is int else f"{file}, {known}"


def _check_once(node: Node, seen: dict[int, str]) -> None:
    if type(node.value) is not int:
        return
    if node.value in seen:
        node.wrong(f"{node.value} is already that of {seen[node.value]}.", "each once", "repeated")
    else:
        seen[node.value] = node.where


def _read_candidates(node: Node, file: str, reading: _Reading) -> tuple[Candidate, ...]:
    ignored = reading.ignored(file, "llm_ranking")
    found = [
        Candidate(
            name=item.field("entity_name").text(LONGEST_NAME),
            link=item.field("entity_link").link(LONGEST_NAME),
            rank=item.field("llm_rank").whole(1, LARGEST_RANK),
        )
        for item in node.items(FEWEST_CANDIDATES, MOST_CANDIDATES, "candidates")
        if item.object(CANDIDATE_FIELDS, ignored)
    ]
    for name, times in Counter(candidate.name for candidate in found).items():
        if times > 1 and name:
            reading.note(f"{node.where}: {times} candidates are named '{shown(name)}'.")
    return tuple(found)


def _read_resources(node: Node, file: str, reading: _Reading) -> tuple[Resource, ...]:
    ignored = reading.ignored(file, "resource")
    return tuple(
        Resource(
            name=item.field("entity_name").text(LONGEST_NAME),
            link=item.field("entity_link").link(LONGEST_NAME),
        )
        for item in node.items(0, MOST_RESOURCES, "resources")
        if item.object(RESOURCE_FIELDS, ignored)
    )


def _read_catalogue(file: SourceFile, reading: _Reading) -> dict[int, _Entry]:
    root = read_json(file.name, file.content, reading.faults)
    found: dict[int, _Entry] = {}
    seen: dict[int, str] = {}
    for index, item in enumerate(root.items(0, MOST_QUESTIONS, "batches") if root else []):
        entry = Node(item.value, f"{file.name}, entry {index + 1} of the list", reading.faults)
        if entry.object(CATALOGUE_FIELDS, reading.ignored(file.name, "batches")):
            number = entry.field("batch_id")
            found[number.whole(1, 999_999_999)] = _Entry(
                name=entry.field("batch_name").text(LONGEST_NAME, empty=True),
                total=entry.field("total").whole(0, LARGEST_NUMBER),
            )
            _check_once(number, seen)
    return found


def _named(batch: Batch, catalogue: dict[int, _Entry], reading: _Reading) -> Batch:
    entry = catalogue.get(batch.number)
    if entry is None:
        return batch
    if entry.total != len(batch.questions):
        reading.note(
            f"{CATALOGUE} says that batch {batch.number} has {counted(entry.total, 'question')}; "
            f"{batch.file} has {len(batch.questions)}."
        )
    return Batch(batch.number, batch.file, batch.questions, entry.name)
