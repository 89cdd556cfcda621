"""What a run may be set to."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_ITEMS = 1_000_000


class RunSettings(BaseModel):
    """max_items: answer so many of the covered items, drawn by the digest of their keys; then the
    result is a sample, which boards do not rank. split: empty for both."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    max_items: Annotated[int, Field(ge=1, le=MOST_ITEMS)] | None = None
    split: Literal["", "dev", "test"] = ""
