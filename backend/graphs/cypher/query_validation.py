"""Validate a query before a process is started: one query that only reads the graph.

This is not the security boundary: the engine opens its database read-only, in a process that
cannot open files. The purpose here is an error message with the word and its position.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import NoneType

from backend.graphs.cypher.errors import ForbiddenQuery, InvalidQuery

MAX_QUERY_LENGTH = 20_000
MAX_NESTING = 100
MAX_INTEGER = 2**63 - 1
MAX_PARAMETER_VALUES = 10_000
SYNTAX_ERROR = "Syntax error: check the quotes, brackets and clauses around this place."
INVALID_CHARACTER = re.compile("[\0\ud800-\udfff]")

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<text>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")
      | (?P<quoted>`[^`]*`)
      | (?P<endless>(?:/\*|['"`]).*)
      | (?P<parameter>\$\w+)
      | (?P<word>[^\W\d]\w*)
      | (?P<space>\s+)
      | (?P<number>\d[\w.]*)
      | (?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)
"""endless: a comment, text or name that never ends, up to the end of the query. Without it the
search for the end would begin again at each of its quotes."""
FIRST_WORDS = ("MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN")
FORBIDDEN_WORDS = {
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
RESERVED_WORDS = {"CREATE", "INSTALL"}  # the engine takes them as names in backquotes alone
BEFORE_NAME = frozenset("([,.:|=<>+-/%^")
WORDS_BEFORE_NAME = frozenset(
    (
        *("AS", "RETURN", "WITH", "WHERE", "BY", "DISTINCT", "UNWIND", "MATCH", "AND", "OR"),
        *("XOR", "NOT", "IN", "CONTAINS", "CASE", "WHEN", "THEN", "ELSE", "SKIP", "LIMIT"),
    )
)
PREFIX_WORDS = frozenset(("NOT", "CASE", "WHEN", "DISTINCT"))  # before an operand; never names
NAME_MARKS = frozenset(".:|")  # properties, labels
WILDCARD_AFTER = frozenset(("RETURN", "WITH", "DISTINCT"))
OPENING, CLOSING = "([{", ")]}"
ParameterScalar = str | int | float | bool | None
ParameterValue = ParameterScalar | Sequence[ParameterScalar]


@dataclass(frozen=True, slots=True)
class Token:
    kind: str
    text: str
    start: int


def check_query(query: str, parameters: Mapping[str, ParameterValue]) -> None:
    """Raises InvalidQuery or ForbiddenQuery, with the place, unless it is one reading query."""
    _check_text(query)
    tokens = read_tokens(query)
    if tokens and tokens[-1].text == ";":
        tokens.pop()
    if not tokens:
        raise InvalidQuery("The query is empty.")
    _check_beginning(query, tokens[0])
    _check_words(query, tokens)
    if tokens[-1].kind == "endless":
        raise _error_at(InvalidQuery, query, tokens[-1].start, SYNTAX_ERROR)
    _check_nesting(query, tokens)
    _check_parameters(query, tokens, parameters)


def read_tokens(query: str) -> list[Token]:
    """Without spaces and comments, in time linear in the length of the query."""
    return [
        Token(str(match.lastgroup), match[0], match.start())
        for match in TOKEN.finditer(query)
        if match.lastgroup not in {"space", "comment"}
    ]


def _check_text(query: str) -> None:
    if len(query) > MAX_QUERY_LENGTH:
        raise InvalidQuery(
            f"The query has {len(query):,} characters; it may have {MAX_QUERY_LENGTH:,}."
        )
    if match := INVALID_CHARACTER.search(query):
        raise _error_at(
            InvalidQuery, query, match.start(), "This character is not allowed in a query."
        )


def _check_beginning(query: str, first: Token) -> None:
    if first.text.upper() in FIRST_WORDS or first.text.upper() in FORBIDDEN_WORDS:
        return  # _check_words reports a forbidden word, with what it would do
    raise _error_at(
        ForbiddenQuery,
        query,
        first.start,
        f"A query must start with {', '.join(FIRST_WORDS[:-1])} or {FIRST_WORDS[-1]}, "
        f"not with {first.text[:40]}.",
    )


def _check_words(query: str, tokens: Sequence[Token]) -> None:
    due = _list_due_operands(tokens)
    for place, token in enumerate(tokens):
        if token.text == ";":
            raise _error_at(
                ForbiddenQuery, query, token.start, "Only one query can be run at a time."
            )
        does = FORBIDDEN_WORDS.get(token.text.upper()) if token.kind == "word" else None
        if does and not _is_name(tokens, place, due[place]):
            raise _error_at(
                ForbiddenQuery,
                query,
                token.start,
                f"{token.text.upper()} {does}, and queries here only read the graph. "
                "If it is a name, put it in backquotes.",
            )


def _is_name(tokens: Sequence[Token], place: int, is_operand_due: bool) -> bool:
    """Whether the grammar has a name here: a property (`n.set`), a label (`:Set`), a key or a
    variable with a label (`{set: 1}`), or an alias or variable (`RETURN n AS set`) where an operand
    is due. Elsewhere the word begins a clause (`… AS n SET`).
    """
    after = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if place and (tokens[place - 1].text in NAME_MARKS or after == ":"):
        return True
    return is_operand_due and tokens[place].text.upper() not in RESERVED_WORDS


def _list_due_operands(tokens: Sequence[Token]) -> list[bool]:
    """Of each token, whether an operand or alias is due there.

    The engine takes words such as `by` and `limit` as names too (`… AS by SET by.name = ''`). One
    that stands where an operand is due is that operand, and a clause may follow it.
    """
    due = [False] * len(tokens)
    for place in range(1, len(tokens)):
        before, earlier = tokens[place - 1], tokens[place - 2].text.upper() if place > 1 else ""
        if before.text == "*":
            due[place] = earlier not in WILDCARD_AFTER
        elif before.kind == "word":
            word = before.text.upper()
            is_operand = earlier in NAME_MARKS or (due[place - 1] and word not in PREFIX_WORDS)
            due[place] = word in WORDS_BEFORE_NAME and not is_operand
        else:
            due[place] = before.kind == "sign" and before.text in BEFORE_NAME
    return due


def _check_nesting(query: str, tokens: Sequence[Token]) -> None:
    """The engine's parser is recursive and crashes at deep nesting."""
    depth = 0
    for token in tokens:
        depth += (token.text in OPENING) - (token.text in CLOSING) if token.kind == "sign" else 0
        if depth > MAX_NESTING:
            raise _error_at(
                InvalidQuery,
                query,
                token.start,
                f"Brackets may be nested {MAX_NESTING} deep at most.",
            )


