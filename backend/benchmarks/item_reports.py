"""Writes to reports of items: sent by anyone with an account, decided by an organiser."""

import json
from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.benchmarks.models import Item, ItemReport, Release
from backend.benchmarks.policies import require_release_organiser
from backend.common.errors import Conflict, NotFound


def report_item(
    *, actor: User, release: Release, key: Sequence[str | int], kind: str, text: str
) -> ItemReport:
    """Raises NotFound for an unknown item, Conflict for a draft or a second open report of it."""
    if release.state == Release.State.DRAFT:
        raise Conflict("A draft has no reports. Open the release first.")
    item = Item.objects.filter(release=release, key=json.dumps(list(key))).first()
    if item is None:
        raise NotFound("The release has no item with this key.", code="unknown_item")
    try:
        with transaction.atomic():
            return ItemReport.objects.create(item=item, reporter=actor, kind=kind, text=text)
    except IntegrityError as error:
        raise Conflict(
            "You have reported this item, and the organiser has not decided yet.",
            code="reported_before",
        ) from error


@transaction.atomic
def decide_report(*, actor: User, report: ItemReport, state: str, reply: str) -> ItemReport:
    """Accept or dismiss, also another time. Raises NotAllowed."""
    locked = ItemReport.objects.select_for_update(of=("self",)).get(pk=report.pk)
    require_release_organiser(actor, locked.item.release)
    locked.state, locked.reply, locked.decided_at = state, reply, timezone.now()
    locked.save(update_fields=["state", "reply", "decided_at"])
    return locked
