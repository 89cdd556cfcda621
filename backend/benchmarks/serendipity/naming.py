"""A version as commands are told it: 'slug', 'slug@number', or the name of its snapshot; and a
question set: its name or id."""

from __future__ import annotations

import re
import uuid

from django.db.models import Q

from backend.benchmarks.models import QuestionSet
from backend.common.errors import DomainError
from backend.graphs.models import Version
from backend.graphs.naming import version_named

SNAPSHOT = re.compile(r"[0-9a-f]{16,200}(-[0-9a-f]+)?")


def version_or_raise(named: str) -> Version:
    """Raises DomainError where there is no such graph or version."""
    found = _of_snapshot(named) if SNAPSHOT.fullmatch(named) else None
    found = found or version_named(None, named)
    if found is None:
        raise DomainError("No graph was named.", code="unknown_graph")
    return found


def _of_snapshot(named: str) -> Version | None:
    same = Q(snapshot=named) | Q(snapshot__startswith=f"{named}-")
    ready = Version.objects.ready().filter(same).select_related("graph")
    return ready.order_by("pk").first()


def set_or_raise(name: str) -> QuestionSet:
    """Raises DomainError where there is none."""
    found = QuestionSet.objects.filter(name=name).first()
    if found is None:
        try:
            found = QuestionSet.objects.filter(pk=uuid.UUID(name)).first()
        except ValueError:
            found = None
    if found is None:
        raise DomainError(f"There is no question set '{name}'.", code="unknown_set")
    return found
