"""Numbers in sentences."""

import pytest

from backend.common.words import counted


@pytest.mark.parametrize(
    ("number", "said"),
    [(0, "0 batches"), (1, "1 batch"), (2, "2 batches"), (1200, "1,200 batches")],
)
def test_one_is_not_told_in_the_plural(number: int, said: str) -> None:
    assert counted(number, "batch", "batches") == said


def test_a_plain_plural_ends_in_s() -> None:
    assert (counted(1, "question"), counted(7, "question")) == ("1 question", "7 questions")
