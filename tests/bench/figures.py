"""A figure, the register of what measures them, and how they are printed and kept."""

import importlib
import json
import math
import os
import pkgutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[2]
Measure = Callable[[], Iterable["Figure"]]
registered: dict[str, Measure] = {}
Size = Literal["tiny", "small", "full"]


def run_size() -> Size:
    """SIZE of the environment: tiny to see that it runs, small by default, full for figures to
    quote."""
    match os.environ.get("SIZE", "small"):
        case "tiny" | "small" | "full" as size:
            return size
        case other:
            raise SystemExit(f"SIZE is tiny, small or full, not {other!r}.")


@dataclass(frozen=True)
class Figure:
    """One measured value; `ratio` divides it by the peer's. goal: the worst ratio that is meant."""

    name: str
    value: float
    unit: str
    better: Literal["higher", "lower"]
    peer: str = ""
    peer_value: float | None = None
    size: str = ""
    seed: int | None = None
    goal: float | None = None

    @property
    def is_missed(self) -> bool:
        """Whether the ratio is worse than the goal; False without one."""
        if self.goal is None or self.ratio is None:
            return False
        return self.ratio > self.goal if self.better == "lower" else self.ratio < self.goal

    @property
    def ratio(self) -> float | None:
        """Value ÷ peer's value; without a peer, or beside a peer of zero, there is none."""
        return self.value / self.peer_value if self.peer_value else None

    def as_line(self, commit: str) -> str:
        fields = {
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "better": self.better,
            "peer": self.peer,
            "peer_value": self.peer_value,
            "ratio": self.ratio,
            "goal": self.goal,
            "size": self.size,
            "seed": self.seed,
            "commit": commit,
        }
        return json.dumps(fields, allow_nan=False)


def bench(name: str) -> Callable[[Measure], Measure]:
    """Register a function that yields figures, under the first part of their names."""

    def register(measure: Measure) -> Measure:
        if name in registered:
            raise ValueError(f"Two benchmarks are called {name}.")
        registered[name] = measure
        return measure

    return register


def load_all() -> None:
    """Import every bench_*.py beside this file, so that they register themselves."""
    package = Path(__file__).parent
    for module in pkgutil.iter_modules([str(package)]):
        if module.name.startswith("bench_"):
            importlib.import_module(f"tests.bench.{module.name}")


def chosen(only: str, among: Mapping[str, Measure] = registered) -> dict[str, Measure]:
    """Those whose name holds one of the words; all, when there are none."""
    words = only.replace(",", " ").split()
    return {
        name: measure
        for name, measure in sorted(among.items())
        if not words or any(word in name for word in words)
    }


def keep(figure: Figure, path: Path, commit: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(figure.as_line(commit) + "\n")


def commit_now() -> str:
    """The commit that is measured; '+' marks changes that are not committed."""
    head = _git("rev-parse", "HEAD")
    return head + "+" if head and _git("status", "--porcelain") else head


def _git(*words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return ""
    return done.stdout.strip()


HEADINGS = ("figure", "value", "unit", "better", "peer", "peer's", "ratio", "goal", "size")


def table(figures: list[Figure]) -> Iterator[str]:
    rows = [HEADINGS, *(cells(figure) for figure in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def cells(figure: Figure) -> tuple[str, ...]:
    measured = (shown(figure.value), figure.unit, figure.better)
    against = (figure.peer, shown(figure.peer_value), shown(figure.ratio), shown(figure.goal))
    return (figure.name, *measured, *against, figure.size)


def shown(number: float | None) -> str:
    """Three significant digits, without an exponent."""
    if number is None:
        return ""
    if number == 0 or not math.isfinite(number):
        return str(number)
    digits = 2 - math.floor(math.log10(abs(number)))
    return f"{number:,.{max(digits, 0)}f}"
