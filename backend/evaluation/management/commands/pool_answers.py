"""Pool the unjudged answers of a release's entries, and make a study of them."""

from argparse import ArgumentParser
from typing import Any

from django.db import transaction

from annotation.coordinator_invites import check_coordinator_email, ensure_coordinator
from backend.benchmarks.models import Item, Release, ReleaseSplit
from backend.benchmarks.track_catalogue import get_pooled_track_or_raise
from backend.common.command_utils import JsonCommand, Output, parse_share
from backend.common.errors import Conflict, DomainError, NotFound
from backend.common.pluralize import pluralize
from backend.evaluation.answer_pools import (
    MOST_ENTRIES,
    check_depth,
    choose_split,
    choose_submissions,
    find_pool,
    pool_digest,
    pooled_submissions,
    store_pool,
)
from backend.evaluation.pool_computation import ComputedPool, compute_pool
from backend.evaluation.pool_items import STUDY_KINDS, AnswerCatalogue
from backend.evaluation.pool_studies import (
    DEFAULT_LIMIT,
    CreatedPoolStudy,
    NewPoolStudy,
    make_pool_study,
)
from backend.evaluation.scoring import ScoredSplit

SHOWN = 20


class Command(JsonCommand):
    help = (
        "List the answers that entries rank high and no label covers, in the order of judging; "
        "with --study, make a study of them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("release", metavar="RELEASE", help="its address")
        parser.add_argument("--split", choices=ReleaseSplit.values, default="")
        parser.add_argument(
            "--depth",
            type=int,
            metavar="K",
            help="answers of each entry; the stored pool's if not given",
        )
        parser.add_argument(
            "--entries", nargs="+", metavar="MODEL", default=[], help="all that stand without it"
        )
        parser.add_argument(
            "--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help="answers to judge"
        )
        parser.add_argument("--study", metavar="NAME", help="make a study of this name")
        parser.add_argument("--kind", choices=[*STUDY_KINDS], default="claims")
        parser.add_argument("--overlap", type=int, default=3, metavar="K", help="verdicts each")
        parser.add_argument("--adaptive-share", type=parse_share, default=0.0, metavar="P")
        parser.add_argument("--coordinator", metavar="EMAIL", help="of the study")

    def run(self, options: dict[str, Any]) -> Output:
        release = get_release_by_slug_or_raise(options["release"])
        if options["study"]:
            _check_coordinator(options["coordinator"])
        split, computed = _compute(release, options)
        rows = computed.rows[: max(options["limit"], 0)]
        payload, lines = describe_pool(release, split, computed, len(rows))
        if options["study"]:
            created = _make_study(release, split, computed, options)
            payload["study"] = {
                "id": str(created.study.pk),
                "name": created.study.name,
                "questions": created.questions,
            }
            questions = pluralize(created.questions, "answer")
            lines.append(f"Study '{created.study.name}' of {questions}: {created.study.pk}")
        return payload, lines


def get_release_by_slug_or_raise(slug: str) -> Release:
    release = Release.objects.filter(slug=slug).first()
    if release is None:
        raise NotFound(f"There is no release '{slug}'.")
    return release


def _check_coordinator(email: str | None) -> None:
    if not email:
        message = "A study needs a coordinator. Name an address with --coordinator."
        raise DomainError(message, code="no_coordinator")
    if faults := check_coordinator_email(email):
        raise DomainError("This address cannot coordinate the study.", faults=faults)


def _compute(release: Release, options: dict[str, Any]) -> tuple[ReleaseSplit, ComputedPool]:
    """Of all entries it becomes the stored pool of the board."""
    track = get_pooled_track_or_raise(release.track)
    split = choose_split(release, options["split"])
    depth = options["depth"]
    if depth is None:
        known = find_pool(release, split)
        depth = known.depth if known else track.pool_depth
    check_depth(depth)
    every = pooled_submissions(release, split)
    named = choose_submissions(release, split, options["entries"])
    submissions = named or every[:MOST_ENTRIES]
    if not submissions:
        raise Conflict(f"No entry stands on the {split} board.", code="no_entries")
    digest = pool_digest(release, submissions, depth)
    computed = compute_pool(ScoredSplit.load(release, split), submissions, depth)
    if not named:
        is_partial = len(every) > len(computed.entries)
        store_pool(release, split, digest, computed, is_partial=is_partial)
    return split, computed


def _make_study(
    release: Release, split: ReleaseSplit, computed: ComputedPool, options: dict[str, Any]
) -> CreatedPoolStudy:
    request = NewPoolStudy(
        name=options["study"],
        kind=options["kind"],
        overlap=options["overlap"],
        limit=options["limit"],
        adaptive_share=options["adaptive_share"],
    )
    with transaction.atomic():
        created = make_pool_study(
            actor=None, release=release, split=split, rows=computed.rows, request=request
        )
        ensure_coordinator(actor=None, study=created.study, email=options["coordinator"])
    return created


def describe_pool(
    release: Release, split: ReleaseSplit, computed: ComputedPool, limit: int
) -> tuple[dict[str, Any], list[str]]:
    catalogue = AnswerCatalogue(release)
    listed = computed.rows[:limit]
    keys = dict(
        Item.objects.filter(pk__in={row.item_id for row in listed}).values_list("pk", "key")
    )
    answers = [
        {
            "position": position,
            "item": keys[row.item_id],
            "answer": row.answer,
            "name": catalogue.name(row.answer),
            "effect": row.effect,
            "chance": row.chance,
            "ranks": {
                computed.entries[entry].submission.model.name: rank
                for entry, rank in row.ranks.items()
            },
        }
        for position, row in enumerate(listed, start=1)
    ]
    entries = [
        {
            "model": one.submission.model.name,
            "judged": one.judged,
            "value": one.value,
            "low": one.low,
            "high": one.high,
        }
        for one in computed.entries
    ]
    payload: dict[str, Any] = {
        "release": release.slug,
        "split": split.value,
        "depth": computed.depth,
        "answers": computed.answers,
        "unjudged": computed.unjudged,
        "entries": entries,
        "results": answers,
    }
    lines = [
        f"{release.slug}, {split}: {computed.unjudged:,} of {computed.answers:,} answers among the "
        f"first {computed.depth} of {pluralize(len(entries), 'entry', 'entries')} are unjudged.",
    ]
    for one in entries:
        judged = "none" if one["judged"] is None else f"{one['judged']:.3f}"
        lines.append(
            f"{one['model']}: judged@{computed.depth} {judged}, "
            f"{one['value']:.3f} [{one['low']:.3f}, {one['high']:.3f}]"
        )
    for row in answers[:SHOWN]:
        lines.append(f"{row['position']}. item {row['item']}: {row['name']} ({row['answer']})")
    return payload, lines
