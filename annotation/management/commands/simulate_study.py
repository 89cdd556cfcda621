from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from annotation.simulation import MAX_RATERS, simulate_study
from backend.common.command_utils import JsonCommand, Output, parse_seed
from backend.common.errors import DomainError
from backend.common.pluralize import pluralize
from backend.studies.lookup import get_study_by_name_or_raise


class Command(JsonCommand):
    help = (
        "Let simulated experts answer an open study, to try it before people do. Lists and exports "
        "mark these experts; partitions and statistics include them, so use a study of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="NAME", help="the study's name")
        parser.add_argument("--raters", type=int, default=6, help="simulated experts; default 6")
        parser.add_argument("--seed", type=parse_seed, default=1)
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        if not 1 <= options["raters"] <= MAX_RATERS:
            raise DomainError(f"--raters must be from 1 to {MAX_RATERS}.", code="out_of_range")
        study = get_study_by_name_or_raise(options["study"])
        simulated = simulate_study(study=study, raters=options["raters"], seed=options["seed"])
        experts = pluralize(simulated.raters, "simulated expert")
        given = pluralize(simulated.answers, "answer")
        skips = f", {pluralize(simulated.skips, 'skipped question')}" if simulated.skips else ""
        line = f"Study '{simulated.study}': {experts}, {given}{skips}."
        return asdict(simulated), [line]
