"""What organisers of a release may want to look at. Nobody is refused or banned for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.db import models

from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.component_files import load_components
from backend.evaluation.models import Submission, SubmissionState
from backend.jobs.faults import PlatformFault
from backend.science.evaluation.alike_entries import Outcomes, alike_pairs
from backend.science.evaluation.metrics import FloatArray

MOST_COMPARED = 200  # the latest submissions of a split
MOST_ITEMS = 5_000
MOST_ALIKE = 10  # accounts of one name
LEAST_ITEMS, LEAST_SHARE, LEAST_KAPPA = 20, 0.9, 0.8


class AlertKind(models.TextChoices):
    ALIKE_PREDICTIONS = "alike_predictions"
    ALIKE_ACCOUNTS = "alike_accounts"


@dataclass(frozen=True)
class SubmissionAlert:
    """emails: of two people who are in no team together. submissions: the two that are most alike,
    with the share of equal outcomes among the items that either one does not get right."""

    kind: AlertKind
    emails: list[str]
    submissions: list[str]
    share: float | None


def list_alerts(release: Release) -> list[SubmissionAlert]:
    """Predictions of two people that fail alike, and accounts that may be of one person."""
    sent = Submission.objects.filter(
        release=release, submitted_by__isnull=False, rescored_from=None
    ).select_related("submitted_by", "evaluation")
    alerts = [*_alike_accounts(list(sent))]
    for split in ReleaseSplit.values:
        scored = sent.filter(split=split, state=SubmissionState.SCORED, evaluation__isnull=False)
        latest = list(scored.order_by("-created_at")[:MOST_COMPARED])
        alerts += _alike_predictions(release, latest)
    return alerts


def _alike_accounts(sent: Sequence[Submission]) -> Iterator[SubmissionAlert]:
    by_identity: dict[str, dict[str, Submission]] = {}
    for one in sent:
        for identity in _identity(one):
            by_identity.setdefault(identity, {})[_email(one)] = one
    pairs = {
        (_email(first), _email(second))
        for alike in by_identity.values()
        for first, second in combinations(list(alike.values())[:MOST_ALIKE], 2)
        if not _are_together(first, second)
    }
    for pair in sorted(pairs):
        yield SubmissionAlert(AlertKind.ALIKE_ACCOUNTS, [*pair], [], None)


def _identity(one: Submission) -> set[str]:
    """The name, and the address without what stands behind a plus sign."""
    local, _, domain = _email(one).partition("@")
    name = one.submitted_by.name.strip().casefold() if one.submitted_by else ""
    return {f"{local.split('+')[0]}@{domain}", *([name] if name else [])}


def _alike_predictions(release: Release, scored: Sequence[Submission]) -> Iterator[SubmissionAlert]:
    track = get_track_or_raise(release.track)
    metric = track.get_metric(track.main_metric)
    is_higher = metric.direction == "higher"
    sampled = [(one, _sampled(one)) for one in scored]
    submissions = [one for one, components in sampled if components is not None]
    outcomes = [
        Outcomes.of(components, metric.formula, higher_is_better=is_higher)
        for _, components in sampled
        if components is not None
    ]
    most_alike: dict[tuple[str, str], SubmissionAlert] = {}
    pairs = alike_pairs(
        outcomes, least_share=LEAST_SHARE, least_items=LEAST_ITEMS, least_kappa=LEAST_KAPPA
    )
    for first, second, share in pairs:
        pair = submissions[first], submissions[second]
        if _are_together(*pair):
            continue
        low, high = sorted(map(_email, pair))
        known = most_alike.get((low, high))
        if known is None or share > (known.share or 0.0):
            ids = [str(one.pk) for one in pair]
            emails = [_email(one) for one in pair]
            alert = SubmissionAlert(AlertKind.ALIKE_PREDICTIONS, emails, ids, share)
            most_alike[low, high] = alert
    yield from most_alike.values()


def _sampled(one: Submission) -> FloatArray | None:
    """Components of at most MOST_ITEMS items, at equal distances; None where they were lost."""
    try:
        components = load_components(one.evaluation.key if one.evaluation else "")
    except PlatformFault:
        return None
    return components[:: 1 + (len(components) - 1) // MOST_ITEMS]


def _email(one: Submission) -> str:
    return one.submitted_by.email if one.submitted_by else ""


def _are_together(first: Submission, second: Submission) -> bool:
    is_one_team = first.team_id is not None and first.team_id == second.team_id
    return is_one_team or first.submitted_by_id == second.submitted_by_id
