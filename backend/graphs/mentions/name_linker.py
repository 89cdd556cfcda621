"""Links mentions by names and synonyms, then longer mistyped words, as the search does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from backend.graphs.mentions.defined_abbreviations import link_abbreviations
from backend.graphs.mentions.letter_case import is_heading
from backend.graphs.mentions.linked_mentions import LinkedMention
from backend.graphs.mentions.mistyped_words import corrected_words
from backend.graphs.mentions.name_matches import choose_entity, match_span, without_overlaps
from backend.graphs.mentions.name_table import NameTable
from backend.graphs.mentions.spans import (
    MAX_CHARACTERS,
    MAX_NAME_WORDS,
    Span,
    Word,
    read_words,
    spans_of,
)

MAX_MISTYPED = 32  # words of a text that are looked up as mistyped


@dataclass(frozen=True, eq=False)
class NameLinker:
    """Implements Linker."""

    table: NameTable

    def link(self, text: str) -> list[LinkedMention]:
        words = read_words(text)
        named = list(without_overlaps(self._named(text, list(spans_of(text, words)))))
        mistyped = self._mistyped(text, words, named)
        mentions = sorted(without_overlaps([*named, *mistyped]), key=lambda it: it.start)
        return link_abbreviations(text, words, mentions)

    def link_mention(self, mention: str) -> LinkedMention | None:
        """A name that is the whole text, else the longest name in it."""
        links = self.link(mention)
        return max(links, key=lambda it: (it.end - it.start, -it.start), default=None)

    def _named(
        self, text: str, spans: Sequence[Span], *, edits: int = 0
    ) -> Iterator[LinkedMention]:
        in_heading = is_heading(text[:MAX_CHARACTERS])
        names = self.table.find([one.form for one in spans])
        for place in sorted(names):
            span = spans[place]
            if matches := match_span(span, names[place], in_heading=in_heading):
                yield choose_entity(self.table, text, span, matches, edits=edits)

    def _mistyped(
        self, text: str, words: Sequence[Word], named: Sequence[LinkedMention]
    ) -> list[LinkedMention]:
        """Names that a text has when a word that is in no mention is corrected."""
        index = self.table.term_index.words
        if index is None:
            return []
        taken = {place for one in named for place in range(one.start, one.end)}
        free = (place for place, word in enumerate(words) if word.start not in taken)
        corrected = ((place, corrected_words(index, words[place])) for place in free)
        looked_up = islice((one for one in corrected if one[1] is not None), MAX_MISTYPED)
        return [
            mention
            for place, corrections in looked_up
            for form, edits in corrections or ()
            for mention in self._around(text, words, place, form, edits)
            if covers_wholly(mention, named)
        ]

    def _around(
        self, text: str, words: Sequence[Word], place: int, form: str, edits: int
    ) -> Iterator[LinkedMention]:
        """Names that contain the corrected word."""
        first, last = max(place - MAX_NAME_WORDS + 1, 0), place + MAX_NAME_WORDS
        corrected = [
            *words[first:place],
            replace(words[place], form=form),
            *words[place + 1 : last],
        ]
        spans = spans_of(text, corrected)
        around = [one for one in spans if one.first <= place - first <= one.last]
        return self._named(text, around, edits=edits)


def covers_wholly(mention: LinkedMention, others: Sequence[LinkedMention]) -> bool:
    """Whether each other mention is inside it or apart from it."""
    return all(
        (mention.start <= one.start and one.end <= mention.end)
        or one.end <= mention.start
        or mention.end <= one.start
        for one in others
    )
