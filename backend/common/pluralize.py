def pluralize(number: int, one: str, many: str = "") -> str:
    """'1 batch', '2 batches', '1,200 questions'. The plural defaults to `one` with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
