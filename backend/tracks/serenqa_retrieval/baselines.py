"""Retrieval by pattern templates: which of the paper's shapes fits the words of a question.

Entities are found by name in the question, the type of the answer by the first name of a type.
From each entity, one or two relations lead to sets of entities of that type; a set scores the
share of its relations' phrase words that the question has, and each further relation costs a
little. With several entities the answer is the intersection of one set each (shapes 4.1, 4.2 and
3.2); with one it is the best set (1.1, 1.2, 2.1). Ties go to the first relation by name.
No answers are read.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from backend.tracks.baseline_tasks import Baseline, BaselineTask
from backend.tracks.named_graphs import NamedGraph, NamedRelation
from backend.tracks.serenqa_retrieval.rows import QuestionAnswer, QuestionItem, RetrievalPrediction

LONGEST_NAME = 8  # words
MOST_MENTIONS = 3
MOST_SENSES = 3
BEST_SETS = 6
MOST_MIDDLE = 200
COST_OF_STEP = 0.15
FUNCTION_WORDS_TEXT = "a an and are by for has have in is of on or that the to was with"
FUNCTION_WORDS = frozenset(FUNCTION_WORDS_TEXT.split())
Task = BaselineTask[QuestionItem, QuestionAnswer]


@dataclass(frozen=True)
class CandidateSet:
    """Entities that a template leads to, and how well its words fit the question."""

    score: float
    entities: frozenset[int]


@dataclass(frozen=True)
class Step:
    relation: NamedRelation
    outgoing: bool
    score: float


def predict_by_templates(task: Task) -> Iterator[RetrievalPrediction]:
    graph = task.graph_or_raise()
    for item in task.items:
        numbers = answer_question(graph.named, item.question)
        keys = (graph.keys[number] for number in sorted(numbers))
        ids = tuple(str(key) for key in keys if key is not None)
        yield RetrievalPrediction(item.question_id, ids)


def answer_question(graph: NamedGraph, question: str) -> frozenset[int]:
    """Empty if the question names no entity or no template leads anywhere."""
    words = graph.normalize(question).split()
    steps = rank_steps(graph, words)
    type_ = find_type(graph, words)
    sets = [
        best
        for senses in find_mentions(graph, words)
        if (best := candidate_sets(graph, senses, steps, type_))
    ]
    return best_intersection(sets)


def find_mentions(graph: NamedGraph, words: Sequence[str]) -> list[Sequence[int]]:
    """The entities of each name in the question: the longest names, which do not overlap."""
    taken: set[int] = set()
    mentions: list[Sequence[int]] = []
    for length in range(min(LONGEST_NAME, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            places = set(range(at, at + length))
            name = " ".join(words[at : at + length])
            if taken & places or len(name) < 3 or name in FUNCTION_WORDS:
                continue
            if senses := graph.find_by_name(name):
                taken |= places
                mentions.append(senses[:MOST_SENSES])
    return mentions[:MOST_MENTIONS]


def find_type(graph: NamedGraph, words: Sequence[str]) -> str:
    """The type named first in the question, in the singular or plural; empty if there is none."""
    text = f" {' '.join(words)} "
    places = {
        at: type_
        for type_ in graph.types
        for form in name_forms(graph.normalize(type_))
        if (at := text.find(f" {form} ")) >= 0
    }
    return places[min(places)] if places else ""


def name_forms(name: str) -> Sequence[str]:
    """`biological process`, `biological processes`, `pathways`, `bodies` …"""
    return (name, f"{name}s", f"{name}es", f"{name.removesuffix('y')}ies")


def rank_steps(graph: NamedGraph, words: Sequence[str]) -> list[Step]:
    steps = [
        Step(relation, outgoing, score_phrase(graph, phrase, words))
        for relation in graph.relations
        for outgoing, phrase in ((True, relation.forward), (False, relation.backward))
        if outgoing or not relation.is_symmetric
    ]
    return sorted(steps, key=lambda one: (-one.score, one.relation.name, one.outgoing))


def score_phrase(graph: NamedGraph, phrase: str, words: Sequence[str]) -> float:
    """The share of the phrase's words, without function words, that begin like one of these."""
    stems = {stem(word) for word in words}
    phrase_words = [word for word in graph.normalize(phrase).split() if word not in FUNCTION_WORDS]
    return (
        sum(stem(word) in stems for word in phrase_words) / len(phrase_words)
        if phrase_words
        else 0.0
    )


def stem(word: str) -> str:
    """Its first five letters: 'treats', 'treated' and 'treatment' are equal."""
    return word[:5]


def candidate_sets(
    graph: NamedGraph, senses: Sequence[int], steps: Sequence[Step], type_: str
) -> list[CandidateSet]:
    """The best sets that one or two relations from a named entity lead to."""
    sets: list[CandidateSet] = []
    for first in steps:
        near = [
            one
            for entity in senses
            for one in graph.neighbours(entity, first.relation.name, outgoing=first.outgoing)
        ]
        if not near:
            continue
        sets.append(CandidateSet(first.score, of_type(graph, near, type_)))
        middle = near[:MOST_MIDDLE]
        for second in steps[:BEST_SETS]:
            far = [
                one
                for entity in middle
                for one in graph.neighbours(entity, second.relation.name, outgoing=second.outgoing)
                if one not in senses
            ]
            score = (first.score + second.score) / 2 - COST_OF_STEP
            sets.append(CandidateSet(score, of_type(graph, far, type_)))
    filled = [one for one in sets if one.entities]
    return sorted(filled, key=lambda one: -one.score)[:BEST_SETS]


def of_type(graph: NamedGraph, entities: Sequence[int], type_: str) -> frozenset[int]:
    return frozenset(one for one in entities if not type_ or graph.type_of(one) == type_)


def best_intersection(sets: Sequence[Sequence[CandidateSet]]) -> frozenset[int]:
    """One set of each entity: the best ones that have entities in common."""
    best, most = frozenset[int](), float("-inf")
    for chosen in product(*sets):
        common = frozenset.intersection(*(one.entities for one in chosen)) if chosen else best
        score = sum(one.score for one in chosen)
        if common and score > most:
            best, most = common, score
    return best


BASELINES: Mapping[str, Baseline[QuestionItem, QuestionAnswer, RetrievalPrediction]] = {
    "pattern-templates": predict_by_templates,
}
