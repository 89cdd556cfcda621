"""Graph versions and question sets by the names that commands accept.

A version is 'slug', 'slug@number' or the name of its snapshot; a set is its name or id.
"""

import re
import uuid

from django.db.models import Q

from backend.benchmarks.models import QuestionSet
from backend.common.errors import DomainError
from backend.graphs.models import Version
from backend.graphs.version_lookup import find_version_or_raise

SNAPSHOT = re.compile(r"[0-9a-f]{16,200}(-[0-9a-f]+)?")


def get_version_or_raise(named: str) -> Version:
    result = _version_of_snapshot(named) if SNAPSHOT.fullmatch(named) else None
    result = result or find_version_or_raise(None, named)
    if result is None:
        raise DomainError("Name a graph.", code="unknown_graph")
    return result


def get_linked_version_or_raise(question_set: QuestionSet) -> Version:
    """The newest version of the only graph that the names of the set were looked up in.

    Masked graphs do not count: a set is looked up in one after it was made for the set.
    """
    linked = Version.objects.ready().filter(is_masked=False, resolutions__question_set=question_set)
    graphs = sorted(set(linked.values_list("graph__slug", flat=True)))
    if len(graphs) != 1:
        known = f": {', '.join(graphs)}" if graphs else ""
        raise DomainError(f"Name a graph with --graph{known}.", code="unknown_graph")
    return linked.select_related("graph").latest("pk")


def _version_of_snapshot(named: str) -> Version | None:
    same = Q(snapshot=named) | Q(snapshot__startswith=f"{named}-")
    ready = Version.objects.ready().filter(same).select_related("graph")
    return ready.order_by("pk").first()


def get_set_by_name_or_raise(name: str) -> QuestionSet:
    result = QuestionSet.objects.filter(name=name).first()
    if result is None:
        try:
            result = QuestionSet.objects.filter(pk=uuid.UUID(name)).first()
        except ValueError:
            result = None
    if result is None:
        raise DomainError(f"There is no question set '{name}'.", code="unknown_set")
    return result
