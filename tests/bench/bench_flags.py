"""Flags of planted experts and questions, and of studies in which nothing is wrong."""

import json
import subprocess
import sys
from collections.abc import Iterator

from tests.bench.figures import ROOT, Figure, bench


@bench("annotation.flags")
def flag_rates() -> Iterator[Figure]:
    command = [sys.executable, "-m", "tests.bench.with_django", "tests.bench.flag_rates"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    for kind, rates in json.loads(done.stdout.splitlines()[-1]).items():
        for name, rate in rates.items():
            title = f"annotation.flags, {kind}, {name}"
            size = "100 studies, 20 raters, 60 questions, 12 known ones"
            yield Figure(title, 100 * rate, "%", "higher", size=size)
