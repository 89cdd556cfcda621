"""Components of an item, and those that rest on the partner of a question.

Every part of the layout exists once by way of matching: `match` (exact or alias) and `similar`
(cosine above the threshold, only with an embedder).
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from backend.tracks.biohopr.matching import (
    Matches,
    drop_repetitions,
    group_names,
    match_aliases,
    match_names,
    merge_groups,
    precision_recall_f1,
)
from backend.tracks.biohopr.rows import SINGLE, HopAnswer, HopItem, NamesPrediction, ResolvedNames
from backend.tracks.metrics import Floats
from backend.tracks.text_vectors import TextEmbedder, ThresholdRow, Vectors

GivenNames = NamesPrediction | ResolvedNames
THRESHOLD = 0.9
NAMES_AT_ONCE = 4_096
"""Vectors in memory: the names of a whole file would take gigabytes."""
MOST_NAMES = 200_000
"""Of a file, and distinct ones of a release's answers: about half an hour of one core."""
SWEEP = tuple(round(0.1 * step, 1) for step in range(1, 10))
HOPS = (1, 2)
MATCH, SIMILAR = "match", "similar"
COUNTS = ("single_hop1", "single_hop2", "multiple_hop1", "multiple_hop2", "singles", "pairs")
RATES = ("accuracy", "precision", "recall", "f1")


def parts_of(way: str) -> tuple[str, ...]:
    """Components of one way of matching."""
    rates = tuple(f"{way}_{rate}_hop{hops}" for rate in RATES for hops in HOPS)
    return (way, *rates, f"{way}_both_correct", f"{way}_both_wrong")


BASE_COMPONENTS = (
    *COUNTS,
    "adherent",
    "exact",
    "exact_accuracy_hop1",
    "exact_accuracy_hop2",
    *parts_of(MATCH),
)
EMBEDDED_COMPONENTS = (*BASE_COMPONENTS, "cosine", "partner_cosine", *parts_of(SIMILAR))
PLACES: Mapping[str, int] = {name: at for at, name in enumerate(EMBEDDED_COMPONENTS)}


def score_names(
    items: Sequence[HopItem],
    answers: Sequence[HopAnswer],
    predictions: Sequence[GivenNames | None],
    width: int,
) -> Floats:
    """All that needs no embedder and no other item; `width` is the number of components."""
    components = np.zeros((len(items), width))
    rows = zip(items, answers, predictions, components, strict=True)
    for item, answer, prediction, row in rows:
        _count(item, row)
        given = scored_names(item, prediction)
        by_name = match_names(given, answer.answers)
        by_alias = match_aliases(given, answer.answers) | by_name
        row[PLACES["exact"]] = by_name.any()
        if item.form == SINGLE:
            row[PLACES[f"exact_accuracy_hop{item.hops}"]] = by_name.any()
            row[PLACES["adherent"]] = max(_groups_of(answer, prediction), default=-1) == 0
        set_rates(row, item, MATCH, merge_entities(item, answer, prediction, by_alias))
    return components


def _count(item: HopItem, row: Floats) -> None:
    row[PLACES[f"{item.form}_hop{item.hops}"]] = 1
    row[PLACES["singles"]] = item.form == SINGLE


def _groups_of(answer: HopAnswer, prediction: GivenNames | None) -> list[int]:
    """Of all names of a prediction, by the entity that they mean."""
    if prediction is None:
        return []
    entities = prediction.entities if isinstance(prediction, ResolvedNames) else {}
    return group_names(drop_repetitions(prediction.answers), answer.answers, entities)


def merge_entities(
    item: HopItem, answer: HopAnswer, prediction: GivenNames | None, matches: Matches
) -> Matches:
    """A row for each entity that is given; of one answer to a question there is one name."""
    if item.form == SINGLE:
        return matches
    return merge_groups(matches, _groups_of(answer, prediction))


def scored_names(item: HopItem, prediction: GivenNames | None) -> list[str]:
    """Each once; the first alone where one answer was to be given."""
    names = drop_repetitions(prediction.answers) if prediction is not None else []
    return names[:1] if item.form == SINGLE else names


def set_rates(row: Floats, item: HopItem, way: str, matches: Matches) -> None:
    row[PLACES[way]] = matches.any()
    if item.form == SINGLE:
        row[PLACES[f"{way}_accuracy_hop{item.hops}"]] = matches.any()
        return
    for rate, value in zip(RATES[1:], precision_recall_f1(matches), strict=True):
        row[PLACES[f"{way}_{rate}_hop{item.hops}"]] = value


