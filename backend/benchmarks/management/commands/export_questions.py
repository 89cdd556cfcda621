import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.benchmarks.formats.registry import get_format_or_raise, question_formats
from backend.benchmarks.question_records import split_without_paths
from backend.benchmarks.rns.lookup import get_set_by_name_or_raise
from backend.benchmarks.rns.partition_export import split_with_paths
from backend.common.command_utils import JsonCommand, Output


class Command(JsonCommand):
    help = (
        "Write a question set to files, by default SerenQA's: questions.json, as it was imported, "
        "and partitions.json, with all partitions."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question_set", metavar="QUESTION_SET", help="its name or id")
        parser.add_argument("--into", type=Path, required=True, metavar="FOLDER")
        exported = [name for name, one in question_formats().items() if one.export]
        parser.add_argument("--format", choices=exported, default="serenqa")
        parser.add_argument(
            "--without-paths", action="store_true", help="do not search paths of new partitions"
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        question_set = get_set_by_name_or_raise(options["question_set"])
        split = split_without_paths if options["without_paths"] else split_with_paths
        export = get_format_or_raise(options["format"]).export
        files = export(question_set, split) if export else {}
        into: Path = options["into"]
        into.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (into / name).write_bytes(content)
        counts = {name: count_records(name, content) for name, content in files.items()}
        lines = (f"{into / name}: {count:,} records." for name, count in counts.items())
        return {"question_set": str(question_set.pk), "files": counts}, lines


def count_records(name: str, content: bytes) -> int:
    return len(json.loads(content)) if name.endswith(".json") else len(content.splitlines())
