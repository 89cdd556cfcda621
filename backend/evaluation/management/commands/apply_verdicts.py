"""Make a corrected release of a study's verdicts on unjudged answers."""

import uuid
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.common.errors import NotFound
from backend.common.pluralize import pluralize
from backend.evaluation.management.awaited_jobs import run_or_await
from backend.evaluation.pool_verdicts import apply_verdicts, get_pool_study_or_raise
from backend.studies.models import Study


class Command(JsonCommand):
    help = "Answers judged true become gold in a corrected release; all entries are scored again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("study", metavar="STUDY", help="its name or id")
        parser.add_argument("--name", default="", help="of the corrected release")
        parser.add_argument(
            "--partial", action="store_true", help="although some answers wait for experts"
        )

    def run(self, options: dict[str, Any]) -> Output:
        pool_study = get_pool_study_or_raise(find_study(options["study"]))
        applied = apply_verdicts(
            actor=None,
            pool_study=pool_study,
            name=options["name"],
            is_partial=options["partial"],
            is_local=True,
        )
        run_or_await(applied.job)
        corrected, counts = applied.corrected, applied.counts
        corrected.refresh_from_db()
        scored = corrected.submissions.count()
        payload = {
            "release": corrected.slug,
            "corrects": corrected.corrects.slug if corrected.corrects else None,
            "state": corrected.state,
            "verdicts": asdict(counts),
            "dropped": applied.dropped,
            "submissions": scored,
        }
        lines = [
            f"Release '{corrected.slug}', {corrected.state}, has the verdicts: {counts.true:,} "
            f"true, {counts.false:,} false.",
            f"{counts.undecided:,} undecided and {counts.waiting:,} without enough answers are "
            "left out.",
            f"{pluralize(applied.dropped, 'verdict')} false on true answers: left out.",
            f"{pluralize(scored, 'submission')} scored again.",
        ]
        return payload, lines


def find_study(named: str) -> uuid.UUID:
    try:
        return uuid.UUID(named)
    except ValueError:
        study = Study.objects.filter(name=named).first()
    if study is None:
        raise NotFound(f"There is no study '{named}'.")
    return study.pk
