"""What the ledger has of requests, read for many at once before their calls are made."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Q

from backend.llm.bulk_rows import Statement, execute
from backend.llm.calls import Outcome
from backend.llm.models import CachedAnswer, Call, Exchange, StoredText

Request = tuple[uuid.UUID, str]  # budget, and the key that equal requests share
Items = Mapping[str, Exchange]  # by item key


class Place(NamedTuple):
    """Of an exchange."""

    budget_id: uuid.UUID
    key: str
    item_key: str
    lasting_key: str

    @property
    def requests(self) -> tuple[Request, Request]:
        """Under which its end may be known: of the same request, and of one that differs by what
        was fitted to the endpoint."""
        return (self.budget_id, self.key), (self.budget_id, self.lasting_key)


@dataclass(frozen=True)
class Known:
    """What the ledger has of an exchange. equal: that of another item with an equal request, which
    the budget has paid for. calls: settled, in their order; texts: by digest."""

    exchange: Exchange | None = None
    equal: Exchange | None = None
    cached: CachedAnswer | None = None
    calls: Sequence[Call] = ()
    texts: Mapping[str, bytes] = field(default_factory=dict)


def look_up(places: Sequence[Place]) -> list[Known]:
    budgets = {one.budget_id for one in places}
    keys = _known_keys(budgets, {key for one in places for _, key in one.requests})
    if not keys:
        return [Known() for _ in places]
    exchanges = _read_exchanges(budgets, keys)
    cached = {one.key: one for one in CachedAnswer.objects.filter(key__in=keys)}
    calls: dict[tuple[uuid.UUID, str, str], list[Call]] = {}
    rows = Call.objects.filter(budget__in=budgets, key__in=keys, state=Call.State.SETTLED)
    for call in rows.order_by("number"):
        calls.setdefault((call.budget_id, call.key, call.item_key), []).append(call)
    texts = _read_texts(
        {one.text for equal in exchanges.values() for one in equal.values()}
        | {one.text for one in cached.values()}
        | {one.text for several in calls.values() for one in several}
    )
    return [
        Known(
            *_find_exchanges(place, exchanges),
            cached.get(place.key),
            calls.get((place.budget_id, place.key, place.item_key), ()),
            texts,
        )
        for place in places
    ]


def _read_exchanges(budgets: set[uuid.UUID], keys: set[str]) -> Mapping[Request, Items]:
    """Under both of their keys; under the lasting one the first that ended, as a later request is
    made only where it is not found. Not truncated ones: the endpoint may read more since."""
    exchanges: dict[Request, dict[str, Exchange]] = {}
    is_known = Q(key__in=keys) | Q(lasting_key__in=keys)
    for one in Exchange.objects.filter(is_known, budget__in=budgets).order_by("pk"):
        lasting_key = "" if one.outcome == Outcome.TRUNCATED else one.lasting_key
        for key in {one.key, lasting_key} - {""}:
            exchanges.setdefault((one.budget_id, key), {}).setdefault(one.item_key, one)
    return exchanges


def _find_exchanges(
    place: Place, exchanges: Mapping[Request, Items]
) -> tuple[Exchange | None, Exchange | None]:
    """The item's own, and that of an item with an equal request."""
    known = [exchanges.get(request, {}) for request in place.requests]
    own = next((items[place.item_key] for items in known if place.item_key in items), None)
    return own, next((one for items in known for one in items.values()), None)


def _known_keys(budgets: set[uuid.UUID], keys: set[str]) -> set[str]:
    """Most keys are new, which one statement finds out."""
    sql = (
        "SELECT key FROM llm_exchange WHERE budget_id = ANY(%s) AND key = ANY(%s)"
        " UNION SELECT lasting_key FROM llm_exchange"
        " WHERE budget_id = ANY(%s) AND lasting_key = ANY(%s)"
        " UNION SELECT key FROM llm_call"
        " WHERE budget_id = ANY(%s) AND key = ANY(%s) AND state = %s"
        " UNION SELECT key FROM llm_cachedanswer WHERE key = ANY(%s)"
    )
    place = [[*budgets], [*keys]]
    [rows] = execute(Statement(sql, [*place, *place, *place, Call.State.SETTLED, [*keys]]))
    return {key for (key,) in rows}


def _read_texts(digests: set[str]) -> dict[str, bytes]:
    rows = StoredText.objects.filter(digest__in=digests - {""})
    return {digest: bytes(content) for digest, content in rows.values_list("digest", "content")}
