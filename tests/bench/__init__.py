"""Benchmarks: 'make bench' runs all, 'make bench ONLY=annotation' those whose name has the word.

Each file bench_*.py registers functions that yield figures:

    @bench("annotation.save")
    def save(size: int = 20) -> Iterator[Figure]:
        yield Figure("annotation.save.p95", 12.3, "ms", better="lower", size="20 experts", seed=1)

A name begins with the package that it measures. A peer is what the figure is held against, measured
in the same run. Numbers with a limit live here; tests wait for events.
"""
