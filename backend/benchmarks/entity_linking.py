"""Entity linking: the entities of a graph that the names of a question set stand for."""

import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from django.db import transaction
from django.utils import timezone

from backend.benchmarks.models import (
    Candidate,
    Match,
    Question,
    QuestionSet,
    Resolution,
    Resource,
)
from backend.benchmarks.name_index import (
    LinkResult,
    NamedItem,
    QuestionText,
    build_name_index,
)
from backend.benchmarks.question_records import target_types
from backend.common.errors import DomainError
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.identifiers import curie_from_url
from backend.graphs.importers.identifier_variants import identifier_variants
from backend.graphs.models import Version
from backend.graphs.snapshots.graph_view import GraphView

BATCH_SIZE = 1000
EntitiesByQuestion = dict[uuid.UUID, dict[int, int]]


def list_named_items(question_set: QuestionSet) -> list[NamedItem]:
    candidates = Candidate.objects.filter(question__question_set=question_set)
    resources = Resource.objects.filter(question__question_set=question_set)
    query = target_types(question_set)
    return [
        *(
            _named_candidate(row, query.get(row.question_id, ()))
            for row in candidates.order_by("question__number", "position")
        ),
        *(
            NamedItem(row.question_id, row.name, curie_from_url(row.link), resource=row.pk)
            for row in resources.order_by("question__number", "position")
        ),
    ]


def _named_candidate(row: Candidate, types: Sequence[str]) -> NamedItem:
    if not row.identifier:
        identifier = curie_from_url(row.link)
        return NamedItem(row.question_id, row.name, identifier, candidate=row.id)
    first, *others = dict.fromkeys(
        one for kind in types or ("",) for one in identifier_variants(row.identifier, kind)
    )
    spelt = tuple(others)
    return NamedItem(row.question_id, row.name, first, row.id, spellings=spelt, types=tuple(types))


def list_question_texts(question_set: QuestionSet) -> list[QuestionText]:
    rows = Question.objects.filter(question_set=question_set)
    return [QuestionText(row.id, row.text) for row in rows.order_by("number", "file_id")]


def is_complete(resolution: Resolution) -> bool:
    """Whether the resolution covers all questions that the set has now."""
    if resolution.resolved_at is None:
        return False
    return resolution.questions == resolution.question_set.questions.count()


def resolve_question_set(*, question_set: QuestionSet, version: Version) -> Resolution:
    """Link every name to an entity of the version. Safe to repeat; replaces the earlier result.

    If the graph cannot be read, `error` is the reason, and a later call tries again.
    """
    resolution, _ = Resolution.objects.get_or_create(question_set=question_set, version=version)
    try:
        view = open_version_snapshot(version)
    except DomainError as error:
        Resolution.objects.filter(pk=resolution.pk).update(error=error.detail)
        resolution.refresh_from_db()
        return resolution
    named, query = list_named_items(question_set), list_question_texts(question_set)
    return _store_matches(resolution, list(_link_all(resolution, view, named, query)), len(query))


@transaction.atomic
def _store_matches(resolution: Resolution, matches: list[Match], questions: int) -> Resolution:
    """Replace all matches in one transaction. Concurrent workers write the same rows."""
    resolution = Resolution.objects.select_for_update().get(pk=resolution.pk)
    if resolution.questions > questions:
        return resolution  # another worker has resolved more questions since
    resolution.matches.all().delete()
    Match.objects.bulk_create(matches, batch_size=BATCH_SIZE)
    resolution.questions, resolution.counts = questions, count_matches(matches)
    resolution.error, resolution.resolved_at = "", timezone.now()
    resolution.save()
    return resolution


def _link_all(
    resolution: Resolution, view: GraphView, named: list[NamedItem], texts: list[QuestionText]
) -> Iterator[Match]:
    lookup = build_name_index(view, named, texts)
    known: dict[uuid.UUID, set[int]] = {}
    for one in named:
        outcome = lookup.link(one)
        if outcome.entity is not None:
            known.setdefault(one.question, set()).add(outcome.entity)
        yield _build_match(
            resolution, one.question, outcome, candidate_id=one.candidate, resource_id=one.resource
        )
    for question in texts:
        # A candidate that the question mentions is an answer, not a start of a path.
        for mention in lookup.find_mentions(question, known.get(question.id, set())):
            yield _build_match(resolution, question.id, mention.result, mention=mention.text)


def _build_match(
    resolution: Resolution,
    question: uuid.UUID,
    outcome: LinkResult,
    **what: uuid.UUID | int | str | None,
) -> Match:
    return Match(
        resolution=resolution,
        question_id=question,
        entity=outcome.entity,
        match_method=outcome.match_method or "",
        unmatched_reason=outcome.unmatched_reason or "",
        matched_on=outcome.matched_on,
        **what,
    )


def count_matches(matches: list[Match]) -> dict[str, dict[str, int]]:
    """For each kind of name: matches by method, and names without a match by reason."""
    counts: dict[str, Counter[str]] = {"candidates": Counter(), "resources": Counter()}
    counts["mentions"] = Counter()
    for match in matches:
        kind = "mentions" if match.mention else "candidates" if match.candidate_id else "resources"
        counts[kind][match.match_method or match.unmatched_reason] += 1
    return {kind: dict(outcome) for kind, outcome in counts.items()}


def entities_by_question(question_set: QuestionSet, version: Version) -> EntitiesByQuestion:
    """Entity numbers by question and by position of the candidate."""
    resolution = Resolution.objects.filter(question_set=question_set, version=version).first()
    outcome: EntitiesByQuestion = defaultdict(dict)
    rows = Match.objects.filter(resolution=resolution, candidate__isnull=False)
    columns = ("question_id", "candidate__position", "entity")
    for question, position, entity in rows.values_list(*columns):
        if entity is not None:
            outcome[question][position] = entity
    return dict(outcome)


def candidate_entities(question: Question, version: Version) -> dict[int, int]:
    """Entity numbers by position of the candidate."""
    rows = Match.objects.filter(
        resolution__version=version,
        resolution__question_set=question.question_set_id,
        question=question,
        candidate__isnull=False,
        entity__isnull=False,
    )
    return {
        position: entity
        for position, entity in rows.values_list("candidate__position", "entity")
        if entity is not None
    }
