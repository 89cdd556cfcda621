"""Questions from matches of a pattern, which `question_sampling` draws at random from a graph.

The entities of a match become the named nodes, and the pattern is run. The question is accepted if
it has few enough answers to rank, no named entity among them and no redundant condition, and if its
named entities have not been used too often. The same graph and seed give the same questions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from backend.benchmarks.patterns.joins import PatternTooLarge
from backend.benchmarks.patterns.matching import run_pattern
from backend.benchmarks.question_format import FileCandidate, NewQuestion
from backend.graphs.snapshots.graph_view import GraphView
from backend.graphs.snapshots.records import EntityRecord
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, reachable_nodes

FIRST_QID = 7001
MIN_ANSWERS, MAX_ANSWERS = 2, 25
MAX_DRAWS = 8_000
MAX_QUESTIONS_PER_ENTITY = 3  # with the same named entity
LOWERCASED_TYPES = {"Phenotype", "Side effect"}  # capitalized in their vocabularies
PROPER_NAMES = {"Raynaud phenomenon"}
METABOLISING_ENZYMES = "cytochrome P450"  # inhibiting these does not explain a use of a drug
NodeValues = dict[int, int]


@dataclass(frozen=True)
class QuestionDraft:
    """A match that may become a question.

    The pattern has types and relations, but no named entities yet; in the text {1} is the name of
    node 1.
    """

    pattern: Pattern
    values: NodeValues
    text: str
    category: str


@dataclass
class QuestionFactory:
    """The questions accepted so far, by the entities they name. max_answers: limit per question."""

    view: GraphView
    random: random.Random
    max_answers: int = MAX_ANSWERS
    name_counts: Counter[int] = field(default_factory=Counter)
    accepted: set[tuple[Pattern, str, frozenset[int]]] = field(default_factory=set)

    @classmethod
    def of(cls, view: GraphView, seed: int, most: int = MAX_ANSWERS) -> QuestionFactory:
        chance = random.Random(seed)  # noqa: S311  the same draw each time is wanted
        return cls(view, chance, most)

    def accept(self, draft: QuestionDraft) -> NewQuestion | None:
        """The question of this draft if it is acceptable, which is then recorded."""
        result = _build_question(self, draft)
        if result is not None:
            named = _named_entities(draft)
            self.name_counts.update(named)
            self.accepted.add((draft.pattern, draft.text, named))
        return result


def assign_qids(questions: Iterable[NewQuestion]) -> list[NewQuestion]:
    return [replace(one, qid=qid) for qid, one in enumerate(questions, start=FIRST_QID)]


def _build_question(making: QuestionFactory, draft: QuestionDraft) -> NewQuestion | None:
    pattern, named = draft.pattern, _named_entities(draft)
    entities = {nid: making.view.entity(number) for nid, number in draft.values.items()}
    often = any(making.name_counts[one] >= MAX_QUESTIONS_PER_ENTITY for one in named)
    there = (pattern, draft.text, named) in making.accepted
    if often or there or not _is_sensible(pattern, entities):
        return None
    query = _fill_names(pattern, entities)
    answers = _find_answers(making.view, query)
    if not MIN_ANSWERS <= len(answers) <= making.max_answers or answers & named:
        return None
    if not _every_condition_matters(making.view, query, answers):
        return None
    records = [making.view.entity(one) for one in answers]
    records.sort(key=lambda one: (one.name.casefold(), one.id))
    result = [FileCandidate(one.id, one.name) for one in records]
    text = draft.text.format(*(_entity_label(entities[nid]) for nid in sorted(entities)))
    return NewQuestion(0, text, result, query, draft.category)


def _find_answers(view: GraphView, pattern: Pattern) -> frozenset[int]:
    """Empty if the pattern is too expensive."""
    try:
        return run_pattern(view, pattern)
    except PatternTooLarge:
        return frozenset()


def _named_entities(draft: QuestionDraft) -> frozenset[int]:
    return frozenset(draft.values[one.nid] for one in draft.pattern.nodes if not one.is_variable)


def _is_sensible(pattern: Pattern, entities: Mapping[int, EntityRecord]) -> bool:
    """Rejects 'hypertension, which can show hypertension' and enzymes that explain a use."""
    names = {one.name.casefold() for one in entities.values()}
    enzymes = any(one.name.startswith(METABOLISING_ENZYMES) for one in entities.values())
    inhibits = any(edge.relation == "inhibits" for edge in pattern.edges)
    return len(names) == len(entities) and not (enzymes and inhibits)


def _entity_label(entity: EntityRecord) -> str:
    lowered = entity.name[:1].lower() + entity.name[1:]
    plain = entity.name[1:].islower() and entity.name not in PROPER_NAMES
    return lowered if entity.type in LOWERCASED_TYPES and plain else entity.name


def _fill_names(pattern: Pattern, entities: Mapping[int, EntityRecord]) -> Pattern:
    nodes = (
        node
        if node.is_variable
        else replace(node, id=entities[node.nid].id, name=entities[node.nid].name)
        for node in pattern.nodes
    )
    return Pattern(tuple(nodes), pattern.edges)


def _every_condition_matters(view: GraphView, pattern: Pattern, answers: frozenset[int]) -> bool:
    """Whether every condition on a target node excludes something. A single one always does."""
    if pattern.type == "4.3":
        return _has_several_answers_each(view, pattern)
    branches = pattern.edges_at(pattern.targets[0].nid)
    if len(branches) == 1:
        return True
    return all(run_pattern(view, _without_branch(pattern, edge)) > answers for edge in branches)


def _has_several_answers_each(view: GraphView, pattern: Pattern) -> bool:
    """Whether both targets of a ring have several answers: hiding one would hide the others."""
    alone = [
        Pattern(
            tuple(replace(node, is_target=node.nid == one.nid) for node in pattern.nodes),
            pattern.edges,
        )
        for one in pattern.targets
    ]
    return all(len(run_pattern(view, one)) >= MIN_ANSWERS for one in alone)


def _without_branch(pattern: Pattern, edge: PatternEdge) -> Pattern:
    """The pattern without one branch and everything connected only through it."""
    edges = tuple(one for one in pattern.edges if one != edge)
    first = pattern.targets[0]
    others = tuple(node for node in pattern.nodes if node != first)
    selected = reachable_nodes(Pattern((first, *others), edges))
    nodes = tuple(node for node in pattern.nodes if node.nid in selected)
    return Pattern(nodes, tuple(one for one in edges if one.start in selected))
