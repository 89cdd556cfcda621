"""RNS of two sets of entities of a graph, with everything that it was computed from."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand

from backend.benchmarks.serendipity.basis import basis_of
from backend.benchmarks.serendipity.bodies import Body, body_of_measures
from backend.benchmarks.serendipity.measuring import measure, sets_in
from backend.benchmarks.serendipity.naming import version_or_raise
from backend.benchmarks.serendipity.options import CHOICES, Options, weights_of
from backend.common.commanding import refuse
from backend.common.errors import DomainError
from backend.graphs.reading import snapshot_of

PARTS = ("relevance", "novelty", "surprise")


def weights(text: str) -> dict[str, float]:
    try:
        values = [float(part) for part in text.split(",")]
        return dict(zip(PARTS, values, strict=True))
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not three numbers, as in 0.5,0.25,0.25") from None


def add_options(parser: ArgumentParser, *names: str) -> None:
    """Options of RNS that have a few values each."""
    for name in names:
        values = CHOICES[name]
        parser.add_argument(f"--{name}", choices=values, default=getattr(Options(), name))


class Command(BaseCommand):
    help = "Relevance, novelty and surprise of two sets of entities of a graph (SerenQA, §2.2)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("snapshot", metavar="SNAPSHOT", help="slug, slug@number or snapshot")
        for name in ("existing", "serendipity"):
            parser.add_argument(
                f"--{name}", nargs="+", action="extend", required=True, metavar="ID"
            )
        add_options(parser, *CHOICES)
        parser.add_argument("--weighted", action="store_true", help="links weigh by their sources")
        parser.add_argument(
            "--weights", type=weights, metavar="A,B,C", help="of R, N and S; a third each if left"
        )
        parser.add_argument("--json", action="store_true", help="end with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            body = _measured(options)
        except DomainError as error:
            refuse(error, self.stdout, self.stderr, options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(body))
        else:
            self._tell(body)

    def _tell(self, body: Body) -> None:
        for name in ("relevance", "novelty", "mutual_information", "surprise", "total"):
            self.stdout.write(f"{name:<20}{body[name]:.12f}")
        self.stdout.write(f"{'':20}(surprise within {body['surprise_error']:.1e})")
        self._tell_entities(body)
        for name in ("weights", "parameters"):
            told = ", ".join(f"{key} {value}" for key, value in body[name].items())
            self.stdout.write(f"{name}: {told}")
        for auc in body["embedding"]["aucs"]:
            ours, theirs = (auc[name]["value"] for name in ("embedding", "degree_product"))
            self.stdout.write(
                f"embedding, {auc['n']} links held out against {auc['negatives']} negatives: "
                f"AUC {_number(ours)}, by degree alone {_number(theirs)}"
            )

    def _tell_entities(self, body: Body) -> None:
        self.stdout.write("entities")
        for entity in body["entities"]:
            bare = "" if entity["embedded"] else "  (no embedding: counts as orthogonal to all)"
            self.stdout.write(f"{'':4}{entity['set']:<12}{entity['id']}  {entity['name']}{bare}")
        self.stdout.write("p3, from the entity of a row to that of a column")
        for row in body["p3"]:
            self.stdout.write(f"{'':4}{' '.join(f'{value:.6e}' for value in row)}")
        self.stdout.write(f"marginal (within {body['marginal_error']:.1e})")
        self.stdout.write(f"{'':4}{' '.join(f'{value:.6e}' for value in body['marginal'])}")


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"


def _measured(options: dict[str, Any]) -> Body:
    version = version_or_raise(options["snapshot"])
    given = weights_of(options["weights"])
    basis = basis_of(snapshot_of(version), Options.of(options))
    existing, serendipity = sets_in(basis, options["existing"], options["serendipity"])
    found = measure(basis, existing, serendipity, given)
    return {"snapshot": version.snapshot, **body_of_measures(basis, found, given)}
