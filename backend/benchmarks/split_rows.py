"""Items and hidden answers of a split in the form of their track, in the order of the release."""

from collections.abc import Iterable, Sequence
from itertools import islice
from types import GenericAlias
from typing import Any

from pydantic import TypeAdapter

from backend.benchmarks.models import HiddenAnswer, Item, Release
from backend.benchmarks.track_catalogue import get_track_or_raise

ROWS_AT_ONCE = 10_000


def load_contents(release: Release, split: str) -> Sequence[Any]:
    """The public items."""
    rows = Item.objects.filter(release=release, split=split).order_by("position")
    contents = rows.values_list("content", flat=True).iterator(ROWS_AT_ONCE)
    return _read(get_track_or_raise(release.track).item_schema, contents)


def load_answers(release: Release, split: str) -> Sequence[Any]:
    """Hidden answers in the order of the items. No public read loads them."""
    rows = HiddenAnswer.objects.filter(item__release=release, item__split=split)
    contents = rows.order_by("item__position").values_list("content", flat=True)
    schema = get_track_or_raise(release.track).answer_schema
    return _read(schema, contents.iterator(ROWS_AT_ONCE))


def _read(schema: type, contents: Iterable[Any]) -> Sequence[Any]:
    """In parts, so that no more of the database's own form is in memory than a part."""
    form: Any = GenericAlias(list, (schema,))  # which schema is known at run time
    adapter = TypeAdapter(form)
    rows: list[Any] = []
    waiting = iter(contents)
    while part := list(islice(waiting, ROWS_AT_ONCE)):
        rows += adapter.validate_python(part)
    return rows
