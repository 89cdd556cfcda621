"""Two kinds of errors among wrong hypotheses that are well grounded (TruthHypo, appendix C).

Counted are hypotheses that are wrong and whose groundedness is at least 0.8.

- It denies an association that its context states: by its label the two entities are not linked,
  and the context of one of its claims has an edge between them, in either direction, or a verdict
  rests on a sentence that names both.
- It echoes its context: at least half of the different 5-grams of words of the rationale are in the
  context of its claims: sentences of papers, and edges in words. A rationale of fewer than five
  words echoes nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from backend.evaluation.grounding.accuracy_bins import correct_items
from backend.evaluation.grounding.groundedness import GroundedSubmission
from backend.evaluation.grounding.submission_rationales import PredictedItems, read_predicted_items
from backend.evaluation.models import (
    EvidenceKind,
    GroundedClaim,
    Grounding,
    GroundingState,
    VerdictEvidence,
)
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Paper
from backend.graphs.snapshots.snapshot import Snapshot

LEAST_GROUNDEDNESS = 0.8
GRAM = 5  # words
LEAST_ECHOED = 0.5
WORD = re.compile(r"\w+")
Grams = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class ErrorFlags:
    """failures: wrong hypotheses with a groundedness of at least 0.8 by this source. denials,
    echoes: how many of them have the flag; one may have both."""

    source: str
    failures: int
    denials: int
    echoes: int


def count_error_flags(grounded: GroundedSubmission) -> ErrorFlags:
    """Of the submission, by the widest source."""
    source, batch = grounded.batch.widest, grounded.batch
    wrong = correct_items(grounded.submission)[batch.positions] == 0
    chosen = wrong & (np.nan_to_num(batch.shares[source]) >= LEAST_GROUNDEDNESS - 1e-9)
    positions = dict(
        zip(batch.lines[chosen].tolist(), batch.positions[chosen].tolist(), strict=True)
    )
    if not positions:
        return ErrorFlags(source, 0, 0, 0)
    items = read_predicted_items(grounded.submission)
    rows = Grounding.objects.filter(
        batch=grounded.linked.batch,
        state=GroundingState.ENDED,
        line__in=positions,
    ).select_related("version", "collection")
    snapshot = open_version_snapshot(grounded.first.version)
    flagged = [
        (denies(one, positions[one.line or 0], items, snapshot), echoes(one, snapshot))
        for one in rows
    ]
    return ErrorFlags(
        source,
        len(positions),
        sum(denial for denial, _ in flagged),
        sum(echo for _, echo in flagged),
    )


def denies(grounding: Grounding, position: int, items: PredictedItems, snapshot: Snapshot) -> bool:
    """position: of its item in the split."""
    if not items.track.denies_link(items.predictions[position]):
        return False
    ends = items.track.linked_entities(items.table.items[position])
    numbers = [snapshot.find_number(one) for one in ends]
    first, second = numbers
    if first is None or second is None:
        return False
    pair = {first, second}
    edges = (snapshot.edge(one) for one in context_edges(grounding))
    return any({one.source, one.target} == pair for one in edges) or any(
        names_both(text, snapshot, pair) for text in evidence_sentences(grounding)
    )


def names_both(text: str, snapshot: Snapshot, pair: set[int]) -> bool:
    words = tuple(words_of(text))
    return all(
        any(has_words(words, words_of(name)) for name in names_of(snapshot, number))
        for number in pair
    )


def names_of(snapshot: Snapshot, number: int) -> Sequence[str]:
    record = snapshot.entity(number)
    return [record.name, *record.synonyms]


def has_words(words: Sequence[str], name: Sequence[str]) -> bool:
    size = len(name)
    starts = range(len(words) - size + 1)
    return size > 0 and any([*words[at : at + size]] == [*name] for at in starts)


def echoes(grounding: Grounding, snapshot: Snapshot) -> bool:
    """The least share of 5-grams counts as an echo."""
    grams = grams_of(grounding.rationale)
    return bool(grams) and echoed_share(grams, context_texts(grounding, snapshot)) >= LEAST_ECHOED


def echoed_share(grams: Grams, texts: Iterator[str]) -> float:
    """Of different 5-grams, those that one of the texts has."""
    known: Grams = frozenset(chain.from_iterable(map(grams_of, texts)))
    return len(grams & known) / len(grams)


def grams_of(text: str) -> Grams:
    words = words_of(text)
    return frozenset(tuple(words[at : at + GRAM]) for at in range(len(words) - GRAM + 1))


def words_of(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def context_edges(grounding: Grounding) -> set[int]:
    contexts = GroundedClaim.objects.filter(grounding=grounding).values_list("context", flat=True)
    return {edge for one in contexts for edge in one["edges"]}


def evidence_sentences(grounding: Grounding) -> list[str]:
    rows = VerdictEvidence.objects.filter(
        verdict__claim__grounding=grounding, kind=EvidenceKind.SENTENCE
    )
    return [str(one["text"]) for one in rows.values_list("content", flat=True)]


def context_texts(grounding: Grounding, snapshot: Snapshot) -> Iterator[str]:
    """What the verifier read. Of papers that were deleted since, what verdicts quote."""
    for number in context_edges(grounding):
        edge = snapshot.edge(number)
        names = [snapshot.entity_summary(one).name for one in (edge.source, edge.target)]
        yield f"{names[0]} {snapshot.relations[edge.relation].forward} {names[1]}"
    yield from evidence_sentences(grounding)
    contexts = GroundedClaim.objects.filter(grounding=grounding).values_list("context", flat=True)
    keys = {key for one in contexts for key in one["papers"]}
    if keys and grounding.collection_id is not None:
        papers = Paper.objects.filter(collection=grounding.collection_id, key__in=keys)
        for title, abstract in papers.values_list("title", "abstract"):
            yield title
            yield abstract
