"""SerenQA, task 3: leaves that are reached from a root, with one path each.

SerenHit is 1 if any leaf is in the serendipity set, TypeMatch 1 if any has the type of one of its
members (E.1). The shares, as section 6.1 words them, are columns of their own: members that are
leaves ÷ members, and leaves of such a type ÷ leaves. Means are over items.

Degenerate files: no leaves are worth 0 in every metric, as is a missing prediction; both are left
out of the columns 'of valid outputs', which never order a board. The order of leaves does not
matter, so leaves cannot tie; a repeated leaf and an item that is predicted twice are faults. A
constant list of leaves hits only where it happens to be right.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from backend.runtime.normal_form import normalize_name
from backend.tracks.base import Track
from backend.tracks.item_table import (
    Candidates,
    EdgeFinder,
    EntityFinder,
    IdentifierFinder,
    ItemTable,
    Masks,
    Source,
    SpellingFinder,
)
from backend.tracks.masked_items import MaskableQuestion
from backend.tracks.metrics import Floats, share_metric
from backend.tracks.serenqa import (
    METHODS,
    PREFERRED_METHODS,
    SOURCE_COLUMNS,
    Identifier,
    Method,
    QuestionId,
)
from backend.tracks.serenqa_roots import (
    KEY_FIELDS,
    LEVELS,
    OVERALL,
    SOURCE_EXAMPLE,
    EntitySpellings,
    IsCounted,
    RootItem,
    RootSource,
    Spellings,
    Text,
    add_question_faults,
    list_roots,
    maskable_part,
    parse_json_cell,
    partition_slices,
    paths_of,
    question_of,
    read_roots,
)
from backend.validation.faults import printable
from backend.validation.row_files.csv_rows import Columns
from backend.validation.row_files.faults import RowFault, shorten

MOST_AT_LEVEL = 30  # the paper's beam width
COMPONENTS = 6
HIT, TYPE, HIT_SHARE, TYPE_SHARE, VALID, ITEMS = range(COMPONENTS)


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class SetAnswer:
    """entities: spellings of each member of the serendipity set. types: of the question's answers.

    paths and questions: the ground truth's, as the file has them. graph_query: the question's
    pattern, which a masked graph hides; empty in older releases. is_counted: False for a question
    that the masked graph leaves out.
    """

    entities: Annotated[tuple[Spellings, ...], Field(min_length=1)]
    types: tuple[Identifier, ...]
    paths: tuple[Text, ...] = ()
    questions: tuple[Text, ...] = ()
    graph_query: dict[str, Any] = Field(default_factory=dict)
    is_counted: IsCounted = True


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class Leaf:
    """path: entity, relation, entity … from the root to the leaf; one to three relations."""

    id: Identifier
    type: Identifier
    path: Annotated[tuple[Identifier, ...], Field(min_length=3, max_length=2 * LEVELS + 1)]

    @property
    def depth(self) -> int:
        return len(self.path) // 2


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class LeavesPrediction:
    qid: QuestionId
    partition: Method
    root: Identifier
    leaves: Annotated[tuple[Leaf, ...], Field(max_length=LEVELS * MOST_AT_LEVEL)]


metric = partial(
    share_metric,
    below=[ITEMS],
    components=COMPONENTS,
    unit="fraction",
    section="SerenQA, section E.1",
    ties="Leaves have no order.",
)
over_valid = partial(metric, below=[VALID], missing="Left out.")


METRICS = (
    metric(
        "seren_hit",
        "SerenHit",
        [HIT],
        "Share of the roots with a leaf in the serendipity set.",
    ),
    metric(
        "type_match",
        "TypeMatch",
        [TYPE],
        "Share of the roots with a leaf that has the type of a true answer.",
    ),
    metric(
        "seren_hit_share",
        "SerenHit, share",
        [HIT_SHARE],
        "Mean share of the serendipity set that is among the leaves.",
    ),
    metric(
        "type_match_share",
        "TypeMatch, share",
        [TYPE_SHARE],
        "Mean share of the leaves that have the type of a true answer.",
    ),
    over_valid(
        "seren_hit_valid",
        "SerenHit of valid outputs",
        [HIT],
        "SerenHit over the roots with at least one leaf, as the paper averages it.",
    ),
    over_valid(
        "type_match_valid",
        "TypeMatch of valid outputs",
        [TYPE],
        "TypeMatch over the roots with at least one leaf, as the paper averages it.",
    ),
)


class SerenqaExploration(Track[RootItem, SetAnswer, LeavesPrediction]):
    slug = "serenqa-exploration"
    title = "Exploration"
    paper = "SerenQA"
    description = (
        "Walk from the known answers to unexpected ones that experts or RNS found serendipitous."
    )
    version = "3"
    main_metric = "seren_hit"
    overall = OVERALL
    mask_methods = METHODS
    partition_methods = PREFERRED_METHODS
    key_fields = KEY_FIELDS
    item_schema = RootItem
    answer_schema = SetAnswer
    prediction_schema = LeavesPrediction
    prediction_columns = Columns((*KEY_FIELDS, "leaves"), parsers={"leaves": parse_json_cell})
    source_columns = SOURCE_COLUMNS
    source_example = SOURCE_EXAMPLE
    components = ("hit", "type_match", "hit_share", "type_share", "valid", "items")
    metrics = METRICS
    baselines = ("degree", "random-walk", "rns-beam")
    model_tasks = ("serenqa-exploration-guided",)
    reads_entity_types = True
    reads_edges = True
    folder = Path(__file__).parent

    def read_source(self, file: BinaryIO, name: str, source: Source[RootItem, SetAnswer]) -> None:
        read_roots(file, name, source)
        self._build(source, lambda identifier, type_: ())

    def complete_source(self, source: Source[RootItem, SetAnswer], spell: SpellingFinder) -> None:
        add_question_faults(source)
        self._build(source, spell)
        if not source.items and not source.faults.total:
            message, expected = "No question has a partition.", "llm, expert or sscore"
            source.faults.add(RowFault(0, "", "no_partitions", message, expected))

    def _build(self, source: Source[RootItem, SetAnswer], spell: SpellingFinder) -> None:
        spellings, roots = EntitySpellings(source, spell), list_roots(source)
        source.items[:] = [root.item for root in roots]
        source.answers[:] = [to_answer(root, spellings) for root in roots]

    def cluster(self, item: RootItem) -> Hashable:
        return question_of(item)

    def partition_of(self, item: RootItem) -> str:
        return item.partition

    def question_id(self, item: RootItem) -> str:
        return item.qid

    def maskable_question(
        self, item: RootItem, answer: SetAnswer, method: str
    ) -> MaskableQuestion | None:
        hidden = [spellings[0] for spellings in answer.entities]
        return maskable_part(item, method, answer.graph_query, hidden)

    def keep_pattern(self, answer: SetAnswer, earlier: SetAnswer) -> SetAnswer:
        return replace(answer, graph_query=answer.graph_query or earlier.graph_query)

    def leave_out(self, answer: SetAnswer) -> SetAnswer:
        return replace(answer, is_counted=False)

    def slices(self, items: Sequence[RootItem], answers: Sequence[SetAnswer]) -> Masks:
        return partition_slices(items)

    def example_prediction(self, item: RootItem, candidates: Candidates | None) -> LeavesPrediction:
        """Without leaves, which is valid on every graph; `example.jsonl` has some."""
        return LeavesPrediction(item.qid, item.partition, item.root, ())

    def find_faults(
        self,
        items: ItemTable[RootItem],
        positions: NDArray[np.int64],
        predictions: Sequence[LeavesPrediction],
    ) -> Iterator[tuple[int, RowFault]]:
        for index, prediction in enumerate(predictions):
            for fault in leaf_faults(prediction, items.find_entities, items.has_edge):
                yield index, fault

    def normalize(self, predictions: Sequence[LeavesPrediction]) -> Sequence[LeavesPrediction]:
        """Leaves in the order of their identifiers."""
        return [
            replace(one, leaves=tuple(sorted(one.leaves, key=lambda leaf: leaf.id)))
            for one in predictions
        ]

    def merge_spellings(
        self, prediction: LeavesPrediction, answer: SetAnswer, find: IdentifierFinder
    ) -> LeavesPrediction:
        """Leaves by the graph's identifier, unless the answer has their spelling: the check of a
        file takes every way of writing an entity."""
        known = {text for spellings in answer.entities for text in spellings}
        leaves = tuple(
            leaf if leaf.id in known else replace(leaf, id=find([leaf.id], (leaf.type,))[leaf.id])
            for leaf in prediction.leaves
        )
        return replace(prediction, leaves=leaves)

    def score(
        self,
        items: Sequence[RootItem],
        answers: Sequence[SetAnswer],
        predictions: Sequence[LeavesPrediction | None],
    ) -> Floats:
        components = np.zeros((len(items), COMPONENTS))
        components[:, ITEMS] = [one.is_counted for one in answers]
        for row, answer, prediction in zip(components, answers, predictions, strict=True):
            if answer.is_counted and prediction is not None and prediction.leaves:
                row[:ITEMS] = *score_leaves(answer, prediction.leaves), 1
        return components


def to_answer(root: RootSource, spellings: EntitySpellings) -> SetAnswer:
    spellings.of(root.item.root, root.types, root.item)  # reports one that the graph lacks
    return SetAnswer(
        tuple(spellings.of(one, root.types, root.item) for one in root.split.serendipity),
        root.types,
        tuple(path for path, _ in paths_of(root)),
        tuple(one for one in root.split.questions if one),
        root.question.graph_query_as_json(),
    )


def score_leaves(answer: SetAnswer, leaves: Sequence[Leaf]) -> tuple[float, float, float, float]:
    """SerenHit, TypeMatch and their shares, for at least one leaf."""
    ids = {leaf.id for leaf in leaves}
    members = sum(not ids.isdisjoint(spellings) for spellings in answer.entities)
    types = {normalize_name(name) for name in answer.types}
    of_type = sum(normalize_name(leaf.type) in types for leaf in leaves)
    shares = members / len(answer.entities), of_type / len(leaves)
    return float(members > 0), float(of_type > 0), *shares


def find_hits(answer: SetAnswer, ids: Iterable[str]) -> frozenset[str]:
    """Those of the graph's identifiers that spell a member of the serendipity set."""
    known = {text for spellings in answer.entities for text in spellings}
    return frozenset(one for one in ids if one in known)


