"""Identifier schemes: their spelling, pattern and web pages."""

from dataclasses import dataclass

from backend.runtime.data_file import DataFile


@dataclass(frozen=True, slots=True)
class Scheme:
    prefix: str
    name: str
    pattern: str
    url_template: str
    other_templates: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    padded_width: int = 0


class SchemeFile(DataFile):
    scheme: tuple[Scheme, ...]


SCHEMES = SchemeFile.load(__file__).scheme
