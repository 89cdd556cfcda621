"""Corrected releases: a release made of an earlier one, with items withdrawn or changed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Any, Literal

from django.db import transaction
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from backend.benchmarks.models import (
    Correction,
    HiddenAnswer,
    Item,
    JudgedAnswer,
    Release,
    ReleaseSplit,
)
from backend.benchmarks.policies import lock_release_or_raise
from backend.benchmarks.releases import (
    FrozenItem,
    ReleaseRequest,
    release_spellings,
    store_release,
)
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.common.errors import Conflict, DomainError
from backend.common.pluralize import pluralize
from backend.tracks.base import AnyTrack
from backend.tracks.item_table import SpellingFinder
from backend.validation.faults import FaultList, printable
from backend.validation.row_files.faults import errors_by_field, row_fault

MAX_CORRECTIONS = 10_000
COPIED_METADATA = (
    "licence",
    "citation",
    "data_card",
    "terms",
    "queries",
    "queries_per_day",
    "opens_at",
    "closes_at",
)
Json = dict[str, Any]
# By the key of an item: answers as predictions write them, and whether each is true.
Verdicts = Mapping[str, Mapping[int | str, bool]]
Key = Annotated[list[str | int], Field(min_length=1, max_length=10)]


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    key: Key


class Withdrawal(_Row):
    action: Literal["withdraw"]


class NewAnswer(_Row):
    action: Literal["answer"]
    answer: Json


class NewItem(_Row):
    """Changed content, with the key that it had. Without an answer, that stays."""

    action: Literal["item"]
    item: Json
    answer: Json | None = None


AnyCorrection = Withdrawal | NewAnswer | NewItem
ROW: TypeAdapter[AnyCorrection] = TypeAdapter(
    Annotated[AnyCorrection, Field(discriminator="action")]
)
ACTIONS = ", ".join(Correction.Action.values)


@dataclass
class CorrectedItems:
    """The items of a release by key, in their order, while corrections are applied."""

    track: AnyTrack
    items: dict[str, FrozenItem]
    spell: SpellingFinder
    faults: FaultList = field(default_factory=FaultList)
    corrections: dict[str, Correction] = field(default_factory=dict)

    def apply(self, rows: Sequence[object]) -> None:
        for number, raw in enumerate(rows):
            place = f"corrections[{number}]"
            row = self._read(raw, place)
            if row is not None:
                self._apply(row, place)
        stayed = {one.split for one in self.items.values()}
        if any(one.split not in stayed for one in self.corrections.values()):
            message = "All items of a split would be withdrawn."
            self.faults.add("corrections", message, "at least one item of each split")

    def _read(self, raw: object, place: str) -> AnyCorrection | None:
        kind = raw.get("action") if isinstance(raw, dict) else None
        if kind not in Correction.Action.values:
            self.faults.add(f"{place}.action", "There is no such correction.", ACTIONS)
            return None
        try:
            return ROW.validate_python(raw)
        except ValidationError as error:
            for one in error.errors(include_url=False):
                where = ".".join(map(str, one["loc"][1:]))
                described = row_fault(0, where, one, "")
                self.faults.add(
                    f"{place}.{where}", described.message, described.expected, described.code
                )
            return None

    def _apply(self, row: AnyCorrection, place: str) -> None:
        key = json.dumps(row.key)
        old = self.items.get(key)
        if key in self.corrections:
            message = "An item is corrected once."
            self.faults.add(f"{place}.key", message, "each key once", "duplicate_item")
        elif old is None:
            message = f"The release has no item {printable(key)}."
            self.faults.add(f"{place}.key", message, "the key of an item", "unknown_item")
        elif isinstance(row, Withdrawal):
            del self.items[key]
            self._note(key, old, row.action)
        elif new := self._changed(old, row, place):
            self.items[key] = new
            self._note(key, old, row.action)

    def _note(self, key: str, item: FrozenItem, action: str) -> None:
        self.corrections[key] = Correction(key=key, split=item.split, action=action)

    def _changed(self, old: FrozenItem, row: NewAnswer | NewItem, place: str) -> FrozenItem | None:
        raw_item = row.item if isinstance(row, NewItem) else old.content
        raw_answer = (old.answer or {}) if row.answer is None else row.answer
        item = self._validate(self.track.item_schema, raw_item, f"{place}.item")
        answer = self._validate(self.track.answer_schema, raw_answer, f"{place}.answer")
        if item is None or answer is None:
            return None
        if row.answer is not None:
            earlier = TypeAdapter(self.track.answer_schema).validate_python(old.answer)
            answer = self.track.keep_pattern(answer, earlier)
        if item_key(self.track, item) != old.key:
            self.faults.add(f"{place}.item", "The key of an item stays.", old.key, "key_changed")
            return None
        if self.track.masked_by(item) != self._masked_by(old):
            message = "All items of a release are about the same graph."
            self.faults.add(f"{place}.item", message, "the graph of the item", "graph_changed")
            return None
        if fault := self.track.find_answer_fault(item, answer):
            self.faults.add(f"{place}.answer", fault, "a possible answer", "not_an_answer")
            return None
        answer = self.track.add_spellings(answer, self.spell)
        new = freeze(self.track, item, answer, old.split)
        if new.content == old.content:  # verdicts are about an unchanged item alone
            new = replace(new, judged=old.judged)
        if (new.content, new.answer) == (old.content, old.answer):
            self.faults.add(place, "This changes nothing.", "another answer or item", "unchanged")
            return None
        return new

    def _masked_by(self, old: FrozenItem) -> str:
        item = TypeAdapter(self.track.item_schema).validate_python(old.content)
        return self.track.masked_by(item)

    def _validate(self, schema: Any, value: Mapping[str, Any], place: str) -> Any:
        try:
            return TypeAdapter(schema).validate_python(value)
        except ValidationError as error:
            for where, details in errors_by_field(error).items():
                described = row_fault(0, where, details, "")
                self.faults.add(
                    f"{place}.{where}", described.message, described.expected, described.code
                )
            return None

    def judge(self, verdicts: Verdicts) -> None:
        """Add verdicts to the items; a newer one on the same answer replaces the older."""
        for key, judged in verdicts.items():
            if (item := self.items.get(key)) is not None:
                every = sorted({**dict(item.judged), **judged}.items(), key=lambda one: str(one[0]))
                self.items[key] = replace(item, judged=tuple(every))


def item_key(track: AnyTrack, item: Any) -> str:
    return json.dumps([getattr(item, name) for name in track.key_fields])


def freeze(track: AnyTrack, item: Any, answer: Any, split: ReleaseSplit) -> FrozenItem:
    content = TypeAdapter(track.item_schema).dump_python(item, mode="json")
    hidden = TypeAdapter(track.answer_schema).dump_python(answer, mode="json")
    return FrozenItem(item_key(track, item), split, content, hidden)


def frozen_items(release: Release) -> Iterator[FrozenItem]:
    """Items with their hidden answers, in the order of the release."""
    answers = HiddenAnswer.objects.filter(item__release=release).values_list("item", "content")
    contents = dict(answers)
    judged = judged_answers(release)
    for item in Item.objects.filter(release=release).order_by("position"):
        yield FrozenItem(
            item.key,
            ReleaseSplit(item.split),
            item.content,
            contents[item.pk],
            tuple(judged.get(item.pk, {}).items()),
        )


def judged_answers(release: Release) -> Mapping[int, Mapping[int | str, bool]]:
    """By the item's primary key: answers with their verdicts."""
    rows = JudgedAnswer.objects.filter(item__release=release).order_by("pk")
    judged: dict[int, dict[int | str, bool]] = {}
    for item, answer, is_true in rows.values_list("item", "answer", "is_true"):
        judged.setdefault(item, {})[answer] = is_true
    return judged


