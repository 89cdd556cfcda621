"""python -m tests.bench.build_graph ENTITIES EDGES FOLDER: one build, and what it took, as JSON.

A process of its own, so that the peak of its memory is that of the build.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.memory import peak
from tests.bench.synthetic import build_synthetic


def main(entities: int, edges: int, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as warm:  # compiled code is made, or read, in here
        build_synthetic(100, 1000, Path(warm), memory_bytes=1)
    began = time.perf_counter()
    built = build_synthetic(entities, edges, folder)
    reported = {
        "seconds": time.perf_counter() - began,
        "peak": peak(),
        "path": str(built.path),
        "folded": built.report.folded_rows,
    }
    sys.stdout.write(json.dumps(reported))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
