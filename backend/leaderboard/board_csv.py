"""A board as a table: one line an entry, with intervals and versions.

The encoding is UTF-8 without a byte order mark, lines end with CR LF. A text that a spreadsheet
would run is escaped reversibly, as backend/validation/csv_escaping.py describes.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.conf import settings

from backend.leaderboard.coverage import cell_coverage
from backend.validation.csv_escaping import escape

PARTS = ("value", "low", "high", "n", "coverage", "interval")
NO_SCORE = (None, None, None, None)


def board_csv(
    board: Mapping[str, Any],
    rows: Iterable[Mapping[str, Any]],
    slices: Sequence[str],
    figures: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> str:
    """board: the description of the standing. slices: those whose scores are columns.

    figures: more columns by name, each with its values by submission.
    """
    keys = [f"{metric['id']} {name}" for metric in board["metrics"] for name in slices]
    board_cells = {
        "release": board["release"],
        "split": board["split"],
        "release_digest": board["release_digest"],
        "evaluator_version": board["evaluator_version"],
        "standing": board["standing"],
        "standing_at": board["created_at"],
    }
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    no_entry: Mapping[str, Any] = defaultdict(lambda: None)
    for at, row in enumerate([no_entry, *rows]):
        cells = {
            **_entry_cells(row),
            "queries": board["queries"],
            **_score_cells(row, keys),
            **{name: values.get(row["submission"]) for name, values in figures.items()},
            **board_cells,
        }
        writer.writerow([_cell(value) for value in (cells.values() if at else cells)])
    return buffer.getvalue()


def _entry_cells(row: Mapping[str, Any]) -> dict[str, Any]:
    model, rank = row["model"] or {}, row["rank"] or {}
    return {
        "model": model.get("name"),
        "model_slug": model.get("slug"),
        "organisation": model.get("organisation"),
        "parameters": row.get("run_parameters") or model.get("parameters"),
        "rank_best": rank.get("best"),
        "rank_worst": rank.get("worst"),
        "provenance": row["provenance"],
        "is_simulated": row["is_simulated"],
        "sample": row["sample"],
        "coverage": row["coverage"],
        "cost_usd": row["cost_usd"],
        "latency_s": row["latency_s"],
        "knowledge_until": row.get("knowledge_until"),
        "submitted_at": row["submitted_at"],
        "result": f"{settings.SITE_URL}/results/{row['submission']}",
        "query": row.get("query"),
    }


def _score_cells(row: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    scores, reasons = row["scores"] or {}, row.get("interval_reasons") or {}
    cells: dict[str, Any] = {}
    for key in keys:
        share = cell_coverage(row, key) if key in scores else None
        values = [*scores.get(key, NO_SCORE), share, reasons.get(key)]
        cells |= {f"{key} {part}": value for part, value in zip(PARTS, values, strict=True)}
    return cells


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return escape(value) if isinstance(value, str) else str(value)
