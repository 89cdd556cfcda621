"""Write the verdicts of a study of claims as the frozen set of a pinned judge."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.common.pluralize import pluralize
from backend.evaluation.judging.reports import write_lines
from backend.evaluation.judging.study_verdicts import freeze_study
from backend.studies.lookup import get_study_by_name_or_raise


class Command(JsonCommand):
    help = (
        "Write experts' verdicts of a study of claims that has ended, with the verifier's stored "
        "verdicts and the clusters of the rationales, for check_judge_drift."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("study", metavar="STUDY", help="its name")
        parser.add_argument("file", type=Path, metavar="FILE", help="to write, JSON Lines")

    def run(self, options: dict[str, Any]) -> Output:
        lines = freeze_study(get_study_by_name_or_raise(options["study"]))
        write_lines(options["file"], lines)
        unstored = sum(one["before"] is None for one in lines)
        clusters = len({one["cluster"] for one in lines})
        payload = {"claims": len(lines), "clusters": clusters, "unstored": unstored}
        claims = pluralize(len(lines), "claim")
        text = f"{claims} of {pluralize(clusters, 'cluster')} written to {options['file']}, "
        return payload, [f"{text}{unstored:,} without a stored verdict."]
