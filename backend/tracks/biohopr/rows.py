"""Rows of BioHopR: questions, gold answers, predictions, and the source file that has both."""

from collections.abc import Mapping
from dataclasses import dataclass as plain_dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, Strict, StringConstraints
from pydantic.dataclasses import dataclass

MOST_ANSWERS = 1_000  # of a question, and of a prediction

Key = Annotated[str, Strict(), StringConstraints(pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
Name = Annotated[
    str,
    Strict(),
    StringConstraints(min_length=1, max_length=1_000, pattern=r"^[^\x00-\x1f\x7f]*$"),
]
Text = Annotated[str, Strict(), StringConstraints(min_length=1, max_length=10_000)]
Form = Literal["single", "multiple"]
SINGLE: Form = "single"
MULTIPLE: Form = "multiple"
FORMS = (SINGLE, MULTIPLE)


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class HopItem:
    """`relation_type` names the types from the query entity on: `Drug:Disease:Protein`.

    `metapath` has the graph's own types and relations. `partner` is the question of the bridge over
    its one hop to the target (Bridge:Target), in the same form; empty for a question of one hop.
    """

    question_id: Key
    question: Text
    form: Form
    hops: Literal[1, 2]
    relation_type: Name
    metapath: Text
    query_id: Name
    query_name: Name
    partner: Key | Literal[""]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class GoldEntity:
    id: Name
    name: Name
    synonyms: tuple[Name, ...] = ()


GoldEntities = Annotated[tuple[GoldEntity, ...], Field(min_length=1, max_length=MOST_ANSWERS)]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class HopAnswer:
    answers: GoldEntities


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class NamesPrediction:
    question_id: Key
    answers: Annotated[list[Name], Field(max_length=MOST_ANSWERS)]


@plain_dataclass(frozen=True, slots=True)
class ResolvedNames:
    """A prediction with what its names mean on the release's graph.

    entities: by name, identifiers in order; of the names that the graph has.
    """

    question_id: str
    answers: list[str]
    entities: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="ignore"))
class HopRow(HopItem):
    """A line of the file that `make_biohopr` writes."""

    answers: GoldEntities
