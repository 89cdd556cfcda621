"""python -m tests.bench.build_literature COUNT FOLDER: one index, and what it took, as JSON.

A process of its own, so that the peak of its memory is that of the build.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from backend.runtime.normal_form import normalize
from backend.science.bm25.index_builder import build_index
from backend.science.bm25.tokenizer import split_words
from tests.bench.memory import peak
from tests.bench.paper_texts import SEED, text_batches


def main(count: int, folder: Path) -> None:
    batches = (
        split_words([normalize(text, longest=None) for text in batch])
        for batch in text_batches(count)
    )
    before = peak()
    began = time.perf_counter()
    build_index(folder / "words", batches, source=str(SEED))
    seconds = time.perf_counter() - began
    size = sum(file.stat().st_size for file in (folder / "words").iterdir())
    reported = {"seconds": seconds, "before": before, "peak": peak(), "bytes": size}
    sys.stdout.write(json.dumps(reported))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
