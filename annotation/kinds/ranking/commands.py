from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from annotation.kinds.ranking.partitions import (
    ConsensusPartitions,
    create_consensus_partitions,
    prepare_memberships,
)
from backend.common.command_utils import JsonCommand, Output, progress_bar
from backend.common.pluralize import pluralize
from backend.studies.lookup import get_study_by_name_or_raise


class PartitionStudy(JsonCommand):
    help = (
        "For every question of a study that two or more experts ranked, store the top of "
        "their common order as the experts' partition, and the top of the prior as the language "
        "models' partition where no file has one. Partitions that have not changed stay."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="NAME", help="the study's name")
        parser.add_argument(
            "--size", type=int, metavar="B", help="size of the top; default a fifth"
        )
        parser.add_argument(
            "--adjudicated",
            action="store_true",
            help="an adjudicated order replaces the experts' common order",
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        study = get_study_by_name_or_raise(options["study"])
        with progress_bar("questions") as show:
            prepare_memberships(
                actor=None,
                study_id=study.id,
                size=options["size"],
                progress=lambda done, total: show(done),
            )
        created = create_consensus_partitions(
            actor=None,
            study_id=study.id,
            size=options["size"],
            use_adjudicated=options["adjudicated"],
        )
        return asdict(created), _report_lines(created)


def _report_lines(created: ConsensusPartitions) -> list[str]:
    expert, llm = created.expert, created.llm
    not_sure, skipped = created.not_sure_left_out, created.skipped_left_out
    lines = [
        f"Study '{created.study}': {pluralize(created.questions, 'question')}.",
        f"Questions with an expert partition: {expert.partitions:,} ({expert.new:,} new). "
        f"Ties at its edge, split by the order of the candidates: {expert.tied:,}.",
        f"Of these from an adjudicated order: {created.adjudicated:,}.",
        f"Questions with a language model partition from the prior: {llm.partitions:,} "
        f"({llm.new:,} new). Ties: {llm.tied:,}. Partitions from files, unchanged: "
        f"{created.llm_unchanged:,}.",
        f"Answers not used: {not_sure:,} 'not sure', {skipped:,} skipped.",
        f"Expert partitions without P(in A_s) of each candidate, whose ties have no model: "
        f"{created.without_membership:,}.",
        f"RNS partitions that a worker now fits to the expert partitions: "
        f"{created.calibrations:,}.",
    ]
    lines += [
        f"P(in A_s) prefers a candidate outside the top: batch {one.batch}, question {one.number}."
        for one in created.other_top
    ]
    reasons = {
        "fewer than two experts ranked it": created.few_raters,
        "it has too few candidates": created.few_candidates,
        "a coordinator excluded it": created.excluded,
    }
    return lines + [
        f"No expert partition: batch {one.batch}, question {one.number}: {why}."
        for why, omitted in reasons.items()
        for one in omitted
    ]


COMMANDS = {"partition_study": PartitionStudy}
