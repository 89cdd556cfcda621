"""Items that are rated on scales from 1 to 5, and answers to them, for every kind that rates."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, Field, ValidationInfo, field_validator

from annotation.kinds.base import Answer, FaultList
from annotation.kinds.items import Item
from backend.validation.faults import Fault, printable

MAX_COMMENT_LENGTH = 10_000

Level = Annotated[int, Field(ge=1, le=5)]
UnsureReason = Literal["outside_my_field", "text_unclear", "scale_unclear", "other"]
UNSURE_REASONS: tuple[UnsureReason, ...] = get_args(UnsureReason)


class RatingScale(BaseModel):
    """low, high: what the levels 1 and 5 mean."""

    name: str
    question: str
    low: str
    high: str


class ScaledItem(Item):
    scales: list[RatingScale]

    @property
    def scale_names(self) -> list[str]:
        return [one.name for one in self.scales]


class ScaledAnswer(Answer):
    """levels: of every scale by its name; None where there is none.

    unsure: why there is none. A draft may have scales with neither.
    """

    levels: dict[str, Level | None]
    unsure: dict[str, UnsureReason]
    comment: Annotated[str, Field(max_length=MAX_COMMENT_LENGTH)]

    @field_validator("levels")
    @classmethod
    def _check_scales(
        cls, value: dict[str, int | None], info: ValidationInfo
    ) -> dict[str, int | None]:
        names = _item(info).scale_names
        faults = [
            *_unknown_scales("levels", value, names),
            *(
                Fault(f"payload.levels.{one}", "This scale is missing.", "missing_scale")
                for one in names
                if one not in value
            ),
        ]
        if faults:
            raise FaultList(faults)
        return value

    @field_validator("unsure")
    @classmethod
    def _check_unsure(
        cls, value: dict[str, UnsureReason], info: ValidationInfo
    ) -> dict[str, UnsureReason]:
        levels: dict[str, int | None] = info.data.get("levels", {})
        faults = [
            *_unknown_scales("unsure", value, _item(info).scale_names),
            *(
                Fault(f"payload.unsure.{one}", "This scale has a level.", "level_and_reason")
                for one in value
                if levels.get(one) is not None
            ),
        ]
        if faults:
            raise FaultList(faults)
        return value


def _unknown_scales(field: str, names: Iterable[str], known: list[str]) -> Iterable[Fault]:
    expected = ", ".join(known)
    for one in names:
        if one not in known:
            place = f"payload.{field}.{printable(one)}"
            yield Fault(place, "The item has no such scale.", "unknown_scale", expected)


def _item(info: ValidationInfo) -> ScaledItem:
    context: dict[str, Any] = info.context or {}
    item = context["item"]
    if not isinstance(item, ScaledItem):
        raise TypeError("the context of ratings holds no item with scales")
    return item
