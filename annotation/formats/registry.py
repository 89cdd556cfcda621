from collections.abc import Mapping
from functools import cache

from annotation.formats.base import Read, StudyFormat, Write
from backend.common.errors import DomainError
from backend.runtime.discovery import discover_modules
from backend.validation.faults import Fault, printable


@cache
def study_formats() -> Mapping[str, StudyFormat]:
    """By name, the built-in ones first."""
    modules = discover_modules("annotation.formats", group="study_formats", entry="format")
    formats: list[StudyFormat] = [module.FORMAT for module in modules]
    return {one.name: one for one in formats}


def get_export_format_or_raise(name: str) -> tuple[StudyFormat, Write]:
    one = study_formats().get(name)
    if one is None or one.write is None:
        raise _unknown(name, [it.name for it in study_formats().values() if it.write])
    return one, one.write


def get_import_format_or_raise(name: str) -> tuple[StudyFormat, Read]:
    one = study_formats().get(name)
    if one is None or one.read is None:
        raise _unknown(name, [it.name for it in study_formats().values() if it.read])
    return one, one.read


def _unknown(name: str, known: list[str]) -> DomainError:
    sentence = f"'{printable(name)}' is not a format for this. Choose one of {', '.join(known)}."
    fault = Fault("format", sentence, "unknown_format", ", ".join(known))
    return DomainError(sentence, code="unknown_format", faults=[fault])
