"""BioHopR: entities that are one or two relations away from the one in the question.

A prediction is a list of names, each read once in its normal form. The first is scored where one
answer was to be given. A name is right if it is the name, a synonym or the identifier of a gold
entity in normal form (`match`), and, with an embedder, if its largest cosine to a gold name is
greater than 0.9 (`similar`). BOTH_COR and BOTH_WR are over the two-hop questions of single answers
whose partner is in the split.

Degenerate files: an empty list or a missing prediction is wrong, so an empty file has both_wrong of
100 % and 0 in all others. A constant name is worth the share of questions that it answers. Names
cannot tie; a repeated one counts once.
"""

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import fields, replace
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from backend.tracks.biohopr.matching import drop_repetitions, names_of, normal_form
from backend.tracks.biohopr.metrics import build_metrics
from backend.tracks.biohopr.rows import (
    SINGLE,
    GoldEntity,
    HopAnswer,
    HopItem,
    HopRow,
    NamesPrediction,
    ResolvedNames,
)
from backend.tracks.biohopr.scoring import (
    BASE_COMPONENTS,
    EMBEDDED_COMPONENTS,
    MATCH,
    MOST_NAMES,
    PLACES,
    SIMILAR,
    add_cosines,
    add_pairs,
    score_names,
    scored_names,
    sweep_thresholds,
)
from backend.tracks.item_table import Candidates, Masks, NameFinder, Source, SpellingFinder
from backend.tracks.metrics import Floats
from backend.tracks.outcome_track import Case, OutcomeTrack
from backend.tracks.pooled_track import AnswerEntities, PooledTrack
from backend.tracks.text_vectors import TextEmbedder, ThresholdRow, installed_embedder
from backend.validation.faults import printable
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault
from backend.validation.row_files.reader import RowSchema, read_rows

SOURCE_FIELDS = (
    *("question_id", "question", "form", "hops", "relation_type", "metapath"),
    *("query_id", "query_name", "partner", "answers"),
)
LONGEST_SLICE = 60
SAME_BRIDGE, SAME_TARGET, OTHERS = "same-query-and-bridge", "same-query-and-target", "others"
RIGHT, PLAUSIBLE, WRONG = "right", "plausible", "wrong"


def parse_json(cell: str) -> object:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell


def parse_names(cell: str) -> object:
    """A JSON list, or one name as it is."""
    value = parse_json(cell) if cell.lstrip().startswith("[") else [cell] if cell else []
    return value if isinstance(value, list) else [cell]


SOURCE = RowSchema(
    HopRow,
    Columns(
        SOURCE_FIELDS,
        parsers={"hops": parse_json, "answers": parse_json},
        ignores_others=True,
    ),
    ("question_id",),
)
EXAMPLE_ROW = {
    "question_id": "1s-0123456789abcdef",
    "question": "Name one disease that drug one treats.",
    "form": "single",
    "hops": 1,
    "relation_type": "Drug:Disease",
    "metapath": "Drug/>treats/Disease",
    "query_id": "DRUGBANK:1",
    "query_name": "drug one",
    "partner": "",
    "answers": [{"id": "DOID:1", "name": "disease one", "synonyms": ["the first disease"]}],
}


