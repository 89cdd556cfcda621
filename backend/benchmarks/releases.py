"""Writes to releases: made from a track's files, opened, closed, deprecated."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.utils.text import slugify
from numpy.typing import NDArray
from pydantic import TypeAdapter

from backend.accounts.models import User
from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.entity_spellings import spelling_finder
from backend.benchmarks.item_order import in_key_order
from backend.benchmarks.models import HiddenAnswer, Item, JudgedAnswer, Release, ReleaseSplit
from backend.benchmarks.policies import require_release_organiser
from backend.benchmarks.release_slices import store_slices
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.advisory_locks import AdvisoryLock, lock_in_transaction
from backend.common.bounds import require_seed, require_share
from backend.common.errors import Conflict, DomainError
from backend.common.pluralize import pluralize
from backend.common.slugs import unused_slug
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.literature.cutoff import find_unit_fault
from backend.graphs.models import Version
from backend.graphs.snapshots.dated_view import MAX_DATE, get_edge_dates
from backend.graphs.snapshots.graph_view import GraphView
from backend.tracks.base import AnyTrack
from backend.tracks.item_table import Source, SpellingFinder
from backend.validation.faults import MAX_FAULTS_LISTED, Fault, printable
from backend.validation.row_files.faults import RowFaultList, shorten

ROWS_AT_ONCE = 2_000
DIGEST_SALT = "benchmarks.release"
SLUG = re.compile(r"[-a-zA-Z0-9_]{1,100}")
RESERVED_SLUGS = frozenset({"new", "seal"})  # pages /releases/new and /releases/seal


@dataclass(frozen=True)
class ReleaseRequest:
    """test_share: of the clusters, from 0 to 1. metadata: licence, citation, terms and the like.

    masked_by: the method of partitions whose masked graph the items are about; empty for the full
    graph. partition: the method of partitions that the items are of, where the track has one a
    release; empty for the track's preferred one that the files have. cutoff: see Release.
    """

    track: str
    name: str
    slug: str = ""
    graph_version: Version | None = None
    test_share: float = 1.0
    seed: int = 0
    metadata: Mapping[str, Any] | None = None
    is_demo: bool = False
    masked_by: str = ""
    partition: str = ""
    cutoff: int | None = None
    is_sealed: bool = False
    unseals: Release | None = None


@dataclass(frozen=True)
class FrozenItem:
    """A row of a release, as it is stored and digested. judged: answers with their verdicts.

    answer: None while nobody knows it, in a sealed release.
    """

    key: str
    split: ReleaseSplit
    content: Mapping[str, Any]
    answer: Mapping[str, Any] | None
    judged: tuple[tuple[int | str, bool], ...] = ()


def make_release(*, actor: User | None, request: ReleaseRequest, files: Sequence[Path]) -> Release:
    """Freeze the items of a track's source files as a draft.

    A cluster of items lies in one split. The same files, share and seed give the same digest.
    Raises DomainError with every fault of the files, Conflict if the slug is in use.
    """
    if actor is not None:
        require_release_organiser(actor)
    dates = request.metadata or {}
    require_order(dates.get("opens_at"), dates.get("closes_at"))
    require_share(request.test_share, "test_share")
    require_seed(request.seed)
    require_cutoff_of_graph(request)
    items = freeze_items(request, files)
    return store_release(actor, request, get_track_or_raise(request.track), items)


def require_cutoff_of_graph(request: ReleaseRequest) -> None:
    """Raises DomainError for a cut-off that the edges of the graph cannot be compared with."""
    if request.cutoff is None:
        return
    dates = None
    if request.graph_version is not None:
        dates = get_edge_dates(open_version_snapshot(request.graph_version))
        if dates is None:
            raise cutoff_fault("The edges of this graph have no dates. Leave out the cut-off.")
    if not 1 <= request.cutoff <= MAX_DATE:
        raise cutoff_fault(f"A cut-off is a number from 1 to {MAX_DATE:,}.")
    if message := find_unit_fault(request.cutoff, dates.unit if dates else None):
        raise cutoff_fault(message)


def cutoff_fault(message: str) -> DomainError:
    return DomainError(message, code="cutoff", faults=[Fault("cutoff", message, "cutoff")])


def freeze_items(request: ReleaseRequest, files: Sequence[Path]) -> list[FrozenItem]:
    """The rows of a release in the order of its files, without storing them.

    Raises DomainError with every fault.
    """
    track = get_track_or_raise(request.track)
    source = read_source(track, files, request.graph_version)
    if track.partition_methods or request.partition:
        choose_partition(track, source, request.partition)
    if request.masked_by:
        select_masked_graph(track, source, request)
    spell = release_spellings(request.graph_version)
    source.answers[:] = [track.add_spellings(answer, spell) for answer in source.answers]
    require_known_entities(track, source, request.graph_version)
    if track.has_one_split and request.test_share not in (0, 1):
        message = f"Answers of {track.slug} reveal those of other items: a release has one split."
        raise DomainError(f"{message} Use the test share 0 or 1.", code="one_split")
    clusters = track.cluster_ids(source.items)
    test = choose_test_clusters(clusters, request.test_share, request.seed)
    return list(_freeze(track, source, [cluster in test for cluster in clusters.tolist()]))


def release_spellings(version: Version | None) -> SpellingFinder:
    """The ways in which predictions may write the entities of a release's graph."""
    return spelling_finder(_view_of(version), assumes_missing=True)


