"""Which matches of a pattern become questions, and the demo's own, drawn from recipes.

A match is drawn by chance, from a recipe here or from any graph in `drawing`; its entities become
the named ones, and the pattern is run. A question is kept if it has few enough answers to be
ranked, no named entity among them, and no condition that could be left out; and if the entities
that it names have not come up too often. The same graph and seed give the same questions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from backend.benchmarks.patterns.joins import PatternTooLarge
from backend.benchmarks.patterns.running import run_pattern
from backend.benchmarks.patterns.shapes import Kind, Pattern, PatternEdge, PatternNode, reached
from backend.benchmarks.recipes import RECIPES, Recipe
from backend.benchmarks.serenqa.records import Answer
from backend.benchmarks.serenqa.writing import NewQuestion
from backend.graphs.snapshots.records import EntityRecord
from backend.graphs.snapshots.view import GraphView, within

FIRST_QID = 7001
FEWEST, MOST = 2, 25
TRIES = 8_000
OFTEN = 3  # questions that name one entity
LOWERED = {"Phenotype", "Side effect"}  # written as headings in their vocabularies
PROPER = {"Raynaud phenomenon"}
METABOLISING = "cytochrome P450"  # blocking it explains no use of a drug
Match = dict[int, int]


@dataclass(frozen=True)
class Draft:
    """A match that may become a question. The pattern says the types and relations, not yet which
    entities are named; in the text {1} is the name of node 1."""

    pattern: Pattern
    match: Match
    text: str
    category: str


@dataclass
class Making:
    """The questions made so far, by what they name and ask; most: answers of one of them."""

    view: GraphView
    chance: random.Random
    most: int = MOST
    named: Counter[int] = field(default_factory=Counter)
    asked: set[tuple[Pattern, str, frozenset[int]]] = field(default_factory=set)

    @classmethod
    def of(cls, view: GraphView, seed: int, most: int = MOST) -> Making:
        chance = random.Random(seed)  # noqa: S311  the same draw each time is wanted
        return cls(view, chance, most)

    def question(self, draft: Draft) -> NewQuestion | None:
        """The question of a match, if it is one to be asked; then it counts as made."""
        found = _question(self, draft)
        if found is not None:
            named = _named(draft)
            self.named.update(named)
            self.asked.add((draft.pattern, draft.text, named))
        return found


def make_questions(view: GraphView, seed: int) -> list[NewQuestion]:
    """One after the other, from the first type to the last; fewer where a graph has not enough."""
    making = Making.of(view, seed)
    return numbered(question for recipe in RECIPES for question in _of_recipe(making, recipe))


def numbered(questions: Iterable[NewQuestion]) -> list[NewQuestion]:
    return [replace(one, qid=qid) for qid, one in enumerate(questions, start=FIRST_QID)]


def _of_recipe(making: Making, recipe: Recipe) -> Iterator[NewQuestion]:
    pattern = _pattern(recipe)
    left = recipe.count
    for _ in range(TRIES):
        match = _drawn(making, pattern) if left else None
        draft = Draft(pattern, match, recipe.text, recipe.category) if match else None
        question = making.question(draft) if draft else None
        if question:
            left -= 1
            yield question


def _pattern(recipe: Recipe) -> Pattern:
    """The recipe's pattern; which entities are named is not said yet."""
    nodes = []
    for nid, word in enumerate(recipe.nodes.split()):
        type_ = word.rstrip("?*").replace("_", " ")
        kind: Kind = "class" if word[-1] in "?*" else "entity"
        nodes.append(PatternNode(nid, kind, type_, type_, type_, asked=word[-1] == "?"))
    parts = (edge.split() for edge in recipe.edges.split(";"))
    edges = (PatternEdge(int(start), int(end), relation) for start, relation, end in parts)
    return Pattern(tuple(nodes), tuple(edges))


def _drawn(making: Making, pattern: Pattern) -> Match | None:
    """A match, drawn from the asked node outwards; None where the draw ends nowhere."""
    view = making.view
    first = view.types.index(pattern.nodes[0].type)
    match: Match = {0: making.chance.choice((view.type_of == first).nonzero()[0].tolist())}
    open_ = list(pattern.edges)
    while open_:
        edge = next(one for one in open_ if one.start in match or one.end in match)
        open_.remove(edge)
        near = edge.start if edge.start in match else edge.end
        far = edge.other(near)
        ends = _ends(view, match[near], edge, pattern.by_nid[far].type, outgoing=near == edge.start)
        if far in match:
            ends = [match[far]] if match[far] in ends else []
        if not ends:
            return None
        match[far] = making.chance.choice(ends)
    return match if len({*match.values()}) == len(match) else None


