"""SerenQA's dialect of Cypher, translated into that of the engine.

Names of types and relations may differ from the graph's in case and underscores. Of a node n, the
identifier in `(n {id: "5716"})`, `n.id = "5716"`, `"5716" = n.id` or `n.id IN ["5716"]` may be that
of the question's file or a CURIE, and digits may stand without quotes. `(n {name: "…"})`,
`n.name = "…"` and `n.name IN ["…"]` name the entities that the question's pattern names so, if it
does: names are not unique. `<>` is like `=`. Names may be in backquotes, and either side of a
comparison in parentheses. Of a node without a label, an identifier may mean entities of several
types: the one that the question names; else all of them directly behind `n.id =` and in `IN`.
Elsewhere (`"5716" = n.id`, `n.id = ("5716")`, `<>`, `{id: "5716"}`) it then stays as it is written.

A pattern without an arrow, `(a)-[:interacts]-(b)`, matches each edge once for each direction in
which its ends fit, as in Neo4j. The database has symmetric relations in both directions, so such a
pattern of symmetric relations gets an arrow. One without relations, or with others beside them, is
left as it is: it matches edges of symmetric relations twice.

Everything else stays as it is written, also maps that are values, as in `RETURN {id: "5716"}`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from backend.graphs.cypher.errors import InvalidQuery
from backend.graphs.cypher.label_names import UNQUOTED_NAME, make_labels, make_relation_names
from backend.graphs.cypher.query_brackets import (
    NAMES,
    Bracket,
    BracketKind,
    QueryBrackets,
)
from backend.graphs.cypher.query_validation import read_tokens
from backend.graphs.entity_lookup import find_identifier, find_numbers
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.normal_form import normalize_name

NamesByType = Mapping[tuple[str, str], str]
"""Identifiers in the graph by normalized type and name."""
UNKNOWN_TABLE = re.compile(r"Table (.+) does not exist\.?")
MOST_NAMES = 40
OPERATORS = frozenset("+-*/%^.[")
"""Beside one of them, a text or number is a part of what is compared."""
BEFORE_GROUP = frozenset(
    ("WHERE", "AND", "OR", "XOR", "NOT", "IN", "WHEN", "THEN", "ELSE", "CASE", "RETURN", "WITH")
)
"""Words before a parenthesis that groups; before any other one, it has the arguments of a call."""
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class Dialect:
    """The names of one graph."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        labels = make_labels(snapshot.types)
        relations = [relation.name for relation in snapshot.relations]
        engine_names = make_relation_names(relations, labels)
        self._labels = _by_name(snapshot.types, labels)
        self._relations = _by_name(relations, engine_names)
        symmetric = {relation.name for relation in snapshot.relations if relation.symmetric}
        self._symmetric = {
            name for one, name in zip(relations, engine_names, strict=True) if one in symmetric
        }
        self._types = {label: type_ for type_, label in zip(snapshot.types, labels, strict=True)}

    def translate(self, query: str, names: NamesByType | None = None) -> str:
        """The query for the engine. One that is wrong stays wrong."""
        return _Translation(self, query, names or {}).run()

    def explain(self, query: str, error: InvalidQuery) -> InvalidQuery:
        """An error that names the unknown label or relation, its place and those that there are."""
        unknown = UNKNOWN_TABLE.fullmatch(error.detail)
        if unknown is None:
            return error
        tokens = read_tokens(query)
        brackets = QueryBrackets(tokens)
        for at, token in enumerate(tokens):
            is_name = token.kind in NAMES and brackets.text(at - 1) in {":", "|"}
            if is_name and unquote(token.text) == unknown[1]:
                is_relation = brackets.innermost[at].kind == BracketKind.RELATION
                known = self._relations if is_relation else self._labels
                noun = "relation" if is_relation else "label"
                before = query[: token.start]
                line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
                names = list(dict.fromkeys(known.values()))
                more = ", …" if len(names) > MOST_NAMES else ""
                message = (
                    f"The graph has no {noun} {unknown[1]} (line {line}, column {column}). "
                    f"It has: {', '.join(names[:MOST_NAMES])}{more}."
                )
                return InvalidQuery(message, line=line, column=column)
        return error

    def label(self, word: str) -> str:
        return _find(self._labels, word)

    def relation(self, word: str) -> str:
        return _find(self._relations, word)

    def is_symmetric(self, word: str) -> bool:
        return self.relation(word) in self._symmetric

    def find_identifiers(self, text: str, label: str, names: NamesByType) -> list[str]:
        """The graph's identifiers: of several, without a label, the one that the question names if
        it does; the text itself if there is no such entity."""
        if label in self._types:
            return [find_identifier(self._snapshot, text, [self._types[label]])]
        numbers = find_numbers(self._snapshot, text)
        ids = [self._snapshot.entity_summary(number).id for number in numbers] or [text]
        named = [one for one in ids if one in names.values()]
        return named if len(named) == 1 else ids

    def find_name(self, text: str, label: str, names: NamesByType) -> str | None:
        type_ = self._types.get(label)
        if type_ is not None:
            return names.get((normalize_name(type_), text))
        ids = {id_ for (_, name), id_ in names.items() if name == text}
        return ids.pop() if len(ids) == 1 else None


