"""Items: questions as they are shown to experts, with the arms that were drawn for them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from backend.benchmarks.models import Question


class Resource(BaseModel):
    name: str
    link: str


class Item(BaseModel):
    """The question of an assignment. A kind adds the fields that its answers refer to."""

    id: str
    file_id: str
    number: int
    text: str
    category: str
    resources: list[Resource]


ItemT = TypeVar("ItemT", bound=Item)
ListedT = TypeVar("ListedT")


@dataclass(frozen=True)
class Arm:
    """A treatment that is drawn for each item of each expert; a study sets the shares of levels.

    The first of the levels holds where nothing is drawn. is_balanced: each two consecutive items
    of an expert have the two levels in random order, whatever the study sets.
    """

    name: str
    levels: tuple[str, ...]
    is_balanced: bool = False


# Whether the expert sees the evidence that is shown beside what is judged: what the study's graph
# contains about it, and what the kind itself shows beside it.
EVIDENCE_ARM = Arm("evidence", ("shown", "hidden"))
# What an item lists without a meaning in its order, as in the file or the other way round.
ORDER_ARM = Arm("order", ("listed", "reversed"))
REVERSED = "reversed"


def hides_evidence(arms: Mapping[str, str]) -> bool:
    return arms.get(EVIDENCE_ARM.name) == "hidden"


@dataclass(frozen=True)
class Presentation:
    """How an item is shown: completely, or as it is shown to one expert.

    arms: drawn levels by arm. fields: what the study adds to the question. seed: of orders that
    differ between experts and items.
    """

    arms: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0

    def in_order(self, listed: Iterable[ListedT]) -> list[ListedT]:
        """By the arm of order."""
        rows = list(listed)
        return rows[::-1] if self.arms.get(ORDER_ARM.name) == REVERSED else rows


def without_resources(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Of `base_fields`: where links are evidence that is hidden."""
    return {**fields, "resources": []}


def base_fields(question: Question, fields: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """fields: what the study adds, such as resources where the question has none."""
    own = [{"name": it.name, "link": it.link} for it in question.resources.all()]
    resources = own or (fields or {}).get("resources", [])
    return {
        "id": str(question.id),
        "file_id": question.file_id,
        "number": question.number,
        "text": question.text,
        "category": question.category,
        "resources": [Resource.model_validate(one) for one in resources],
    }
