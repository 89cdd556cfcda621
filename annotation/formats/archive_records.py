"""The records of a whole study, as the JSON Lines export has them and as every import makes them.

A study, its experts, then each batch with its questions, each followed by its assignments.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from math import isfinite
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, ConfigDict, Field

from annotation.models import (
    MAX_ADAPTIVE_SHARE,
    MAX_JUDGE_NAME,
    Assignment,
    QuestionDecision,
    Status,
    StudyDesign,
)
from backend.validation.json_files import UNSTORABLE

FORMAT_VERSION = "serendib.study-records/1"
MAX_TEXT, MAX_NAME, MAX_DEPTH = 10_000_000, 10_000, 30
STRICT = ConfigDict(extra="forbid", strict=True)


def _check_text(value: str) -> str:
    if UNSTORABLE.search(value):
        raise ValueError("text without NUL and lone surrogates")
    return value


def _check_json(value: Any, depth: int = 0) -> Any:
    """What the database can hold; of numbers, those that come back as they are."""
    if depth > MAX_DEPTH:
        raise ValueError(f"values nested at most {MAX_DEPTH} deep")
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, float) and not isfinite(value):
        raise ValueError("finite numbers")
    elif isinstance(value, int) and abs(value) >= 10**18:
        raise ValueError("numbers of at most 18 digits")
    children: list[Any] = [*value, *value.values()] if isinstance(value, dict) else []
    for one in value if isinstance(value, list) else children:
        _check_json(one, depth + 1)
    return value


def _one_of(names: list[str], value: str) -> str:
    if value not in names:
        raise ValueError(" or ".join(names))
    return value


def one_of(names: list[str]) -> Callable[[str], str]:
    return partial(_one_of, names)


Text = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_check_text)]
Name = Annotated[str, Field(max_length=MAX_NAME), AfterValidator(_check_text)]
Word = Annotated[str, Field(max_length=40), AfterValidator(_check_text)]
NewWord = Annotated[Word, Field(min_length=1)]
Json = Annotated[Any, AfterValidator(_check_json)]
JsonFields = Annotated[dict[str, Any], AfterValidator(_check_json)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Small = Annotated[int, Field(ge=0, le=2**15 - 1)]
Milliseconds = Annotated[int, Field(ge=0, le=2**53)]
State = Annotated[str, AfterValidator(one_of(Assignment.State.values))]
Purpose = Annotated[str, AfterValidator(one_of(Assignment.Purpose.values))]
Share = Annotated[float, Field(ge=0, le=1)]
GoldFeedback = Annotated[str, AfterValidator(one_of(StudyDesign.GoldFeedback.values))]
ResponseStatus = Annotated[str, AfterValidator(one_of(Status.values))]


class Record:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT


@dataclass
class ArchivedDesign(Record):
    seed: Annotated[int, Field(ge=0, le=2**62)]
    arm_shares: Annotated[dict[str, dict[str, float]], AfterValidator(_check_json)]
    overlap: Annotated[int, Field(ge=1, le=1_000)] | None
    lease_minutes: Annotated[int, Field(ge=1, le=10**6)]
    adaptive_share: Annotated[float, Field(ge=0, le=MAX_ADAPTIVE_SHARE)] = 0.0
    repeat_share: Share = 0.0
    gold_share: Share = 0.05
    gold_feedback: GoldFeedback = StudyDesign.GoldFeedback.NEVER.value
    qualification_items: Small = 0
    qualification_minimum: Small = 0


@dataclass
class ArchivedGuidelines(Record):
    number: Count
    created_at: AwareDatetime
    digest: Annotated[str, Field(max_length=64), AfterValidator(_check_text)]
    must_be_read: bool
    text: Text


@dataclass
class ArchivedStudy(Record):
    record: Literal["study"]
    format: Literal["serendib.study-records/1"]
    id: UUID
    name: Name
    kind: NewWord
    status: Word
    is_demo: bool
    graph: JsonFields | None
    guidelines: Annotated[list[ArchivedGuidelines], Field(max_length=1_000)]
    created_at: AwareDatetime
    description: Text
    software: Word
    design: ArchivedDesign


@dataclass
class ArchivedExpert(Record):
    """id: the pseudonym."""

    record: Literal["expert"]
    id: Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_check_text)]
    is_simulated: bool
    consent_version: Annotated[str, Field(max_length=20), AfterValidator(_check_text)]
    consented_at: AwareDatetime | None
    _: KW_ONLY
    name: Annotated[str, Field(max_length=120), AfterValidator(_check_text)] | None = None
    email: Annotated[str, Field(max_length=254), AfterValidator(_check_text)] | None = None
    guidelines_number: Count = 0
    tags: Annotated[list[Word], Field(max_length=100)] = field(default_factory=list)
    left_at: AwareDatetime | None = None
    answers_withdrawn: bool = False
    returns: Small = 0


@dataclass
class ArchivedBatch(Record):
    record: Literal["batch"]
    id: UUID
    number: Count
    name: Name


@dataclass
class ArchivedCandidate(Record):
    id: UUID
    name: Name
    link: Name
    identifier: Name
    prior_rank: Small


@dataclass
class ArchivedResource(Record):
    name: Name
    link: Name


@dataclass
class ArchivedKnownAnswer(Record):
    """payload: to the complete item."""

    payload: JsonFields
    explanation: Text


@dataclass
class ArchivedMessage(Record):
    """author: the pseudonym of the thread's expert, or COORDINATOR."""

    author: str
    text: Text
    created_at: AwareDatetime