def _by_name(names: Sequence[str], engine_names: Sequence[str]) -> dict[str, str]:
    """The engine's name by its own and by the graph's, both as they are and normalized.

    Names that are written so go before normalized ones, and the graph's before the engine's.
    """
    pairs = [*zip(engine_names, engine_names, strict=True), *zip(names, engine_names, strict=True)]
    return {normalize_name(name): one for name, one in pairs} | dict(pairs)


def _find(names: Mapping[str, str], word: str) -> str:
    return names.get(word) or names.get(normalize_name(word), word)


class _Translation:
    def __init__(self, dialect: Dialect, query: str, names: NamesByType) -> None:
        self._dialect, self._query, self._names = dialect, query, names
        self._tokens = read_tokens(query)
        self._brackets = QueryBrackets(self._tokens)
        self._text, self._name = self._brackets.text, self._brackets.name
        self._new: dict[int, str] = {}
        self._name_lists: set[int] = set()

    def run(self) -> str:
        self._variables = self._node_variables()
        for at, token in enumerate(self._tokens):
            if token.kind == "text" or (token.kind == "number" and token.text.isdecimal()):
                self._resolve(at)
            elif token.kind in NAMES and self._text(at - 1) in {":", "|"}:
                self._rename(at)
        for relation in self._brackets.relations:
            self._direct(relation)
        return "".join(self._parts())

    def _node_variables(self) -> dict[str, str]:
        """The engine's label of each, which may stand after its first use; empty if it has none."""
        variables: dict[str, str] = {}
        for node in self._brackets.nodes:
            if node.variable >= 0:
                name, label = self._name(node.variable), self._label_of(node)
                variables[name] = label or variables.get(name, "")
        for at, token in enumerate(self._tokens):  # WITH node AS other
            if token.kind == "word" and token.text.upper() == "AS":
                name, before = self._name(at - 1), self._text(at - 2).upper()
                if name in variables and before in {"WITH", "DISTINCT", ","}:
                    variables.setdefault(self._name(at + 1), variables[name])
        return variables

    def _label_of(self, node: Bracket) -> str:
        return self._dialect.label(unquote(self._text(node.label))) if node.label >= 0 else ""

    def _rename(self, at: int) -> None:
        kind, word = self._brackets.innermost[at].kind, unquote(self._text(at))
        if kind == BracketKind.NODE:
            name = self._dialect.label(word)
        elif kind == BracketKind.RELATION:
            name = self._dialect.relation(word)
        else:
            return
        if name != word:
            self._new[at] = name if UNQUOTED_NAME.fullmatch(name) else f"`{name}`"

    def _direct(self, relation: Bracket) -> None:
        """An arrow for a pattern without one whose relations are all symmetric."""
        start, end = relation.start, self._brackets.end(relation.start)
        if self._text(start - 2) == "<" or self._text(end + 2) == ">":
            return
        names = [
            unquote(self._text(at))
            for at in range(start + 1, end)
            if self._brackets.innermost[at] is relation
            and self._tokens[at].kind in NAMES
            and self._text(at - 1) in {":", "|"}
        ]
        if names and all(map(self._dialect.is_symmetric, names)):
            self._new[end + 1] = "->"

    def _resolve(self, at: int) -> None:
        group = self._group(at, at)
        bracket = self._brackets.innermost[group[0]]
        if (property_ := self._compared_property(*group, bracket)) is None:
            return
        key, label = property_
        text = unquote(self._text(at))
        if self._name(key) == "id":
            self._resolve_identifier(at, text, label, bracket)
        elif self._name(key) != "name" or "id" in bracket.keys or self._is_number(at):
            return
        elif bracket.kind == BracketKind.LIST:
            self._resolve_names(bracket, key, label)
        elif (identifier := self._dialect.find_name(text, label, self._names)) is not None:
            self._new[key] = "id"
            self._replace(at, text, identifier)

    def _resolve_identifier(self, at: int, text: str, label: str, bracket: Bracket) -> None:
        identifiers = self._dialect.find_identifiers(text, label, self._names)
        if len(identifiers) == 1:
            self._replace(at, text, identifiers[0])
            return
        every = ", ".join(json.dumps(one, ensure_ascii=False) for one in identifiers)
        if bracket.kind == BracketKind.LIST and self._text(at - 1) in {"[", ","}:
            self._new[at] = every
        elif bracket.kind != BracketKind.NODE_MAP and self._is_after_property(at):
            self._new |= {at - 1: " IN ", at: f"[{every}]"}

    def _is_after_property(self, at: int) -> bool:
        return self._text(at - 1) == "=" and self._text(at - 2) not in {"<", ">"}

    def _resolve_names(self, bracket: Bracket, key: int, label: str) -> None:
        """A list of names: some may be those of the question's entities, and others not."""
        if bracket.start in self._name_lists:
            return
        self._name_lists.add(bracket.start)
        places, end = self._texts_of_list(bracket.start)
        if self._text(end) != "]":
            return
        identifiers = {
            at: self._dialect.find_name(unquote(self._text(at)), label, self._names)
            for at in places
        }
        named = {
            at: json.dumps(id_, ensure_ascii=False)
            for at, id_ in identifiers.items()
            if id_ is not None
        }
        if len(named) == len(places):
            self._new |= {key: "id", **named}
        elif named and self._text(key + 1).upper() == "IN":
            other = next(self._text(at) for at in places if at not in named)
            self._new |= dict.fromkeys(named, other)
            variable, ids = self._text(key - 2), ", ".join(named.values())
            self._new[key - 2] = f"({variable}.id IN [{ids}] OR {variable}"
            self._new[end] = "])"

    def _texts_of_list(self, start: int) -> tuple[list[int], int]:
        """The texts up to the first token that is neither a text nor a comma, and its place."""
        places, at = list[int](), start + 1
        while at < len(self._tokens) and (self._tokens[at].kind == "text" or self._text(at) == ","):
            if self._text(at) != ",":
                places.append(at)
            at += 1
        return places, at

    def _group(self, first: int, last: int) -> tuple[int, int]:
        """With the parentheses around these tokens that only group."""
        while (
            self._text(first - 1) == "("
            and self._text(last + 1) == ")"
            and not self._is_call(first - 1)
        ):
            first, last = first - 1, last + 1
        return first, last

    def _is_call(self, parenthesis: int) -> bool:
        before = parenthesis - 1
        is_name = before >= 0 and self._tokens[before].kind in NAMES
        return is_name and self._text(before).upper() not in BEFORE_GROUP

    def _compared_property(self, first: int, last: int, bracket: Bracket) -> tuple[int, str] | None:
        """The place of the node's property that this text is compared with, and the label.

        first, last: of the text with its parentheses; bracket: directly around them.
        """
        if self._text(first - 1) in OPERATORS - {"["} or self._text(last + 1) in OPERATORS:
            return None
        if bracket.kind == BracketKind.NODE_MAP and bracket.outer is not None:
            is_value = self._text(first - 1) == ":" and self._text(first - 3) in {"{", ","}
            node = bracket.outer
            label = self._label_of(node) or self._variables.get(self._name(node.variable), "")
            return (first - 2, label) if is_value else None
        key = self._place_of_property(first, last, bracket)
        variable = self._name(key - 2)
        if self._text(key - 1) == "." and variable in self._variables:
            return key, self._variables[variable]
        return None

    def _place_of_property(self, first: int, last: int, bracket: Bracket) -> int:
        """Where the property may stand that is compared with the text, before or behind it."""
        if bracket.kind == BracketKind.LIST:
            start, _ = self._group(bracket.start, self._brackets.end(bracket.start))
            return self._property_before(start - 1) if self._text(start - 1).upper() == "IN" else -1
        if self._text(first - 1) == "=":
            return self._property_before(first - 1)
        if self._text(first - 2) == "<" and self._text(first - 1) == ">":
            return self._property_before(first - 2)
        if self._text(last + 1) == "=":
            return self._property_behind(last + 1)
        if self._text(last + 1) == "<" and self._text(last + 2) == ">":
            return self._property_behind(last + 2)
        return -1

    def _property_before(self, at: int) -> int:
        """The key of `n.id` or `(n.id)` that ends before this token; -1 for anything else."""
        key = at - 1
        while self._text(key) == ")":
            key -= 1
        first, last = self._group(key - 2, key)
        return key if last == at - 1 and first >= 0 else -1

    def _property_behind(self, at: int) -> int:
        """The key of `n.id` or `(n.id)` behind this token, if that is all of the operand."""
        variable = at + 1
        while self._text(variable) == "(":
            variable += 1
        key = variable + 2
        first, last = self._group(variable, key)
        is_whole = first == at + 1 and self._text(last + 1) not in OPERATORS
        return key if is_whole else -1

    def _is_number(self, at: int) -> bool:
        return self._tokens[at].kind == "number"

    def _replace(self, at: int, before: str, after: str) -> None:
        if after != before or self._is_number(at):
            self._new[at] = json.dumps(after, ensure_ascii=False)

    def _parts(self) -> Iterator[str]:
        end = 0
        for at in sorted(self._new):
            token = self._tokens[at]
            yield self._query[end : token.start]
            yield self._new[at]
            end = token.start + len(token.text)
        yield self._query[end:]


def unquote(text: str) -> str:
    """What a token of a text or a quoted name stands for."""
    if text[:1] == "`":
        return text[1:-1]
    if text[:1] not in {"'", '"'}:
        return text
    inner, parts, at = text[1:-1], list[str](), 0
    while at < len(inner):
        if inner[at] == "\\" and at + 1 < len(inner):
            at += 1
            parts.append(ESCAPES.get(inner[at], inner[at]))
        else:
            parts.append(inner[at])
        at += 1
    return "".join(parts)
