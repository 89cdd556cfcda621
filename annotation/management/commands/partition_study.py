"""Partition the candidates of a closed study's questions by its experts' orders."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from annotation.models import Study
from annotation.partitions import PartitionedStudy, make_partitions_of_study
from backend.common.commanding import refuse
from backend.common.errors import DomainError
from backend.common.words import counted


class Command(BaseCommand):
    help = (
        "For every question of a closed study that two or more experts put in order, store the "
        "top of their common order as the experts' partition, and that of the order shown first "
        "as the language models' where no file has one. What is there already is not stored again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="NAME", help="the study's name")
        parser.add_argument("--size", type=int, metavar="B", help="a fifth of them if left")
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            study = _named(options["study"])
            made = make_partitions_of_study(actor=None, study_id=study.id, size=options["size"])
        except DomainError as error:
            refuse(error, self.stdout, self.stderr, options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(asdict(made), default=str))
        else:
            self.stdout.writelines(f"{line}\n" for line in _told(made))


def _named(name: str) -> Study:
    found = Study.objects.filter(name=name).first()
    if found is None:
        raise DomainError(f"There is no study '{name}'.", code="unknown_study")
    return found


def _told(made: PartitionedStudy) -> list[str]:
    expert, llm = made.expert, made.llm
    not_sure, skipped = made.not_sure_left_out, made.skipped_left_out
    lines = [
        f"Study '{made.study}': {counted(made.questions, 'question')}.",
        f"Experts' partitions: {expert.partitions:,} ({expert.new:,} new, {expert.tied:,} with a "
        "tie that the order of the candidates decided).",
        f"Language models' partitions: {llm.partitions:,} ({llm.new:,} new, {llm.tied:,} with such "
        f"a tie); {made.kept:,} from elsewhere left as they are.",
        f"Answers left out: {not_sure:,} not sure, {skipped:,} skipped.",
        f"Partitions by RNS that a worker calibrates on them: {made.calibrations:,}.",
    ]
    reasons = {
        "fewer than two experts put it in order": made.few_raters,
        "it has not more candidates than were to be chosen": made.few_candidates,
    }
    left_out = ((number, why) for why, numbers in reasons.items() for number in numbers)
    return lines + [f"Left out: question {number}: {why}." for number, why in left_out]
