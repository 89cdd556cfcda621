"""A share with its interval, as the measuring commands print it."""

from dataclasses import dataclass

from backend.science.evaluation.proportions import wilson_interval


@dataclass(frozen=True, slots=True)
class Share:
    """count of total, with Wilson's interval, which treats the parts as independent."""

    count: int
    total: int

    @property
    def value(self) -> float | None:
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson_interval(self.count, self.total) if self.total else None

    def __str__(self) -> str:
        if self.interval is None:
            return "none"
        low, high = self.interval
        return f"{self.count}/{self.total} {self.value:.2f} ({low:.2f} to {high:.2f})"

    def as_json(self) -> dict[str, object]:
        return {
            "count": self.count,
            "total": self.total,
            "value": self.value,
            "interval": self.interval,
        }
