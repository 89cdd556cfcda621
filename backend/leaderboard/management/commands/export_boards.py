"""Write all public boards to files that need no server."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.leaderboard.board_exports import export_boards


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
        index = export_boards(folder)
        return index, [f"{len(index['boards']):,} boards are in {folder}."]
