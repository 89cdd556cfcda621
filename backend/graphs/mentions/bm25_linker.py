"""KnowHD's linker (TruthHypo, appendix A): BM25 over entities, each a text of all its names.

The paper lets a model extract the mentions: give those to `link_mention`. `link` extracts without a
model: runs of words between ordinary words and marks, from the first to the last word that any
name has. As in the paper there is no threshold: the best entity is taken, however low its score.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from backend.graphs.mentions.linked_mentions import LinkedMention
from backend.graphs.mentions.ordinary_words import FUNCTION_WORDS, ORDINARY_WORDS
from backend.graphs.mentions.spans import MAX_CHARACTERS, MAX_NAME_WORDS, Word, read_words
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.normal_form import normalize
from backend.science.bm25.index_builder import build_index
from backend.science.bm25.word_index import WordIndex, rank_documents

ENTITIES_AT_ONCE = 20_000
MAX_MENTION_CHARACTERS = 400
MAX_MENTIONS = 200  # of one text
LISTED = frozenset(",()[]")


def build_mention_index(snapshot: Snapshot, into: Path) -> None:
    """Document i has the words of all names of entity i. Memory grows with the vocabulary."""
    build_index(into, _batches(snapshot), source=snapshot.path.name)


def _batches(snapshot: Snapshot) -> Iterator[list[list[str]]]:
    for first in range(0, snapshot.entity_count, ENTITIES_AT_ONCE):
        records = snapshot.entities(first, first + ENTITIES_AT_ONCE)
        yield [
            [word for name in (one.name, *one.synonyms) for word in normalize(name).split()]
            for one in records
        ]


@dataclass(frozen=True, eq=False)
class Bm25Linker:
    """Implements Linker. Of equal scores, the entity with more edges."""

    snapshot: Snapshot
    index: WordIndex

    def link(self, text: str) -> list[LinkedMention]:
        text = text[:MAX_CHARACTERS]
        linked: list[LinkedMention] = []
        for run in list(candidate_runs(text, read_words(text), self._is_known))[:MAX_MENTIONS]:
            known = [place for place, word in enumerate(run) if self._is_known(word)]
            if known:
                first, last = run[known[0]], run[known[-1]]
                linked += self._best(text[first.start : last.end], first.start)
        return linked

    def link_mention(self, mention: str) -> LinkedMention | None:
        return next(iter(self._best(mention[:MAX_MENTION_CHARACTERS], 0)), None)

    def _is_known(self, word: Word) -> bool:
        return self.index.vocabulary.get(word.form) is not None

    def _best(self, mention: str, start: int) -> list[LinkedMention]:
        """A list of the one entity, empty where no name has a word of the mention."""
        scores = self.index.score(normalize(mention).split())
        best = rank_documents(scores, 1).tolist()
        if not best:
            return []
        entity = self.snapshot.entity_summary(best[0])
        end, score = start + len(mention), float(scores[best[0]])
        return [
            LinkedMention(start, end, mention, entity.id, entity.name, entity.type, "bm25", score)
        ]


def candidate_runs(
    text: str, words: Sequence[Word], is_known: Callable[[Word], bool]
) -> Iterator[list[Word]]:
    """Runs of at most MAX_NAME_WORDS words without a separating word or a mark between them.

    Function words separate; words of claims do so unless a name has them, as in 'type 2 diabetes'.
    """
    run: list[Word] = []
    for word in words:
        gap = text[run[-1].end : word.start] if run else ""
        separates = word.form in FUNCTION_WORDS or (
            word.form in ORDINARY_WORDS and not is_known(word)
        )
        is_broken = not word.joins_previous or not LISTED.isdisjoint(gap)
        if run and (separates or is_broken or len(run) == MAX_NAME_WORDS):
            yield run
            run = []
        if not separates:
            run.append(word)
    if run:
        yield run
