"""The queries of a closed study as a question set, which other experts verify by rating them.

A question is a query with its entity as the answer. Verdicts are medians of the scale of
correctness over raters other than the author: 4 and 5 verify a query, 1 and 2 refute it. Only
studies count that have ended and are coordinated by the owner of the set, who chose their experts.
"""

import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Annotated, Any

from django.db import transaction
from django.db.models import F, QuerySet

from annotation.kinds.passages import edge_text
from annotation.kinds.ratings.kind import KIND as RATINGS
from annotation.kinds.submissions import read_latest_submissions
from annotation.kinds.written_queries.kind import KIND, WRITTEN
from annotation.kinds.written_queries.rated_queries import (
    CORRECTNESS,
    RatedQuery,
    store_rated_queries,
)
from annotation.models import Assignment, Revision
from backend.accounts.models import User
from backend.benchmarks.entity_keys import find_node_numbers
from backend.benchmarks.models import Candidate, Question, QuestionSet
from backend.benchmarks.question_sets import get_or_create_question_set
from backend.benchmarks.stark_queries.query_files import COLUMNS
from backend.common.errors import Conflict
from backend.studies.models import ENDED_STATUSES, Member, Study
from backend.studies.policies import check_closed, get_administered_study_or_raise
from backend.tracks.stark_rows import parse_id
from backend.validation.csv_escaping import csv_text

VERIFIED, REFUTED, DIVIDED, UNVERIFIED = "verified", "refuted", "divided", "unverified"


@dataclass(frozen=True)
class WrittenQueries:
    study: str
    question_set: uuid.UUID
    name: str
    queries: int
    added: Annotated[int, "Queries that the set did not have before."]
    verified: Annotated[
        int, "In studies that have ended: another expert's median level of correctness is 4 or 5."
    ]
    refuted: Annotated[int, "It is 1 or 2."]
    divided: Annotated[int, "It is between 2 and 4."]
    unverified: Annotated[int, "Nobody but the author has rated it."]


@transaction.atomic
def store_written_queries(*, actor: User | None, study_id: uuid.UUID) -> WrittenQueries:
    """Add the queries of a closed study to its question set of queries, and count the verdicts.

    The set belongs to a coordinator of the study. Repeating it adds what is new. The actor None is
    the command line. Raises Conflict for a set of this name that is somebody else's.
    """
    study = get_administered_study_or_raise(actor, study_id)
    _check_study(study)
    written = _read_written(study)
    question_set = _own_set(actor, study)
    # Concurrent requests wait here, and then find all that the first one has stored.
    QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    queries = [_rated_query(one) for one in written]
    added = store_rated_queries(actor=actor, question_set=question_set, queries=queries)
    statuses = Counter(find_statuses(question_set.id).values())
    return WrittenQueries(
        study=study.name,
        question_set=question_set.id,
        name=question_set.name,
        queries=statuses.total(),
        added=added,
        verified=statuses[VERIFIED],
        refuted=statuses[REFUTED],
        divided=statuses[DIVIDED],
        unverified=statuses[UNVERIFIED],
    )


def find_statuses(question_set: uuid.UUID) -> dict[uuid.UUID, str]:
    """By question, in the order of the set."""
    authors = _read_authors(question_set)
    rated = read_latest_submissions(_verifying_assignments(question_set), RATINGS)
    return {
        question: _status(
            [
                answer["levels"].get(CORRECTNESS)
                for rater, answer in zip(
                    rated.raters[question], rated.answers[question], strict=True
                )
                if rater != author
            ]
        )
        for question, author in authors.items()
    }


def write_verified_queries(question_set: uuid.UUID) -> bytes:
    """STaRK's CSV of the verified queries, which `make_release stark-prime` reads."""
    statuses = find_statuses(question_set)
    questions = Question.objects.filter(question_set=question_set)
    rows = [
        (
            question.file_id,
            question.text,
            json.dumps([_answer_key(one) for one in question.candidates.all()]),
        )
        for question in questions.prefetch_related("candidates")
        if statuses.get(question.id) == VERIFIED
    ]
    return csv_text([dict(zip(COLUMNS, one, strict=True)) for one in rows], COLUMNS).encode()


