"""Patterns and question texts of the demo questions."""

from dataclasses import dataclass

from backend.runtime.data_file import DataFile


@dataclass(frozen=True)
class QuestionTemplate:
    type: str
    count: int
    category: str
    nodes: str
    edges: str
    text: str


class TemplateFile(DataFile):
    template: tuple[QuestionTemplate, ...]


QUESTION_TEMPLATES = TemplateFile.load(__file__).template
