from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from annotation.kinds.figures import Figure, Section
from annotation.release_record import with_pseudonyms
from annotation.statistics import compute_statistics
from backend.common.command_utils import JsonCommand, Output, parse_seed
from backend.studies.lookup import get_study_by_name_or_raise
from backend.studies.models import Study


class Command(JsonCommand):
    help = (
        "The statistics of a study: agreement, effects of arms, stability, checks of the experts. "
        "Each number has its n, its interval or why there is none, and its method. Experts have "
        "the pseudonyms of the study's export."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="NAME", help="the study's name")
        parser.add_argument(
            "--seed", type=parse_seed, help="of the resampling; default: the study's own"
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        study = get_study_by_name_or_raise(options["study"])
        sections = [
            with_pseudonyms(study, one) for one in compute_statistics(study, seed=options["seed"])
        ]
        payload = {
            "study": study.name,
            "kind": study.kind,
            "status": study.status,
            "sections": [asdict(one) for one in sections],
        }
        return payload, _report_lines(study, sections)


def _report_lines(study: Study, sections: list[Section]) -> Iterator[str]:
    yield f"Study '{study.name}' ({study.kind}, {study.status})."
    for section in sections:
        yield ""
        yield f"{section.title}. {section.note}".rstrip()
        for figure in section.figures:
            yield _figure_line(figure)
        for method in dict.fromkeys(one.method for one in section.figures):
            yield f"  Method: {method}."


def _figure_line(figure: Figure) -> str:
    who = f" ({figure.expert})" if figure.expert else ""
    parts = [f"  {figure.label}{who}:", _value_text(figure), f"n {figure.n:,} {figure.unit};"]
    if figure.low is not None:
        parts.append(f"95 % interval {figure.low:.3f} to {figure.high:.3f}.")
    elif figure.value is not None:
        parts.append(figure.interval_reason)
    if figure.p_value is not None:
        parts.append(f"p {figure.p_value:.4g}.")
    if figure.adjusted_p is not None:
        parts.append(f"Adjusted p {figure.adjusted_p:.4g}.")
    if figure.is_flagged:
        parts.append("Flagged.")
    return " ".join(filter(None, [*parts, figure.note]))


def _value_text(figure: Figure) -> str:
    return figure.reason if figure.value is None else f"{figure.value:.4g};"
