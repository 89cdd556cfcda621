"""What is remarkable about the answers of a run: wrong counts of tokens, another model's name."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Func, TextField

from backend.llm.models import Exchange

MOST_NAMES = 5


@dataclass(frozen=True)
class AnswerFlags:
    """Of the last end of each item: how many have each flag of `backend.llm.calls.Flag`, and the
    names that the endpoint gave its model, the most frequent first; those beyond the fifth are
    left out.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    models: Sequence[str] = ()


def read_answer_flags(subjects: Sequence[str]) -> Mapping[str, AnswerFlags]:
    """By the subject of the budget, of those that have an answer."""
    rows = Exchange.objects.filter(budget__subject__in=subjects).order_by()
    rows = rows.last_ends()
    one = Func(F("flags"), function="unnest", output_field=TextField())
    flagged = rows.annotate(flag=one).values_list("budget__subject", "flag")
    counts: dict[str, dict[str, int]] = {}
    for subject, flag, number in flagged.annotate(n=Count("pk")).order_by("flag"):
        counts.setdefault(subject, {})[flag] = number
    names: dict[str, Counter[str]] = {}
    named = rows.exclude(model_returned="").values_list("budget__subject", "model_returned")
    for subject, name, number in named.annotate(n=Count("pk")):
        names.setdefault(subject, Counter())[name] = number
    return {
        subject: AnswerFlags(
            counts.get(subject, {}),
            [name for name, _ in names.get(subject, Counter()).most_common(MOST_NAMES)],
        )
        for subject in counts.keys() | names.keys()
    }