def _view_of(version: Version | None) -> GraphView | None:
    return None if version is None else open_version_snapshot(version)


def read_source(
    track: AnyTrack, files: Sequence[Path], version: Version | None = None
) -> Source[Any, Any]:
    """All items of the files. Raises DomainError with every fault of every file."""
    source: Source[Any, Any] = Source()
    faults: list[Fault] = []
    total = 0
    for path in files:
        source.faults = RowFaultList()
        try:
            with path.open("rb") as file:
                track.read_source(file, path.name, source)
        except OSError as error:
            raise DomainError(f"{path.name} cannot be read: {error.strerror}.") from error
        total += source.faults.total
        listed = (one.as_fault() for one in source.faults.listed)
        faults += [replace(one, place=f"{path.name}, {one.place}") for one in listed]
    if not total:
        source.faults = RowFaultList()
        track.complete_source(source, spelling_finder(_view_of(version)))
        total = source.faults.total
        faults = [one.as_fault() for one in source.faults.listed]
    if total:
        unknown = list(_unknown_entities(track, source, version))
        total, faults = total + len(unknown), faults + unknown
    if total or not source.items:
        counted = (
            f"The files have {pluralize(total, 'fault')}" if total else "The files have no items"
        )
        raise DomainError(
            f"{counted}. No release was made.",
            code="invalid_source",
            faults=faults[:MAX_FAULTS_LISTED],
            data={"faults_total": total},
        )
    return source


def choose_partition(track: AnyTrack, source: Source[Any, Any], method: str) -> None:
    """Raises DomainError where the track or the files have no such partition."""
    if method and method not in track.partition_methods:
        known = ", ".join(track.partition_methods) or "none"
        message = f"The items of {track.slug} are of no such partition. It has: {known}."
        raise DomainError(message, code="no_partition_method")
    track.choose_partition(source, method)
    if not source.items:
        message = f"No question of these files has a partition by {method}."
        raise DomainError(message, code="no_partitions")


def select_masked_graph(track: AnyTrack, source: Source[Any, Any], request: ReleaseRequest) -> None:
    """Raises DomainError where the track, the graph or the partitions are missing."""
    if track.partition_methods:
        message = "Items of this track are of a partition: choose that, then make its masked graph."
        raise DomainError(message, code="no_mask_method")
    if request.masked_by not in track.mask_methods:
        known = ", ".join(track.mask_methods) or "none"
        message = f"The track {track.slug} has no masked graph by this method. It has: {known}."
        raise DomainError(message, code="no_mask_method")
    if request.graph_version is None:
        message = "A masked graph needs the graph that it is made of. Choose one."
        raise DomainError(message, code="release_without_graph")
    track.select_masked_graph(source, request.masked_by)
    if not source.items:
        message = f"No question of these files has a partition by {request.masked_by}."
        raise DomainError(message, code="no_partitions")


def require_known_entities(
    track: AnyTrack, source: Source[Any, Any], version: Version | None
) -> None:
    """Raises DomainError if an answer names an entity that predictions could not name."""
    faults = list(_unknown_entities(track, source, version))
    if faults:
        message = (
            f"{pluralize(len(faults), 'answer is no entity', 'answers are no entities')} of the "
            "graph. No release was made; choose the graph of these items."
        )
        raise DomainError(message, code="unknown_entities", faults=faults[:MAX_FAULTS_LISTED])


def _unknown_entities(
    track: AnyTrack, source: Source[Any, Any], version: Version | None
) -> Iterator[Fault]:
    if version is None or not track.predicts_entities:
        return
    candidates, spell = get_entity_keys(version).candidates, release_spellings(version)
    for item, answer in zip(source.items, source.answers, strict=True):
        place = f"item {track.key_text(item)}"
        for id_ in track.answer_entities(track.add_spellings(answer, spell)):
            if id_ not in candidates:
                yield Fault(place, f"The graph has no entity {shorten(id_)}.", "unknown_id")


