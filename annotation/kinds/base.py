"""What a study kind provides: items, answers, outcomes, measures, export rows, simulated answers.

A kind is a folder with a module `kind` that defines KIND, an instance of a StudyKind; the core
never names a kind. README.md in `annotation/` has the wire format of what passes through here.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from annotation.kinds.figures import Section
from annotation.kinds.foreign_answers import ForeignAnswers
from annotation.kinds.items import Arm, ItemT, Presentation
from annotation.kinds.measures import Measure
from annotation.kinds.study_table import StudyTable
from backend.benchmarks.models import Question
from backend.benchmarks.questionnaire import QuestionEntry
from backend.common.errors import DomainError
from backend.science.allocation import information_gain
from backend.validation.faults import Fault

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Payload = dict[str, Any]

MAX_LISTED_FAULTS = 200  # an error response must not be much larger than the request


class Answer(BaseModel):
    """A kind's answer, as experts send it: strict, with no other fields."""

    model_config = ConfigDict(extra="forbid", strict=True)


AnswerT = TypeVar("AnswerT", bound=Answer)


@dataclass(frozen=True)
class Outcome:
    """How a submitted answer ended. Outcomes that are no answer leave the assignment open.

    is_measured: whether such answers take part in the agreement of experts.
    """

    name: str
    label: str
    is_answer: bool = True
    is_measured: bool = True


@dataclass(frozen=True)
class SimulatedEvent:
    kind: str
    old: Json = None
    new: Json = None


@dataclass(frozen=True)
class SimulatedAnswer:
    """The first and only answer of a simulated expert. The outcome is empty for a skip."""

    outcome: str
    payload: Payload
    active_ms: int
    events: Sequence[SimulatedEvent] = ()


@dataclass(frozen=True)
class PracticeExample:
    """A practice question in outline: candidates as (name, hint); entities as (name, id)."""

    text: str
    candidates: Sequence[tuple[str, str]]
    answer: tuple[str, str]
    topic: tuple[str, str]


class InvalidPayload(DomainError):
    code = "invalid_payload"


