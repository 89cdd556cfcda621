"""Search for questions, releases and models by words of their text."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import TypeVar

from django.db.models import Model as DatabaseModel
from django.db.models import Q, QuerySet

from backend.accounts.models import User
from backend.benchmarks.models import Model, Question, Release
from backend.benchmarks.policies import visible_questions, visible_releases
from backend.benchmarks.registered_models import visible_models

MIN_TEXT_LENGTH = 2
MAX_WORDS = 8
Row = TypeVar("Row", bound=DatabaseModel)


def search_questions(user: User | None, query: str, limit: int) -> QuerySet[Question]:
    questions = visible_questions(user).select_related("question_set")
    return filter_by_words(questions, ("text",), query)[:limit]


def search_releases(user: User | None, query: str, limit: int) -> QuerySet[Release]:
    fields = ("name", "slug", "track")
    return filter_by_words(visible_releases(user), fields, query).order_by("name")[:limit]


def search_models(user: User | None, query: str, limit: int) -> QuerySet[Model]:
    fields = ("name", "organisation")
    return filter_by_words(visible_models(user), fields, query).order_by("name")[:limit]


def filter_by_words(rows: QuerySet[Row], fields: Sequence[str], query: str) -> QuerySet[Row]:
    """Rows that contain every word in one of the fields, ignoring case."""
    if len(query.strip()) < MIN_TEXT_LENGTH:
        return rows.none()
    for word in query.split()[:MAX_WORDS]:
        rows = rows.filter(reduce(or_, [Q(**{f"{field}__icontains": word}) for field in fields]))
    return rows
