"""What SerenQA's reasoning and exploration tracks share: an item is a question, partition and root.

A root is one entity of the existing set. Hidden are the serendipity set, its types and the
ground-truth paths from the root to it.
"""

import json
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass as plain_dataclass
from typing import Annotated, Any, BinaryIO

import numpy as np
from pydantic import ConfigDict, Field, Strict, StringConstraints
from pydantic.dataclasses import dataclass

from backend.tracks.item_table import Masks, Source, SpellingFinder
from backend.tracks.masked_items import MaskableQuestion
from backend.tracks.serenqa import (
    METHODS,
    PARTITIONS,
    QUESTIONS,
    Identifier,
    Method,
    Partition,
    QuestionId,
    SourceQuestion,
    read_serenqa,
)
from backend.validation.faults import printable
from backend.validation.row_files.faults import RowFault

LEVELS = 3
# Of the demo graph; the partition is made up. The examples of predictions score on it.
SOURCE_EXAMPLE = (
    '[{"qid": 7016, "question": "Which diseases can show edema?", "answer": '
    '[{"answer_argument": "DOID:6000", "entity_name": "congestive heart failure"}, '
    '{"answer_argument": "DOID:6432", "entity_name": "pulmonary hypertension"}], "graph_query": '
    '{"nodes": [{"nid": 0, "node_type": "class", "id": "Disease", "class": "Disease", '
    '"question_node": 1}, {"nid": 1, "node_type": "entity", "id": "HP:0000969", "class": '
    '"Phenotype", "question_node": 0}], "edges": [{"start": 0, "end": 1, "friendly_name": '
    '"has_phenotype"}]}, "expert": {"serendipity_set": {"list": ["DOID:6432"]}, "exact_matches": '
    '{"list": ["DOID:6000"]}, "explore_queries": {"paths": '
    '["DOID:6000--affects--lung:Anatomy--affects--DOID:6432"], "questions": []}}}]\n'
)
WORD = re.compile(r"[A-Za-z0-9_]")
READ = "serenqa questions and partitions"
PATH_SEPARATOR = "--"
Text = Annotated[str, Strict(), StringConstraints(min_length=1, max_length=20_000)]
Spellings = tuple[Identifier, ...]
# False where the masked graph leaves the question out. The answers that are stored do not have it.
IsCounted = Annotated[bool, Field(exclude_if=lambda value: value is True)]
KEY_FIELDS = ("qid", "partition", "root")
OVERALL = "all"


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class RootItem:
    """`root_name` is empty where the data set has none."""

    qid: QuestionId
    partition: Method
    root: Identifier
    question: Text
    root_name: Annotated[str, Strict(), StringConstraints(max_length=20_000)] = ""


@plain_dataclass(frozen=True)
class RootSource:
    """An item with the partition and the question that it is of."""

    item: RootItem
    question: SourceQuestion
    split: Partition

    @property
    def types(self) -> tuple[str, ...]:
        """Of the question's answers."""
        return self.question.answers[0].types


def read_roots(file: BinaryIO, name: str, source: Source[Any, Any]) -> list[RootSource]:
    """Every root of the files so far."""
    source.parts[READ] = read_serenqa(file, name, source)
    return list_roots(source)


def list_roots(source: Source[Any, Any]) -> list[RootSource]:
    """By question, partition and root in their order; partitions with an empty set have none."""
    questions: list[SourceQuestion] = source.parts.get(READ, [])
    return [
        RootSource(_root_item(question, method, root), question, split)
        for question in questions
        for method in METHODS
        if (split := question.partitions.get(method)) is not None and split.serendipity
        for root in split.existing
    ]


def _root_item(question: SourceQuestion, method: Method, root: str) -> RootItem:
    names = {one.id: one.name for one in question.answers}
    return RootItem(question.id, method, root, question.text, names.get(root, ""))


def add_question_faults(source: Source[Any, Any]) -> None:
    """Report partitions of questions that no file has."""
    known = source.parts.get(QUESTIONS, {})
    for qid in source.parts.get(PARTITIONS, {}):
        if qid not in known:
            message = "These partitions are of a question that no file has."
            place, expected = f"question {printable(qid)}", "the file of the questions too"
            source.faults.add(RowFault(0, place, "no_question", message, expected))


