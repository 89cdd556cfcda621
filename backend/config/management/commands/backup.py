"""Store the database and every file that it refers to in a folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.config.backups import find_missing_files, make_backup


class Command(JsonCommand):
    help = "Store the database, graphs, uploads and results in a new folder, with checksums."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, metavar="FOLDER")

    def run(self, options: dict[str, Any]) -> Output:
        manifest = make_backup(options["folder"])
        missing = find_missing_files()
        payload = {
            "folder": str(options["folder"]),
            "files": len(manifest.files),
            "missing": missing,
        }
        lines = [f"{len(manifest.files):,} files are in {options['folder']}."]
        return payload, [*lines, *(f"Lost before this backup: {name}." for name in missing)]
