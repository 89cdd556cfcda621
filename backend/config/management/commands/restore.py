"""Restore a backup into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.config.backups import find_missing_files, restore_backup


class Command(JsonCommand):
    help = "Restore a backup into an empty database. Every checksum is compared first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, metavar="FOLDER")

    def run(self, options: dict[str, Any]) -> Output:
        manifest = restore_backup(options["folder"])
        missing = find_missing_files()
        payload = {"files": len(manifest.files), "of": manifest.created_at, "missing": missing}
        lines = [
            f"The backup of {manifest.created_at} was restored: {len(manifest.files):,} files."
        ]
        return payload, [*lines, *(f"Not in the backup: {name}." for name in missing)]
