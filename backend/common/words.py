"""Small words of sentences."""


def counted(number: int, one: str, many: str = "") -> str:
    """'1 batch', '2 batches', '1,200 questions'. Where only an s is added, one word will do."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
