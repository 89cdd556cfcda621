"""Limits of importing a study."""

from backend.validation.row_files.limits import MEGABYTE, ReadLimits

LIMITS = ReadLimits(bytes=1_000 * MEGABYTE, row_bytes=20 * MEGABYTE, rows=1_000_000, faults=1_000)
