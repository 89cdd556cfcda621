"""The brackets of a query, and which of them are node patterns, relation patterns and node maps.

    MATCH (d:Drug {id: "5716"})-[r:treats]->(x) WHERE x.id IN ["1"] RETURN {id: d.id}
          node    node map      relation    node              list          other

A map is that of a node only directly inside a node pattern; any other map is a value. Time is
linear in the number of tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from backend.graphs.cypher.query_validation import CLOSING, OPENING, Token

CLAUSES = frozenset(
    {"MATCH", "WHERE", "RETURN", "WITH", "UNWIND", "ORDER", "SKIP", "LIMIT", "UNION"}
)
BEFORE_PATTERN = frozenset({"MATCH", ",", "=", "("})
LABEL_MARKS = frozenset({":", "|", "&"})
NAMES = frozenset({"word", "quoted"})


class BracketKind(StrEnum):
    NODE = "node"
    NODE_MAP = "node map"
    RELATION = "relation"
    LIST = "list"
    OTHER = "other"


@dataclass(slots=True)
class Bracket:
    """start: the place of its token. clause: the last clause that began directly inside.

    variable, label: of a node, places of their tokens or -1. keys: of a map, without backquotes.
    """

    kind: BracketKind
    start: int
    outer: "Bracket | None" = None
    clause: str = ""
    variable: int = -1
    label: int = -1
    keys: set[str] = field(default_factory=set)


class QueryBrackets:
    """`innermost`: for each token the bracket directly around it, for a bracket's own the outer."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._ends = self._match_brackets()
        self.nodes: list[Bracket] = []
        self.relations: list[Bracket] = []
        self.innermost: list[Bracket] = []
        self._open = [Bracket(BracketKind.OTHER, -1)]
        for at, token in enumerate(tokens):
            if token.kind == "sign" and token.text in CLOSING and len(self._open) > 1:
                self._open.pop()
            self.innermost.append(self._open[-1])
            if token.kind == "sign" and token.text in OPENING:
                self._open.append(self._describe(at))
            elif token.kind in NAMES:
                self._note_word(at)

    def text(self, at: int) -> str:
        """Of a token; empty beyond the query. That of a text has its quotes."""
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def name(self, at: int) -> str:
        """Of a token; without the backquotes of a quoted name."""
        text = self.text(at)
        return text[1:-1] if text[:1] == "`" else text

    def end(self, at: int) -> int:
        """The place of the bracket that closes this one; behind the query if none does."""
        return self._ends.get(at, len(self._tokens))

    def _match_brackets(self) -> dict[int, int]:
        ends, begun = {}, list[int]()
        for at, token in enumerate(self._tokens):
            if token.kind == "sign" and token.text in OPENING:
                begun.append(at)
            elif token.kind == "sign" and token.text in CLOSING and begun:
                ends[begun.pop()] = at
        return ends

    def _note_word(self, at: int) -> None:
        bracket, word = self._open[-1], self.name(at)
        if bracket.kind == BracketKind.NODE_MAP:
            if self.text(at - 1) in {"{", ","} and self.text(at + 1) == ":":
                bracket.keys.add(word)
        elif self.text(at).upper() in CLAUSES and self.text(at - 1) not in {".", ":"}:
            bracket.clause = word.upper()

    def _describe(self, at: int) -> Bracket:
        outer, sign = self._open[-1], self.text(at)
        if sign == "(":
            return self._describe_parenthesis(at, outer)
        if sign == "[":
            is_relation = self.text(at - 1) == "-" and self.text(self.end(at) + 1) == "-"
            bracket = Bracket(BracketKind.RELATION if is_relation else BracketKind.LIST, at, outer)
            self.relations += [bracket] * is_relation
            return bracket
        is_first_map = outer.kind == BracketKind.NODE and self.end(outer.start) == self.end(at) + 1
        return Bracket(BracketKind.NODE_MAP if is_first_map else BracketKind.OTHER, at, outer)

    def _describe_parenthesis(self, at: int, outer: Bracket) -> Bracket:
        in_match = outer.clause == "MATCH" and self.text(at - 1).upper() in BEFORE_PATTERN
        node = self._read_node(at, outer) if in_match or self._is_beside_arrow(at) else None
        if node is None:
            return Bracket(BracketKind.OTHER, at, outer, clause="MATCH" if in_match else "")
        self.nodes.append(node)
        return node

    def _read_node(self, at: int, outer: Bracket) -> Bracket | None:
        """None unless a variable, labels and a map, each optional, are all that is inside."""
        place = at + 1
        node = Bracket(BracketKind.NODE, at, outer)
        if self._is_name(place):
            node.variable, place = place, place + 1
        while self.text(place) in LABEL_MARKS:
            place += 1
            if self._is_name(place):
                node.label = place if node.label < 0 else node.label
                place += 1
        if self.text(place) == "{":
            place = self.end(place) + 1
        return node if place == self.end(at) else None

    def _is_beside_arrow(self, at: int) -> bool:
        before, after = self.text(at - 1), self.end(at) + 1
        if before == ">":
            return self.text(at - 2) == "-"
        if before == "-" and self.text(at - 2) in {"]", "-"}:
            return True
        if self.text(after) == "<":
            after += 1
        return self.text(after) == "-" and self.text(after + 1) in {"[", "-"}

    def _is_name(self, at: int) -> bool:
        return 0 <= at < len(self._tokens) and self._tokens[at].kind in NAMES
