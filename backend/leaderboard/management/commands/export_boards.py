"""Write all public boards to files that need no server."""

import hashlib
import json
from argparse import ArgumentParser
from collections.abc import Iterator
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


class Command(JsonCommand):
    help = (
        "Write every board that visitors see as CSV and JSON, as the API answers them, and "
        "index.json with the SHA-256 of each file. Files of an earlier export are replaced."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, metavar="FOLDER")

    def run(self, options: dict[str, Any]) -> Output:
        folder: Path = options["folder"]
        folder.mkdir(parents=True, exist_ok=True)
        boards = list(export_boards(folder))
        index = {"exported_at": timezone.now().isoformat(), "boards": boards}
        (folder / "index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")
        return index, [f"{len(boards):,} boards are in {folder}."]


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
                (folder / name).write_bytes(content)
                files[name] = hashlib.sha256(content).hexdigest()
            described = {name: board[name] for name in ("release", "split", "standing", "entries")}
            yield {**described, "files": files}
