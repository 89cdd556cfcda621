"""What a query may be, seen before any process is started: it reads the graph and nothing else.

The engine's database is opened for reading only and its process cannot open a file, so nothing
here is the last guard; it is where the reader is told which word was meant and where it stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType

from backend.graphs.cypher.errors import QueryRefused, QueryWrong

LONGEST_QUERY = 20_000
DEEPEST_NESTING = 100
LARGEST_INTEGER = 2**63 - 1
MANY_VALUES = 10_000
NO_TEXT = re.compile("[\0\ud800-\udfff]")

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")
      | (?P<quoted>`[^`]*`)
      | (?P<parameter>\$\w+)
      | (?P<word>[^\W\d]\w*)
      | (?P<space>\s+)
      | (?P<number>\d[\w.]*)
      | (?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)
BEGINNINGS = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN")
REFUSED = {
    **dict.fromkeys(
        ("CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "DROP", "ALTER"),
        "changes the graph",
    ),
    **dict.fromkeys(
        ("COPY", "LOAD", "EXPORT", "IMPORT", "ATTACH", "INSTALL", "UNINSTALL", "UPDATE"),
        "reads or writes files",
    ),
    **dict.fromkeys(
        ("CALL", "USE", "BEGIN", "COMMIT", "ROLLBACK", "CHECKPOINT"), "runs a procedure"
    ),
}
OPENING, CLOSING = "([{", ")]}"
Scalar = str | int | float | bool | None
Value = Scalar | Sequence[Scalar]


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    start: int


def check_query(query: str, parameters: Mapping[str, Value]) -> None:
    """Raises QueryWrong or QueryRefused, with line and column, unless it is one reading query."""
    _check_text(query)
    tokens = [one for one in _tokens(query) if one.kind not in {"space", "comment"}]
    if tokens and tokens[-1].text == ";":
        tokens.pop()
    if not tokens:
        raise QueryWrong("The query is empty.")
    _check_beginning(query, tokens[0])
    _check_words(query, tokens)
    _check_nesting(query, tokens)
    _check_parameters(query, tokens, parameters)


def _check_text(query: str) -> None:
    if len(query) > LONGEST_QUERY:
        raise QueryWrong(f"The query has {len(query):,} characters; it may have {LONGEST_QUERY:,}.")
    if found := NO_TEXT.search(query):
        raise _at(QueryWrong, query, found.start(), "There is a character here that is no text.")


def _tokens(query: str) -> Iterator[Token]:
    for found in TOKEN.finditer(query):
        yield Token(str(found.lastgroup), found[0], found.start())


def _check_beginning(query: str, first: Token) -> None:
    if first.text.upper() in BEGINNINGS or first.text.upper() in REFUSED:
        return  # a refused word is named below, with what it would do
    raise _at(
        QueryRefused,
        query,
        first.start,
        f"A query begins with {', '.join(BEGINNINGS[:-1])} or {BEGINNINGS[-1]}, "
        f"not with {first.text[:40]}.",
    )


def _check_words(query: str, tokens: Sequence[Token]) -> None:
    for place, token in enumerate(tokens):
        if token.text == ";":
            raise _at(QueryRefused, query, token.start, "Only one query can be asked at a time.")
        does = REFUSED.get(token.text.upper()) if token.kind == "word" else None
        if does and not _is_name(tokens, place):
            raise _at(
                QueryRefused,
                query,
                token.start,
                f"{token.text.upper()} {does}, and queries here only read the graph. "
                "If it is a name, put it between backquotes.",
            )


def _is_name(tokens: Sequence[Token], place: int) -> bool:
    """A property (`n.set`), a label (`:Set`), a key or a variable with a label (`{set: 1}`)."""
    before = tokens[place - 1].text if place else ""
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    return before in {".", ":", "|"} or after == ":"


def _check_nesting(query: str, tokens: Sequence[Token]) -> None:
    """The engine's parser calls itself for each bracket, and ends its process when too deep."""
    depth = 0
    for token in tokens:
        depth += (token.text in OPENING) - (token.text in CLOSING) if token.kind == "sign" else 0
        if depth > DEEPEST_NESTING:
            raise _at(
                QueryWrong,
                query,
                token.start,
                f"Brackets may be nested {DEEPEST_NESTING} deep, not deeper.",
            )


def _check_parameters(query: str, tokens: Sequence[Token], parameters: Mapping[str, Value]) -> None:
    """The engine takes a missing parameter for null without a word, and answers nothing."""
    used = {token.text[1:]: token for token in tokens if token.kind == "parameter"}
    for name, token in used.items():
        if name not in parameters:
            raise _at(QueryWrong, query, token.start, f"The parameter ${name} was not given.")
    for name, value in parameters.items():
        if name not in used:
            raise QueryWrong(f"The query does not use the parameter {name[:40]}.")
        _check_value(name, value)


def _check_value(name: str, value: Value) -> None:
    """The engine ends its process at lists of several kinds, so each is looked at before."""
    parts = value if isinstance(value, list | tuple) else [value]
    if len(parts) > MANY_VALUES:
        raise QueryWrong(f"The parameter {name} has {len(parts):,} values, of {MANY_VALUES:,}.")
    if wrong := next(filter(None, map(_wrong_with, parts)), None):
        raise QueryWrong(f"The parameter {name} {wrong}.")
    if isinstance(value, list | tuple) and len({type(part) for part in parts} - {NoneType}) != 1:
        raise QueryWrong(f"The list {name} has to have values, all of them of one kind.")


def _wrong_with(value: object) -> str | None:
    if isinstance(value, str):
        return "has a character that is no text" if NO_TEXT.search(value) else None
    if isinstance(value, float):
        return None if math.isfinite(value) else "has a number that is not finite"
    if isinstance(value, int):
        return "has a number beyond 64 bits" if abs(value) > LARGEST_INTEGER else None
    return (
        None if value is None else "is neither a text, a number, true or false, nor a list of them"
    )


def _at(error: type[QueryWrong], query: str, place: int, detail: str) -> QueryWrong:
    line, column = line_and_column(query, place)
    return error(f"{detail} (line {line}, column {column})", line=line, column=column)


def line_and_column(query: str, place: int) -> tuple[int, int]:
    """Both counted from 1."""
    before = query[:place]
    return before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
