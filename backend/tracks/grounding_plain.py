"""The plain verifier: lexical entailment and graph match, without a model and without training.

An edge supports a claim where both its ends are entities of the claim and its phrase states what
the claim states, with the same agent unless the relation is symmetric; it contradicts a claim that
denies it, and one of the opposite effect (activates, inhibits). A sentence supports a claim where
it names every linked entity of it, covers its other words and has the same agent; it contradicts
where in addition exactly one of negation and effect differs. Questions and doubtful sentences are
no evidence for a claim without doubt. Evidence for and against a claim is not enough for a verdict.
What disputes a statement ('it is false that') is neither judged nor evidence, and an edge alone
supports no claim with a further clause ('which').

It reads words, not meaning: paraphrases, synonyms of verbs and inferences are beyond it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from backend.runtime.normal_form import normalize
from backend.tracks.grounding_direction import ENTITY, Words, is_directed, mask_names
from backend.tracks.grounding_verdicts import (
    ClaimContext,
    ContextEdge,
    EvidenceItem,
    Judgement,
    Mention,
    Stance,
    Verdict,
)
from backend.tracks.grounding_words import (
    Kind,
    are_opposite,
    content_stems,
    is_disputed,
    is_doubtful,
    is_negated,
    kinds_of,
)

PLAIN, PLAIN_VERSION = "plain", "3"
LEAST_COVERED = 0.75  # of the claim's words beside its entities
LEAST_WORDS = 3  # of a claim without linked entities, beside small words
MOST_EVIDENCE = 10  # of each stance
FURTHER_CLAUSE = re.compile(
    r",\s+(?:which|who|whose|where|thereby|thus|leading|causing|resulting)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class ReadClaim:
    """A claim as the verifier reads it."""

    text: str
    mentions: Sequence[Mention]

    @cached_property
    def linked(self) -> list[Mention]:
        """The first mention of each linked entity, in the order of the claim."""
        first: dict[str, Mention] = {}
        for one in sorted(self.mentions, key=lambda it: it.start):
            if one.entities:
                first.setdefault(one.entities[0], one)
        return [*first.values()]

    @cached_property
    def rest(self) -> str:
        """The claim in normal form without its linked mentions."""
        text = self.text
        for one in sorted(self.mentions, key=lambda it: -it.start):
            if one.entities:
                text = f"{text[: one.start]} {text[one.end :]}"
        return normalize(text, None)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(content_stems(self.rest))

    @cached_property
    def kinds(self) -> frozenset[Kind]:
        return kinds_of(self.stems)

    @cached_property
    def words(self) -> Words:
        """Linked mentions as their entities, in the order of the claim."""
        words, end = list[str](), 0
        for one in sorted(self.mentions, key=lambda it: it.start):
            if one.entities and one.start >= end:
                words += normalize(self.text[end : one.start], None).split()
                words.append(self.word_of(one.entities[0]))
                end = one.end
        return Words([*words, *normalize(self.text[end:], None).split()])

    def word_of(self, entity: str) -> str:
        numbers = (at for at, one in enumerate(self.linked) if entity in one.entities)
        return f"{ENTITY}{next(numbers, '')}"

    @cached_property
    def verbs(self) -> list[int]:
        """The main one first."""
        verbs = self.words.verbs
        return sorted(verbs, key=lambda at: at != self.words.main_verb)

    @cached_property
    def is_negated(self) -> bool:
        at = self.words.main_verb
        if at is None:
            return is_negated(self.rest)
        pair = [f"{ENTITY}{number}" for number in range(len(self.linked))]
        return self.words.is_denied(at, pair)

    @cached_property
    def is_doubtful(self) -> bool:
        return is_doubtful(self.rest)

    @cached_property
    def is_disputed(self) -> bool:
        return is_disputed(self.rest)

    @property
    def has_further_clause(self) -> bool:
        return FURTHER_CLAUSE.search(self.text) is not None

    @property
    def is_directed(self) -> bool:
        verbs = [self.words.stem_at(at) for at in self.verbs]
        return not verbs or any(map(is_directed, verbs))

    def has_phrase(self, phrase: str) -> bool:
        return f" {normalize(phrase)} " in f" {self.rest} "

    def pair_of(self, at: int) -> Sequence[str]:
        """The entities before and after a verb, else the first two; fewer if it has fewer."""
        places = [one for one in self.words.ends(at) if one is not None]
        nearest = [self.words.words[one] for one in places]
        numbers = range(min(len(self.linked), 2))
        return nearest if len(nearest) == 2 else [f"{ENTITY}{number}" for number in numbers]

    def names_of(self, mention: Mention) -> list[str]:
        forms = (normalize(one) for one in (mention.text, *mention.names))
        return [*dict.fromkeys(form for form in forms if form)]


def verify_claim(text: str, context: ClaimContext) -> Judgement:
    """From the context alone; equal arguments give equal judgements."""
    claim = ReadClaim(text, context.mentions)
    if claim.is_disputed:
        return Judgement(Verdict.NOT_ENOUGH)
    evidence = [*edge_evidence(claim, context.edges), *sentence_evidence(claim, context)]
    supports = _best([one for one in evidence if one.stance == "supports"])
    contradicts = _best([one for one in evidence if one.stance == "contradicts"])
    has_edges_alone = supports and all(one.edge is not None for one in supports)
    if has_edges_alone and (
        claim.has_further_clause or not covers_all(claim, context.edges, supports)
    ):
        supports = []
    if supports and contradicts:
        return Judgement(Verdict.NOT_ENOUGH, [*supports, *contradicts])
    if supports:
        return Judgement(Verdict.SUPPORTED, supports)
    if contradicts:
        return Judgement(Verdict.CONTRADICTED, contradicts)
    return Judgement(Verdict.NOT_ENOUGH)


def _best(evidence: Sequence[EvidenceItem]) -> list[EvidenceItem]:
    return sorted(evidence, key=lambda one: -(one.score or 0))[:MOST_EVIDENCE]


def covers_all(
    claim: ReadClaim, edges: Sequence[ContextEdge], evidence: Sequence[EvidenceItem]
) -> bool:
    """Whether every linked entity of the claim is an end of these edges."""
    chosen = [edges[one.edge] for one in evidence if one.edge is not None]
    ends = {end.id for edge in chosen for end in (edge.source, edge.target)}
    return all(ends.intersection(one.entities) for one in claim.linked)


def edge_evidence(claim: ReadClaim, edges: Sequence[ContextEdge]) -> Iterator[EvidenceItem]:
    starts = {id_: one.start for one in reversed(claim.linked) for id_ in one.entities}
    for place, edge in enumerate(edges):
        source, target = starts.get(edge.source.id), starts.get(edge.target.id)
        if source is None or target is None or source == target:
            continue
        is_forward = edge.is_symmetric or source < target
        phrase = edge.forward if is_forward else edge.backward
        pair = claim.word_of(edge.source.id), claim.word_of(edge.target.id)
        in_order = pair if source < target else pair[::-1]
        if not edge.is_symmetric:
            converse = edge.backward if is_forward else edge.forward
            is_converse = (
                claim.is_directed and claim.has_phrase(converse) and not claim.has_phrase(phrase)
            )
            if is_converse or not _has_direction(claim, phrase, in_order):
                continue
        stance = _compare(claim, phrase)
        if stance is not None:
            yield EvidenceItem(stance, edge=place, score=1.0)


def _has_direction(claim: ReadClaim, phrase: str, pair: Sequence[str]) -> bool:
    """Whether the claim's verb has the voice of the phrase's; pair: in the order of the claim."""
    read = Words([pair[0], *normalize(phrase).split(), pair[1]])
    for at in claim.verbs:
        verb = claim.words.stem_at(at)
        places = read.matching(verb)
        is_general = kinds_of([verb]) == {Kind.LINK} and read.main_verb is not None
        if not places and is_general and is_directed(verb):
            places = [read.main_verb or 0]
        if places:
            own, other = claim.words.agent_first(at, pair), read.agent_first(places[0], pair)
            return not is_directed(verb) or own is None or own == other
    nouns = claim.stems.intersection(content_stems(normalize(phrase)))
    return all(claim.words.noun_voice(one) == read.noun_voice(one) for one in nouns)


def _compare(claim: ReadClaim, phrase: str) -> Stance | None:
    stems = frozenset(content_stems(normalize(phrase)))
    kinds = kinds_of(stems)
    is_opposite = are_opposite(claim.kinds, kinds)
    if is_opposite:
        return None if claim.is_negated else "contradicts"
    is_same = bool(stems & claim.stems) or bool((kinds - {Kind.LINK}) & claim.kinds)
    is_general = claim.kinds == {Kind.LINK}
    if not is_same and not is_general:
        return None
    return "contradicts" if claim.is_negated != is_negated(normalize(phrase)) else "supports"


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """form: in normal form, between spaces."""

    form: str
    stems: frozenset[str]
    kinds: frozenset[Kind]
    is_negated: bool
    is_doubtful: bool
    is_disputed: bool
    is_question: bool


@lru_cache(maxsize=4_096)
def read_sentence(sentence: str) -> ReadSentence:
    """Claims of one rationale have papers in common."""
    form = f" {normalize(sentence, None)} "
    stems = frozenset(content_stems(form))
    is_question = sentence.rstrip().endswith(("?", "\uff1f"))
    return ReadSentence(
        form,
        stems,
        kinds_of(stems),
        is_negated(form),
        is_doubtful(form),
        is_disputed(form),
        is_question,
    )


def sentence_evidence(claim: ReadClaim, context: ClaimContext) -> Iterator[EvidenceItem]:
    names = [claim.names_of(one) for one in claim.linked]
    if not claim.stems or (not names and len(claim.stems) < LEAST_WORDS):
        return
    for number, paper in enumerate(context.papers):
        for place, sentence in enumerate(paper.sentences):
            compared = compare_sentence(claim, names, sentence)
            if compared is not None:
                stance, score = compared
                yield EvidenceItem(stance, paper=number, sentence=place, score=score)


def compare_sentence(
    claim: ReadClaim, names: Sequence[Sequence[str]], sentence: str
) -> tuple[Stance, float] | None:
    """Stance and share of the claim's words that it covers; None where it is no evidence."""
    read = read_sentence(sentence)
    is_evidence = not (read.is_question or read.is_disputed)
    if not is_evidence or not all(
        any(f" {name} " in read.form for name in several) for several in names
    ):
        return None
    covered = _share_covered(claim, read.stems, read.kinds)
    if covered < LEAST_COVERED or (read.is_doubtful and not claim.is_doubtful):
        return None
    stated = _statement(claim, mask_names(read.form, names))
    if stated == []:
        return None
    is_negated_there = read.is_negated if stated is None else stated[0]
    is_denied = claim.is_negated != is_negated_there
    is_opposite = are_opposite(claim.kinds, read.kinds)
    if is_denied and is_opposite:
        return None
    return ("contradicts" if is_denied or is_opposite else "supports"), covered


def _statement(claim: ReadClaim, words: Words) -> list[bool] | None:
    """Whether the sentence denies what the claim's verb states, of each verb of the sentence that
    states it in the claim's direction, the nearest first. None: it has no such verb at all."""
    for at in claim.verbs:
        verb = claim.words.stem_at(at)
        places = words.matching(verb)
        if not places:
            continue
        pair = claim.pair_of(at)
        direction = claim.words.agent_first(at, pair) if pair and is_directed(verb) else None
        if direction is not None:
            places = [one for one in places if words.agent_first(one, pair) == direction]
        places.sort(key=lambda one: words.distance(one, pair))
        return [words.is_denied(one, pair) for one in places]
    return None


def _share_covered(claim: ReadClaim, stems: frozenset[str], kinds: frozenset[Kind]) -> float:
    """A word of a relation is covered by one of the same kind, and by one of the opposite kind."""
    directed = {Kind.UP, Kind.DOWN}
    covered = 0
    for one in claim.stems:
        own = kinds_of([one])
        covered += one in stems or bool(own & kinds) or bool(own & directed and kinds & directed)
    return covered / len(claim.stems)
