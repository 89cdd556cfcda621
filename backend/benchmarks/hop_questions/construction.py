"""BioHopR's questions from a graph: one query entity, many bridges, many targets.

For a metapath Query -r1- Bridge -r2- Target and a query entity q, B(q) are the entities one step r1
away and T(b) those one step r2 from a bridge b. The answers of the two-hop question are the union
of T(b) over B(q), without q. It is accepted if at least two bridges have a target, it has 2 to
`most_answers` answers, and so has the one-hop question of at least one bridge, which is drawn as
its partner. One-hop questions are made of accepted two-hop ones alone: the partner (Bridge:Target)
and the one from q to its bridges (Query:Bridge); so none is without a two-hop path.

Query entities are drawn in a random order of the seed and the metapath. The key of a question is a
hash of its metapath, its query entity and its form, so it is the same in every draw and version.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from backend.benchmarks.hop_questions.type_steps import relation_type
from backend.benchmarks.hop_questions.walks import Numbers, StepReader
from backend.benchmarks.hop_questions.wording import write_question
from backend.graphs.metapaths import metapath_key
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.path_answers import Metapath
from backend.tracks.biohopr.rows import FORMS, MOST_ANSWERS, Form, GoldEntity, HopRow

MIN_ANSWERS = 2
COUNT = 200
MOST_READ = 2_000_000  # entries of rows that one question may read
MOST_SYNONYMS = 20
LONGEST_NAME, LONGEST_SYNONYM = 300, 200
USABLE_NAME = re.compile(r"[^\x00-\x1f\x7f\ud800-\udfff]+")


@dataclass(frozen=True)
class HopOptions:
    """count: two-hop questions of each metapath. most_answers: of every question."""

    seed: int = 1
    count: int = COUNT
    most_answers: int = 500
    forms: tuple[Form, ...] = FORMS

    def accepts(self, answers: int) -> bool:
        return MIN_ANSWERS <= answers <= min(self.most_answers, MOST_ANSWERS)


@dataclass(frozen=True)
class TwoHops:
    """An accepted two-hop question: numbers of entities."""

    query: int
    bridges: Numbers
    answers: Numbers
    partner: int
    partner_answers: Numbers


@dataclass
class HopFactory:
    """questions: by hops and relation type. dropped: query entities and questions, by reason."""

    graph: Snapshot
    options: HopOptions
    questions: Counter[tuple[int, str]] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    _keys: set[str] = field(default_factory=set)

    def write(self, metapaths: Iterable[Metapath]) -> Iterator[HopRow]:
        for metapath in metapaths:
            drawn = 0
            for hops in self._draw(metapath):
                rows = [*self._rows(metapath, hops)]
                yield from rows
                drawn += bool(rows)
                if drawn == self.options.count:
                    break

    def _draw(self, metapath: Metapath) -> Iterator[TwoHops]:
        text = metapath_key(self.graph, metapath)
        rng = np.random.default_rng([self.options.seed, int(digest(text)[:8], 16)])
        candidates = np.flatnonzero(self.graph.type_of == metapath.types[0])
        walk = TwoHopWalk(self.graph, metapath)
        for query in rng.permutation(candidates).tolist():
            result = walk.find(query, self.options)
            if isinstance(result, TwoHops):
                yield result
            elif result:
                self.dropped[result] += 1

    def _rows(self, metapath: Metapath, hops: TwoHops) -> Iterator[HopRow]:
        """The two-hop question in its forms, each after the questions of one hop."""
        first, second = split_metapath(metapath)
        named = (*hops.answers.tolist(), *hops.partner_answers.tolist(), hops.query, hops.partner)
        if not all(has_usable_name(self.graph, number) for number in named):
            self.dropped["unusable_name"] += 1
            return
        for form in self.options.forms:
            partner = self.key(second, hops.partner, form)
            yield from self._row(second, hops.partner, hops.partner_answers, form)
            bridges = hops.bridges.tolist()
            if not self.options.accepts(len(bridges)):
                self.dropped["query_bridge_answers"] += 1
            elif all(has_usable_name(self.graph, number) for number in bridges):
                yield from self._row(first, hops.query, hops.bridges, form)
            yield from self._row(metapath, hops.query, hops.answers, form, partner)

    def key(self, metapath: Metapath, query: int, form: Form) -> str:
        text = metapath_key(self.graph, metapath)
        parts = [text, self.graph.entity_summary(query).id, form]
        return f"{len(metapath.steps)}{form[0]}-{digest(json.dumps(parts))[:16]}"

    def _row(
        self, metapath: Metapath, query: int, answers: Numbers, form: Form, partner: str = ""
    ) -> Iterator[HopRow]:
        """Nothing for a question that was made before."""
        key = self.key(metapath, query, form)
        if key in self._keys:
            return
        self._keys.add(key)
        kind, hops = relation_type(self.graph, metapath.types), len(metapath.steps)
        self.questions[hops, kind] += 1
        self.answers += len(answers)
        entity = self.graph.entity_summary(query)
        gold = [gold_entity(self.graph, number) for number in answers.tolist()]
        yield HopRow(
            question_id=key,
            question=write_question(self.graph, metapath, form, entity.name),
            form=form,
            hops=1 if hops == 1 else 2,
            relation_type=kind,
            metapath=metapath_key(self.graph, metapath),
            query_id=entity.id,
            query_name=entity.name,
            partner=partner,
            answers=tuple(sorted(gold, key=lambda one: (one.name.casefold(), one.id))),
        )


class TwoHopWalk:
    """Reads the two-hop question of a query entity, or why there is none."""

    def __init__(self, graph: Snapshot, metapath: Metapath) -> None:
        first, second = metapath.steps
        self._key = metapath_key(graph, metapath)
        self._graph = graph
        self._to_bridges = StepReader(graph, first, metapath.types[1])
        self._to_targets = StepReader(graph, second, metapath.types[2])

    def find(self, query: int, options: HopOptions) -> TwoHops | str:
        """Empty for an entity that the metapath does not concern."""
        if self._to_bridges.upper_bound(query) < MIN_ANSWERS:
            return ""
        if self._to_bridges.upper_bound(query) > MOST_READ:
            return "too_many_bridges"
        bridges = self._to_bridges.neighbours(query)
        if sum(map(self._to_targets.upper_bound, bridges.tolist())) > MOST_READ:
            return "too_many_targets"
        targets = {one: self._to_targets.neighbours(one) for one in bridges.tolist()}
        reached = [numbers[numbers != query] for numbers in targets.values()]
        if sum(len(numbers) > 0 for numbers in reached) < MIN_ANSWERS:
            return "one_bridge"
        answers = np.unique(np.concatenate(reached))
        if not options.accepts(len(answers)):
            return "too_few_answers" if len(answers) < MIN_ANSWERS else "too_many_answers"
        partners = [
            number
            for (number, numbers), other in zip(targets.items(), reached, strict=True)
            if len(other) and options.accepts(len(numbers))
        ]
        if not partners:
            return "no_partner"
        partner = partners[self._draw_place(query, options.seed, len(partners))]
        return TwoHops(query, bridges, answers, partner, targets[partner])

    def _draw_place(self, query: int, seed: int, count: int) -> int:
        """The same for a query entity however many others were drawn before."""
        name = self._graph.entity_summary(query).id
        return int(digest(json.dumps([seed, self._key, name])), 16) % count


def split_metapath(metapath: Metapath) -> tuple[Metapath, Metapath]:
    """Query:Bridge and Bridge:Target."""
    first, second = metapath.steps
    return Metapath(metapath.types[:2], (first,)), Metapath(metapath.types[1:], (second,))


def gold_entity(graph: Snapshot, number: int) -> GoldEntity:
    entity = graph.entity(number)
    synonyms = [one for one in entity.synonyms if is_usable(one, LONGEST_SYNONYM)]
    return GoldEntity(entity.id, entity.name, tuple(synonyms[:MOST_SYNONYMS]))


def has_usable_name(graph: Snapshot, number: int) -> bool:
    entity = graph.entity_summary(number)
    return is_usable(entity.name, LONGEST_NAME) and is_usable(entity.id, LONGEST_NAME)


def is_usable(name: str, longest: int) -> bool:
    return len(name) <= longest and USABLE_NAME.fullmatch(name) is not None


def digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
