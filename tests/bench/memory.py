"""Peak memory of this process, including mapped pages."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

STATUS = Path("/proc/self/status")


def peak() -> int:
    """In bytes.

    Linux's getrusage hands the peak of a parent on to its children, so its own book is read there.
    """
    if STATUS.exists():
        line = next(one for one in STATUS.read_text().splitlines() if one.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
