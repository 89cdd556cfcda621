"""Papers that name an entity: by its name or a synonym, as a whole phrase.

Candidates are the papers that have all the words of a name; then the phrase itself is looked for in
the normal form of the text, in which case, accents and hyphens do not matter. An abbreviation of
capital letters must be written in capitals: CAT, the gene, is not a cat.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from backend.graphs.literature.cutoff import Cutoff
from backend.graphs.literature.paper_index import CollectionIndex, get_index, query_words
from backend.graphs.literature.paper_search import Numbers, load_papers, rank_numbers
from backend.graphs.models import Collection, Paper
from backend.graphs.snapshots.records import EntityRecord
from backend.runtime.normal_form import normalize

MAX_NAMES = 50  # of one entity; some chemicals have a thousand
MAX_CHECKED = 2_000  # texts of one collection that are read for one entity
CHECKED_AT_ONCE = 200
ABBREVIATION = re.compile(r"[A-Z][A-Z0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class NamingPapers:
    """papers: best first. count: how many name it, `at least` so many where is_complete is false.
    undated: those that name it and are left out because their PMID or date is unknown."""

    collection: Collection
    papers: Sequence[Paper]
    count: int
    undated: int
    is_complete: bool


@dataclass
class _Tally:
    papers: list[Paper] = field(default_factory=list)
    count: int = 0
    undated: int = 0


def find_papers_naming(
    collection: Collection, names: Sequence[str], limit: int, cutoff: Cutoff | None = None
) -> NamingPapers:
    """At most `limit` papers, and how many there are."""
    index = get_index(collection)
    chosen = list(dict.fromkeys(name for name in names if normalize(name)))[:MAX_NAMES]
    ranked = _rank_candidates(index, chosen, cutoff)
    undated = (
        np.zeros(len(ranked), np.bool_) if cutoff is None else index.dates.undated(cutoff, ranked)
    )
    tally = _Tally()
    for paper, is_undated in _read(collection, ranked[:MAX_CHECKED], undated):
        if not names_any(paper, chosen):
            continue
        if is_undated:
            tally.undated += 1
            continue
        tally.count += 1
        if len(tally.papers) < limit:
            tally.papers.append(paper)
    is_complete = len(ranked) <= MAX_CHECKED
    return NamingPapers(collection, tally.papers, tally.count, tally.undated, is_complete)


def names_of(entity: EntityRecord) -> list[str]:
    return [entity.name, *entity.synonyms]


def _rank_candidates(
    index: CollectionIndex, names: Sequence[str], cutoff: Cutoff | None
) -> Numbers:
    """Those that may name it, without the papers that are later than the cut-off."""
    listed = [index.words.find_documents_with_all(words) for words in query_words(names)]
    numbers = np.unique(np.concatenate([*listed, np.zeros(0, np.int32)])).astype(np.int64)
    if cutoff is not None:
        dates = index.dates
        numbers = numbers[dates.admitted(cutoff, numbers) | dates.undated(cutoff, numbers)]
    return rank_numbers(index, names, numbers)


def _read(
    collection: Collection, numbers: Numbers, undated: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> Iterator[tuple[Paper, bool]]:
    for first in range(0, len(numbers), CHECKED_AT_ONCE):
        part = numbers[first : first + CHECKED_AT_ONCE]
        flags = undated[first : first + len(part)].tolist()
        yield from zip(load_papers(collection, part), flags, strict=True)


def names_any(paper: Paper, names: Sequence[str]) -> bool:
    """Whether the title or the abstract has one of the names as a whole phrase."""
    written = f"{paper.title}\n{paper.abstract}"
    texts = [f" {normalize(part, longest=None)} " for part in (paper.title, paper.abstract)]
    return any(
        any(f" {normalize(name)} " in text for text in texts) and _has_case(name, written)
        for name in names
    )


def _has_case(name: str, written: str) -> bool:
    if not ABBREVIATION.fullmatch(name):
        return True
    return re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", written) is not None
