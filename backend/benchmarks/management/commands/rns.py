from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from typing import Any

from backend.benchmarks.rns.lookup import get_version_or_raise
from backend.benchmarks.rns.options import CHOICES, RnsOptions, parse_weights
from backend.benchmarks.rns.payloads import Payload, measures_payload
from backend.benchmarks.rns.scoring_context import open_scoring_context
from backend.benchmarks.rns.set_scoring import measure_sets, parse_sets
from backend.common.command_utils import JsonCommand, Output
from backend.graphs.graph_access import open_version_snapshot

PARTS = ("relevance", "novelty", "surprise")


def parse_weight_triple(text: str) -> dict[str, float]:
    try:
        values = [float(part) for part in text.split(",")]
        return dict(zip(PARTS, values, strict=True))
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not three numbers, as in 0.5,0.25,0.25") from None


def add_options(parser: ArgumentParser, *names: str) -> None:
    for name in names:
        if name == "weighted":
            parser.add_argument("--weighted", action="store_true", help="weight edges by sources")
        else:
            default = getattr(RnsOptions(), name)
            parser.add_argument(f"--{name}", choices=CHOICES[name], default=default)


def add_weights(parser: ArgumentParser) -> None:
    text = "of R, N and S; a third each by default"
    parser.add_argument("--weights", type=parse_weight_triple, metavar="A,B,C", help=text)


class Command(JsonCommand):
    help = "Relevance, novelty and surprise of two sets of entities of a graph (SerenQA, §2.2)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", metavar="SNAPSHOT", help="slug, slug@number or snapshot")
        for name in ("existing", "serendipity"):
            parser.add_argument(
                f"--{name}", nargs="+", action="extend", required=True, metavar="ID"
            )
        add_options(parser, *CHOICES, "weighted")
        add_weights(parser)
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        version = get_version_or_raise(options["snapshot"])
        given = parse_weights(options["weights"])
        basis = open_scoring_context(open_version_snapshot(version), RnsOptions.parse(options))
        existing, serendipity = parse_sets(basis, options["existing"], options["serendipity"])
        result = measure_sets(basis, existing, serendipity, given)
        body = {"snapshot": version.snapshot, **measures_payload(basis, result, given)}
        return body, _lines(body)


def _lines(body: Payload) -> Iterator[str]:
    for name in ("relevance", "novelty", "mutual_information", "surprise", "total"):
        yield f"{name:<20}{body[name]:.12f}"
    yield f"{'':20}(surprise within {body['surprise_error']:.1e})"
    yield "entities"
    for entity in body["entities"]:
        bare = "" if entity["embedded"] else "  (no embedding: counts as orthogonal to all)"
        yield f"{'':4}{entity['set']:<12}{entity['id']}  {entity['name']}{bare}"
    yield "p3, from the entity of a row to that of a column"
    for row in [*body["p3"], body["marginal"]]:
        if row is body["marginal"]:
            yield f"marginal (within {body['marginal_error']:.1e})"
        yield f"{'':4}{' '.join(f'{value:.6e}' for value in row)}"
    for name in ("weights", "parameters"):
        summary = ", ".join(f"{key} {value}" for key, value in body[name].items())
        yield f"{name}: {summary}"
    for auc in body["embedding"]["aucs"]:
        ours, theirs = (auc[name]["value"] for name in ("embedding", "degree_product"))
        yield (
            f"embedding, {auc['n']} links held out against {auc['negatives']} negatives: "
            f"AUC {_format_number(ours)}, by degree alone {_format_number(theirs)}"
        )


def _format_number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"
