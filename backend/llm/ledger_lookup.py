"""What the ledger has of requests, read for many at once before their calls are made."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from backend.llm.bulk_rows import Statement, execute
from backend.llm.models import CachedAnswer, Call, Exchange, StoredText

Request = tuple[uuid.UUID, str]  # budget, and the key that equal requests share
Place = tuple[uuid.UUID, str, str]  # of an exchange: that, and its item


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
    budgets = {budget for budget, _, _ in places}
    keys = _known_keys(budgets, {key for _, key, _ in places})
    if not keys:
        return [Known() for _ in places]
    exchanges: dict[Request, dict[str, Exchange]] = {}
    for one in Exchange.objects.filter(budget__in=budgets, key__in=keys).order_by("pk"):
        exchanges.setdefault((one.budget_id, one.key), {})[one.item_key] = one
    cached = {one.key: one for one in CachedAnswer.objects.filter(key__in=keys)}
    calls: dict[Place, list[Call]] = {}
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
            (equal := exchanges.get((budget, key), {})).get(item),
            next(iter(equal.values()), None),
            cached.get(key),
            calls.get((budget, key, item), ()),
            texts,
        )
        for budget, key, item in places
    ]


def _known_keys(budgets: set[uuid.UUID], keys: set[str]) -> set[str]:
    """Most keys are new, which one statement finds out."""
    sql = (
        "SELECT key FROM llm_exchange WHERE budget_id = ANY(%s) AND key = ANY(%s)"
        " UNION SELECT key FROM llm_call"
        " WHERE budget_id = ANY(%s) AND key = ANY(%s) AND state = %s"
        " UNION SELECT key FROM llm_cachedanswer WHERE key = ANY(%s)"
    )
    place = [[*budgets], [*keys]]
    [rows] = execute(Statement(sql, [*place, *place, Call.State.SETTLED, [*keys]]))
    return {key for (key,) in rows}


def _read_texts(digests: set[str]) -> dict[str, bytes]:
    rows = StoredText.objects.filter(digest__in=digests - {""})
    return {digest: bytes(content) for digest, content in rows.values_list("digest", "content")}
