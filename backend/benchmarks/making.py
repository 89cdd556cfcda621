"""Questions that a graph can answer, drawn by chance from recipes: the demo's own.

For each recipe a match is drawn, step by step along the edges; its entities become the named
ones, and the pattern is run. A question is kept if it has few enough answers to be ranked, no
named entity among them, and no condition that could be left out; and if the entities that it
names have not come up too often. The same graph, recipes and seed give the same questions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

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


@dataclass
class _Making:
    view: GraphView
    chance: random.Random
    named: Counter[int] = field(default_factory=Counter)
    asked: set[tuple[Recipe, frozenset[int]]] = field(default_factory=set)


def make_questions(view: GraphView, seed: int) -> list[NewQuestion]:
    """One after the other, from the first type to the last; fewer where a graph has not enough."""
    making = _Making(view, random.Random(seed))  # noqa: S311  the same draw each time is wanted
    found = [question for recipe in RECIPES for question in _of_recipe(making, recipe)]
    return [replace(one, qid=qid) for qid, one in enumerate(found, start=FIRST_QID)]


def _of_recipe(making: _Making, recipe: Recipe) -> Iterator[NewQuestion]:
    pattern = _pattern(recipe)
    left = recipe.count
    for _ in range(TRIES):
        match = _drawn(making, pattern) if left else None
        question = _question(making, recipe, pattern, match) if match else None
        if match and question:
            named = _named(pattern, match)
            making.named.update(named)
            making.asked.add((recipe, named))
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


def _drawn(making: _Making, pattern: Pattern) -> Match | None:
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


def _question(
    making: _Making, recipe: Recipe, pattern: Pattern, match: Match
) -> NewQuestion | None:
    """The question of a match, if it is one to be asked."""
    entities = {nid: making.view.entity(number) for nid, number in match.items()}
    named = _named(pattern, match)
    often = any(making.named[one] >= OFTEN for one in named)
    if often or (recipe, named) in making.asked or not _is_sensible(recipe, entities):
        return None
    asked = _with_names(pattern, entities)
    answers = run_pattern(making.view, asked)
    if not FEWEST <= len(answers) <= MOST or answers & named:
        return None
    if not _is_tight(making.view, asked, answers):
        return None
    records = [making.view.entity(one) for one in answers]
    records.sort(key=lambda one: (one.name.casefold(), one.id))
    found = [Answer(one.id, one.name) for one in records]
    text = recipe.text.format(*(_said(entities[nid]) for nid in sorted(entities)))
    return NewQuestion(0, text, found, asked, recipe.category)


def _named(pattern: Pattern, match: Match) -> frozenset[int]:
    return frozenset(match[node.nid] for node in pattern.nodes if not node.is_variable)


def _is_sensible(recipe: Recipe, entities: Mapping[int, EntityRecord]) -> bool:
    """Not 'hypertension, which can show hypertension', and no use explained by an enzyme."""
    names = {one.name.casefold() for one in entities.values()}
    enzymes = any(one.name.startswith(METABOLISING) for one in entities.values())
    return len(names) == len(entities) and not (enzymes and "inhibits" in recipe.edges)


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
