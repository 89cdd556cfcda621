"""Write a question set as SerenQA's files."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from backend.benchmarks.exporting import partitions_file, qa_file
from backend.benchmarks.serendipity.exporting import explained_split
from backend.benchmarks.serendipity.naming import set_or_raise
from backend.benchmarks.stored import plain_split
from backend.common.commanding import refuse
from backend.common.errors import DomainError


class Command(BaseCommand):
    help = (
        "Write a question set as SerenQA's files: questions.json, what was imported without loss, "
        "and partitions.json, with the partitions that were made since."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question_set", metavar="QUESTION_SET", help="its name or id")
        parser.add_argument("--into", type=Path, required=True, metavar="FOLDER")
        parser.add_argument(
            "--without-paths", action="store_true", help="do not search for the paths of new ones"
        )
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            question_set = set_or_raise(options["question_set"])
            split = plain_split if options["without_paths"] else explained_split
            files = {
                "questions.json": qa_file(question_set),
                "partitions.json": partitions_file(question_set, split),
            }
        except DomainError as error:
            refuse(error, self.stdout, self.stderr, options["json"])
        into: Path = options["into"]
        into.mkdir(parents=True, exist_ok=True)
        counts = {}
        for name, content in files.items():
            (into / name).write_bytes(content)
            counts[name] = len(json.loads(content))
        if options["json"]:
            self.stdout.write(json.dumps({"question_set": str(question_set.pk), "files": counts}))
            return
        for name, count in counts.items():
            self.stdout.write(f"{into / name}: {count:,} records.")
