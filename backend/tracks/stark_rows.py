"""STaRK's rows: queries, their answers, and lists of ranked ids, from JSON and CSV."""

import ast
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Annotated, Any

from pydantic import ConfigDict, Field, Strict, StringConstraints
from pydantic.dataclasses import dataclass

from backend.tracks.item_table import Candidates
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault
from backend.validation.row_files.reader import RowSchema

READ_IDS = 100
MOST_IDS = 20_000
MOST_LITERAL_CHARACTERS = 300_000
LARGEST_ID = 2**63 - 1

NodeNumber = Annotated[int, Strict(), Field(ge=0, le=LARGEST_ID)]
Identifier = Annotated[
    str,
    Strict(),
    StringConstraints(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$"),
]
EntityId = Annotated[NodeNumber | Identifier, Field(union_mode="left_to_right")]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class QueryItem:
    query_id: NodeNumber
    query: Annotated[str, Strict(), StringConstraints(min_length=1, max_length=10_000)]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class QueryAnswer:
    answer_ids: Annotated[tuple[EntityId, ...], Field(min_length=1)]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class RankedPrediction:
    query_id: NodeNumber
    pred_rank: Annotated[list[EntityId], Field(max_length=MOST_IDS)]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="ignore"))
class QueryRow:
    """A query with its answers: STaRK's own CSV (`id,query,answer_ids`), or JSON."""

    query_id: NodeNumber
    query: Annotated[str, Strict(), StringConstraints(min_length=1, max_length=10_000)]
    answer_ids: Annotated[list[EntityId], Field(min_length=1, max_length=MOST_IDS)]


def parse_number(cell: str) -> object:
    text = cell.strip(" \t")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else cell


def parse_list(cell: str) -> object:
    """A list in JSON or as a Python literal, which is parsed and never evaluated."""
    if len(cell) > MOST_LITERAL_CHARACTERS:
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    if not is_flat(cell):
        return cell
    try:
        return ast.literal_eval(cell.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return cell


def is_flat(cell: str) -> bool:
    """Whether there is one list and no operator, so that Python's parser stays shallow."""
    return cell.count("[") == 1 and not any(sign in cell for sign in "({+~\\")


PARSERS = {"query_id": parse_number, "pred_rank": parse_list, "answer_ids": parse_list}
SOURCE = RowSchema(
    QueryRow,
    Columns(
        ("query_id", "query", "answer_ids"),
        aliases={"id": "query_id"},
        parsers={name: PARSERS[name] for name in ("query_id", "answer_ids")},
        escaped=("query",),
        ignores_others=True,
    ),
    ("query_id",),
)


def is_repetitive(ids: Sequence[int | str]) -> bool:
    return len(set(ids)) < len(ids)


def normalize_ids(ids: Sequence[int | str]) -> list[int | str]:
    """Each once, at its first place; '17' and 17 are the same, '017' is another."""
    return list(dict.fromkeys(parse_id(id_) if isinstance(id_, str) else id_ for id_ in ids))


def parse_id(text: str) -> int | str:
    """The number that is written so, and in no other way: identifiers may begin with zeros."""
    number = parse_number(text)
    if isinstance(number, int) and number <= LARGEST_ID and str(number) == text:
        return number
    return text


def all_known(predictions: Sequence[RankedPrediction], candidates: Candidates) -> bool:
    """Whether every id is a candidate as it is. False may also mean that it is a number as text."""
    lists: list[Any] = [one.pred_rank for one in predictions if one.pred_rank]
    if isinstance(candidates, frozenset):
        return candidates.issuperset(chain.from_iterable(lists))
    try:
        return not lists or (
            min(map(min, lists)) >= candidates.start and max(map(max, lists)) < candidates.stop
        )
    except TypeError:  # text and numbers
        return False


def are_numbers(lists: Iterable[list[int | str]]) -> bool:
    return str not in set(map(type, chain.from_iterable(lists)))


def unknown_ids(
    ids: Sequence[int | str], candidates: Candidates
) -> Iterator[tuple[int, int | str]]:
    for place, id_ in enumerate(ids[:READ_IDS]):
        other = parse_id(id_) if isinstance(id_, str) else str(id_)
        if id_ not in candidates and other not in candidates:
            yield place, id_


def repeated_query(line: int, query_id: int) -> RowFault:
    message = "This query was given before."
    item = str(query_id)
    return RowFault(line, "query_id", "duplicate_item", message, "each query once", item, item)
