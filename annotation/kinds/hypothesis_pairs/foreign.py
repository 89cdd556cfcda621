"""Preferences of other programs as choices between two hypotheses."""

from collections.abc import Mapping
from typing import Any

from annotation.kinds.foreign_answers import PREFERENCE, ForeignAnswers, Options
from annotation.kinds.hypothesis_pairs.schema import AS_LISTED, SIDE


def _fields(options: Options, details: str) -> dict[str, Any]:
    empty = {"rationale": "", "model": "", "arm": "", "score": None}
    hypotheses = [{"hypothesis": text, **empty} for _, text in options]
    return {"background": "", "hypotheses": hypotheses}


def _answer(value: Any, ids: Mapping[str, str], comment: str) -> tuple[str, dict[str, Any]]:
    return value or "", {"choice": value, "because": None, "comment": comment}


FOREIGN = ForeignAnswers(PREFERENCE, _fields, _answer, arms={SIDE: AS_LISTED})
