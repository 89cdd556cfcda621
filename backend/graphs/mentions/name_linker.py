"""Links mentions by names and synonyms, then longer mistyped words, as the search does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backend.graphs.mentions.letter_case import is_heading
from backend.graphs.mentions.linked_mentions import LinkedMention
from backend.graphs.mentions.mistyped_words import corrected_words
from backend.graphs.mentions.name_matches import choose_entity, match_span, without_overlaps
from backend.graphs.mentions.name_table import NameTable
from backend.graphs.mentions.spans import (
    MAX_CHARACTERS,
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
        return sorted((*named, *mistyped), key=lambda it: it.start)

    def link_mention(self, mention: str) -> LinkedMention | None:
        """A name that is the whole text, else the longest name in it."""
        found = self.link(mention)
        return max(found, key=lambda it: (it.end - it.start, -it.start), default=None)

    def _named(
        self, text: str, spans: Sequence[Span], *, edits: int = 0
    ) -> Iterator[LinkedMention]:
        in_heading = is_heading(text[:MAX_CHARACTERS])
        names = self.table.find([one.form for one in spans])
        for place in sorted(names):
            span = spans[place]
            if matches := match_span(span, names[place], in_heading=in_heading):
                yield choose_entity(self.table, span, matches, edits=edits)

    def _mistyped(
        self, text: str, words: Sequence[Word], named: Sequence[LinkedMention]
    ) -> list[LinkedMention]:
        """Names that a text has when one of its words is corrected."""
        index = self.table.term_index.words
        if index is None:
            return []
        taken = {place for one in named for place in range(one.start, one.end)}
        free = [place for place, word in enumerate(words) if word.start not in taken]
        found: list[LinkedMention] = []
        looked_up = 0
        for place in free:
            if looked_up == MAX_MISTYPED:
                break
            corrections = corrected_words(index, words[place])
            looked_up += corrections is not None
            for word, edits in corrections or ():
                found += self._around(text, words, place, word, edits, taken)
        return list(without_overlaps(found))

    def _around(
        self,
        text: str,
        words: Sequence[Word],
        place: int,
        form: str,
        edits: int,
        taken: set[int],
    ) -> Iterator[LinkedMention]:
        """Names that contain the corrected word and no word that another mention has."""
        corrected = [*words[:place], replace(words[place], form=form), *words[place + 1 :]]
        spans = [
            span
            for span in spans_of(text, corrected)
            if span.first <= place <= span.last and taken.isdisjoint(range(span.start, span.end))
        ]
        return self._named(text, spans, edits=edits)
