"""What a question of the demo's release states about its answers, evaluated on the demo graph.

    ?x treats [migraine]; ?x inhibits ?p; ?p is_part_of [TORC1 complex]; not ?x treats [epilepsy]
    ?x is Drug; ?x contains "foxglove"

Entities are named as the graph has them. The answers are all `?x` that some choice of the other
variables makes true. A `not` clause has no variable of its own. `contains` is about an entity's
document, without regard to case. A symmetric relation holds either way.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tools.demo_releases.tables import GraphTables

CLAUSE = re.compile(
    r"(?P<no>not )?(?P<left>\?\w+|\[[^\]]+\]) (?P<relation>\w+) "
    r"(?P<right>\?\w+|\[[^\]]+\]|\"[^\"]+\"|[A-Z][\w ]*)"
)
ANSWER = "?x"
Binding = Mapping[str, str]


class InvalidPattern(Exception):
    """The pattern cannot be read, or names what the graph does not have."""


@dataclass(frozen=True)
class Clause:
    is_negated: bool
    left: str
    relation: str
    right: str


class PatternQueries:
    """Evaluates patterns on one graph."""

    def __init__(self, graph: GraphTables) -> None:
        self.graph = graph
        self.ids = {f"[{one.name}]": one.id for one in graph.entities.values()}
        self.types = {one.type for one in graph.entities.values()}
        self.ends: dict[str, set[tuple[str, str]]] = {}
        for source, relation, target in graph.edges:
            self.ends.setdefault(relation, set()).add((source, target))
            if relation in graph.symmetric:
                self.ends[relation].add((target, source))

    def find_answers(self, pattern: str) -> list[str]:
        """Identifiers in order. Raises InvalidPattern."""
        clauses = sorted(map(self.parse, pattern.split("; ")), key=lambda one: one.is_negated)
        return sorted({binding[ANSWER] for binding in self.bind(clauses, {})})

    def parse(self, text: str) -> Clause:
        match = CLAUSE.fullmatch(text)
        if match is None:
            raise InvalidPattern(f"'{text}' is not a clause")
        clause = Clause(bool(match["no"]), match["left"], match["relation"], match["right"])
        for term in (clause.left, clause.right):
            if term.startswith("[") and term not in self.ids:
                raise InvalidPattern(f"the graph has no entity {term}")
        known = clause.relation in ("contains", "is") or clause.relation in self.ends
        if not known or (clause.relation == "is" and clause.right not in self.types):
            raise InvalidPattern(f"the graph has no '{clause.relation} {clause.right}'")
        return clause

    def bind(self, clauses: Sequence[Clause], binding: Binding) -> Iterator[Binding]:
        if not clauses:
            yield binding
            return
        clause, *rest = clauses
        matches = self.pairs(clause, binding)
        if clause.is_negated:
            if next(matches, None) is None:
                yield from self.bind(rest, binding)
            return
        for left, right in matches:
            named = {clause.left: left, clause.right: right}
            variables = {name: id_ for name, id_ in named.items() if name.startswith("?")}
            yield from self.bind(rest, {**binding, **variables})

    def pairs(self, clause: Clause, binding: Binding) -> Iterator[tuple[str, str]]:
        left, right = (self.value(term, binding) for term in (clause.left, clause.right))
        for pair in self.facts(clause):
            if left in (None, pair[0]) and right in (None, pair[1]):
                yield pair

    def value(self, term: str, binding: Binding) -> str | None:
        """An identifier, or None for a variable that is not bound."""
        return binding.get(term) if term.startswith("?") else self.ids.get(term, term)

    def facts(self, clause: Clause) -> Iterator[tuple[str, str]]:
        if clause.relation == "is":
            yield from ((one.id, one.type) for one in self.graph.entities.values())
        elif clause.relation == "contains":
            phrase = clause.right.strip('"').lower()
            texts = self.graph.texts.items()
            yield from ((id_, clause.right) for id_, text in texts if phrase in text.lower())
        else:
            yield from self.ends[clause.relation]
