"""How well models that are trained here predict held-out links of a graph."""

from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from backend.benchmarks.management.commands.embed import format_auc, format_ranks
from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.common.command_utils import JsonCommand, Output, parse_seed
from backend.graphs.graph_access import open_version_snapshot
from backend.science.embeddings.triple_models import TRIPLE_MODELS, TripleSettings
from backend.science.embeddings.triple_trial import TripleQuality, TripleTrial
from backend.science.embeddings.vector_models import VECTOR_MODELS
from backend.science.embeddings.vector_trial import measure_vectors


class Command(JsonCommand):
    help = (
        "Train models without a twentieth of a graph's links, and compare these with unlinked "
        "pairs and among all entities. The same seed gives the same numbers."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = [*TRIPLE_MODELS, *VECTOR_MODELS]
        parser.add_argument("graph", metavar="GRAPH", help="slug, slug@number or snapshot")
        parser.add_argument(
            "--model", nargs="+", choices=names, default=names, help="all without it"
        )
        parser.add_argument(
            "--without-types",
            action="store_true",
            help="an end is replaced by any entity in the training, not by one of its type",
        )
        parser.add_argument("--seed", type=parse_seed, default=0)
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["graph"])
        snapshot, settings = open_version_snapshot(version), TripleSettings(seed=options["seed"])
        sides = snapshot.forward, snapshot.reverse
        trial = TripleTrial.draw(*sides, snapshot.type_of, seed=settings.seed)
        uses_types = not options["without_types"]

        def measure(name: str) -> TripleQuality:
            if name in TRIPLE_MODELS:
                return trial.measure(TRIPLE_MODELS[name], settings, uses_types=uses_types)
            model = VECTOR_MODELS[name]
            return measure_vectors(trial, sides, model, settings.seed, uses_types=uses_types)

        measured = {name: measure(name) for name in options["model"]}
        lines = [line for name, one in measured.items() for line in quality_lines(name, one)]
        body = {name: asdict(one) for name, one in measured.items()}
        return {"snapshot": version.snapshot, "uses_types": uses_types, "models": body}, lines


def quality_lines(name: str, quality: TripleQuality) -> Iterator[str]:
    for one in quality.aucs:
        ours, theirs = (format_auc(asdict(auc)) for auc in (one.embedding, one.degree_product))
        yield f"{name}, {one.n} links, {one.negatives} negatives: AUC {ours}; degrees {theirs}."
    ranks = asdict(quality.ranks)
    yield f"{name}, {ranks['n']} ends ranked among all entities: MRR {format_ranks(ranks)}."
