"""Train a search of STaRK's entities on the dev split of a release."""

from argparse import ArgumentParser
from typing import Any

from backend.benchmarks.models import Release
from backend.benchmarks.rns.jobs import run_or_raise
from backend.common.command_utils import JsonCommand, Output, parse_seed
from backend.common.errors import NotFound
from backend.evaluation.model_training import training_request


class Command(JsonCommand):
    help = (
        "Train the retriever, or the reasoner on it, on the answers of a release's dev split, "
        "store it with its card, and print metrics of that split, cross-fitted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("release", metavar="RELEASE", help="its slug")
        parser.add_argument(
            "--model", default="retriever", metavar="NAME", help="retriever or reasoner"
        )
        parser.add_argument("--seed", type=parse_seed, default=0, metavar="N")
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        release = Release.objects.filter(slug=options["release"]).first()
        if release is None:
            raise NotFound(f"There is no release '{options['release']}'.")
        model = options["model"]
        card = run_or_raise(training_request(release, model, options["seed"])).result
        left_out = f"{card['left_out']:,} have no answer in the graph"
        lines = [
            f"Trained on {card['questions']:,} dev questions ({left_out}).",
            f"On these, each answered by a model without its fold, of {card['folds']} folds:",
            *(metric_line(name, figures) for name, figures in card["dev"].items()),
            f"Predict with: run_baseline {model} --release {release.slug} --seed {options['seed']}",
        ]
        return {"release": release.slug, "model": model, **card}, lines


def metric_line(name: str, figures: dict[str, list[float]]) -> str:
    parts = (
        f"{label} {mean:.3f} ({low:.3f} to {high:.3f})"
        for label, (mean, low, high) in figures.items()
    )
    return f"{name}: {', '.join(parts)}"
