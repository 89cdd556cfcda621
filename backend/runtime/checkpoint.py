"""Checkpoints of long computations, from which an interrupted run resumes.

A checkpoint is a folder of steps. Each step is an artifact with the run's source and parameters,
published atomically. Steps of another run and altered steps are treated as missing. The caller
removes the folder once it has the result.
"""

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.runtime.array_store.artifacts import (
    Artifact,
    open_artifact,
    write_artifact,
)
from backend.runtime.array_store.errors import InvalidArrayStore

SAVE_INTERVAL_S = 60.0  # at most this much work is lost, plus one step
Arrays = Mapping[str, NDArray[np.generic]]
NO_ARRAYS: Arrays = {}


@dataclass
class Checkpoint:
    """`kind` names the computation; source and parameters are all that determines its result."""

    folder: Path
    kind: str
    source: str
    parameters: Mapping[str, Any]
    saved_at: float = field(default_factory=time.monotonic)
    interval_s: float = field(default_factory=lambda: SAVE_INTERVAL_S)

    def is_due(self) -> bool:
        """Whether the interval has passed. When a step is saved does not change the result."""
        return time.monotonic() - self.saved_at >= self.interval_s

    def save_step(self, name: str, arrays: Arrays, facts: Mapping[str, Any]) -> None:
        """Write the next step of this name, then delete the previous one."""
        before = self._numbers(name)
        into = self._step(name, max(before, default=-1) + 1)
        write_artifact(into, self.kind, self.source, self.parameters, arrays, facts)
        for number in before:
            shutil.rmtree(self._step(name, number), ignore_errors=True)
        self.saved_at = time.monotonic()

    def load_latest_step(self, name: str) -> Artifact | None:
        """The newest intact step of this name, None if there is none of this run."""
        for number in sorted(self._numbers(name), reverse=True):
            try:
                return open_artifact(
                    self._step(name, number),
                    kind=self.kind,
                    source=self.source,
                    parameters=self.parameters,
                )
            except InvalidArrayStore:
                continue
        return None

    def remove_steps(self, prefix: str) -> None:
        for step in self.folder.glob(f"{prefix}*"):
            shutil.rmtree(step, ignore_errors=True)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _step(self, name: str, number: int) -> Path:
        return self.folder / f"{name}-{number}"

    def _numbers(self, name: str) -> list[int]:
        result = (one.name.rpartition("-") for one in self.folder.glob(f"{name}-*"))
        return [int(last) for first, _, last in result if first == name and last.isdecimal()]
