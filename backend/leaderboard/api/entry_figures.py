"""Figures that stand beside the entries of the present board: judged@k, groundedness."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from backend.accounts.models import User
from backend.benchmarks.models import Release
from backend.evaluation.grounding.groundedness import ClaimJudge
from backend.evaluation.visibility import shows_pool_figures
from backend.leaderboard.api.groundedness import (
    BoardGroundednessColumns,
    JudgedColumns,
    read_columns,
)
from backend.leaderboard.api.judged import JudgedBoard, read_judged_board

Values = Mapping[str, Any]  # of a column, by submission


@dataclass(frozen=True)
class EntryFigures:
    """None of an earlier standing."""

    judged: JudgedBoard | None = None
    groundedness: BoardGroundednessColumns | None = None

    @classmethod
    def read(
        cls, actor: User | None, release: Release, split: str, *, has_bins: bool = True
    ) -> Self:
        """Those that the actor may see, of all entries that stand."""
        is_shown = shows_pool_figures(actor, release, split)
        judges = read_columns(actor, release, split, has_bins=has_bins)
        columns = BoardGroundednessColumns(split, judges)
        return cls(read_judged_board(release, split, is_shown), columns)

    def select(self, submissions: Collection[str]) -> Self:
        """Those of some entries."""
        judged = self.judged and replace(
            self.judged,
            entries=[one for one in self.judged.entries if str(one.submission) in submissions],
        )
        grounded = self.groundedness and replace(
            self.groundedness,
            judges=[
                replace(
                    one, entries=[it for it in one.entries if str(it.submission) in submissions]
                )
                for one in self.groundedness.judges
            ],
        )
        return type(self)(judged, grounded)

    def columns(self) -> dict[str, Values]:
        """By name, as a table has them."""
        return {**dict(self._judged_columns()), **dict(self._grounded_columns())}

    def _judged_columns(self) -> Iterator[tuple[str, Values]]:
        if self.judged is None or self.judged.depth is None:
            return
        rows = {str(one.submission): one for one in self.judged.entries}
        of = " of an earlier board" if self.judged.is_outdated else ""
        yield (
            f"judged@{self.judged.depth}{of}",
            {name: one.judged for name, one in rows.items()},
        )
        for bound in ("low", "high"):
            name = f"{self.judged.metric} {bound} bound{of}"
            yield name, {at: getattr(one, bound) for at, one in rows.items()}

    def _grounded_columns(self) -> Iterator[tuple[str, Values]]:
        judges = self.groundedness.judges if self.groundedness else []
        for number, one in enumerate(judges, start=1):
            yield from _columns_of_judge(f"groundedness {number}", one)


def _columns_of_judge(name: str, judged: JudgedColumns) -> Iterator[tuple[str, Values]]:
    """Two judges may have one name, so each has a number, and a column with its name."""
    columns: dict[str, dict[str, Any]] = {f"{name} judge": {}}
    for entry in judged.entries:
        at = str(entry.submission)
        columns[f"{name} judge"][at] = judge_name(judged.judge)
        for cell in entry.cells:
            for part in ("value", "low", "high", "n"):
                columns.setdefault(f"{name} {cell.source} {part}", {})[at] = getattr(cell, part)
        for corrected in entry.corrected:
            for part in ("value", "low", "high", "verified"):
                column = columns.setdefault(f"{name} {corrected.source} corrected {part}", {})
                column[at] = getattr(corrected, part)
    yield from columns.items()


def judge_name(judge: ClaimJudge) -> str:
    """As the page names it."""
    if judge.model:
        return f"{judge.model} at {judge.endpoint}, prompts {judge.version}"
    return f"{judge.verifier} verifier {judge.version}"
