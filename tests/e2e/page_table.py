"""The table of weights and times of pages, printed at the end of a run of journeys.

Tests record its rows as properties of their reports: what a worker of xdist prints is lost.
"""

import os
from collections.abc import Iterable, Iterator

import pytest

PAGE_WEIGHT = "page_weight"
MAX_SCRIPTS_KB = 250
MAX_SHIFT = 0.05
FIRST_PAINT_GOAL_S = 0.3
FAST_3G_GOAL_S = 1.0


def page_table(reports: Iterable[pytest.TestReport]) -> list[str]:
    """Empty where no page was measured. A test that was run again has its last row."""
    rows = {report.nodeid: row for report in reports for row in rows_of(report)}
    if not rows:
        return []
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    return [
        f"load of {os.cpu_count()} processors over 1, 5 and 15 minutes: {load}",
        f"{'':58} {'scripts':>7} {'all':>7} {'req.':>5} {'first paint':>20} {'shift':>15}",
        f"{'':58} {'kB':>7} {'kB':>7} {'':5} {'cold s':>6} {'warm s':>6} {'3G s':>6} "
        f"{'wide':>7} {'phone':>7}",
        f"{'goals':58} {MAX_SCRIPTS_KB:7} {'':7} {'':5} {'':6} {FIRST_PAINT_GOAL_S:6} "
        f"{FAST_3G_GOAL_S:6} {MAX_SHIFT:7} {MAX_SHIFT:7}",
        *rows.values(),
    ]


def rows_of(report: pytest.TestReport) -> Iterator[str]:
    return (str(row) for name, row in report.user_properties if name == PAGE_WEIGHT)