def _own_set(actor: User | None, study: Study) -> QuestionSet:
    """Of the actor if they coordinate the study, else of its first coordinator."""
    members = _coordinators().filter(study=study).order_by("joined_at").select_related("user")
    coordinators: list[User | None] = [*(one.user for one in members)] or [actor]
    owner = actor if actor in coordinators else coordinators[0]
    name = f"Queries of {study.name}"
    question_set = get_or_create_question_set(actor=owner, name=name)
    if question_set.created_by is None and owner is not None:
        # Earlier versions of the command stored sets without an owner.
        question_set.created_by = owner
        question_set.save(update_fields=["created_by"])
    if question_set.created_by not in coordinators:
        message = f"The question set '{name}' belongs to somebody else. Ask an administrator."
        raise Conflict(message, code="set_exists")
    return question_set


def _verifying_assignments(question_set: uuid.UUID) -> QuerySet[Assignment]:
    owner = QuestionSet.objects.filter(pk=question_set).values("created_by")
    studies = Study.objects.filter(
        question_link__question_set=question_set,
        kind=RATINGS.name,
        status__in=ENDED_STATUSES,
        pk__in=_coordinators().filter(user__in=owner).values("study"),
    )
    return Assignment.objects.filter(study__in=studies)


def _coordinators() -> QuerySet[Member]:
    """With those who have left, whose sets and studies stay theirs."""
    return Member.everyone.filter(role=Member.Role.COORDINATOR)


def _check_study(study: Study) -> None:
    if study.kind != KIND.name:
        raise Conflict("This study has no written queries.", code="kind_differs")
    check_closed(study)


def _read_written(study: Study) -> list[Revision]:
    return list(
        Revision.objects.filter(
            response__assignment__in=Assignment.objects.counted().filter(study=study),
            number=F("response__submitted_number"),
            outcome=WRITTEN,
        )
        .select_related("response__assignment__question")
        .order_by("pk")
    )


def _rated_query(revision: Revision) -> RatedQuery:
    """The query is identified by its submission: a later one is another query."""
    question = revision.response.assignment.question
    payload = question.payload
    return RatedQuery(
        qid=revision.pk,
        text=revision.answer["query"].strip(),
        category=question.category,
        evidence=[
            f"Answer: {payload['answer']} ({payload['identifiers'][0]})",
            "\n".join(edge_text(one) for one in payload["edges"]),
            *(f"{one['title']}\n{one['text']}".strip() for one in payload["documents"]),
        ],
        answers=[(payload["answer"], _identifier(payload))],
    )


def _identifier(payload: Mapping[str, Any]) -> str:
    """A node number of STaRK if the entity has one, else the graph's identifier."""
    numbers = find_node_numbers(payload["identifiers"])
    return str(next(numbers, payload["identifiers"][0]))


def _answer_key(candidate: Candidate) -> int | str:
    return parse_id(candidate.identifier)


def _read_authors(question_set: uuid.UUID) -> dict[uuid.UUID, uuid.UUID]:
    """Of each query that still counts: not withdrawn, and not replaced by a later one."""
    rated = Question.objects.filter(question_set=question_set)
    questions = dict(rated.values_list("id", "file_id"))
    rows = Revision.objects.filter(
        pk__in=[one for one in questions.values() if one.isascii() and one.isdecimal()],
        response__assignment__in=Assignment.objects.counted().filter(study__kind=KIND.name),
        number=F("response__submitted_number"),
    )
    authors = {
        str(revision): expert
        for revision, expert in rows.values_list("pk", "response__assignment__expert_id")
    }
    return {one: authors[file_id] for one, file_id in questions.items() if file_id in authors}


def _status(levels: Sequence[int | None]) -> str:
    given = [one for one in levels if one is not None]
    if not given:
        return UNVERIFIED
    middle = median(given)
    return VERIFIED if middle >= 4 else REFUTED if middle <= 2 else DIVIDED
