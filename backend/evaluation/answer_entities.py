"""Which entities of a release's graph answers mean: those alone are pooled and become gold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from backend.benchmarks.entity_keys import get_entity_keys
from backend.benchmarks.models import Release
from backend.evaluation.named_graph import name_finder
from backend.graphs.entity_lookup import find_entity
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.snapshots.snapshot import Snapshot
from backend.runtime.normal_form import normalize_name
from backend.tracks.item_table import NameFinder
from backend.tracks.pooled_track import AnyPooledTrack

AnswerText = int | str


@dataclass
class GraphEntities:
    """Implements AnswerEntities, by the whole graph of a release."""

    version: Version
    # A pool looks up the same answers once for each of its entries.
    _names: dict[str, Sequence[str]] = field(default_factory=dict, init=False, repr=False)

    def find_key(self, answer: AnswerText) -> AnswerText | None:
        if answer in get_entity_keys(self.version).candidates:
            return answer
        number = find_entity(self._snapshot, str(answer))
        return None if number is None else self._snapshot.entity_summary(number).id

    def find_named(self, name: str, type_: str) -> str | None:
        """The first of the type where several have the name, else the first."""
        ids = self._find_name(name)
        form = normalize_name(type_)
        typed = [one for one in ids if normalize_name(self._type_of(one)) == form]
        return next(iter(typed or ids), None)

    def names_of(self, identifier: str) -> Sequence[str]:
        if identifier not in self._names:
            self._names[identifier] = self._read_names(identifier)
        return self._names[identifier]

    def _read_names(self, identifier: str) -> Sequence[str]:
        number = self._snapshot.find_number(identifier)
        if number is None:
            return ()
        entity = self._snapshot.entity(number)
        return [name for name in dict.fromkeys((entity.name, *entity.synonyms)) if name]

    def _type_of(self, identifier: str) -> str:
        number = self._snapshot.find_number(identifier)
        return "" if number is None else self._snapshot.entity_summary(number).type

    @cached_property
    def _snapshot(self) -> Snapshot:
        return open_version_snapshot(self.version)

    @cached_property
    def _find_name(self) -> NameFinder:
        return name_finder(self.version)


def entities_of(release: Release) -> GraphEntities | None:
    """None without a graph: there, what an answer means cannot be checked."""
    version = release.graph_version
    return None if version is None else GraphEntities(version)


@dataclass(frozen=True)
class AnswerResolver:
    """entities: None without a graph, where every answer is as it is written."""

    track: AnyPooledTrack
    entities: GraphEntities | None

    @classmethod
    def of(cls, track: AnyPooledTrack, release: Release) -> "AnswerResolver":
        return cls(track, entities_of(release))

    def resolve(self, item: Any, answer: Any, given: Iterable[AnswerText]) -> list[AnswerText]:
        """One identifier for each entity, in order. What is no entity of the graph is left out.

        answer: the hidden one of the item, whose entities are as it writes them.
        """
        if self.entities is None:
            return list(given)
        matches = self.track.find_answer_entities(item, answer, given, self.entities)
        return list(dict.fromkeys(one for one in matches if one is not None))

    def add_true_answers(self, item: Any, answer: Any, more: Sequence[AnswerText]) -> Any:
        return self.track.add_true_answers(item, answer, more, self.entities)
