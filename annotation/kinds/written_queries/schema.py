"""Questionnaire entries, items and answers of studies in which experts write queries (STaRK, 2.6).

An entry has the fields of every question (`text` is what the expert is to do) and

    {"answer": "Aspirin", "synonyms": ["…"], "identifiers": ["DRUGBANK:DB00945"],
     "documents": [{"id": "…", "title": "…", "text": "…", "source": "…"}],
     "edges": [{"source": "…", "relation": "…", "target": "…", "origin": "…"}]}

`answer` is the entity that the query is to have as its answer. `identifiers`: the first is the one
by which the graph has it. `synonyms` are optional.
"""

from typing import Annotated

from pydantic import BeforeValidator, Field

from annotation.kinds.base import Answer
from annotation.kinds.items import Item
from annotation.kinds.passages import Edge, PassagesEntry, ShownDocument
from backend.benchmarks.questionnaire import MAX_NAME_LENGTH
from backend.benchmarks.stark_queries.leaks import find_leaks, names_of_answer
from backend.validation.json_files import is_absent, list_field, text_field

MAX_NAMES = 1_000
MAX_QUERY_LENGTH = 2_000
MAX_COMMENT_LENGTH = 10_000

Name = Annotated[str, text_field(MAX_NAME_LENGTH)]
OPTIONAL = BeforeValidator(lambda value: [] if is_absent(value) else value)


class WrittenQueryEntry(PassagesEntry):
    answer: Annotated[str, text_field(MAX_NAME_LENGTH)]
    synonyms: Annotated[tuple[Name, ...], list_field(0, MAX_NAMES, "synonyms"), OPTIONAL]
    identifiers: Annotated[tuple[Name, ...], list_field(1, MAX_NAMES, "identifiers")]


class WrittenQueryItem(Item):
    answer: str
    synonyms: list[str]
    identifiers: list[str]
    documents: list[ShownDocument]
    edges: list[Edge]

    def leaks_of(self, text: str) -> list[str]:
        """What the answer is called, as far as the text contains it."""
        return find_leaks(text, names_of_answer(self.answer, self.synonyms, self.identifiers))


class WrittenQueryAnswer(Answer):
    """query: empty in a first draft. is_impossible: nothing here leads to this entity."""

    query: Annotated[str, Field(max_length=MAX_QUERY_LENGTH)]
    is_impossible: bool
    comment: Annotated[str, Field(max_length=MAX_COMMENT_LENGTH)]
