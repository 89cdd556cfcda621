"""Limits of reading a file of rows."""

from dataclasses import dataclass

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class ReadLimits:
    """bytes: after decompression; ratio: of decompressed to compressed bytes, above `free_bytes`;
    row_bytes: of one line, list element or cell; rows: in one file; faults: where reading ends.
    """

    bytes: int = 2_000 * MEGABYTE
    ratio: int = 200
    free_bytes: int = 32 * MEGABYTE
    row_bytes: int = MEGABYTE
    rows: int = 5_000_000
    faults: int = 1_000_000
    block_bytes: int = 1 << 18
