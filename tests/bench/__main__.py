"""python -m tests.bench [WORDS]: run what they, or ONLY, choose, keep and print figures."""

import os
import sys
import time
from pathlib import Path

from tests.bench import figures


def main() -> int:
    figures.load_all()
    wanted = figures.chosen(" ".join(sys.argv[1:]) or os.environ.get("ONLY", ""))
    if not wanted:
        names = ", ".join(sorted(figures.registered))
        sys.stderr.write(f"No benchmark has that name. There are: {names}.\n")
        return 1
    data = os.environ.get("DATA")
    kept = (Path(data) if data else figures.ROOT / "var") / "bench" / "results.jsonl"
    commit = figures.commit_now()
    found: list[figures.Figure] = []
    for name, measure in wanted.items():
        started = time.monotonic()
        for figure in measure():
            figures.keep(figure, kept, commit)
            found.append(figure)
        sys.stderr.write(f"{name:<32}{time.monotonic() - started:6.1f} s\n")
    sys.stdout.write("\n".join(figures.table(found)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
