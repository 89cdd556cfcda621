"""How far a propagation is, and the room that it works in; both outlive it where they are kept.

Two files take turns: a round filters the blocks of `space` one by one into `filtered`, and what it
settles on is written over `space`. So whenever it is killed, one of the two is whole: the state on
the disk says which, with checksums. Without a checkpoint, both are one file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from backend.science.checkpoint import NO_ARRAYS, Checkpoint
from backend.science.embeddings.columns import Columns, columns, kept_columns
from backend.science.folders import lock

STATE = "rounds"


@dataclass
class Rounds:
    """number: rounds that are done; done: blocks that the next one has filtered; values: the
    eigenvalues that the last one found; products: how many were made so far."""

    space: Columns
    filtered: Columns
    checkpoint: Checkpoint | None = None
    begun: bool = False
    number: int = 0
    values: list[float] = field(default_factory=list)
    products: int = 0
    space_sums: list[str] = field(default_factory=list)
    filtered_sums: list[str] = field(default_factory=list)
    done: int = 0

    def go_on(self) -> None:
        """From the state on the disk, if what it speaks of is there and whole."""
        there = self.checkpoint.kept(STATE) if self.checkpoint else None
        if there is None:
            return
        facts = there.facts
        done, blocks = len(facts["filtered"]), self.space.blocks
        if self.filtered.checksums(0, done) != facts["filtered"]:
            return
        if done < blocks and self.space.checksums(0, blocks) != facts["space"]:
            return
        self.begun, self.number, self.done = True, facts["number"], done
        self.values, self.products = list(facts["values"]), facts["products"]
        self.space_sums, self.filtered_sums = list(facts["space"]), list(facts["filtered"])

    def note_begin(self) -> None:
        self._note_space(0)

    def note_block(self, products: int) -> None:
        """One more block is filtered."""
        self.done, self.products = self.done + 1, products
        if self.checkpoint is not None:
            self.filtered.sync()
            self.filtered_sums += self.filtered.checksums(self.done - 1, self.done)
            self._keep()

    def note_round(self, values: Sequence[float], products: int) -> None:
        """One more round has settled."""
        self.values, self.products = list(values), products
        self._note_space(self.number + 1)

    def _note_space(self, number: int) -> None:
        self.begun, self.number, self.done, self.filtered_sums = True, number, 0, []
        if self.checkpoint is not None:
            self.space.sync()
            self.space_sums = self.space.checksums(0, self.space.blocks)
            self._keep()

    def _keep(self) -> None:
        if self.checkpoint is not None:
            facts = {"number": self.number, "values": self.values, "products": self.products}
            sums = {"space": self.space_sums, "filtered": self.filtered_sums}
            self.checkpoint.keep(STATE, NO_ARRAYS, facts | sums)


@contextmanager
def rounds(scratch: Path, rows: int, width: int, checkpoint: Checkpoint | None) -> Iterator[Rounds]:
    """With a checkpoint that nobody else works in: what is left there. Else a file in `scratch`."""
    if checkpoint is not None:
        checkpoint.folder.mkdir(parents=True, exist_ok=True)
        try:
            held = lock(checkpoint.folder / "lock", wait=False)
        except BlockingIOError:
            checkpoint = None
    if checkpoint is None:
        with columns(scratch, rows, width) as space:
            yield Rounds(space, space)
        return
    try:
        with (
            kept_columns(checkpoint.folder / "space", rows, width) as space,
            kept_columns(checkpoint.folder / "filtered", rows, width) as filtered,
        ):
            found = Rounds(space, filtered, checkpoint)
            found.go_on()
            yield found
    finally:
        os.close(held)
