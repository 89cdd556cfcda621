"""Writes to collections: create, publish, delete. A published collection never changes."""

import shutil
import time
import uuid
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.accounts.models import User
from backend.common.errors import Conflict
from backend.common.slugs import unused_slug
from backend.graphs.bulk_copy import copy_rows
from backend.graphs.literature.paper_index import delete_index
from backend.graphs.literature.paper_records import PaperRecord
from backend.graphs.models import Collection, Paper

SLUG_ATTEMPTS = 5  # two collections with similar names may be created at the same moment
COLUMNS = ("collection_id", "number", "key", "date", "title", "abstract", "note")
STALE_FOLDER_AGE_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class PaperImport:
    """What a collection is to be. source: where the papers come from."""

    name: str
    licence: str
    source: str = ""
    is_public: bool = False
    is_demo: bool = False


def create_collection(pk: uuid.UUID, owner: User | None, request: PaperImport) -> Collection:
    """An empty one that nobody sees until it is published."""
    for _ in range(SLUG_ATTEMPTS):
        slug = unused_slug(Collection.objects.all(), request.name, "papers")
        try:
            with transaction.atomic():
                collection: Collection = Collection.objects.create(
                    id=pk, owner=owner, slug=slug, **asdict(request)
                )
                return collection
        except IntegrityError:
            continue
    raise Conflict("Other imports took this name just now. Try again.")


def copy_papers(collection: Collection, first: int, papers: Iterable[PaperRecord]) -> None:
    """Store papers under the numbers from `first` on."""
    rows = (
        (collection.pk, number, it.id, it.date, it.title, it.abstract, it.note)
        for number, it in enumerate(papers, start=first)
    )
    copy_rows(Paper, COLUMNS, rows)


def find_collection(name: str) -> Collection | None:
    return Collection.objects.ready().filter(name=name).first()


def publish_collection(collection: Collection) -> None:
    """Raises Conflict if another import has published the name meanwhile."""
    collection.ready_at = timezone.now()
    try:
        with transaction.atomic():
            collection.save()
    except IntegrityError as error:
        raise Conflict("Another import took this name just now. Choose another name.") from error


def delete_collection(collection: Collection) -> None:
    """With its papers, by one statement, and its index."""
    rows = Paper.objects.filter(collection=collection)
    with transaction.atomic():
        rows._raw_delete(rows.db)
        collection.delete()
    delete_index(collection)


def delete_abandoned_collections(active_imports: set[uuid.UUID]) -> None:
    """Those that no active import fills, and indexes without a collection."""
    for collection in Collection.objects.filter(ready_at=None).exclude(pk__in=active_imports):
        delete_collection(collection)
    folder = Path(settings.LITERATURE)
    known = {str(pk) for pk in Collection.objects.values_list("pk", flat=True)}
    for left in folder.iterdir() if folder.is_dir() else ():
        if left.name not in known and time.time() - left.stat().st_mtime > STALE_FOLDER_AGE_S:
            shutil.rmtree(left, ignore_errors=True)
