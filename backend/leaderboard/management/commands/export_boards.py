"""Write all public boards to files that need no server."""

import hashlib
import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.utils import timezone
from rest_framework.renderers import JSONRenderer

from backend.benchmarks.models import ReleaseSplit
from backend.benchmarks.policies import visible_releases
from backend.common.command_utils import JsonCommand, Output
from backend.common.serializers import validate
from backend.leaderboard.api.board_serializers import BoardFilterSerializer
from backend.leaderboard.api.boards import read_board
from backend.leaderboard.board_csv import board_csv

INDEX = "index.json"


class Command(JsonCommand):
    help = (
        "Write every board that visitors see as CSV and JSON, as the API answers them, and "
        "index.json with the SHA-256 of each file. Files of an earlier export are replaced, or "
        "removed where their board is no longer public."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, metavar="FOLDER")

    def run(self, options: dict[str, Any]) -> Output:
        folder: Path = options["folder"]
        folder.mkdir(parents=True, exist_ok=True)
        earlier = read_names(folder)
        boards = list(export_boards(folder))
        index = {"exported_at": timezone.now().isoformat(), "boards": boards}
        replace_file(folder / INDEX, (json.dumps(index, indent=2) + "\n").encode())
        for name in earlier - names_of(boards):
            (folder / name).unlink(missing_ok=True)
        return index, [f"{len(boards):,} boards are in {folder}."]


def read_names(folder: Path) -> set[str]:
    """The files of the export that lies there; none where it was damaged."""
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        return {Path(name).name for name in names_of(index["boards"])}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def names_of(boards: Iterable[Mapping[str, Any]]) -> set[str]:
    return {name for board in boards for name in board["files"]}


def replace_file(path: Path, content: bytes) -> None:
    """No reader meets a part of it."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(path)


def export_boards(folder: Path) -> Iterator[dict[str, Any]]:
    """Boards with entries, each described as in the index."""
    for release in visible_releases(None).order_by("slug"):
        for split in ReleaseSplit.values:
            chosen = validate(BoardFilterSerializer(data={"split": split}))
            board, rows = read_board(release, chosen)
            if not rows:
                continue
            contents = {
                "csv": board_csv(board, rows, board["slices"]).encode(),
                "json": JSONRenderer().render({**board, "results": rows}),
            }
            files = {}
            for suffix, content in contents.items():
                name = f"{release.slug}-{split}.{suffix}"
                replace_file(folder / name, content)
                files[name] = hashlib.sha256(content).hexdigest()
            described = {name: board[name] for name in ("release", "split", "standing", "entries")}
            yield {**described, "files": files}
