"""Ratings of other programs on scales from 1 to 5."""

from collections.abc import Mapping
from typing import Any

from annotation.kinds.foreign_answers import LEVELS, ForeignAnswers, Options


def _fields(options: Options, details: str) -> dict[str, Any]:
    ends = {"low": "lowest", "high": "highest"}
    scales = [{"name": name, "question": name, **ends} for name, _ in options]
    return {"details": details, "scales": scales}


def _answer(value: Any, ids: Mapping[str, str], comment: str) -> tuple[str, dict[str, Any]]:
    levels = value or {}
    return "rated" if levels else "", {
        "levels": {name: levels.get(name) for name in ids},
        "unsure": {name: "other" for name in ids if levels and name not in levels},
        "comment": comment,
    }


FOREIGN = ForeignAnswers(LEVELS, _fields, _answer)
