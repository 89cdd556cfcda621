"""Draw some of the texts that a model scores, for experts who rate them."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.common.command_utils import (
    JsonCommand,
    Output,
    parse_count,
    parse_seed,
    report_unwritable,
)
from backend.common.pluralize import pluralize
from backend.evaluation.judging.rated_texts import sample_entries
from backend.evaluation.judging.score_files import read_text_file
from backend.tracks.judge_tasks import SCORE_TASKS

TEXTS = 100


class Command(JsonCommand):
    help = (
        "Draw texts of a file for experts who rate them on the scales of a judge, and write a "
        "questionnaire for 'create_study ratings'. All texts are equally likely."
    )
    lists_faults_of = "file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, metavar="FILE", help="that 'judge' reads")
        parser.add_argument("--kind", required=True, nargs="+", choices=[*SCORE_TASKS])
        parser.add_argument("--texts", type=parse_count, default=TEXTS, metavar="N", help="drawn")
        parser.add_argument("--seed", type=parse_seed, default=0, help="of the draw")
        parser.add_argument("--into", type=Path, required=True, metavar="OUT")

    def run(self, options: dict[str, Any]) -> Output:
        rows = read_text_file(options["file"])
        kinds = [*dict.fromkeys(options["kind"])]
        entries = sample_entries(rows, kinds, options["texts"], options["seed"])
        with report_unwritable(options["into"]):
            text = json.dumps(entries, ensure_ascii=False, indent=1)
            options["into"].write_text(f"{text}\n", encoding="utf-8")
        drawn = pluralize(len(entries), "text")
        payload = {"texts": len(rows), "drawn": len(entries), "file": str(options["into"])}
        return payload, [f"{drawn} of {len(rows):,} drawn by seed {options['seed']}."]
