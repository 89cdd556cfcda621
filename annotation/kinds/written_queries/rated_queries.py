"""Queries with their answers as questions of a set, which a study of ratings rates.

Before the scales of STaRK's human evaluation (section 2.5) one is on whether the entity answers
the query. Queries that people wrote and queries that models wrote have the same scales, so that
their ratings can be compared.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation.kinds.ratings.schema import RatingsEntry
from backend.accounts.models import User
from backend.benchmarks.models import Candidate, QuestionSet
from backend.benchmarks.question_sets import store_questions
from backend.benchmarks.questionnaire import MAX_TEXT_LENGTH, SourceFile, parse_questionnaire

CORRECTNESS = "Correctness"
SCALES = (
    (CORRECTNESS, "Does this entity answer the query?", "Not at all", "Entirely"),
    ("Naturalness", "Could a person have written this query?", "Not at all", "Entirely"),
    ("Diversity", "Does it combine links and properties of several kinds?", "One", "Many"),
    ("Practicality", "Would somebody need the answer?", "Nobody", "Many people"),
)


@dataclass(frozen=True)
class RatedQuery:
    """qid: of the question in its set. evidence: parts of what a rater reads, as plain text, of
    which the end may be cut. answers: name and identifier of each."""

    qid: int
    text: str
    category: str
    evidence: Sequence[str]
    answers: Sequence[tuple[str, str]]


def store_rated_queries(
    *, actor: User | None, question_set: QuestionSet, queries: Sequence[RatedQuery]
) -> int:
    """How many are new. Those that the set has stay as they are."""
    if not queries:
        return 0
    entries = [_entry(one, place) for place, one in enumerate(queries, 1)]
    source = SourceFile("queries.json", json.dumps(entries).encode())
    parsed = parse_questionnaire([source], schema=RatingsEntry)
    known = set(question_set.questions.values_list("file_id", flat=True))
    new = [one for one in parsed.questions if str(one.qid) not in known]
    stored = store_questions(actor=actor, question_set=question_set, questions=new)
    answers = {one.qid: one.answers for one in queries}
    Candidate.objects.bulk_create(
        Candidate(
            question=stored.questions[one.qid],
            position=position,
            name=name,
            identifier=identifier,
            prior_rank=1,
        )
        for one in new
        for position, (name, identifier) in enumerate(answers[one.qid])
    )
    return len(new)


def _entry(query: RatedQuery, place: int) -> dict[str, Any]:
    names = ("name", "question", "low", "high")
    return {
        "question_number": place,
        "qid": query.qid,
        "text": query.text,
        "category": query.category,
        "details": "\n\n".join(filter(None, query.evidence))[:MAX_TEXT_LENGTH],
        "scales": [dict(zip(names, one, strict=True)) for one in SCALES],
    }
