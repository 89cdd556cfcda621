"""A ranking study's item and answer: candidates with a prior order, and the expert's order."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, Literal, Protocol, get_args

from pydantic import (
    BaseModel,
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
)

from annotation.kinds.base import FaultList
from annotation.kinds.foreign_answers import ORDER, ForeignAnswers, Options
from annotation.kinds.items import Item
from annotation.kinds.marks import MarkedAnswer
from backend.benchmarks.models import Candidate
from backend.science.rankings import InvalidRanking, validate_weak_order
from backend.validation.faults import Fault

Ranking = list[list[str]]  # ordered groups of candidate ids, best first; a group is a tie

ReasonTag = Literal[
    "new_to_me",
    "unexpected_mechanism",
    "clinically_useful",
    "well_known",
    "not_relevant",
    "implausible",
]
UnsureReason = Literal[
    "outside_my_field", "question_unclear", "candidates_unknown", "too_close", "other"
]
REASON_TAGS: tuple[ReasonTag, ...] = get_args(ReasonTag)
UNSURE_REASONS: tuple[UnsureReason, ...] = get_args(UnsureReason)

MAX_COMMENT_LENGTH = 10_000
_SHAPE = "a list of groups, best first, each a list of candidate ids"
_COMPLETE = "every candidate of the question exactly once"


class WithoutNone(BaseModel):
    """Fields that are None are left out: what is hidden has no name in the item either."""

    @model_serializer(mode="wrap")
    def _leave_out_none(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in serialize(self).items() if value is not None}


class RankingCandidate(WithoutNone):
    id: str
    name: str
    link: str
    prior_rank: int | None = None


class RankingItem(WithoutNone, Item):
    """prior: the order shown first, as groups of candidate ids; None where no order is shown.

    The candidates are in the order of the file, or shuffled where no order is shown.
    """

    candidates: list[RankingCandidate]
    prior: Ranking | None = None

    @property
    def start(self) -> Ranking:
        """The order that the expert starts from."""
        return [[one.id] for one in self.candidates] if self.prior is None else self.prior


class RankingAnswer(MarkedAnswer):
    """ranking: a weak order over exactly the item's candidates.

    unsure_reason: why the expert cannot order them; an answer with a reason counts as not sure.
    """

    ranking: Ranking
    confidence: Annotated[int, Field(ge=1, le=5)] | None
    reasons: list[ReasonTag]
    comment: Annotated[str, Field(max_length=MAX_COMMENT_LENGTH)]
    unsure_reason: UnsureReason | Literal[""]

    @field_validator("ranking", mode="before")
    @classmethod
    def _check_ranking(cls, value: object, info: ValidationInfo) -> Ranking:
        return parse_ranking(value, [one.id for one in _item(info).candidates])

    @field_validator("reasons")
    @classmethod
    def _drop_repeated(cls, value: list[ReasonTag]) -> list[ReasonTag]:
        return list(dict.fromkeys(value))


def _item(info: ValidationInfo) -> RankingItem:
    context: dict[str, Any] = info.context or {}
    item = context["item"]
    if not isinstance(item, RankingItem):
        raise TypeError("the context of a ranking answer holds no ranking item")
    return item


class RankedCandidate(Protocol):
    @property
    def id(self) -> object: ...

    @property
    def prior_rank(self) -> int: ...


def study_prior(fields: Mapping[str, Any], candidates: Sequence[Candidate]) -> Ranking | None:
    """The order that the study shows first; None where it shows none.

    Orders of a study name candidates by their positions; without one, ranks are those of the file.
    """
    if "prior" not in fields:
        return prior_ranking(candidates)
    ids = {one.position: str(one.id) for one in candidates}
    groups = fields["prior"]
    return None if groups is None else [[ids[position] for position in group] for group in groups]


def has_prior(fields: Mapping[str, Any]) -> bool:
    """Whether `study_prior` is an order."""
    return fields.get("prior", ()) is not None


def prior_ranking(candidates: Iterable[RankedCandidate]) -> Ranking:
    """The order shown first: equal prior ranks are a tie, ids in the order of the file."""
    ranked = sorted(candidates, key=lambda candidate: candidate.prior_rank)
    groups = groupby(ranked, key=lambda candidate: candidate.prior_rank)
    return [[str(candidate.id) for candidate in group] for _, group in groups]


def parse_ranking(value: object, ids: Sequence[str]) -> Ranking:
    """The value as groups of ids; raises FaultList with every fault of it at once."""
    ranking, faults = _parse_groups(value)
    try:
        validate_weak_order(ranking, ids)
    except InvalidRanking as error:
        faults += _order_faults(error)
    if faults:
        raise FaultList(faults)
    return ranking


def _parse_groups(value: object) -> tuple[Ranking, list[Fault]]:
    """The ids that can be read, group by group, and a fault for everything else."""
    if not isinstance(value, list):
        return [], [_shape_fault("", "The ranking is not a list.", "not_a_list")]
    ranking: Ranking = []
    faults: list[Fault] = []
    for place, group in enumerate(value):
        if not isinstance(group, list):
            faults.append(_shape_fault(f"[{place}]", "This is not a list of ids.", "not_a_list"))
            continue
        ids = [item for item in group if isinstance(item, str)]
        faults += [
            _shape_fault(f"[{place}][{index}]", "This is not an id.", "not_an_id")
            for index, item in enumerate(group)
            if not isinstance(item, str)
        ]
        if ids or not group:
            ranking.append(ids)
    return ranking, faults


def _shape_fault(place: str, message: str, code: str) -> Fault:
    return Fault(f"payload.ranking{place}", message, code, _SHAPE)


def _order_faults(error: InvalidRanking) -> list[Fault]:
    named = [
        *((one, "is not a candidate of this question", "unknown_id") for one in error.unknown),
        *((one, "is missing", "missing_id") for one in error.missing),
        *((one, "is ranked more than once", "repeated_id") for one in error.repeated),
    ]
    return [
        *(Fault("payload.ranking", f"{one} {what}.", code, _COMPLETE) for one, what, code in named),
        *(
            Fault(f"payload.ranking[{place}]", "The group is empty.", "empty_group", _COMPLETE)
            for place in error.empty_groups
        ),
    ]


def _no_fields(options: Options, details: str) -> dict[str, Any]:
    return {}


def _answer_of_order(
    value: Any, ids: Mapping[str, str], comment: str
) -> tuple[str, dict[str, Any]]:
    groups = value or [[option] for option in ids]
    return "ranked" if value else "", {
        "ranking": [[ids[option] for option in group] for group in groups],
        "confidence": None,
        "reasons": [],
        "comment": comment,
        "unsure_reason": "",
    }


FOREIGN = ForeignAnswers(
    ORDER, _no_fields, _answer_of_order, has_candidates=True, shown={"prior": None}
)
