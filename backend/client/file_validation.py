"""Checks of a file on this machine, without a server."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from pydantic import TypeAdapter

from backend.client.errors import UsageError
from backend.client.results import Validation
from backend.runtime.discovery import PLUGINS_VARIABLE
from backend.tracks.base import AnyTrack
from backend.tracks.item_table import ItemTable
from backend.tracks.predictions import check_predictions, name_other_split
from backend.tracks.registry import load_tracks
from backend.validation.row_files.faults import RowFaultList
from backend.validation.row_files.reader import read_rows

CARD, ENTITIES = "release.json", "entities.jsonl"


ENTITY_IDS = TypeAdapter(list[int | str])


def validate_file(
    path: Path | str, *, track: str, items: Path | str | None = None, split: str = "test"
) -> Validation:
    """Every fault of a file of predictions.

    items: the public items, a file or the folder that `Client.fetch` wrote, in which `split`
    chooses the file. With the folder the check is the server's; a file has no list of the entities
    that predictions may name. Without items it is that of the formats and the track's schema:
    unknown, missing and repeated items are not seen.

    Raises UsageError for an unknown track, a file that cannot be read, or items with faults.
    """
    known = get_track(track)
    file = open_file(path)
    with file:
        name = Path(path).name
        if items is None:
            return check_schema(known, file, name)
        checked = check_predictions(known, file, name, read_item_table(known, items, split))
    name_other_split(known, checked.faults, other_splits(known, Path(items), split))
    return Validation(
        is_valid=checked.is_valid,
        digest=checked.digest,
        items=len(checked.answered),
        answered=int(checked.answered.sum()),
        total=checked.faults.total,
        faults=tuple(checked.faults.listed),
        notices=checked.notices,
    )


def installed_tracks() -> Mapping[str, AnyTrack]:
    """Raises UsageError for a plugin that cannot be imported."""
    try:
        return load_tracks()
    except ImportError as error:
        message = f"A package of {PLUGINS_VARIABLE} cannot be imported: {error}."
        raise UsageError(message, code="plugin") from error


def get_track(slug: str) -> AnyTrack:
    tracks = installed_tracks()
    if slug not in tracks:
        message = f"There is no track '{slug}'. Choose one of: {', '.join(tracks)}."
        raise UsageError(message, code="unknown_track")
    return tracks[slug]


def open_file(path: Path | str) -> BinaryIO:
    """Raises UsageError."""
    try:
        return Path(path).open("rb")
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


def unreadable(path: Path | str, error: OSError | ValueError) -> UsageError:
    return UsageError(f"{path} cannot be read: {reason_of(error)}.", code="unreadable_file")


def reason_of(error: OSError | ValueError) -> str:
    """ValueError is for names that no file can have."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def check_schema(track: AnyTrack, file: BinaryIO, name: str) -> Validation:
    faults = RowFaultList()
    rows = sum(len(batch.lines) for batch in read_rows(file, name, track.prediction_rows, faults))
    return Validation(
        is_valid=not faults.total, answered=rows, total=faults.total, faults=tuple(faults.listed)
    )


def read_item_table(track: AnyTrack, items: Path | str, split: str) -> "ItemTable[object]":
    path, candidates = Path(items), None
    if path.is_dir():
        check_card(track, path)
        candidates = read_candidates(path / ENTITIES)
        path = items_path(path, split)
    with open_file(path) as file:
        read, faults = track.read_items(file, path.name)
    if faults.total:
        first = faults.listed[0]
        message = f"{path} has no items of '{track.slug}': line {first.line}, {first.message}"
        raise UsageError(message, code="invalid_items")
    return track.index_items(read, candidates)


def other_splits(
    track: AnyTrack, folder: Path, split: str
) -> Iterator[tuple[str, Sequence[object]]]:
    """The items of the folder's other splits; none of a file of items."""
    for path in folder.glob("items-*.jsonl") if folder.is_dir() else ():
        other = path.stem.removeprefix("items-")
        if other != split:
            with open_file(path) as file:
                yield other, track.read_items(file, path.name)[0]


def read_candidates(path: Path) -> frozenset[int | str] | None:
    """None if the release has no list of entities."""
    if not path.exists():
        return None
    try:
        with path.open("rb") as file:
            return frozenset(ENTITY_IDS.validate_json(b"[" + b",".join(file) + b"]"))
    except (OSError, ValueError) as error:
        message = f"{path} is not a list of entities. Fetch the release again."
        raise UsageError(message, code="invalid_items") from error


def items_path(folder: Path, split: str) -> Path:
    return folder / f"items-{split}.jsonl"


def check_card(track: AnyTrack, folder: Path) -> None:
    """Raises UsageError if the folder is that of a release of another track or version."""
    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        slug, version = str(card["track"]), str(card["evaluator_version"])
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"{folder / CARD} is not the card of a release. Fetch the release again."
        raise UsageError(message, code="invalid_items") from error
    if slug != track.slug:
        raise UsageError(f"{folder} has items of '{slug}', not '{track.slug}'.", code="wrong_track")
    if version != track.version:
        message = (
            f"The release is scored by version {version} of the track; this client has version "
            f"{track.version}. Install the client of the server."
        )
        raise UsageError(message, code="other_version")
