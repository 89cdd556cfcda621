from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from annotation.kinds.ratings.mixed_sets import mix_question_sets
from backend.benchmarks.rns.lookup import get_set_by_name_or_raise
from backend.common.command_utils import JsonCommand, Output, parse_seed
from backend.common.pluralize import pluralize


class MixQueries(JsonCommand):
    help = (
        "Mix question sets of queries into one, shuffled and without their source, for a study of "
        "ratings whose statistics compare the sources."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("sets", nargs="+", metavar="SET", help="names of question sets")
        parser.add_argument("--name", required=True, help="of the new question set")
        parser.add_argument("--seed", type=parse_seed, help="of the order, drawn by default")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        sets = [get_set_by_name_or_raise(one) for one in options["sets"]]
        mixed = mix_question_sets(actor=None, name=options["name"], sets=sets, seed=options["seed"])
        lines = [
            f"Question set '{mixed.name}': {pluralize(mixed.queries, 'query', 'queries')}, "
            f"seed {mixed.seed}."
        ]
        lines += [f"{one.queries:,} from '{one.name}'." for one in mixed.sources]
        lines += [
            f"Experts can look up {pluralize(one.public, 'query', 'queries')} of '{one.name}', "
            "which are public."
            for one in mixed.sources
            if one.public
        ]
        return asdict(mixed), lines


COMMANDS = {"mix_queries": MixQueries}
