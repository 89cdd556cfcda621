"""Rows of Dyport: pairs, what is hidden of them, predictions, and the source file that has both."""

from dataclasses import field
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, Strict, StringConstraints
from pydantic.dataclasses import dataclass

Key = Annotated[str, Strict(), StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
Name = Annotated[
    str,
    Strict(),
    StringConstraints(min_length=1, max_length=1_000, pattern=r"^[^\x00-\x1f\x7f]*$"),
]
OptionalName = Name | Literal[""]
Year = Annotated[int, Strict(), Field(ge=1, le=9_999)]
Degree = Annotated[int, Strict(), Field(ge=0, le=2**31 - 1)]
Share = Annotated[float, Strict(), Field(ge=0, le=1, allow_inf_nan=False)]
Score = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Components = Annotated[dict[Key, Share], Field(max_length=20)]
ComponentValues = Annotated[dict[Key, Score], Field(max_length=20)]
Bin = Literal["", "low", "medium", "high"]
BINS: tuple[Bin, ...] = ("low", "medium", "high")


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class LinkItem:
    """`year` is that in which the positive of the item's group was first seen. Semantic types of
    one entity are separated by semicolons. Degrees are those of the training graph."""

    id: Key
    subject: Name
    object: Name
    subject_type: Name
    object_type: Name
    year: Year
    subject_name: OptionalName = ""
    object_name: OptionalName = ""
    subject_degree: Degree | None = None
    object_degree: Degree | None = None


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class LinkAnswer:
    """`group` is a number for each positive, which its negatives share, like its importance bin.

    importance, components, component_values, date_source: of a positive, see LinkRow.
    """

    is_positive: bool
    group: Annotated[int, Field(ge=0)]
    importance_bin: Bin = ""
    importance: Share | None = None
    components: Components = field(default_factory=dict)
    component_values: ComponentValues = field(default_factory=dict)
    date_source: OptionalName = ""


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class ScorePrediction:
    id: Key
    score: Score


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="ignore"))
class LinkRow(LinkItem):
    """A line of the file that a release is made of.

    negative_of: the id of the positive that a negative belongs to; empty for a positive.
    importance: a positive's mean percentile rank. components: those of which it is the mean.
    component_values: what they rank. date_source: what states its year; "synthetic" if nothing
    does.
    """

    negative_of: Key | Literal[""] = ""
    importance: Share | None = None
    components: Components = field(default_factory=dict)
    component_values: ComponentValues = field(default_factory=dict)
    date_source: OptionalName = ""