def _ends(
    view: GraphView, number: int, edge: PatternEdge, type_: str, *, outgoing: bool
) -> list[int]:
    """In the order of their numbers, which the same content always has."""
    relation = next(one.number for one in view.relations if one.name == edge.relation)
    row = view.row(number, outgoing=outgoing)
    first, last = within(row, relation)
    ends = row.neighbours[first:last]
    kept = ends[view.type_of[ends] == view.types.index(type_)]
    return [int(one) for one in np.unique(kept)]


def _question(making: Making, draft: Draft) -> NewQuestion | None:
    pattern, named = draft.pattern, _named(draft)
    entities = {nid: making.view.entity(number) for nid, number in draft.match.items()}
    often = any(making.named[one] >= OFTEN for one in named)
    there = (pattern, draft.text, named) in making.asked
    if often or there or not _is_sensible(pattern, entities):
        return None
    asked = _with_names(pattern, entities)
    answers = _answers(making.view, asked)
    if not FEWEST <= len(answers) <= making.most or answers & named:
        return None
    if not _is_tight(making.view, asked, answers):
        return None
    records = [making.view.entity(one) for one in answers]
    records.sort(key=lambda one: (one.name.casefold(), one.id))
    found = [Answer(one.id, one.name) for one in records]
    text = draft.text.format(*(_said(entities[nid]) for nid in sorted(entities)))
    return NewQuestion(0, text, found, asked, draft.category)


def _answers(view: GraphView, pattern: Pattern) -> frozenset[int]:
    """Empty where that would be too much work."""
    try:
        return run_pattern(view, pattern)
    except PatternTooLarge:
        return frozenset()


def _named(draft: Draft) -> frozenset[int]:
    return frozenset(draft.match[one.nid] for one in draft.pattern.nodes if not one.is_variable)


def _is_sensible(pattern: Pattern, entities: Mapping[int, EntityRecord]) -> bool:
    """Not 'hypertension, which can show hypertension', and no use explained by an enzyme."""
    names = {one.name.casefold() for one in entities.values()}
    enzymes = any(one.name.startswith(METABOLISING) for one in entities.values())
    inhibits = any(edge.relation == "inhibits" for edge in pattern.edges)
    return len(names) == len(entities) and not (enzymes and inhibits)


def _said(entity: EntityRecord) -> str:
    lowered = entity.name[:1].lower() + entity.name[1:]
    plain = entity.name[1:].islower() and entity.name not in PROPER
    return lowered if entity.type in LOWERED and plain else entity.name


def _with_names(pattern: Pattern, entities: Mapping[int, EntityRecord]) -> Pattern:
    nodes = (
        node
        if node.is_variable
        else replace(node, id=entities[node.nid].id, name=entities[node.nid].name)
        for node in pattern.nodes
    )
    return Pattern(tuple(nodes), pattern.edges)


def _is_tight(view: GraphView, pattern: Pattern, answers: frozenset[int]) -> bool:
    """Whether every condition on an asked node leaves out something; one alone always does."""
    if pattern.type == "4.3":
        return _has_several_of_each(view, pattern)
    branches = pattern.edges_at(pattern.asked[0].nid)
    if len(branches) == 1:
        return True
    return all(run_pattern(view, _without(pattern, edge)) > answers for edge in branches)


def _has_several_of_each(view: GraphView, pattern: Pattern) -> bool:
    """Both asked nodes of a ring: hiding the only answer of one would hide those of the other."""
    alone = [
        Pattern(
            tuple(replace(node, asked=node.nid == one.nid) for node in pattern.nodes),
            pattern.edges,
        )
        for one in pattern.asked
    ]
    return all(len(run_pattern(view, one)) >= FEWEST for one in alone)


def _without(pattern: Pattern, edge: PatternEdge) -> Pattern:
    """The pattern without one branch: what hangs on this edge alone goes with it."""
    edges = tuple(one for one in pattern.edges if one != edge)
    first = pattern.asked[0]
    others = tuple(node for node in pattern.nodes if node != first)
    kept = reached(Pattern((first, *others), edges))
    nodes = tuple(node for node in pattern.nodes if node.nid in kept)
    return Pattern(nodes, tuple(one for one in edges if one.start in kept))
