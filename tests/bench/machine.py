"""What figures are measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from backend.runtime.parallel import core_count

PROCESSORS = Path("/proc/cpuinfo")


def machine() -> str:
    """The cores that may be used, the processor, and the memory."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{core_count()} cores of {processor()}, {memory:.0f} GiB"


def processor() -> str:
    if PROCESSORS.exists():
        for line in PROCESSORS.read_text().splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def processor_ms(process: int) -> float:
    """What a process has had of the processors so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    user, system = fields[11:13]
    return 1000 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
