"""Which items of a release each slice is over, stored once: some slices follow from the answers.

Public pages read these in place of the hidden answers. The masks themselves are as hidden.
"""

import logging
from http import HTTPStatus

import numpy as np
from django.db import transaction

from backend.benchmarks.models import Item, Release, SplitSlices
from backend.benchmarks.split_rows import load_answers, load_contents
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import DomainError
from backend.tracks.item_table import Masks
from backend.tracks.registry import load_tracks

logger = logging.getLogger(__name__)


def read_slices(release: Release, split: str) -> Masks:
    """Masks over the items of a split, as its track's present version has them.

    Raises DomainError while they are not stored yet: of a release before a new version.
    """
    track = get_track_or_raise(release.track)
    row = SplitSlices.objects.filter(release=release, split=split, version=track.version).first()
    if row is None:
        message = "The slices of this release are being counted. Load the page again in a minute."
        raise DomainError(message, code="not_ready", status=HTTPStatus.SERVICE_UNAVAILABLE)
    packed = np.frombuffer(row.masks, dtype=np.uint8).reshape(len(row.names), -1)
    masks = np.unpackbits(packed, axis=1, count=row.items).astype(np.bool_)
    return dict(zip(row.names, masks, strict=True))


@transaction.atomic
def store_slices(release: Release) -> None:
    track = get_track_or_raise(release.track)
    items = Item.objects.filter(release=release)
    for split in items.order_by().values_list("split", flat=True).distinct():
        masks = track.slices(load_contents(release, split), load_answers(release, split))
        table = np.stack(list(masks.values()))
        SplitSlices.objects.update_or_create(
            release=release,
            split=split,
            version=track.version,
            defaults={
                "names": list(masks),
                "items": table.shape[1],
                "masks": np.packbits(table, axis=1).tobytes(),
            },
        )


def store_missing_slices() -> None:
    """Of releases that are older than the present version of their track.

    One whose items no longer fit the track's form is logged, and the others follow.
    """
    for slug, track in load_tracks().items():
        for release in Release.objects.filter(track=slug).exclude(slices__version=track.version):
            try:
                store_slices(release)
            except (ValueError, KeyError):
                logger.exception("The slices of the release %s cannot be counted.", release.slug)
