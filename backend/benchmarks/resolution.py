"""Joining a question set to one version of a graph: which entity each of its names stands for."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from backend.benchmarks.lookup import Found, look_up
from backend.benchmarks.models import Match, QuestionSet, Resolution
from backend.benchmarks.names import Asked, Named, asked_in, named_in
from backend.common.errors import DomainError
from backend.graphs.models import Version
from backend.graphs.reading import snapshot_of
from backend.graphs.snapshots.view import GraphView

AT_A_TIME = 1000


def is_complete(resolution: Resolution) -> bool:
    """Whether it covers every question that its set has by now."""
    if resolution.resolved_at is None:
        return False
    return resolution.questions == resolution.question_set.questions.count()


def resolve_question_set(*, question_set: QuestionSet, version: Version) -> Resolution:
    """Look every name up in the graph. Done again, it comes to the same and replaces the first.

    A graph that cannot be read is said in `fault`, and whoever asks again tries again.
    """
    resolution, _ = Resolution.objects.get_or_create(question_set=question_set, version=version)
    try:
        view = snapshot_of(version)
    except DomainError as error:
        Resolution.objects.filter(pk=resolution.pk).update(fault=error.detail)
        resolution.refresh_from_db()
        return resolution
    named, asked = named_in(question_set), asked_in(question_set)
    return _keep(resolution, list(_matches(resolution, view, named, asked)), len(asked))


@transaction.atomic
def _keep(resolution: Resolution, matches: list[Match], questions: int) -> Resolution:
    """All of it in one moment; two workers at once write the same, one after the other."""
    resolution = Resolution.objects.select_for_update().get(pk=resolution.pk)
    if resolution.questions > questions:
        return resolution  # a later look, at more questions, was quicker
    resolution.matches.all().delete()
    Match.objects.bulk_create(matches, batch_size=AT_A_TIME)
    resolution.questions, resolution.counts = questions, counts_of(matches)
    resolution.fault, resolution.resolved_at = "", timezone.now()
    resolution.save()
    return resolution


def _matches(
    resolution: Resolution, view: GraphView, named: list[Named], asked: list[Asked]
) -> Iterator[Match]:
    lookup = look_up(view, named, asked)
    known: dict[uuid.UUID, set[int]] = {}
    for one in named:
        found = lookup.find(one)
        if found.entity is not None:
            known.setdefault(one.question, set()).add(found.entity)
        yield _match(
            resolution,
            one.question,
            found,
            candidate_id=one.candidate,
            resource_id=one.resource,
        )
    for question in asked:
        # A candidate that the question names is an answer, not where a path begins.
        for mention in lookup.mentions(question, known.get(question.id, set())):
            yield _match(resolution, question.id, mention.found, mention=mention.text)


def _match(
    resolution: Resolution, question: uuid.UUID, found: Found, **what: uuid.UUID | int | str | None
) -> Match:
    return Match(
        resolution=resolution,
        question_id=question,
        entity=found.entity,
        how=found.how or "",
        why_not=found.why_not or "",
        by=found.by,
        **what,
    )


def counts_of(matches: list[Match]) -> dict[str, dict[str, int]]:
    """How many were found in which way, or why not: of candidates, resources and mentions."""
    counts: dict[str, Counter[str]] = {"candidates": Counter(), "resources": Counter()}
    counts["mentions"] = Counter()
    for match in matches:
        kind = "mentions" if match.mention else "candidates" if match.candidate_id else "resources"
        counts[kind][match.how or match.why_not] += 1
    return {kind: dict(found) for kind, found in counts.items()}
