"""What refers to a version and would break without it.

A model with a foreign key to Version may have a class method `describe_references(version)` that
returns what refers to it, in words: "the study 'Serendipity'". Packages above add models freely.
"""

from typing import Protocol, runtime_checkable

from backend.common.pluralize import pluralize
from backend.graphs.models import Version
from backend.jobs.models import Job


@runtime_checkable
class VersionReference(Protocol):
    @classmethod
    def describe_references(cls, version: Version) -> list[str]: ...


def references_to(version: Version) -> list[str]:
    count = Job.objects.active().about(f"graph-version:{version.pk}").count()
    references = [pluralize(count, "active job")] if count else []
    for relation in Version._meta.get_fields(include_hidden=True):
        model = relation.related_model if relation.auto_created else None
        if isinstance(model, VersionReference):
            references += model.describe_references(version)
    return references
