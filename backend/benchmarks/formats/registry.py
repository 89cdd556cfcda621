from collections.abc import Mapping
from functools import cache

from backend.benchmarks.question_format import QuestionFormat
from backend.common.errors import DomainError
from backend.runtime.discovery import discover_modules


@cache
def question_formats() -> Mapping[str, QuestionFormat]:
    """By name, the built-in ones first."""
    modules = discover_modules(
        "backend.benchmarks.formats", group="question_formats", entry="format"
    )
    formats: list[QuestionFormat] = [module.FORMAT for module in modules]
    return {one.name: one for one in formats}


def get_format_or_raise(name: str) -> QuestionFormat:
    formats = question_formats()
    if name not in formats:
        known = ", ".join(formats)
        raise DomainError(f"'{name}' is not a question format. Use one of: {known}.", code="format")
    return formats[name]
