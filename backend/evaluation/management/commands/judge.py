"""Let a language model judge texts from 1 to 5, or pairs of hypotheses in both orders."""

from argparse import ArgumentParser
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from backend.benchmarks.file_discovery import read_source_files
from backend.common.command_utils import JsonCommand, Output, parse_count, progress_bar
from backend.common.errors import DomainError
from backend.evaluation.judging.pair_questions import read_pair_files, read_study_pairs
from backend.evaluation.judging.reports import (
    JudgeReport,
    report_pairs,
    report_scores,
    write_lines,
)
from backend.evaluation.judging.score_files import read_text_file
from backend.evaluation.judging.votes import MOST_VOTES, Judge, JudgeAnswers, judge_items
from backend.jobs.faults import PlatformFault
from backend.llm.endpoints import get_endpoint_by_name_or_raise
from backend.llm.management.commands.add_endpoint import parse_budget
from backend.studies.lookup import get_study_by_name_or_raise
from backend.tracks.judge_tasks import PAIR_TASK, SCORE_TASKS

PAIRS = "pairs"


class Command(JsonCommand):
    help = (
        "Let a model score texts from 1 to 5, or choose between two hypotheses in both orders. "
        "Repeating a command that was stopped repeats no call that was paid for."
    )
    lists_faults_of = "file"

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "source", metavar="FILE|STUDY", help="texts, a pairs file, or the name of a study"
        )
        parser.add_argument("--kind", required=True, choices=[*SCORE_TASKS, PAIRS])
        parser.add_argument("--endpoint", required=True, metavar="E", help="its name")
        parser.add_argument(
            "--votes", type=parse_count, default=1, metavar="V", help="of each item"
        )
        parser.add_argument("--budget", type=parse_budget, metavar="DOLLARS", default=Decimal(0))
        parser.add_argument("--into", type=Path, required=True, metavar="OUT")

    def run(self, options: dict[str, Any]) -> Output:
        judge = read_judge(options)
        with progress_bar("votes") as progress:
            options["progress"] = progress
            work = judge_pairs if options["kind"] == PAIRS else judge_texts
            try:
                report, answers = work(judge, options)
            except PlatformFault as error:
                message = f"{error.detail} Calls that were paid for are not repeated."
                raise DomainError(message, code=error.code) from error
        write_lines(options["into"], report.lines)
        payload = {
            **judge.describe(),
            **report.as_json(),
            "file": str(options["into"]),
            "calls": answers.calls,
            "spent": f"{answers.spent:.6f}",
        }
        return payload, [*describe(judge, report, answers)]


def read_judge(options: dict[str, Any]) -> Judge:
    endpoint = get_endpoint_by_name_or_raise(options["endpoint"])
    if options["votes"] > MOST_VOTES:
        raise DomainError(f"At most {MOST_VOTES} votes are drawn.", code="too_many_votes")
    task = PAIR_TASK if options["kind"] == PAIRS else SCORE_TASKS[options["kind"]]
    return Judge(endpoint, task, options["votes"])


def judge_texts(judge: Judge, options: dict[str, Any]) -> tuple[JudgeReport, JudgeAnswers[Any]]:
    rows = read_text_file(Path(options["source"]))
    items = {one.id: one.item for one in rows}
    answers = judge_items(judge, items, options["budget"], progress=options["progress"])
    return report_scores(judge, options["kind"], rows, answers), answers


def judge_pairs(judge: Judge, options: dict[str, Any]) -> tuple[JudgeReport, JudgeAnswers[Any]]:
    """A path that exists is a file; else it is the name of a study."""
    path = Path(options["source"])
    if path.exists():
        pairs = read_pair_files(*read_source_files([path]))
    else:
        pairs = read_study_pairs(get_study_by_name_or_raise(options["source"]))
    items = {one.key: one.shown for one in pairs}
    answers = judge_items(judge, items, options["budget"], progress=options["progress"])
    return report_pairs(judge, pairs, answers), answers


def describe(judge: Judge, report: JudgeReport, answers: JudgeAnswers[Any]) -> Iterator[str]:
    yield judge.name
    for name, value in report.figures.items():
        shown = "none" if value is None else f"{value:.3f}" if isinstance(value, float) else value
        yield f"{name.replace('_', ' ')}: {shown}"
    for outcome, count in sorted(report.faults.items()):
        yield f"without a judgement ({outcome.replace('_', ' ')}): {count:,} votes"
    yield f"{answers.calls:,} calls, ${answers.spent:.6f} spent"