class BioHopR(
    PooledTrack[HopItem, HopAnswer, NamesPrediction],
    OutcomeTrack[HopItem, HopAnswer, NamesPrediction],
):
    slug = "biohopr"
    title = "Multi-hop answers"
    paper = "BioHopR"
    description = "Name entities that are one or two relations away from the one in the question."
    version = "3"
    main_metric = "match_hop2"
    overall = "all"
    key_fields = ("question_id",)
    item_schema = HopItem
    answer_schema = HopAnswer
    prediction_schema = NamesPrediction
    prediction_columns = Columns(
        ("question_id", "answers"),
        aliases={"id": "question_id", "prediction": "answers", "predictions": "answers"},
        parsers={"answers": parse_names},
    )
    source_columns = SOURCE.columns
    source_example = f"{json.dumps(EXAMPLE_ROW)}\n"
    components = BASE_COMPONENTS
    metrics = build_metrics(BASE_COMPONENTS)
    baselines = ("name-lookup", "name-lookup-relation")
    model_tasks = ("biohopr-single", "biohopr-multiple")
    outcome_names = (RIGHT, PLAUSIBLE, WRONG)
    folder = Path(__file__).parent
    has_one_split = True  # answers of a partner are among those of its two-hop question
    ways: Sequence[str] = (MATCH,)
    merges_names = True
    pool_depth = 20

    def read_source(self, file: BinaryIO, name: str, source: Source[HopItem, HopAnswer]) -> None:
        keys = {item.question_id for item in source.items}
        for batch in read_rows(file, name, SOURCE, source.faults):
            for line, row in zip(batch.lines, batch.values, strict=True):
                if row.question_id in keys:
                    source.faults.add(repeated_question(line, row.question_id))
                keys.add(row.question_id)
                source.items.append(to_item(row))
                source.answers.append(HopAnswer(row.answers))

    def cluster(self, item: HopItem) -> Hashable:
        return item.query_id

    def slices(self, items: Sequence[HopItem], answers: Sequence[HopAnswer]) -> Masks:
        """All; the groups of Table 6; by relation type of two hops, with the one-hop questions of
        its Query:Bridge."""
        types = np.array([item.relation_type[:LONGEST_SLICE] for item in items], dtype=object)
        hops = np.array([item.hops for item in items], dtype=np.int64)
        masks: Masks = {self.overall: np.ones(len(items), dtype=np.bool_)}
        by_type: Masks = {}
        for name in sorted(set(types[hops == 2])):
            first = str(name).rpartition(":")[0]
            by_type[str(name)] = (types == name) | ((hops == 1) & (types == first))
        for name, members in group_relation_types(by_type).items():
            masks[name] = np.logical_or.reduce([by_type[one] for one in members])
        return masks | by_type

    def normalize(self, predictions: Sequence[NamesPrediction]) -> Sequence[NamesPrediction]:
        return [replace(one, answers=drop_repetitions(one.answers)) for one in predictions]

    def resolve_names(self, prediction: NamesPrediction, find: NameFinder) -> ResolvedNames:
        entities = {name: ids for name in prediction.answers if (ids := find(name))}
        return ResolvedNames(prediction.question_id, prediction.answers, entities)

    def example_prediction(self, item: HopItem, candidates: Candidates | None) -> NamesPrediction:
        return NamesPrediction(item.question_id, ["the name of an entity"])

    def score(
        self,
        items: Sequence[HopItem],
        answers: Sequence[HopAnswer],
        predictions: Sequence[NamesPrediction | ResolvedNames | None],
    ) -> Floats:
        return score_names(items, answers, predictions, len(self.components))

    def complete(self, items: Sequence[HopItem], components: Floats) -> Floats:
        add_pairs(components, items, self.ways)
        return components

    def question_text(self, item: HopItem) -> str:
        return item.question

    def ranked_answers(
        self, item: HopItem, prediction: NamesPrediction | ResolvedNames
    ) -> Sequence[int | str]:
        """What is scored: the first name where one answer was to be given."""
        return prediction.answers[:1] if item.form == SINGLE else prediction.answers

    def labelled_answers(self, answer: HopAnswer) -> Sequence[int | str]:
        return [name for one in answer.answers for name in names_of(one)]

    def answer_key(self, answer: int | str) -> str:
        return normal_form(str(answer))

    def find_answer_entities(
        self, item: HopItem, answer: HopAnswer, given: Iterable[int | str], entities: AnswerEntities
    ) -> Iterator[str | None]:
        """Their identifiers; of several with the name, one of the type of its answers."""
        gold: dict[str, str] = {}
        for one in answer.answers:
            for name in names_of(one):
                gold.setdefault(self.answer_key(name), one.id)
        type_ = item.relation_type.rpartition(":")[2]
        for text in map(str, given):
            known = gold.get(self.answer_key(text))
            yield entities.find_named(text, type_) if known is None else known

    def add_true_answers(
        self,
        item: HopItem,
        answer: HopAnswer,
        more: Sequence[int | str],
        entities: AnswerEntities | None = None,
    ) -> HopAnswer:
        """An entity of the graph is added with all its names."""
        known = {self.answer_key(name) for name in self.labelled_answers(answer)}
        ids = {self.answer_key(given): str(given) for given in more}
        new = (to_gold(id_, entities) for key, id_ in ids.items() if key not in known)
        return replace(answer, answers=(*answer.answers, *new))

    def outcomes(self, components: Floats) -> Sequence[str]:
        """right: by name. plausible: by another name or by meaning alone."""
        is_right = components[:, PLACES["exact"]] > 0
        is_near = (components[:, [PLACES[way] for way in self.ways]] > 0).any(axis=1)
        names: list[str] = np.where(is_right, RIGHT, np.where(is_near, PLAUSIBLE, WRONG)).tolist()
        return names

    def describe_case(
        self, item: HopItem, answer: HopAnswer, prediction: NamesPrediction | None
    ) -> Case:
        return Case(
            item.question,
            item.relation_type,
            tuple(prediction.answers if prediction is not None else ()),
            tuple(one.name for one in answer.answers),
        )

    def documentation(self) -> str:
        stated = f"\n## This installation\n\n{self.embedder_sentence()}\n"
        return super().documentation() + stated

    def embedder_sentence(self) -> str:
        return (
            "It has no embedder, so metrics of the cosine are absent. The operator adds them by "
            "installing the optional embedder."
        )


