from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import MISSING, asdict, fields
from typing import Any

from annotation.study_plans import JUDGEMENTS, PlanRequest, StudyPlan, plan_study
from backend.common.command_utils import JsonCommand, Output
from backend.common.pluralize import pluralize

HELP = {
    "raters": "how many people judge",
    "items": "how many pairs, questions, claims or items are judged",
    "hours_per_rater": "instead of items: the hours that each rater has",
    "overlap": "raters of each item",
    "seconds": "active time of a judgement",
    "preference": "of pairs: the share that prefers one arm",
    "candidates": "of rankings: candidates of a question",
}


class Command(JsonCommand):
    help = (
        "Plan a study by simulation: how wide its intervals will be, its power, and the hours "
        "that it takes. Nothing is stored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("judgement", choices=[*JUDGEMENTS], help="what raters do")
        for one in fields(PlanRequest):
            if one.name not in HELP:
                continue
            default = None if one.default is MISSING else one.default
            parser.add_argument(
                f"--{one.name.replace('_', '-')}",
                type=float if "float" in str(one.type) else int,
                default=default,
                required=one.default is MISSING,
                help=HELP[one.name] + ("" if default is None else f"; default: {default:g}"),
            )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        request = PlanRequest(**{one.name: options[one.name] for one in fields(PlanRequest)})
        plan = plan_study(request)
        return {**asdict(request), **asdict(plan)}, _lines(request, plan)


def _lines(request: PlanRequest, plan: StudyPlan) -> Iterator[str]:
    yield plan.sentence
    for one in plan.figures:
        spread = f"95 % of such studies {one.low:.2f} to {one.high:.2f}"
        yield f"  {one.label}: {one.value:.2f}; {spread}."
    if plan.power is not None:
        yield f"  Power of the sign test at 5 %: {100 * plan.power:.0f} %."
    raters = pluralize(request.raters, "rater")
    yield (
        f"  Work: {pluralize(plan.judgements, 'judgement')}, {plan.hours:.1f} hours; "
        f"{plan.hours_per_rater:.1f} for each of {raters}."
    )
    yield from (f"  {one}" for one in plan.notes)
    yield from (f"Warning: {one}" for one in plan.warnings)
