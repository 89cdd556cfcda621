"""Judgements of a file, as lines of a file and as figures."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

from backend.common.command_utils import report_unwritable
from backend.evaluation.judging.pair_questions import OrderedPair, answer_line
from backend.evaluation.judging.rated_texts import qid_of
from backend.evaluation.judging.score_files import TextToScore
from backend.evaluation.judging.votes import (
    Judge,
    JudgeAnswers,
    sum_up_choices,
    sum_up_scores,
)

FIRST_PLACE = "a"


@dataclass
class JudgeReport:
    """lines: of the file. figures: about all of it. faults: votes without a judgement."""

    lines: list[dict[str, Any]]
    figures: dict[str, Any]
    faults: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        return {"judged": len(self.lines), **self.figures, "faults": dict(self.faults)}


def report_scores(
    judge: Judge, kind: str, rows: Sequence[TextToScore], answers: JudgeAnswers[Any]
) -> JudgeReport:
    """A line for each text, also for one without a score: what is missing is counted, not 0."""
    report = JudgeReport([], {})
    values: list[float] = []
    for row in rows:
        score = sum_up_scores(answers.of(row.id))
        report.faults.update(score.faults)
        if score.value is not None:
            values.append(score.value)
        report.lines.append(
            {
                "id": row.id,
                "qid": qid_of(row),
                "question": row.item.question,
                "kind": kind,
                "score": score.value,
                "probability": score.probability,
                "method": score.method,
                "written": [*score.written],
                "reason": score.reason,
                "faults": dict(score.faults),
                **judge.describe(),
            }
        )
    mean = fmean(values) if values else None
    report.figures = {"scored": len(values), "unscored": len(rows) - len(values), "mean": mean}
    return report


def report_pairs(
    judge: Judge, pairs: Sequence[OrderedPair], answers: JudgeAnswers[Any]
) -> JudgeReport:
    """Lines that `import_judge` takes. first_share: of the choices for one side, those for the one
    that stood first; a half without position bias. flips: questions whose choice changes with the
    order, of those that were answered in both."""
    report = JudgeReport([], {})
    sides: dict[str, dict[str, str]] = {}
    for pair in pairs:
        vote = sum_up_choices(answers.of(pair.key))
        report.faults.update(vote.faults)
        line = answer_line(pair, judge, vote)
        if line is not None:
            report.lines.append(line)
            sides.setdefault(pair.qid, {})[pair.order] = line["choice"].removesuffix("_much")
    report.figures = order_figures(sides)
    return report


def order_figures(sides: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    shown = [
        side for by_order in sides.values() for side in by_order.values() if side in ("a", "b")
    ]
    both = [[*by_order.values()] for by_order in sides.values() if len(by_order) == 2]
    flips = sum(not is_consistent(*one) for one in both)
    return {
        "pairs": len(sides),
        "in_both_orders": len(both),
        "flips": flips,
        "first_share": shown.count(FIRST_PLACE) / len(shown) if shown else None,
    }


def is_consistent(first: str, second: str) -> bool:
    """Whether two choices in opposite orders mean the same hypothesis."""
    return {"a": "b", "b": "a"}.get(first, first) == second


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    with report_unwritable(path), path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
