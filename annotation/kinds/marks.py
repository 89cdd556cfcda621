"""'This decided': marks on the evidence of an item, for every kind whose answers have them."""

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, SerializerFunctionWrapHandler, field_validator, model_serializer

from annotation.kinds.base import Answer, FaultList, Payload
from annotation.kinds.items import Item
from backend.validation.faults import Fault

MAX_MARKS = 20
MAX_STEPS = 3
MAX_PAPER_LENGTH = 200
MAX_TEXT_LENGTH = 2000

MarkT = TypeVar("MarkT")


def check_marks(
    marks: Sequence[MarkT],
    *,
    key: Callable[[MarkT], Hashable],
    known: Collection[Hashable] | None = None,
    unknown: str = "",
) -> None:
    """Raises FaultList with the place of each mark that is unknown or repeated.

    known: the keys of all that can be marked; None where that is checked elsewhere.
    """
    faults: list[Fault] = []
    marked: set[Hashable] = set()
    for at, one in enumerate(marks):
        place = f"payload.because[{at}]"
        if known is not None and key(one) not in known:
            faults.append(Fault(place, unknown, "unknown"))
        elif key(one) in marked:
            faults.append(Fault(place, "This is marked already.", "repeated", "each once"))
        marked.add(key(one))
    if faults:
        raise FaultList(faults)


class PathMark(Answer):
    """A path of the study's graph to a candidate, one step of it, or a paper of that step.

    edges: numbers in the study's snapshot, from an entity that the question names. step: its place
    in edges; None for the whole path. text: in words, which the server writes.
    """

    type: Literal["path"]
    candidate: str
    edges: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1, max_length=MAX_STEPS)]
    step: Annotated[int, Field(ge=0, lt=MAX_STEPS)] | None
    paper: Annotated[str, Field(max_length=MAX_PAPER_LENGTH)] = ""
    text: Annotated[str, Field(max_length=MAX_TEXT_LENGTH)] = ""


class ResourceMark(Answer):
    """A link of the question, by its place from 0."""

    type: Literal["resource"]
    number: Annotated[int, Field(ge=0)]


EvidenceMark = Annotated[PathMark | ResourceMark, Field(discriminator="type")]


class MarkedAnswer(Answer):
    """because: what decided, which nobody has to mark."""

    because: Annotated[list[EvidenceMark], Field(max_length=MAX_MARKS, default_factory=list)]

    @field_validator("because")
    @classmethod
    def _check_because(cls, value: list[PathMark | ResourceMark]) -> list[PathMark | ResourceMark]:
        """Whether the evidence is there is checked where the graph is open."""
        check_marks(value, key=lambda mark: mark_key(mark.model_dump()))
        return value

    @model_serializer(mode="wrap")
    def _leave_out_none(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Answers without marks are written as before there were any."""
        fields: dict[str, Any] = serialize(self)
        if not fields["because"]:
            del fields["because"]
        return fields


def mark_key(mark: Payload) -> str:
    """Equal for marks of the same evidence, whatever their text."""
    return repr(sorted((name, value) for name, value in mark.items() if name != "text"))


def stored_marks(payload: Payload) -> list[Payload]:
    """Of a payload, which has no such field where nothing is marked."""
    return payload.get("because") or []


def mark_text(item: Item, mark: Payload) -> str:
    return item.resources[mark["number"]].name if mark["type"] == "resource" else str(mark["text"])
