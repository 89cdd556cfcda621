"""Count the rows that a source drops, and refuse a source that drops too many."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from backend.common.errors import DomainError
from backend.graphs.importers.common.record_builder import DROP_REASONS
from backend.graphs.source_records import EdgeRow, MalformedRow, NodeRow
from backend.validation.faults import Fault

MAX_DROPPED_SHARE = 0.05
MAX_REPORTED_ROWS = 100
EARLY_CHECK_ROWS = 100_000  # dropped rows after which more than half dropped ends the reading
SourceRow = TypeVar("SourceRow", NodeRow, EdgeRow)


class TooManyDropped(DomainError):
    code = "too_many_dropped"


@dataclass
class DropReport:
    """Counts of valid and dropped rows of one pass over a source.

    max_share: of dropped rows, beyond which an import is refused. It is computed separately for
    nodes and edges, so that a large table of nodes does not outweigh a table of edges in which
    every row is wrong.
    """

    max_share: float = MAX_DROPPED_SHARE
    reasons: Counter[str] = field(default_factory=Counter)
    first_dropped: list[MalformedRow] = field(default_factory=list)
    valid: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)

    def count_rows(
        self, what: str, rows: Iterable[SourceRow | MalformedRow]
    ) -> Iterator[SourceRow | MalformedRow]:
        """Pass on all rows and count them. Raises TooManyDropped."""
        valid = 0
        for row in rows:
            if isinstance(row, MalformedRow):
                self.record_drop(what, row)
                self._check_early(what, valid)
            else:
                valid += 1
            yield row
        self.valid[what] += valid
        self.check_share(what)

    def record_drop(self, what: str, row: MalformedRow) -> None:
        self.reasons[row.reason] += 1
        self.dropped[what] += 1
        if len(self.first_dropped) < MAX_REPORTED_ROWS:
            self.first_dropped.append(row)

    def _check_early(self, what: str, valid: int) -> None:
        """Do not read a long file to its end if most of its rows are malformed."""
        dropped = self.dropped[what]
        if dropped % EARLY_CHECK_ROWS == 0 and dropped > valid:
            raise self._too_many_dropped(
                f"{dropped:,} of the first {dropped + valid:,} rows of {what} cannot be valid."
            )

    def check_share(self, what: str) -> None:
        """Raises TooManyDropped."""
        dropped, rows = self.dropped[what], self.dropped[what] + self.valid[what]
        if dropped > self.max_share * rows:
            raise self._too_many_dropped(f"{dropped:,} of {rows:,} rows of {what} cannot be read.")

    def _too_many_dropped(self, detail: str) -> TooManyDropped:
        return TooManyDropped(
            f"{detail} Nothing was imported.",
            faults=[
                Fault(
                    f"{row.file}, line {row.line}",
                    f"{DROP_REASONS.get(row.reason, row.reason)} {row.detail}",
                    code=row.reason,
                )
                for row in self.first_dropped
            ],
            data={"dropped": dict(self.reasons)},
        )