class FaultList(ValueError):
    """Raised inside a pydantic validator to report several faults of one field at once."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        super().__init__("several faults")
        self.faults = list(faults)


class StudyKind(ABC, Generic[ItemT, AnswerT]):
    """One way in which experts answer. Methods are pure: they read and write no row."""

    name: ClassVar[str]
    title: ClassVar[str]
    # Of the questions in its files; fields that it adds are in Question.payload.
    question_schema: ClassVar[type[QuestionEntry]] = QuestionEntry
    outcomes: ClassVar[Sequence[Outcome]]
    item_schema: type[ItemT]
    answer_schema: type[AnswerT]
    arms: ClassVar[Sequence[Arm]] = ()
    # What `choice_of` can be, if it means the same in every question.
    choices: ClassVar[Sequence[str]] = ()
    # Of `item_agreement`, `agreement` and `shares`, the measures that show what was answered, not
    # how far answers agree: nobody gets them who may adjudicate without having read the answers.
    result_measures: ClassVar[Collection[str]] = ()
    # Whether pools of such studies can draw questions by `information`.
    can_adapt: ClassVar[bool] = False
    # What `grade_of` can be, in steps of one, if choices are on a scale.
    grades: ClassVar[Sequence[int]] = ()
    # The choice of a judge whose choice changes with the order; none if empty.
    undecided: ClassVar[str] = ""
    # Kinds of activity events beside those of every study kind.
    activity_kinds: ClassVar[Collection[str]] = ()
    # How judgements of other programs become its answers.
    foreign: ClassVar[ForeignAnswers | None] = None
    # Columns of the CSV export: about the item, about the answer, and identifiers at the end.
    csv_item_columns: ClassVar[Sequence[str]] = ()
    csv_answer_columns: ClassVar[Sequence[str]] = ()
    csv_id_columns: ClassVar[Sequence[str]] = ()
    # Columns of `coordinator_cells`, after those about the item.
    csv_coordinator_columns: ClassVar[Sequence[str]] = ()
    # Of these columns, those that hold no text: int, float or bool.
    column_types: ClassVar[Mapping[str, type]] = {}

    @abstractmethod
    def build_item(self, question: Question, shown: Presentation) -> ItemT:
        """The item of a question whose candidates and resources are prefetched.

        Everything in it is sent to the expert: it holds no arm, and nothing that an arm hides.
        """

    @abstractmethod
    def initial_answer(self, item: ItemT) -> AnswerT:
        """What is shown before the expert has changed anything."""

    @abstractmethod
    def outcome(self, answer: AnswerT, item: ItemT) -> str:
        """The outcome that submitting this answer has; a name of `outcomes`.

        Raises InvalidPayload for a draft that is no answer yet.
        """

    @abstractmethod
    def agreement(self, answers: Sequence[Sequence[Payload]], *, seed: int) -> list[Measure]:
        """Measures over items, each given by its experts' answers with a measured outcome."""

    def agreement_of_raters(
        self, answers: Sequence[Mapping[UUID, Payload]], *, seed: int
    ) -> list[Measure]:
        """As `agreement`, of answers by expert, for intervals over experts and items."""
        return self.agreement([list(one.values()) for one in answers], seed=seed)

    @abstractmethod
    def csv_rows(self, item: ItemT, payload: Payload | None, outcome: str) -> list[dict[str, Any]]:
        """Rows of one answer, or of the item alone; None as payload means there is no answer."""

    @abstractmethod
    def simulate(self, item: ItemT, expert: int) -> SimulatedAnswer:
        """The answer of the demo's simulated expert of this number (from 1); deterministic."""

    def statistics(self, table: StudyTable) -> list[Section]:
        """Sections of figures about a study: each has n, an interval or why not, and a method."""
        return []

    def can_use(self, question: Question) -> bool:
        """Whether studies of this kind can show a question of an existing set: by default one
        that has the fields which the kind adds."""
        added = self.question_schema.model_fields.keys() - QuestionEntry.model_fields.keys()
        return bool(added <= question.payload.keys())

    def arms_of(self, fields: Mapping[str, Any]) -> Sequence[Arm]:
        """Those that a question can draw: of which it has what they hide or turn. fields: what
        the study adds to the question."""
        return self.arms

    def fields_of(self, question: Question, prior: Sequence[Sequence[int]] | None) -> Payload:
        """The fields that a study adds to a question of an existing set, whose record it may read.

        prior: groups of its candidates' positions, best first, as a language model has them.
        """
        return {}

    def coordinator_cells(self, question: Question) -> dict[str, Json]:
        """What exports add to the question, and no expert's item holds."""
        return {}

    def convert(
        self, payload: Payload, source: Mapping[str, str], target: Mapping[str, str]
    ) -> Payload:
        """The answer to the item under some arms, as an answer to it under others.

        No arms: the complete presentation, which coordinators, measures and consensus refer to.
        """
        return payload

    def convert_outcome(self, outcome: str, source: Mapping[str, str]) -> str:
        """The outcome of an answer to the item under some arms, as one of the complete item."""
        return outcome

    def consensus(self, answers: Sequence[Payload]) -> Json:
        """The experts' common answer to one item, or None where the kind defines none."""
        return None

    def compare(self, item: ItemT, own: Payload | None, others: Sequence[Payload]) -> str:
        """How the other experts answered, for the expert who gave the own answer; empty if it
        cannot be put in one sentence. None: this expert gave no answer that is measured."""
        return ""

    def item_agreement(self, answers: Sequence[Payload]) -> list[Measure]:
        """Measures over the measured answers to one item; lists are ordered by the first of them,
        of which a higher value is more agreement."""
        return []

    def is_result(self, measure: str) -> bool:
        """Whether the measure of this name shows what was answered."""
        return measure in self.result_measures

    def choice_of(self, payload: Payload) -> str:
        """The choice in a measured answer to the complete item, by which experts are compared;
        empty where there is none."""
        return ""

    def information(
        self, questions: Sequence[Question], answers: Sequence[Sequence[Payload]]
    ) -> list[float]:
        """Expected information of one more answer to each question, in nats, by which pools draw
        questions. answers: to each, those that are measured. By default about the shares of the
        kind's choices."""
        votes = [Counter(map(self.choice_of, one)) for one in answers]
        gains: list[float] = information_gain(
            [[one[choice] for choice in self.choices] for one in votes]
        ).tolist()
        return gains

    def grade_of(self, payload: Payload) -> float | None:
        """The choice as one of `grades`; None where it has no place on a scale."""
        return None

    def prefers_first(self, payload: Payload) -> bool | None:
        """Whether an answer is for what is shown first; None if it is for neither."""
        return None

    def shares(self, counts: Mapping[str, int]) -> list[Measure]:
        """Shares of outcomes that dashboards show; counts has every outcome and 'skipped'."""
        return []

    def practice_examples(self) -> list[PracticeExample]:
        """The questions that visitors can try, none by default."""
        return []

    def comment(self, payload: Payload) -> str:
        """What the expert wrote beside the answer."""
        return ""

    def read_content(self, item: ItemT, content: Mapping[str, Any]) -> tuple[AnswerT, str]:
        """An answer of a file, as fields that differ from the first answer's, and its outcome."""
        first = self.initial_answer(item).model_dump(mode="json")
        answer = self.validate(item, {**first, **content})
        return answer, self.outcome(answer, item)

    def read_known_answer(self, item: ItemT, content: Mapping[str, Any]) -> AnswerT:
        """The known answer of a questionnaire file.

        Raises InvalidPayload, also where it is no answer that is measured.
        """
        answer, outcome = self.read_content(item, content)
        if not self.is_measured(outcome):
            fault = Fault("payload", "This answer is not sure.", "not_sure", "a sure answer")
            raise InvalidPayload("A known answer must be sure.", faults=[fault])
        return answer

    def move_places(self, content: Payload, positions: Sequence[int]) -> Payload:
        """A file's known answer with places in the item, where the file's candidates are at these
        positions."""
        return content

    def is_right(self, answer: Payload, known: Payload) -> bool:
        """Whether an answer agrees with the known one, both to the complete item."""
        return self.is_same(answer, known)

    def is_same(self, one: Payload, other: Payload) -> bool:
        """Whether two valid payloads mean the same, so that saving the second is no change."""
        return one == other

    def validate(self, item: ItemT, payload: object) -> AnswerT:
        """Raise InvalidPayload with every fault and its place unless the item can be so answered.

        Validators of the answer schema find the item in `info.context["item"]`.
        """
        try:
            return self.answer_schema.model_validate(payload, context={"item": item})
        except ValidationError as error:
            faults = _faults(error)
            raise InvalidPayload(
                "This answer is not valid, so nothing was saved.",
                faults=faults[:MAX_LISTED_FAULTS],
                data={"faults_total": len(faults)},
            ) from error

    def counts_as_answer(self, outcome: str) -> bool:
        return any(it.name == outcome and it.is_answer for it in self.outcomes)

    def is_measured(self, outcome: str) -> bool:
        return any(it.name == outcome and it.is_measured for it in self.outcomes)


AnyKind = StudyKind[Any, Any]


def _faults(error: ValidationError) -> list[Fault]:
    faults: list[Fault] = []
    for one in error.errors(include_url=False, include_input=False):
        cause = one.get("ctx", {}).get("error")
        if isinstance(cause, FaultList):
            faults += cause.faults
        else:
            faults.append(Fault(_place(one["loc"]), f"{one['msg']}.", one["type"]))
    return faults


def _place(location: tuple[int | str, ...]) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "payload" + "".join(parts)
