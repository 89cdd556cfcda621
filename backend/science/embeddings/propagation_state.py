"""Progress of a propagation and its files, which a checkpoint preserves.

A round filters the blocks of `space` one by one into `filtered`, and writes its result over
`space`. At any kill one of the two files is therefore intact: the state on disk records which, with
checksums. Without a checkpoint both are the same file.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from backend.runtime.atomic_dirs import acquire_lock
from backend.runtime.checkpoint import NO_ARRAYS, Checkpoint
from backend.science.embeddings.column_file import ColumnFile, persistent_columns, temporary_columns

STEP_NAME = "rounds"


@dataclass
class PropagationState:
    """round_number: completed rounds; filtered_blocks: blocks filtered by the current one; values:
    eigenvalues of the last one; products: number of matrix products so far.
    """

    space: ColumnFile
    filtered: ColumnFile
    checkpoint: Checkpoint | None = None
    is_started: bool = False
    round_number: int = 0
    values: list[float] = field(default_factory=list)
    products: int = 0
    space_sums: list[str] = field(default_factory=list)
    filtered_sums: list[str] = field(default_factory=list)
    filtered_blocks: int = 0

    def restore(self) -> None:
        """Resume from the state on disk, if its files are intact."""
        step = self.checkpoint.load_latest_step(STEP_NAME) if self.checkpoint else None
        if step is None:
            return
        facts = step.facts
        done, blocks = len(facts["filtered"]), self.space.blocks
        if self.filtered.checksums(0, done) != facts["filtered"]:
            return
        if done < blocks and self.space.checksums(0, blocks) != facts["space"]:
            return
        self.is_started, self.round_number, self.filtered_blocks = True, facts["number"], done
        self.values, self.products = list(facts["values"]), facts["products"]
        self.space_sums, self.filtered_sums = list(facts["space"]), list(facts["filtered"])

    def record_block(self, products: int) -> None:
        """One more block is filtered."""
        self.filtered_blocks, self.products = self.filtered_blocks + 1, products
        if self.checkpoint is not None:
            self.filtered.sync()
            self.filtered_sums += self.filtered.checksums(
                self.filtered_blocks - 1, self.filtered_blocks
            )
            self._save()

    def record_round(self, values: Sequence[float], products: int) -> None:
        """One more round is complete."""
        self.values, self.products = list(values), products
        self.record_space(self.round_number + 1)

    def record_space(self, number: int) -> None:
        """`space` is complete, as at the start of round `number`."""
        self.is_started, self.round_number, self.filtered_blocks, self.filtered_sums = (
            True,
            number,
            0,
            [],
        )
        if self.checkpoint is not None:
            self.space.sync()
            self.space_sums = self.space.checksums(0, self.space.blocks)
            self._save()

    def _save(self) -> None:
        if self.checkpoint is not None:
            facts = {"number": self.round_number, "values": self.values, "products": self.products}
            sums = {"space": self.space_sums, "filtered": self.filtered_sums}
            self.checkpoint.save_step(STEP_NAME, NO_ARRAYS, facts | sums)


@contextmanager
def open_state(
    scratch: Path, rows: int, width: int, checkpoint: Checkpoint | None
) -> Iterator[PropagationState]:
    """Resume from the checkpoint; if another process uses it, use a file in `scratch`."""
    if checkpoint is not None:
        checkpoint.folder.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = acquire_lock(checkpoint.folder / "lock", wait=False)
        except BlockingIOError:
            checkpoint = None
    if checkpoint is None:
        with temporary_columns(scratch, rows, width) as space:
            yield PropagationState(space, space)
        return
    try:
        with (
            persistent_columns(checkpoint.folder / "space", rows, width) as space,
            persistent_columns(checkpoint.folder / "filtered", rows, width) as filtered,
        ):
            result = PropagationState(space, filtered, checkpoint)
            result.restore()
            yield result
    finally:
        os.close(descriptor)
