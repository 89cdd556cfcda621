"""python -m tests.bench.with_django tests.bench.flag_rates: rates of flags in simulated studies."""

import json
import sys

from tests.annotation.planted_study import EXPECTED, VALUES, Design, flags, missed_and_others

STUDIES = 100


def flag_rates(kind: str) -> dict[str, float]:
    """Shares of studies: with the flag of each planted thing, with at most one other flag, and of
    those in which nothing is planted without any."""
    planted = [missed_and_others(flags(Design(kind), seed)) for seed in range(STUDIES)]
    honest = [flags(Design(kind, planted=False), STUDIES + seed) for seed in range(STUDIES)]
    rates = {
        next(iter(sorted(names))): sum(name not in missed for missed, _ in planted) / STUDIES
        for name, names in EXPECTED.items()
    }
    rates["at most one other"] = sum(len(others) <= 1 for _, others in planted) / STUDIES
    return rates | {"nothing planted, no flag": sum(not one for one in honest) / STUDIES}


if __name__ == "__main__":
    sys.stdout.write(json.dumps({kind: flag_rates(kind) for kind in VALUES}))
