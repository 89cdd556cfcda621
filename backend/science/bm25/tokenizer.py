"""The words of a text that count."""

import logging
from collections.abc import Sequence

import bm25s

logging.getLogger("bm25s").setLevel(logging.WARNING)  # it reports every step


def split_words(texts: Sequence[str]) -> list[list[str]]:
    """Words of two characters and more, in lower case, without English stop words."""
    words: list[list[str]] = bm25s.tokenize(
        list(texts), stopwords="en", return_ids=False, show_progress=False
    )
    return words