@transaction.atomic
def make_corrected_release(
    *,
    release: Release,
    name: str,
    slug: str,
    rows: Sequence[object],
    verdicts: Verdicts = MappingProxyType({}),
) -> Release:
    """A draft with the corrected items; splits and metadata are those of the release.

    rows: see Withdrawal, NewAnswer and NewItem. verdicts: on answers to items; a true one must be
    in the item's answer, which a row adds it to. Raises DomainError with all faults, Conflict if
    the release is a draft or was corrected before.
    """
    locked = lock_release_or_raise(release.pk, no_key=True)
    if locked.state == Release.State.DRAFT:
        raise Conflict("A draft cannot be corrected. Make the release again.")
    if locked.is_sealed:
        raise Conflict("A sealed release has no answers to correct. Make another one.")
    if later := Release.objects.filter(corrects=locked).first():
        raise Conflict(f"This release is corrected by '{later.slug}'. Correct that one.")
    track = get_track_or_raise(locked.track)
    items = {one.key: one for one in frozen_items(locked)}
    corrected = CorrectedItems(track, items, release_spellings(locked.graph_version))
    corrected.apply(rows)
    corrected.judge(verdicts)
    if total := corrected.faults.total:
        raise DomainError(
            f"The corrections have {pluralize(total, 'fault')}. No release was made.",
            code="invalid_corrections",
            faults=corrected.faults.listed,
            data={"total": total},
        )
    request = ReleaseRequest(
        track=track.slug,
        name=name,
        slug=slug,
        graph_version=locked.graph_version,
        test_share=locked.test_share,
        seed=locked.seed,
        cutoff=locked.cutoff,
        is_demo=locked.is_demo,
        metadata={"corrects": locked}
        | {field_name: getattr(locked, field_name) for field_name in COPIED_METADATA},
    )
    new = store_release(locked.created_by, request, track, [*corrected.items.values()])
    for one in corrected.corrections.values():
        one.release = new
    Correction.objects.bulk_create(corrected.corrections.values(), batch_size=2_000)
    return new
