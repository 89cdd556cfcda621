"""A session of tool calls as a walk: each call is a step that offers entities, and later calls
choose among them.

Results are read by their shape, so that tools of plugins which answer alike are drawn as well.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from backend.common.cached_results import get_or_compute
from backend.evaluation.models import ToolCall, ToolSession
from backend.evaluation.tool_calls import read_result

MOST_STEPS = 200
STORED_S = 600
MOST_OFFERED = 30  # of a step, those that were chosen before the others
Result = Mapping[str, Any]


@dataclass(frozen=True)
class CallEntity:
    id: str
    name: str
    type: str


@dataclass(frozen=True)
class CallOffer:
    """source: None for an entity that a search returned."""

    source: CallEntity | None
    relation: str
    phrase: str
    target: CallEntity
    is_chosen: bool = False


@dataclass(frozen=True)
class CallStep:
    """arguments: as JSON. frontier: the entities that the call is about. offered: at most
    MOST_OFFERED of `offered_count`. chosen: offered entities that a later call is about.
    is_stored: whether the log has the result."""

    number: int
    tool: str
    arguments: str
    frontier: list[CallEntity]
    offered: list[CallOffer]
    offered_count: int
    chosen: list[CallEntity]
    error_code: str
    milliseconds: float | None
    is_stored: bool


@dataclass(frozen=True)
class ToolWalk:
    """steps: the first ones of `calls`."""

    calls: int
    steps: list[CallStep]


def read_walk(session: ToolSession) -> ToolWalk:
    """Of a closed session, which everybody may read, computed at most once in ten minutes."""
    if session.closed_at is None:
        return make_walk(session)
    key = f"tool-walk-{session.pk}"
    return get_or_compute(key, lambda: make_walk(session), form=ToolWalk, timeout_s=STORED_S)


def make_walk(session: ToolSession) -> ToolWalk:
    rows = session.call_rows.order_by("number")[:MOST_STEPS]
    return ToolWalk(session.calls, mark_choices([read_step(call) for call in rows]))


def read_step(call: ToolCall) -> CallStep:
    stored = read_result(call)
    result = stored or {}
    offered = list(list_offers(result))
    return CallStep(
        number=call.number,
        tool=call.tool,
        arguments=json.dumps(call.arguments, ensure_ascii=False),
        frontier=find_frontier(result),
        offered=offered,
        offered_count=len({one.target.id for one in offered}),
        chosen=[],
        error_code=call.error_code,
        milliseconds=call.milliseconds,
        is_stored=stored is not None,
    )


def find_frontier(result: Result) -> list[CallEntity]:
    """The entity of the result, else the first entities of its paths."""
    if "entity" in result:
        return [node_of(result["entity"])]
    firsts = (node_of(path["entities"][0]) for path in result.get("paths", ()))
    return list({one.id: one for one in firsts}.values())


def list_offers(result: Result) -> Iterator[CallOffer]:
    for hit in result.get("hits", ()):
        yield CallOffer(None, "", "", node_of(hit["entity"]))
    for one in result.get("neighbours", ()):
        edge = one["edge"]
        source, target = node_of(result["entity"]), node_of(one["entity"])
        yield CallOffer(source, edge["relation"], edge["phrase"], target)
    steps = (step for path in result.get("paths", ()) for step in steps_of(path))
    yield from dict.fromkeys(steps)


def steps_of(path: Result) -> Iterator[CallOffer]:
    nodes = pairwise(map(node_of, path["entities"]))
    for (source, target), edge in zip(nodes, path["steps"], strict=True):
        yield CallOffer(source, edge["relation"], edge["phrase"], target)


def node_of(entity: Result) -> CallEntity:
    return CallEntity(entity["id"], entity["name"], entity["type"])


def mark_choices(steps: Sequence[CallStep]) -> list[CallStep]:
    """A step chooses what a later call is about and no call was about before."""
    first_visits: dict[str, int] = {}
    for at, step in enumerate(steps):
        for node in step.frontier:
            first_visits.setdefault(node.id, at)
    return [
        mark_step(step, {id_ for id_, visit in first_visits.items() if visit > at})
        for at, step in enumerate(steps)
    ]


def mark_step(step: CallStep, later: set[str]) -> CallStep:
    offered = [replace(one, is_chosen=one.target.id in later) for one in step.offered]
    chosen = {one.target.id: one.target for one in offered if one.is_chosen}
    return replace(step, offered=first_offers(offered), chosen=list(chosen.values()))


def first_offers(offered: Iterable[CallOffer]) -> list[CallOffer]:
    """Those that were chosen, then the others, each in the order of the result."""
    return sorted(offered, key=lambda one: not one.is_chosen)[:MOST_OFFERED]
