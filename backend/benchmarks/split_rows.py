"""Items and hidden answers of a split in the form of their track, in the order of the release."""

from collections.abc import Iterable, Sequence
from types import GenericAlias
from typing import Any

from pydantic import TypeAdapter

from backend.benchmarks.models import HiddenAnswer, Item, Release
from backend.benchmarks.track_catalogue import get_track_or_raise


def load_contents(release: Release, split: str) -> Sequence[Any]:
    """The public items."""
    rows = Item.objects.filter(release=release, split=split).order_by("position")
    return _read(
        get_track_or_raise(release.track).item_schema, rows.values_list("content", flat=True)
    )


def load_answers(release: Release, split: str) -> Sequence[Any]:
    """Hidden answers in the order of the items. No public read loads them."""
    rows = HiddenAnswer.objects.filter(item__release=release, item__split=split)
    contents = rows.order_by("item__position").values_list("content", flat=True)
    return _read(get_track_or_raise(release.track).answer_schema, contents)


def _read(schema: type, contents: Iterable[Any]) -> Sequence[Any]:
    form: Any = GenericAlias(list, (schema,))  # which schema is known at run time
    rows: Sequence[Any] = TypeAdapter(form).validate_python(list(contents))
    return rows
