"""The weights of the optional embedder, for the tests that need them.

`make test` installs them beside the other packages, not among them: with them tracks have more
metrics and baselines, and everything else is tested as an installation without them.
"""

import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from backend.evaluation.embedders import load_embedder
from backend.tracks.text_vectors import MINILM, PACKAGES

FOLDER = Path(sys.prefix) / "embedder"
IS_INSTALLED = FOLDER.is_dir() or find_spec(PACKAGES[MINILM]) is not None


@pytest.fixture
def embedder_weights(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    load_embedder.cache_clear()
    monkeypatch.syspath_prepend(FOLDER)
    yield
    load_embedder.cache_clear()


def needs_weights(test: Callable[..., Any]) -> Callable[..., Any]:
    skipped = pytest.mark.skipif(
        not IS_INSTALLED, reason="the optional embedder is not installed (make test installs it)"
    )
    marked: Callable[..., Any] = skipped(pytest.mark.usefixtures("embedder_weights")(test))
    return marked
