"""python -m tests.bench [WORDS]: run what they, or ONLY, choose, keep and print figures.

At SIZE=full a missed goal ends it with status 1; smaller sizes measure too little for that.
"""

import os
import sys
import time
from pathlib import Path

import django

from tests.bench import figures


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    django.setup()  # some benchmarks measure code that imports models
    figures.load_all()
    expected = figures.chosen(" ".join(sys.argv[1:]) or os.environ.get("ONLY", ""))
    if not expected:
        names = ", ".join(sorted(figures.registered))
        sys.stderr.write(f"No benchmark has that name. There are: {names}.\n")
        return 1
    data = os.environ.get("DATA")
    output = (Path(data) if data else figures.ROOT / "var") / "bench" / "results.jsonl"
    commit = figures.commit_now()
    result: list[figures.Figure] = []
    for name, measure in expected.items():
        started = time.monotonic()
        for figure in measure():
            figures.keep(figure, output, commit)
            result.append(figure)
        sys.stderr.write(f"{name:<32}{time.monotonic() - started:6.1f} s\n")
    sys.stdout.write("\n".join(figures.table(result)) + "\n")
    missed = [one for one in result if one.is_missed]
    for one in missed:
        ratio, goal = figures.shown(one.ratio), figures.shown(one.goal)
        sys.stderr.write(f"Goal missed: {one.name}, {one.size}: {ratio} beside {goal}.\n")
    return 1 if missed and figures.run_size() == "full" else 0


if __name__ == "__main__":
    sys.exit(main())
