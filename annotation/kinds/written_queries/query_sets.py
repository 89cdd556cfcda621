"""The queries of a closed study as a question set, which other experts verify by rating them.

A question is a query with its entity as the answer. A study of ratings of the set has, before the
scales of STaRK's human evaluation, one on whether the entity answers the query. Verdicts are
medians of that scale over raters other than the author: 4 and 5 verify a query, 1 and 2 refute it.
"""

import csv
import io
import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Annotated, Any

from django.db import transaction
from django.db.models import F

from annotation.kinds.passages import edge_text
from annotation.kinds.ratings.kind import KIND as RATINGS
from annotation.kinds.ratings.schema import RatingsEntry
from annotation.kinds.submissions import read_latest_submissions
from annotation.kinds.written_queries.kind import KIND, WRITTEN
from annotation.models import Assignment, Revision
from backend.accounts.models import User
from backend.benchmarks.entity_keys import find_node_numbers
from backend.benchmarks.models import Candidate, Question, QuestionSet
from backend.benchmarks.policies import require_set_owner
from backend.benchmarks.question_sets import get_or_create_question_set, store_questions
from backend.benchmarks.questionnaire import MAX_TEXT_LENGTH, SourceFile, parse_questionnaire
from backend.benchmarks.stark_queries.query_files import COLUMNS
from backend.common.errors import Conflict
from backend.studies.models import Study
from backend.studies.policies import check_closed, get_administered_study_or_raise
from backend.tracks.stark_rows import parse_id

CORRECTNESS = "Correctness"
SCALES = (
    (CORRECTNESS, "Does this entity answer the query?", "Not at all", "Entirely"),
    ("Naturalness", "Could a person have written this query?", "Not at all", "Entirely"),
    ("Diversity", "Does it combine links and properties of several kinds?", "One", "Many"),
    ("Practicality", "Would somebody need the answer?", "Nobody", "Many people"),
)
VERIFIED, REFUTED, DIVIDED, UNVERIFIED = "verified", "refuted", "divided", "unverified"


@dataclass(frozen=True)
class WrittenQueries:
    study: str
    question_set: uuid.UUID
    name: str
    queries: int
    added: Annotated[int, "Queries that the set did not have before."]
    verified: Annotated[int, "Another expert's median level of correctness is 4 or 5."]
    refuted: Annotated[int, "It is 1 or 2."]
    divided: Annotated[int, "It is between 2 and 4."]
    unverified: Annotated[int, "Nobody but the author has rated it."]


@transaction.atomic
def store_written_queries(*, actor: User | None, study_id: uuid.UUID) -> WrittenQueries:
    """Add the queries of a closed study to its question set of queries, and count the verdicts.

    Repeating it adds what is new. The actor None is the command line.
    """
    study = get_administered_study_or_raise(actor, study_id)
    _check_study(study)
    written = _read_written(study)
    question_set = get_or_create_question_set(actor=actor, name=f"Queries of {study.name}")
    if actor is not None:
        require_set_owner(actor, question_set)
    # Concurrent requests wait here, and then find all that the first one has stored.
    QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    added = _store(actor, question_set, written)
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
    ratings = Assignment.objects.filter(
        question__question_set=question_set, study__kind=RATINGS.name
    )
    rated = read_latest_submissions(ratings, RATINGS)
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
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    questions = Question.objects.filter(question_set=question_set)
    for question in questions.prefetch_related("candidates"):
        if statuses.get(question.id) == VERIFIED:
            keys = [_answer_key(one) for one in question.candidates.all()]
            writer.writerow((question.file_id, question.text, json.dumps(keys)))
    return buffer.getvalue().encode()


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


def _store(actor: User | None, question_set: QuestionSet, written: Sequence[Revision]) -> int:
    entries = [_entry(one, place) for place, one in enumerate(written, 1)]
    if not entries:
        return 0
    source = SourceFile("queries.json", json.dumps(entries).encode())
    parsed = parse_questionnaire([source], schema=RatingsEntry)
    known = set(question_set.questions.values_list("file_id", flat=True))
    new = [one for one in parsed.questions if str(one.qid) not in known]
    stored = store_questions(actor=actor, question_set=question_set, questions=new)
    sources = {one.pk: one.response.assignment.question.payload for one in written}
    Candidate.objects.bulk_create(
        Candidate(
            question=stored.questions[one.qid],
            position=0,
            name=sources[one.qid]["answer"],
            identifier=_identifier(sources[one.qid]),
            prior_rank=1,
        )
        for one in new
    )
    return len(new)


def _entry(revision: Revision, place: int) -> dict[str, Any]:
    """The query is identified by its submission: a later one is another query."""
    question = revision.response.assignment.question
    names = ("name", "question", "low", "high")
    return {
        "question_number": place,
        "qid": revision.pk,
        "text": revision.answer["query"].strip(),
        "category": question.category,
        "details": _details(question),
        "scales": [dict(zip(names, one, strict=True)) for one in SCALES],
    }


def _details(question: Question) -> str:
    """What a rater needs to verify the query, as plain text; documents may be cut at its end."""
    payload = question.payload
    parts = [
        f"Answer: {payload['answer']} ({payload['identifiers'][0]})",
        "\n".join(edge_text(one) for one in payload["edges"]),
        *(f"{one['title']}\n{one['text']}".strip() for one in payload["documents"]),
    ]
    return "\n\n".join(filter(None, parts))[:MAX_TEXT_LENGTH]


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