@dataclass
class ArchivedThread(Record):
    expert: str
    is_resolved: bool
    messages: Annotated[list[ArchivedMessage], Field(max_length=10_000)]


@dataclass
class ArchivedDecision(Record):
    action: Annotated[str, AfterValidator(one_of(QuestionDecision.Action.values))]
    reason: Text
    created_at: AwareDatetime


@dataclass
class ArchivedJudgeAnswer(Record):
    """order: how the sides were shown, for kinds that have some. payload: to the item so shown."""

    order: Word
    outcome: NewWord
    payload: JsonFields
    rationale: Text


@dataclass
class ArchivedJudge(Record):
    """Of one question; imported_at is the same in all of a judge's questions."""

    name: Annotated[
        str, Field(min_length=1, max_length=MAX_JUDGE_NAME), AfterValidator(_check_text)
    ]
    imported_at: AwareDatetime
    answers: Annotated[list[ArchivedJudgeAnswer], Field(min_length=1, max_length=100)]


@dataclass
class ArchivedQuestion(Record):
    """payload: the fields that its study kind adds. shown: those that the study adds."""

    record: Literal["question"]
    id: UUID
    file_id: Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_check_text)]
    number: Count
    text: Text
    category: Text
    batch_number: Count
    payload: JsonFields
    shown: JsonFields
    candidates: Annotated[list[ArchivedCandidate], Field(max_length=10_000)]
    resources: Annotated[list[ArchivedResource], Field(max_length=10_000)]
    _: KW_ONLY
    known_answer: ArchivedKnownAnswer | None = None
    threads: Annotated[list[ArchivedThread], Field(max_length=10_000)] = field(default_factory=list)
    decisions: Annotated[list[ArchivedDecision], Field(max_length=10_000)] = field(
        default_factory=list
    )
    judges: Annotated[list[ArchivedJudge], Field(max_length=1_000)] = field(default_factory=list)


@dataclass
class ArchivedResponse(Record):
    version: Count
    status: ResponseStatus
    outcome: Word
    payload: JsonFields
    active_ms: Milliseconds
    updated_at: AwareDatetime


@dataclass
class ArchivedRevision(Record):
    number: Count
    submitted_at: AwareDatetime
    status: ResponseStatus
    outcome: NewWord
    payload: JsonFields
    active_ms: Milliseconds
    _: KW_ONLY
    consent_version: Annotated[str, Field(max_length=20), AfterValidator(_check_text)] = ""
    guidelines_number: Count | None = None
    payload_as_listed: JsonFields | None = None


@dataclass
class ArchivedEvent(Record):
    id: UUID
    actor: str
    response_version: Count | None
    sequence: Count
    kind: Word
    old: Json
    new: Json
    active_ms: Milliseconds
    client_at: AwareDatetime
    received_at: AwareDatetime
    interface: Word


@dataclass
class ArchivedAssignment(Record):
    record: Literal["assignment"]
    question: UUID
    id: UUID
    expert: str
    created_at: AwareDatetime
    state: State
    occasion: Small
    purpose: Purpose
    arms: Annotated[dict[Word, Word], Field(max_length=20)]
    propensity: Annotated[float, Field(gt=0, le=1)]
    response: ArchivedResponse | None
    revisions: Annotated[list[ArchivedRevision], Field(max_length=10_000)]
    events: Annotated[list[ArchivedEvent], Field(max_length=100_000)]
    _: KW_ONLY
    is_adaptive: bool = False
    selection_propensity: Annotated[float, Field(gt=0, le=1)] | None = None
    revision_reason: Text | None = None
    blinding: Literal["blind", "answers_read", "partition"] | None = None
    answers_read_at: AwareDatetime | None = None


ArchiveRecord = (
    ArchivedStudy | ArchivedExpert | ArchivedBatch | ArchivedQuestion | ArchivedAssignment
)