class EmbeddedBioHopR(BioHopR):
    """With metrics of the cosine. Scores only after `with_embedder`."""

    components = EMBEDDED_COMPONENTS
    ways = (MATCH, SIMILAR)
    most_texts = MOST_NAMES
    _embedder: TextEmbedder | None = None

    def with_embedder(self, embedder: TextEmbedder) -> Self:
        bound = copy(self)
        bound._embedder = embedder
        return bound

    def score(
        self,
        items: Sequence[HopItem],
        answers: Sequence[HopAnswer],
        predictions: Sequence[NamesPrediction | ResolvedNames | None],
    ) -> Floats:
        components = super().score(items, answers, predictions)
        if not any(predictions):  # of missing ones, all cosines are 0
            return components
        if self._embedder is None or self._embedder.name != self.embedder_name:
            raise NoEmbedder(self.embedder_name)
        add_cosines(components, items, answers, predictions, self._embedder)
        return components

    def complete_source(self, source: Source[HopItem, HopAnswer], spell: SpellingFinder) -> None:
        super().complete_source(source, spell)
        names = {one.name for answer in source.answers for one in answer.answers}
        if len(names) > MOST_NAMES:
            message = f"The answers have {len(names):,} names, too many for the embedder."
            expected = f"at most {MOST_NAMES:,} different names: draw fewer questions"
            source.faults.add(RowFault(0, "answers", "too_many_names", message, expected))

    def count_texts(self, item: HopItem, prediction: NamesPrediction) -> int:
        return len(scored_names(item, prediction))

    def sweep(self, components: Floats) -> Sequence[ThresholdRow]:
        return sweep_thresholds(components, f"{SIMILAR}_{self.embedder_name}")

    def embedder_sentence(self) -> str:
        names = (f"`{one.id}`" for one in self.metrics if one.id.startswith(SIMILAR))
        return (
            f"Its embedder is `{self.embedder_name}`. Figures of another embedder are not "
            f"comparable with its. Metrics of the cosine: {', '.join(names)}."
        )


def name_embedder(embedder: str) -> type[EmbeddedBioHopR]:
    """Another embedder is another evaluator: stored scores are then computed again."""

    class NamedBioHopR(EmbeddedBioHopR):
        version = f"{BioHopR.version}+{embedder}"
        metrics = build_metrics(EMBEDDED_COMPONENTS, embedder)
        embedder_name = embedder

    return NamedBioHopR


class NoEmbedder(Exception):
    """The track's metrics need an embedder that it was not given."""


def group_relation_types(names: Iterable[str]) -> dict[str, list[str]]:
    """The groups of Table 6: relation types with the same query and bridge as another one; those
    with the same query and target as another one; the others. Empty where all are of one group.
    """
    parts = [tuple(name.split(":")) for name in names]
    bridges = Counter(one[:2] for one in parts)
    targets = Counter((one[0], one[-1]) for one in parts)
    groups: dict[str, list[str]] = {SAME_BRIDGE: [], SAME_TARGET: [], OTHERS: []}
    for one in parts:
        shares_target = SAME_TARGET if targets[one[0], one[-1]] > 1 else OTHERS
        groups[SAME_BRIDGE if bridges[one[:2]] > 1 else shares_target].append(":".join(one))
    filled = {name: members for name, members in groups.items() if members}
    return filled if len(filled) > 1 else {}


def to_gold(identifier: str, entities: AnswerEntities | None) -> GoldEntity:
    names = entities.names_of(identifier) if entities is not None else ()
    name, *synonyms = names or (identifier,)
    return GoldEntity(identifier, name, tuple(synonyms))


def to_item(row: HopRow) -> HopItem:
    return HopItem(**{one.name: getattr(row, one.name) for one in fields(HopItem)})


def repeated_question(line: int, key: str) -> RowFault:
    item = printable(key)
    message = "This question was given before."
    return RowFault(
        line, "question_id", "duplicate_item", message, "each question once", item, item
    )


def make_track() -> BioHopR:
    embedder = installed_embedder()
    return name_embedder(embedder)() if embedder else BioHopR()


TRACK = make_track()
