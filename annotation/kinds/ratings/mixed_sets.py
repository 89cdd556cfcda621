"""Queries of several question sets as one set, so that experts rate them without their source.

STaRK compares queries that people wrote with synthesized ones (section 2.6). Of a query the mixed
set has its text, its scales and the first paragraph of `details`, which names the answer. All else
is chosen differently by each source and would reveal it: links and documents, categories, the
number of answers, which a study's evidence lists, ids and order. The seed of the order is drawn,
because with a known one and the sizes of the sets experts could compute the source.
"""

import json
import secrets
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from django.db import transaction

from annotation.kinds.ratings.schema import SOURCE
from annotation.models import SEED_BITS
from backend.accounts.models import User
from backend.benchmarks.models import Question, QuestionSet, Release
from backend.benchmarks.policies import public_questions, require_set_owner
from backend.benchmarks.questionnaire import MAX_QUESTIONS
from backend.common.bounds import require_seed
from backend.common.errors import Conflict, DomainError

MIN_SETS, MAX_SETS = 2, 6
MAX_SET_NAME_LENGTH = 200


@dataclass(frozen=True)
class MixedSource:
    name: str
    queries: int
    public: Annotated[int, "Queries that everybody can look up in this set, and so their source."]


@dataclass(frozen=True)
class MixedQueries:
    question_set: uuid.UUID
    name: str
    queries: int
    sources: list[MixedSource]
    seed: Annotated[int, "Of the order. Whoever knows it can compute the sources."]


@transaction.atomic
def mix_question_sets(
    *, actor: User | None, name: str, sets: Sequence[QuestionSet], seed: int | None = None
) -> MixedQueries:
    """A set for a study of ratings, which belongs to the owner of the sets.

    The same sets and seed give the same order. The actor None is the command line. Raises Conflict
    for a name that is taken, and for sets of different owners or hidden with different releases;
    DomainError for sets that cannot be compared.
    """
    if seed is not None:
        require_seed(seed)
    for one in sets:
        if actor is not None:
            require_set_owner(actor, one)
    _check_sets(name, sets)
    questions = list(Question.objects.filter(question_set__in=sets).order_by("pk"))
    _check_questions(sets, questions)
    used_seed = secrets.randbits(SEED_BITS) if seed is None else seed
    fields = {"created_by": sets[0].created_by, "hidden_with": _release_of(sets)}
    mixed, is_new = QuestionSet.objects.get_or_create(name=name, defaults=fields)
    if not is_new:
        message = "Another question set has this name. Choose another name."
        raise Conflict(message, code="name_taken")
    Question.objects.bulk_create(_mix(mixed, sets, questions, used_seed))
    sources = _count_sources(sets, questions)
    return MixedQueries(mixed.id, name, len(questions), sources, used_seed)


def _check_sets(name: str, sets: Sequence[QuestionSet]) -> None:
    if not MIN_SETS <= len(sets) <= MAX_SETS or len({one.pk for one in sets}) < len(sets):
        message = f"Name {MIN_SETS} to {MAX_SETS} different question sets."
        raise DomainError(message, code="sets_not_mixable")
    if not name.strip() or len(name) > MAX_SET_NAME_LENGTH:
        message = f"Choose a name of 1 to {MAX_SET_NAME_LENGTH} characters."
        raise DomainError(message, code="invalid_name")
    if len({one.created_by_id for one in sets}) > 1:
        message = "These question sets have different owners. Mix sets of one owner."
        raise Conflict(message, code="owners_differ")


def _check_questions(sets: Sequence[QuestionSet], questions: Sequence[Question]) -> None:
    filled = {one.question_set_id for one in questions}
    empty = next((one.name for one in sets if one.pk not in filled), None)
    if empty is not None:
        message = f"The question set '{empty}' has no questions. Choose another set."
        raise DomainError(message, code="no_questions")
    if len(questions) > MAX_QUESTIONS:
        message = f"These sets have more than {MAX_QUESTIONS:,} questions. Choose smaller sets."
        raise DomainError(message, code="too_many_questions")
    scales = {json.dumps(one.payload.get("scales"), sort_keys=True) for one in questions}
    if len(scales) > 1 or not questions[0].payload.get("scales"):
        message = "The questions of these sets do not have the same scales. Choose other sets."
        raise DomainError(message, code="scales_differ")
    if any(one.payload.get(SOURCE) for one in questions):
        message = "One of these sets is mixed already. Choose the sets that it was made of."
        raise DomainError(message, code="already_mixed")


def _release_of(sets: Sequence[QuestionSet]) -> Release | None:
    """Whose test answers the sets give away."""
    releases = {one.hidden_with_id: one.hidden_with for one in sets if one.hidden_with_id}
    if len(releases) > 1:
        message = "These sets hide test answers of different releases. Choose sets of one release."
        raise Conflict(message, code="releases_differ")
    return next(iter(releases.values()), None)


def _mix(
    mixed: QuestionSet, sets: Sequence[QuestionSet], questions: Sequence[Question], seed: int
) -> list[Question]:
    places = {one.pk: place for place, one in enumerate(sets)}
    # Not by their random keys, so that a copy of the sets is mixed alike.
    ordered = sorted(
        questions, key=lambda one: (places[one.question_set_id], one.batch_number, one.number)
    )
    order = np.random.default_rng(seed).permutation(len(ordered))
    return [
        Question(
            question_set=mixed,
            file_id=str(place),
            number=place + 1,
            text=one.text.strip(),
            payload=_payload(one.payload, sets[places[one.question_set_id]].name),
        )
        for place, one in enumerate(ordered[number] for number in order)
    ]


def _payload(payload: dict[str, Any], source: str) -> dict[str, Any]:
    details = str(payload.get("details", "")).split("\n\n", 1)[0].strip()
    return {"details": details, "scales": payload["scales"], SOURCE: source}


def _count_sources(sets: Sequence[QuestionSet], questions: Sequence[Question]) -> list[MixedSource]:
    total = Counter(one.question_set_id for one in questions)
    shown = public_questions().filter(question_set__in=sets).order_by()
    public = Counter(shown.values_list("question_set", flat=True))
    return [MixedSource(one.name, total[one.pk], public[one.pk]) for one in sets]
