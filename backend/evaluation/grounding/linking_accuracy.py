"""Precision and recall of a linker over annotated sentences."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from backend.evaluation.grounding.annotated_sentences import (
    AnnotatedMention,
    AnnotatedSentence,
)
from backend.evaluation.grounding.shares import Share
from backend.graphs.mentions.linked_mentions import LinkedMention, Linker

ALL, ELSEWHERE = "all", "elsewhere"


@dataclass
class LinkingCounts:
    """By kind of annotated mention, `all` and `elsewhere` (linked where none is annotated).

    linked: links that overlap a mention of the kind; right: those to one of its entities; bounded:
    those of exactly the annotated words. linkable: mentions that have an entity; matched: those
    with a right link. absent: mentions without an entity; left_alone: those without a link.
    """

    linked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    bounded: Counter[str] = field(default_factory=Counter)
    linkable: Counter[str] = field(default_factory=Counter)
    matched: Counter[str] = field(default_factory=Counter)
    absent: Counter[str] = field(default_factory=Counter)
    left_alone: Counter[str] = field(default_factory=Counter)

    def precision(self, kind: str = ALL) -> Share:
        return Share(self.right[kind], self.linked[kind])

    def recall(self, kind: str = ALL) -> Share:
        return Share(self.matched[kind], self.linkable[kind])

    def restraint(self, kind: str = ALL) -> Share:
        return Share(self.left_alone[kind], self.absent[kind])

    def boundaries(self, kind: str = ALL) -> Share:
        return Share(self.bounded[kind], self.right[kind])

    @property
    def kinds(self) -> list[str]:
        names = {*self.linked, *self.linkable, *self.absent} - {ALL, ELSEWHERE}
        return [ALL, *sorted(names), *([ELSEWHERE] if self.linked[ELSEWHERE] else [])]

    def add(self, expected: Sequence[AnnotatedMention], links: Sequence[LinkedMention]) -> None:
        """One sentence."""
        hits: set[int] = set()
        touched: set[int] = set()
        for link in links:
            places = [it for it, one in enumerate(expected) if overlaps(link, one)]
            matching = [it for it in places if link.identifier in expected[it].right]
            place = next(iter(matching or places), None)
            kind = ELSEWHERE if place is None else expected[place].kind
            self._count(self.linked, kind)
            touched.update(places)
            if matching and place is not None:
                hits.add(place)
                self._count(self.right, kind)
                span = (expected[place].start, expected[place].end)
                self._count(self.bounded, kind, by=int(span == (link.start, link.end)))
        for place, one in enumerate(expected):
            self._add_expected(one, is_hit=place in hits, is_touched=place in touched)

    def _add_expected(self, one: AnnotatedMention, *, is_hit: bool, is_touched: bool) -> None:
        total, good = (self.linkable, self.matched) if one.right else (self.absent, self.left_alone)
        self._count(total, one.kind)
        self._count(good, one.kind, by=int(is_hit if one.right else not is_touched))

    @staticmethod
    def _count(counter: Counter[str], kind: str, by: int = 1) -> None:
        counter[kind] += by
        counter[ALL] += by


def overlaps(link: LinkedMention, annotated: AnnotatedMention) -> bool:
    return link.start < annotated.end and annotated.start < link.end


def with_entity(links: Iterable[LinkedMention]) -> list[LinkedMention]:
    """Those that are linked: an ambiguous name has no identifier."""
    return [one for one in links if one.identifier is not None]


def measure_sentences(linker: Linker, sentences: Sequence[AnnotatedSentence]) -> LinkingCounts:
    """The linker finds the mentions and links them."""
    counts = LinkingCounts()
    for sentence in sentences:
        counts.add(sentence.mentions, with_entity(linker.link(sentence.text)))
    return counts


def measure_mentions(linker: Linker, sentences: Sequence[AnnotatedSentence]) -> LinkingCounts:
    """The mentions are given, as a model would extract them."""
    counts = LinkingCounts()
    for one in _mentions(sentences):
        link = linker.link_mention(one.text)
        shifted = [] if link is None or link.identifier is None else [_moved(link, one)]
        counts.add([one], shifted)
    return counts


def _mentions(sentences: Iterable[AnnotatedSentence]) -> Iterator[AnnotatedMention]:
    return (one for sentence in sentences for one in sentence.mentions)


def _moved(link: LinkedMention, mention: AnnotatedMention) -> LinkedMention:
    return LinkedMention(
        mention.start + link.start,
        mention.start + link.end,
        link.text,
        link.identifier,
        link.name,
        link.type,
        link.method,
        link.score,
    )