def choose_test_clusters(clusters: NDArray[np.intp], test_share: float, seed: int) -> set[int]:
    """Numbers of the clusters in the test split: the share of all, rounded to whole ones."""
    count = int(clusters.max()) + 1
    order = np.random.default_rng(seed).permutation(count)
    return set(order[: round(test_share * count)].tolist())


def _freeze(
    track: AnyTrack, source: Source[Any, Any], is_test: Sequence[bool]
) -> Iterator[FrozenItem]:
    items = TypeAdapter(track.item_schema)
    answers = TypeAdapter(track.answer_schema)
    for item, answer, test in zip(source.items, source.answers, is_test, strict=True):
        yield FrozenItem(
            json.dumps([getattr(item, name) for name in track.key_fields]),
            ReleaseSplit.TEST if test else ReleaseSplit.DEV,
            items.dump_python(item, mode="json"),
            answers.dump_python(answer, mode="json"),
        )


def _choose_slug(request: ReleaseRequest) -> str:
    """Raises DomainError for a slug that cannot be an address, Conflict for one in use."""
    slug, releases = request.slug, Release.objects.all()
    if not slug:
        is_reserved = slugify(request.name) in RESERVED_SLUGS
        name = f"release {request.name}" if is_reserved else request.name
        return unused_slug(releases, name, "release")
    if not SLUG.fullmatch(slug):
        message = f"'{printable(slug)}' is no address. Use up to 100 letters, digits and hyphens."
        raise DomainError(message, code="invalid_slug")
    if slug in RESERVED_SLUGS or releases.filter(slug=slug).exists():
        raise Conflict(f"A release '{slug}' exists. Choose another name.", code="name_taken")
    return slug


@transaction.atomic
def store_release(
    actor: User | None, request: ReleaseRequest, track: AnyTrack, items: Sequence[FrozenItem]
) -> Release:
    """All of it or nothing, the items in the order of their keys. Raises as `_choose_slug`."""
    items = in_key_order(items)
    lock_in_transaction(AdvisoryLock.RELEASE_NAMES)  # of two with one name the second is refused
    release = Release.objects.create(
        slug=_choose_slug(request),
        name=request.name,
        track=track.slug,
        digest=compute_release_digest(track.slug, items, is_demo=request.is_demo),
        evaluator_version=track.version,
        graph_version=request.graph_version,
        test_share=request.test_share,
        seed=request.seed,
        partition=partition_of(track, items),
        cutoff=request.cutoff,
        is_sealed=request.is_sealed,
        unseals=request.unseals,
        is_demo=request.is_demo,
        is_in_key_order=True,
        created_by=actor,
        **(request.metadata or {}),
    )
    numbers = {split: count() for split in ReleaseSplit}
    rows = Item.objects.bulk_create(
        (
            Item(
                release=release,
                position=position,
                split=one.split,
                number=next(numbers[ReleaseSplit(one.split)]),
                key=one.key,
                content=one.content,
            )
            for position, one in enumerate(items)
        ),
        batch_size=ROWS_AT_ONCE,
    )
    HiddenAnswer.objects.bulk_create(
        (
            HiddenAnswer(item=row, content=one.answer)
            for row, one in zip(rows, items, strict=True)
            if one.answer is not None
        ),
        batch_size=ROWS_AT_ONCE,
    )
    JudgedAnswer.objects.bulk_create(
        (
            JudgedAnswer(item=row, answer=answer, is_true=is_true)
            for row, one in zip(rows, items, strict=True)
            for answer, is_true in one.judged
        ),
        batch_size=ROWS_AT_ONCE,
    )
    store_slices(release)
    return release


def partition_of(track: AnyTrack, items: Iterable[FrozenItem]) -> str:
    """The method that all items are of; empty for none, and for several of an older release."""
    schema = TypeAdapter(track.item_schema)
    methods = {track.partition_of(schema.validate_python(one.content)) for one in items}
    return methods.pop() if len(methods) == 1 else ""


def compute_release_digest(
    track: str, items: Iterable[FrozenItem], *, is_demo: bool = False
) -> str:
    """SHA-256 of the track, and of item, answer, split and any verdicts in the order of the
    items.

    Keyed with a secret of the server: whoever knows all answers but a few could else try those
    until they give the public digest. The answers of a demo are public.
    """
    digest = hashlib.sha256() if is_demo else salted_hmac(DIGEST_SALT, b"", algorithm="sha256")
    digest.update(track.encode())
    for one in items:
        row = [one.content, one.answer, one.split, *([one.judged] if one.judged else [])]
        digest.update(json.dumps(row, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()


def require_order(opens_at: datetime | None, closes_at: datetime | None) -> None:
    if opens_at and closes_at and closes_at <= opens_at:
        raise DomainError("The release must close after it opens.", code="closes_before_opening")
