from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

MAX_CACHED = 500  # characters
Texts = ParamSpec("Texts")
Result = TypeVar("Result")


def cache_short_texts(size: int) -> Callable[[Callable[Texts, Result]], Callable[Texts, Result]]:
    """As `lru_cache`, of calls whose texts are short: a file from outside may have any number of
    megabytes where an identifier should be."""

    def decorate(function: Callable[Texts, Result]) -> Callable[Texts, Result]:
        cached = lru_cache(maxsize=size)(function)

        @wraps(function)
        def call(*texts: Texts.args, **named: Texts.kwargs) -> Result:
            is_short = all(isinstance(one, str) and len(one) <= MAX_CACHED for one in texts)
            return cached(*texts) if is_short and not named else function(*texts, **named)

        return call

    return decorate