def leaf_faults(
    prediction: LeavesPrediction, find: EntityFinder | None, has_edge: EdgeFinder | None = None
) -> Iterator[RowFault]:
    """Faults of form; with the graph's entities and edges, also of unknown ones."""
    ids = [leaf.id if find is None else own_id(leaf, find) for leaf in prediction.leaves]
    repeated = Counter(ids)
    depths: Counter[int] = Counter()
    for place, (leaf, id_) in enumerate(zip(prediction.leaves, ids, strict=True)):
        field = f"leaves[{place}]"
        depths[leaf.depth] += 1
        if depths[leaf.depth] == MOST_AT_LEVEL + 1:
            expected = f"at most {MOST_AT_LEVEL} leaves of one depth"
            message = f"There are too many leaves at depth {leaf.depth}."
            yield RowFault(0, field, "too_many_leaves", message, expected)
        if repeated[id_] > 1:
            expected = "each leaf once, with one path"
            message = "This leaf is given more than once."
            yield RowFault(0, f"{field}.id", "repeated_leaf", message, expected, shorten(leaf.id))
        yield from path_faults(prediction.root, leaf, field)
        if find is not None:
            faults = [*entity_faults(leaf, field, find)]
            yield from faults or edge_faults(leaf, field, has_edge)


def own_id(leaf: Leaf, find: EntityFinder) -> str:
    """The graph's identifier of the entity of the leaf's type; the leaf's if there is none."""
    by_type = {normalize_name(type_): id_ for type_, id_ in find(leaf.id).items()}
    return by_type.get(normalize_name(leaf.type), leaf.id)


