"""Releases whose answers nobody knows yet, and those that a later version of their graph makes."""

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from django.db import transaction
from pydantic import TypeAdapter

from backend.accounts.models import User
from backend.benchmarks.link_discoveries.sealed_pairs import LabelledPairs, list_open_pairs
from backend.benchmarks.models import Release, ReleaseSplit
from backend.benchmarks.policies import require_release_organiser
from backend.benchmarks.release_states import change_release_state
from backend.benchmarks.releases import FrozenItem, ReleaseRequest, make_release, store_release
from backend.benchmarks.row_files import write_lines
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import Conflict, DomainError
from backend.common.slugs import unused_slug
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version, VersionQuerySet
from backend.tracks.dyport.rows import LinkRow

TRACK = "dyport"
ROWS = TypeAdapter(LinkRow)


@dataclass(frozen=True)
class SealedRequest:
    """subjects, objects: types of entities, whose pairs without a link are the items."""

    name: str
    version: Version
    subjects: str
    objects: str
    slug: str = ""


@transaction.atomic
def make_sealed_release(*, actor: User | None, request: SealedRequest) -> Release:
    """A draft about the newest version of a graph. Raises DomainError, NotAllowed or Conflict."""
    if actor is not None:
        require_release_organiser(actor)
    if later_versions(request.version).exists():
        message = "This graph has a later version. Seal predictions on the newest one."
        raise DomainError(message, code="not_the_newest")
    graph = open_version_snapshot(request.version)
    pairs = list_open_pairs(graph, request.subjects, request.objects)
    track = get_track_or_raise(TRACK)
    new = ReleaseRequest(
        track=TRACK,
        name=request.name,
        slug=request.slug,
        graph_version=request.version,
        cutoff=pairs.year,
        is_sealed=True,
    )
    items = [
        FrozenItem(f'["{item.id}"]', ReleaseSplit.TEST, asdict(item), None) for item in pairs.items
    ]
    return store_release(actor, new, track, items)


def later_versions(version: Version) -> VersionQuerySet:
    rows = Version.objects.ready().filter(graph=version.graph_id, number__gt=version.number)
    return rows.order_by("number")


@transaction.atomic
def make_unsealed_release(sealed: Release, version: Version, labelled: LabelledPairs) -> Release:
    """The dated board of a sealed release: closed, since everybody can read its answers.

    The sealed one takes no more predictions from then on. Raises Conflict if it exists.
    """
    if Release.objects.filter(unseals=sealed, graph_version=version).exists():
        raise Conflict("This version has its board already.", code="already_unsealed")
    request = ReleaseRequest(
        track=sealed.track,
        name=f"{sealed.name}: {sealed.cutoff} to {labelled.until}"[:200],
        slug=unused_slug(Release.objects.all(), f"{sealed.slug}-{labelled.until}", "release"),
        graph_version=version,
        seed=sealed.seed,
        cutoff=sealed.cutoff,
        unseals=sealed,
        metadata={
            name: getattr(sealed, name) for name in ("licence", "citation", "data_card", "terms")
        },
        is_demo=sealed.is_demo,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.jsonl"
        write_lines(path, map(ROWS.dump_json, labelled.rows))
        release = make_release(actor=None, request=request, files=[path])
    Release.objects.filter(pk=release.pk).update(created_by=sealed.created_by)
    for state in (Release.State.OPEN, Release.State.CLOSED):
        change_release_state(actor=None, release=release, to=state)
    if sealed.state == Release.State.OPEN:
        change_release_state(actor=None, release=sealed, to=Release.State.CLOSED)
    release.refresh_from_db()
    return release
