"""All public boards as files that need no server."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.utils import timezone
from rest_framework.renderers import JSONRenderer

from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.policies import visible_releases
from backend.common.serializers import validate
from backend.leaderboard.api.board_serializers import BoardFilterSerializer
from backend.leaderboard.api.boards import ExportedBoard
from backend.runtime.atomic_files import write_whole

INDEX = "index.json"


def export_boards(folder: Path) -> dict[str, Any]:
    """Write every board that visitors see as CSV and JSON, as the API answers them; the index.

    Files of an earlier export are replaced, or removed where their board is no longer public.
    """
    earlier = _read_names(folder)
    boards = list(_write_boards(folder))
    index = {"exported_at": timezone.now().isoformat(), "boards": boards}
    _replace_file(folder / INDEX, (json.dumps(index, indent=2) + "\n").encode())
    for name in earlier - _names_of(boards):
        (folder / name).unlink(missing_ok=True)
    return index


def _read_names(folder: Path) -> set[str]:
    """The files of the export that lies there; none where it was damaged."""
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        return {Path(name).name for name in _names_of(index["boards"])}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _names_of(boards: Iterable[Mapping[str, Any]]) -> set[str]:
    return {name for board in boards for name in board["files"]}


def _replace_file(path: Path, content: bytes) -> None:
    write_whole(path, lambda file: file.write(content))


def _write_boards(folder: Path) -> Iterator[dict[str, Any]]:
    """Boards with entries, each described as in the index."""
    for release in visible_releases(None).order_by("slug"):
        for split in ReleaseSplit.values:
            chosen = validate(BoardFilterSerializer(data={"split": split}))
            exported = ExportedBoard.read(release, chosen)
            if not exported.rows:
                continue
            exported = exported.with_figures(None, release)
            contents = {
                "csv": exported.to_csv(exported.board["slices"]).encode(),
                "json": JSONRenderer().render(exported.to_json()),
            }
            files = {}
            for suffix, content in contents.items():
                name = f"{release.slug}-{split}.{suffix}"
                _replace_file(folder / name, content)
                files[name] = hashlib.sha256(content).hexdigest()
            shown = ("release", "split", "standing", "entries")
            yield {**{name: exported.board[name] for name in shown}, "files": files}
