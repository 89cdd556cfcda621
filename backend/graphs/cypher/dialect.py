"""SerenQA's dialect of Cypher, translated into that of the engine.

Names of types and relations may differ from the graph's in case and underscores. An identifier in
`{id: "5716"}`, `n.id = "5716"` or `n.id IN ["5716"]` may be that of the question's file or a CURIE.
`{name: "…"}` and `n.name = "…"` name the entity that the question's pattern names so, if it does:
names are not unique. Everything else stays as it is written.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from backend.graphs.cypher.label_names import UNQUOTED_NAME, make_labels, make_relation_names
from backend.graphs.cypher.query_validation import CLOSING, OPENING, TOKEN, Token
from backend.graphs.entity_lookup import find_identifier
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.normal_form import normalize_name

NamesByType = Mapping[tuple[str, str], str]
"""Identifiers in the graph by normalized type and name."""
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


@dataclass
class _Bracket:
    """An open bracket: its sign, what precedes it, and the label inside."""

    sign: str
    start: int
    label: str = ""
    is_id_list: bool = False
    keys: set[str] = field(default_factory=set)


class Dialect:
    """The names of one graph."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        labels = make_labels(snapshot.types)
        relations = [relation.name for relation in snapshot.relations]
        engine_names = make_relation_names(relations, labels)
        self._labels = _by_name(snapshot.types, labels)
        self._relations = _by_name(relations, engine_names)
        self._types = {label: type_ for type_, label in zip(snapshot.types, labels, strict=True)}

    def translate(self, query: str, names: NamesByType | None = None) -> str:
        """The query for the engine. One that is wrong stays wrong."""
        return _Translation(self, query, names or {}).run()

    def label(self, word: str) -> str:
        return self._labels.get(normalize_name(word), word)

    def relation(self, word: str) -> str:
        return self._relations.get(normalize_name(word), word)

    def find_identifier(self, text: str, label: str) -> str:
        """The graph's identifier; the text itself if there is no such entity, or several."""
        types = [self._types[label]] if label in self._types else []
        return find_identifier(self._snapshot, text, types)

    def find_name(self, text: str, label: str, names: NamesByType) -> str | None:
        type_ = self._types.get(label)
        if type_ is not None:
            return names.get((normalize_name(type_), text))
        ids = {id_ for (_, name), id_ in names.items() if name == text}
        return ids.pop() if len(ids) == 1 else None


def _by_name(names: Sequence[str], engine_names: Sequence[str]) -> dict[str, str]:
    """The engine's name by the graph's and by its own, both normalized."""
    own = {normalize_name(one): one for one in engine_names}
    return own | {normalize_name(name): one for name, one in zip(names, engine_names, strict=True)}


class _Translation:
    def __init__(self, dialect: Dialect, query: str, names: NamesByType) -> None:
        self._dialect, self._query, self._names = dialect, query, names
        self._open: list[_Bracket] = []
        self._new: dict[int, str] = {}

    @cached_property
    def _tokens(self) -> list[Token]:
        return [
            Token(str(match.lastgroup), match[0], match.start())
            for match in TOKEN.finditer(self._query)
            if match.lastgroup not in {"space", "comment"}
        ]

    def run(self) -> str:
        self._walk(self._rename)  # labels first: of a variable, they may stand after its use
        self._variables = dict(self._labelled_variables())
        self._walk(self._resolve)
        return "".join(self._parts())

    def _walk(self, step: Callable[[int, Token], None]) -> None:
        self._open = []
        for at, token in enumerate(self._tokens):
            if token.kind == "sign" and token.text in OPENING:
                is_list = token.text == "[" and self._is_compared(at, "IN")
                self._open.append(_Bracket(token.text, at, self._label_inside(at), is_list))
            elif token.kind == "sign" and token.text in CLOSING:
                if self._open:
                    self._open.pop()
            else:
                step(at, token)

    def _rename(self, at: int, token: Token) -> None:
        if token.kind not in {"word", "quoted"} or self._text(at - 1) not in {":", "|"}:
            return
        sign = self._open[-1].sign if self._open else ""
        if sign not in {"(", "["}:
            return
        word = unquote(token.text)
        name = self._dialect.label(word) if sign == "(" else self._dialect.relation(word)
        if name != word:
            self._new[at] = name if UNQUOTED_NAME.fullmatch(name) else f"`{name}`"

    def _resolve(self, at: int, token: Token) -> None:
        if token.kind != "text":
            return
        if (property_ := self._compared_property(at)) is not None:
            key, label = property_
            text = unquote(token.text)
            if self._text(key) == "id":
                self._replace(at, text, self._dialect.find_identifier(text, label))
            elif self._text(key) == "name":
                identifier = self._dialect.find_name(text, label, self._names)
                if identifier is not None and not self._has_id_key():
                    self._new[key] = "id"
                    self._replace(at, text, identifier)

    def _compared_property(self, at: int) -> tuple[int, str] | None:
        """The place of the property that this text is compared with, and the entity's label."""
        if self._text(at - 1) == ":" and self._open and self._open[-1].sign == "{":
            outer = self._open[-2] if len(self._open) > 1 else None
            return at - 2, outer.label if outer is not None and outer.sign == "(" else ""
        place = at
        if self._open and self._open[-1].is_id_list:
            place = self._open[-1].start
        elif self._text(at - 1) != "=":
            return None
        key = place - 2
        if self._text(key - 1) != ".":
            return None
        return key, self._variables.get(self._text(key - 2), "")

    def _has_id_key(self) -> bool:
        """Whether the map around has an id as well."""
        if not self._open or self._open[-1].sign != "{":
            return False
        at, depth = self._open[-1].start + 1, 0
        while at < len(self._tokens) and depth >= 0:
            text = self._text(at)
            depth += (text in OPENING) - (text in CLOSING)
            if depth == 0 and text == "id" and self._text(at + 1) == ":":
                return True
            at += 1
        return False

    def _is_compared(self, at: int, word: str) -> bool:
        return self._text(at - 1).upper() == word and self._text(at - 2) == "id"

    def _label_inside(self, at: int) -> str:
        """Of `(n:Label …` and `(:Label …`, as the engine has it."""
        if self._text(at) != "(":
            return ""
        place = at + 1 if self._text(at + 1) == ":" else at + 2
        if self._text(place) == ":":
            return self._dialect.label(unquote(self._text(place + 1)))
        return self._variables_so_far().get(self._text(at + 1), "")

    def _variables_so_far(self) -> Mapping[str, str]:
        return getattr(self, "_variables", {})

    def _labelled_variables(self) -> Iterator[tuple[str, str]]:
        for at, token in enumerate(self._tokens):
            if token.text == "(" and self._text(at + 2) == ":":
                yield self._text(at + 1), self._dialect.label(unquote(self._text(at + 3)))

    def _replace(self, at: int, before: str, after: str) -> None:
        if after != before:
            self._new[at] = json.dumps(after, ensure_ascii=False)

    def _text(self, at: int) -> str:
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

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
