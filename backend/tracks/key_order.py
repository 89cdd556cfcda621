"""The order in which keys of items are listed."""

import re

DIGITS = re.compile("([0-9]+)")


def natural_order(key: str) -> tuple[list[tuple[int, str]], str]:
    """For sorting: runs of digits as numbers, so that query 9 is before query 10."""
    # Texts and numbers in turn. A number is compared by its length first: it may have more digits
    # than Python converts.
    parts = DIGITS.split(key)
    parts[1::2] = [digits.lstrip("0") for digits in parts[1::2]]
    return [(len(part) if at % 2 else 0, part) for at, part in enumerate(parts)], key
