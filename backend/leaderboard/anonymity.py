"""Names of entries: withheld until the date that the submitter chose, then shown at every read."""

from collections.abc import Iterable, Mapping
from typing import Any

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
        due = Submission.objects.filter(pk__in=unnamed, anonymous_until__lte=timezone.now())
        names = {str(one.pk): one.model for one in due.select_related("model")}
        for row in result:
            if row["submission"] in names:
                row["model"] = model_reference(names[row["submission"]])
                row["anonymous_until"] = None
    return result