def path_faults(root: str, leaf: Leaf, field: str) -> Iterator[RowFault]:
    entities = leaf.path[::2]
    place, given = f"{field}.path", printable(" ".join(leaf.path))
    if len(leaf.path) % 2 == 0:
        message = "This path does not alternate entities and relations."
        expected = "entity, relation, entity …"
        yield RowFault(0, place, "not_a_path", message, expected, given)
    elif (entities[0], entities[-1]) != (root, leaf.id):
        message = "This path does not lead from the root to the leaf."
        expected = f"a path from {printable(root)} to {printable(leaf.id)}"
        yield RowFault(0, place, "other_ends", message, expected, given)
    elif len(set(entities)) < len(entities):
        message = "This path visits an entity twice."
        yield RowFault(0, place, "repeated_entity", message, "each entity once", given)


def entity_faults(leaf: Leaf, field: str, find: EntityFinder) -> Iterator[RowFault]:
    for at, name in enumerate(leaf.path[::2]):
        if not find(name):
            message = "The release's graph has no entity of this id."
            expected = "the id of an entity of the graph"
            place = f"{field}.path[{2 * at}]"
            yield RowFault(0, place, "unknown_id", message, expected, shorten(name))
    types = find(leaf.id)
    if types and normalize_name(leaf.type) not in {normalize_name(name) for name in types}:
        message = "The leaf has another type in the release's graph."
        place, expected = f"{field}.type", printable(" or ".join(sorted(types)))
        yield RowFault(0, place, "other_type", message, expected, shorten(leaf.type))


def edge_faults(leaf: Leaf, field: str, has_edge: EdgeFinder | None) -> Iterator[RowFault]:
    """The first edge of the path that the walked graph lacks: nobody reaches the leaf by it."""
    for at in range(0, len(leaf.path) - 2, 2) if has_edge is not None else ():
        edge = source, relation, target = leaf.path[at : at + 3]
        if has_edge is not None and not has_edge(source, relation, target):
            message = "The graph that the release is walked on has no such edge."
            expected = "edges of that graph, in either direction"
            place, given = f"{field}.path[{at + 1}]", printable(" ".join(edge))
            yield RowFault(0, place, "unknown_edge", message, expected, given)
            return


TRACK = SerenqaExploration()
