"""Where long work leaves what it has done, so that whoever begins it again goes on from there.

A checkpoint is a folder of steps. Each is an artefact with the work's source and parameters, and
appears whole or not at all: what another work left there, or what was altered, counts as missing.
Whoever has the result removes the folder.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.science.artefact import Artefact, ArtefactRefused, open_artefact, write_artefact

EVERY_S = 60.0  # what is lost at most, beside one step
Arrays = Mapping[str, NDArray[np.generic]]
NO_ARRAYS: Arrays = {}


@dataclass
class Checkpoint:
    """source, parameters: all that decides the result. `kind` names the work."""

    folder: Path
    kind: str
    source: str
    parameters: Mapping[str, Any]
    said: float = field(default_factory=time.monotonic)

    def is_due(self) -> bool:
        """Whether it is worth writing down again; when that is changes no result."""
        return time.monotonic() - self.said >= EVERY_S

    def keep(self, name: str, arrays: Arrays, facts: Mapping[str, Any]) -> None:
        """The next step of this name. The one before goes once the new one is on the disk."""
        before = self._numbers(name)
        into = self._step(name, max(before, default=-1) + 1)
        write_artefact(into, self.kind, self.source, self.parameters, arrays, facts)
        for number in before:
            shutil.rmtree(self._step(name, number), ignore_errors=True)
        self.said = time.monotonic()

    def kept(self, name: str) -> Artefact | None:
        """The newest whole step of this name, if it is of this work."""
        for number in sorted(self._numbers(name), reverse=True):
            try:
                return open_artefact(
                    self._step(name, number),
                    kind=self.kind,
                    source=self.source,
                    parameters=self.parameters,
                )
            except ArtefactRefused:
                continue
        return None

    def forget(self, beginning: str) -> None:
        """Remove the steps whose names begin so."""
        for step in self.folder.glob(f"{beginning}*"):
            shutil.rmtree(step, ignore_errors=True)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _step(self, name: str, number: int) -> Path:
        return self.folder / f"{name}-{number}"

    def _numbers(self, name: str) -> list[int]:
        found = (one.name.rpartition("-") for one in self.folder.glob(f"{name}-*"))
        return [int(last) for first, _, last in found if first == name and last.isdecimal()]