def add_cosines(
    components: Floats,
    items: Sequence[HopItem],
    answers: Sequence[HopAnswer],
    predictions: Sequence[GivenNames | None],
    embedder: TextEmbedder,
) -> None:
    """The largest cosine of each item, and what is above the threshold."""
    given = [scored_names(*pair) for pair in zip(items, predictions, strict=True)]
    gold = [[one.name for one in answer.answers] for answer in answers]
    answered = [at for at, names in enumerate(given) if names]
    sizes = [len(given[at]) + len(gold[at]) for at in answered]
    for first, last in group_sizes(sizes, NAMES_AT_ONCE):
        group = answered[first:last]
        vectors = embed_once([*(given[at] for at in group), *(gold[at] for at in group)], embedder)
        for at in group:
            cosines = vectors.of(given[at]) @ vectors.of(gold[at]).T
            # Of a missing answer it is 0, below every threshold; so is a negative one.
            components[at, PLACES["cosine"]] = max(float(cosines.max()), 0.0)
            decided = decide(cosines, THRESHOLD)
            merged = merge_entities(items[at], answers[at], predictions[at], decided)
            set_rates(components[at], items[at], SIMILAR, merged)


def group_sizes(sizes: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """First and last place of groups whose sizes sum up to at most `most`, or of one item."""
    first = total = 0
    for at, size in enumerate(sizes):
        if total and total + size > most:
            yield first, at
            first, total = at, 0
        total += size
    if sizes:
        yield first, len(sizes)


def decide(cosines: Floats, threshold: float) -> Matches:
    """True above the threshold: a cosine equal to it is wrong."""
    decisions: Matches = cosines > threshold
    return decisions


class NameVectors:
    """Vectors of distinct names."""

    def __init__(self, names: Sequence[str], vectors: Vectors) -> None:
        self._places = {name: at for at, name in enumerate(names)}
        # Products of float64 differ too little between shapes to change a decision.
        self._vectors = vectors.astype(np.float64)

    def of(self, names: Sequence[str]) -> Floats:
        return self._vectors[[self._places[name] for name in names]]


def embed_once(lists: Sequence[Sequence[str]], embedder: TextEmbedder) -> NameVectors:
    names = list(dict.fromkeys(name for names in lists for name in names))
    return NameVectors(names, embedder.embed(names))


def add_pairs(components: Floats, items: Sequence[HopItem], ways: Sequence[str]) -> None:
    """Set what rests on a two-hop question and its partner, where both are among the items."""
    places = {item.question_id: at for at, item in enumerate(items)}
    pairs = [
        (at, places[item.partner])
        for at, item in enumerate(items)
        if item.form == SINGLE and item.hops == max(HOPS) and item.partner in places
    ]
    if not pairs:
        return
    two, one = np.array(pairs).T
    components[two, PLACES["pairs"]] = 1
    for way in ways:
        right = components[:, PLACES[way]] > 0
        components[two, PLACES[f"{way}_both_correct"]] = right[two] & right[one]
        components[two, PLACES[f"{way}_both_wrong"]] = ~right[two] & ~right[one]
    if SIMILAR in ways:
        components[two, PLACES["partner_cosine"]] = components[one, PLACES["cosine"]]


def sweep_thresholds(components: Floats, prefix: str) -> list[ThresholdRow]:
    """Over single-answer questions, by the metrics' names. No share rises with the threshold."""
    return [
        ThresholdRow(
            threshold,
            {
                f"{prefix}_hop2": share_above(cosines_of(components, "single_hop2"), threshold),
                f"{prefix}_hop1": share_above(cosines_of(components, "single_hop1"), threshold),
                f"{prefix}_both_correct": share_above(cosines_of(components, "pairs"), threshold),
            },
        )
        for threshold in SWEEP
    ]


def cosines_of(components: Floats, counted: str) -> Floats:
    """Of a pair the lower of both, which decides whether both are right."""
    rows = components[components[:, PLACES[counted]] > 0]
    cosines: Floats = rows[:, PLACES["cosine"]]
    return np.minimum(cosines, rows[:, PLACES["partner_cosine"]]) if counted == "pairs" else cosines


def share_above(cosines: Floats, threshold: float) -> float:
    return 100 * float((cosines > threshold).mean()) if len(cosines) else 0.0