def _check_parameters(
    query: str, tokens: Sequence[Token], parameters: Mapping[str, ParameterValue]
) -> None:
    """The engine silently treats a missing parameter as null, so missing ones are refused."""
    used = {token.text[1:]: token for token in tokens if token.kind == "parameter"}
    for name, token in used.items():
        if name not in parameters:
            raise _error_at(
                InvalidQuery, query, token.start, f"The parameter ${name} was not given."
            )
    for name, value in parameters.items():
        if name not in used:
            raise InvalidQuery(f"The query does not use the parameter {name[:40]}.")
        _check_value(name, value)


def _check_value(name: str, value: ParameterValue) -> None:
    """The engine crashes at lists of mixed types, so each value is checked."""
    parts = value if isinstance(value, list | tuple) else [value]
    if len(parts) > MAX_PARAMETER_VALUES:
        raise InvalidQuery(
            f"The parameter {name} has {len(parts):,} values; {MAX_PARAMETER_VALUES:,} are allowed."
        )
    if wrong := next(filter(None, map(_value_fault, parts)), None):
        raise InvalidQuery(f"The parameter {name} {wrong}.")
    if isinstance(value, list | tuple) and len({type(part) for part in parts} - {NoneType}) != 1:
        raise InvalidQuery(f"The list {name} must have values, all of the same type.")


def _value_fault(value: object) -> str | None:
    if isinstance(value, str):
        return (
            "contains a character that is not allowed" if INVALID_CHARACTER.search(value) else None
        )
    if isinstance(value, float):
        return None if math.isfinite(value) else "has a number that is not finite"
    if isinstance(value, int):
        return "has a number beyond 64 bits" if abs(value) > MAX_INTEGER else None
    return (
        None if value is None else "is neither a text, a number, true or false, nor a list of them"
    )


def _error_at(error: type[InvalidQuery], query: str, place: int, detail: str) -> InvalidQuery:
    line, column = line_and_column(query, place)
    return error(f"{detail} (line {line}, column {column})", line=line, column=column)


def line_and_column(query: str, place: int) -> tuple[int, int]:
    """Both counted from 1."""
    before = query[:place]
    return before.count("\n") + 1, place - (before.rfind("\n") + 1) + 1
