"""Names of entries: withheld until the date that the submitter chose, then shown at every read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.db.models import QuerySet
from django.utils import timezone

from backend.benchmarks.models import Model
from backend.evaluation.models import Submission


def model_reference(model: Model) -> dict[str, Any]:
    return {
        "slug": model.slug,
        "name": model.name,
        "organisation": model.organisation,
        "parameters": model.parameters,
    }


def reveal_names(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows as they were stored, with the names whose date has come since."""
    result = [dict(row) for row in rows]
    unnamed = [row["submission"] for row in result if row["model"] is None]
    if unnamed:
        names = {str(one.pk): one.model for one in _due(unnamed).select_related("model")}
        for row in result:
            if row["submission"] in names:
                row["model"] = model_reference(names[row["submission"]])
                row["anonymous_until"] = None
    return result


@dataclass(frozen=True)
class ShownNames:
    """Entries that were stored without a name, and those of them whose name a page shows."""

    unnamed: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, stored: Sequence[Mapping[str, Any]], shown: Sequence[Mapping[str, Any]]) -> Self:
        """shown: the stored rows after `reveal_names`."""
        unnamed = frozenset(row["submission"] for row in stored if row["model"] is None)
        named = (row["submission"] for row in shown if row["model"] is not None)
        return cls(unnamed, unnamed & frozenset(named))

    def are_still_right(self) -> bool:
        """Whether no date has come, or was changed, since."""
        if not self.unnamed:
            return True
        due = _due(self.unnamed).values_list("pk", flat=True)
        return self.revealed == {str(pk) for pk in due}


def _due(submissions: Iterable[str]) -> QuerySet[Submission]:
    return Submission.objects.filter(pk__in=submissions, anonymous_until__lte=timezone.now())