class EntitySpellings:
    """Spellings of a data set's entities. What the graph lacks is reported, each once."""

    def __init__(self, source: Source[Any, Any], spell: SpellingFinder) -> None:
        self._source, self._spell = source, spell
        self._known: dict[tuple[str, tuple[str, ...]], Spellings] = {}

    def of(self, identifier: str, types: tuple[str, ...], item: RootItem) -> Spellings:
        """The file's first; it alone if the graph has no such entity of one of the types."""
        key = identifier, types
        if key not in self._known:
            spellings = [self._spell(identifier, name) for name in types]
            if all(one is None for one in spellings):
                self._source.faults.add(unknown_entity(identifier, item))
            others = (name for one in spellings for name in one or ())
            self._known[key] = tuple(dict.fromkeys((identifier, *others)))
        return self._known[key]


def unknown_entity(identifier: str, item: RootItem) -> RowFault:
    message = f"The graph has no entity '{printable(identifier)}' of the question's type."
    place = f"question {printable(item.qid)}, answer"
    return RowFault(0, place, "unknown_id", message, "an entity of the release's graph")


def paths_of(root: RootSource) -> Iterator[tuple[str, str]]:
    """Each path from the root to a member of the serendipity set, with the member."""
    members = sorted(root.split.serendipity, key=len, reverse=True)
    for path in root.split.paths:
        if path.startswith(f"{root.item.root}{PATH_SEPARATOR}"):
            ends = (one for one in members if path.endswith(f"{PATH_SEPARATOR}{one}"))
            if (last := next(ends, None)) is not None:
                yield path, last


def question_of(item: RootItem) -> Hashable:
    """All roots and partitions of a question are one cluster."""
    return item.qid


def partition_slices(items: Sequence[RootItem]) -> Masks:
    """All items, and those of each partition where there are several, as in older releases."""
    partitions = np.array([item.partition for item in items], dtype=object)
    masks: Masks = {OVERALL: np.ones(len(items), dtype=np.bool_)}
    parts = {name: partitions == name for name in METHODS if (partitions == name).any()}
    return masks | parts if len(parts) > 1 else masks


def maskable_part(
    item: RootItem,
    method: str,
    graph_query: Mapping[str, Any],
    serendipity: Sequence[str],
    others: Sequence[str] = (),
) -> MaskableQuestion | None:
    """What one root knows of its question; the existing set is the roots, with `others`.

    None for another partition, and for answers of older releases, which have no pattern.
    """
    if item.partition != method or not graph_query:
        return None
    return MaskableQuestion(item.qid, graph_query, serendipity, (item.root, *others))


def parse_json_cell(cell: str) -> object:
    """A cell of a table as JSON; a cell that is none as it is, for the schema to report."""
    try:
        value: Any = json.loads(cell)
    except (ValueError, RecursionError):
        return cell
    return value


def names_entity(text: str, spellings: Sequence[str]) -> bool:
    """Whether one of the spellings is in the text as a whole token."""
    return any(has_token(text, spelling) for spelling in spellings)


def has_token(text: str, token: str) -> bool:
    """Neither a letter, digit or underscore stands beside it, nor a version or isoform behind it.

    `P29474` is in `(P29474)` and `Protein:P29474.`, and not in `P294741`, `P29474-2` or `P29474.2`.
    """
    at = text.find(token)
    while at >= 0:
        if is_whole(text, at, at + len(token)):
            return True
        at = text.find(token, at + 1)
    return False


def is_whole(text: str, start: int, end: int) -> bool:
    before, after = text[max(start - 1, 0) : start], text[end : end + 2]
    if WORD.match(before) or WORD.match(after):
        return False
    return not (after[:1] in ("-", ".") and after[1:].isdigit())


def text_spellings(spellings: Spellings, types: Sequence[str]) -> Spellings:
    """How a text may name an entity.

    An identifier of digits alone would match any number, so it needs its type before it.
    """
    result = [name for name in spellings if not is_digits(name)]
    result += [f"{type_}:{name}" for name in spellings if is_digits(name) for type_ in types]
    return tuple(dict.fromkeys(result))


def is_digits(identifier: str) -> bool:
    return identifier.isascii() and identifier.isdigit()
