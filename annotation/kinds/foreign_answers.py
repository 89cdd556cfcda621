"""How judgements that were made in another program become answers of a study kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Form = Literal["order", "preference", "levels"]
Options = Sequence[tuple[str, str]]  # id and text of what is judged, or names of scales
ORDER: Form = "order"
PREFERENCE: Form = "preference"
LEVELS: Form = "levels"


@dataclass(frozen=True)
class ForeignAnswers:
    """What a study kind makes of such judgements.

    form: of the judgement's value: groups of option ids, 'a' or 'b', or levels by scale.
    fields: of the question's payload, from its options and details. shown: what the study adds to
    it. has_candidates: whether the options are its candidates. arms: how it was shown.
    answer: the outcome ('' for a skip, whose value is None) and the payload, from the value, the
    options with their ids here, and the comment.
    """

    form: Form
    fields: Callable[[Options, str], dict[str, Any]]
    answer: Callable[[Any, Mapping[str, str], str], tuple[str, dict[str, Any]]]
    has_candidates: bool = False
    shown: Mapping[str, Any] = field(default_factory=dict)
    arms: Mapping[str, str] = field(default_factory=dict)
