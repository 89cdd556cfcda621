"""Numbers in sentences."""

import pytest

from backend.common.pluralize import pluralize


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 batches"), (1, "1 batch"), (2, "2 batches"), (1200, "1,200 batches")],
)
def test_one_is_not_told_in_the_plural(number: int, text: str) -> None:
    assert pluralize(number, "batch", "batches") == text


def test_a_plain_plural_ends_in_s() -> None:
    assert (pluralize(1, "question"), pluralize(7, "question")) == ("1 question", "7 questions")
