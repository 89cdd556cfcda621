"""The ledger's transactions, each for many calls at once: look up, reserve, settle, recover.

A call is committed with its reservation before it is sent; its answer, its cost, the end of its
exchange and the cache are committed together. So a killed process leaves either both or neither.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from backend.common.advisory_locks import AdvisoryLock, try_lock
from backend.llm.bulk_rows import insert_rows, update_rows
from backend.llm.calls import Flag, Outcome
from backend.llm.models import Budget, CachedAnswer, Call, Exchange, StoredText

REASON_LENGTH = 300
RESERVED, SETTLED = Call.State.RESERVED, Call.State.SETTLED

Place = tuple[uuid.UUID, str]  # budget and key of an exchange


@dataclass(frozen=True)
class Known:
    """What the ledger has of an exchange. calls: settled, in their order; texts: by digest."""

    exchange: Exchange | None = None
    cached: CachedAnswer | None = None
    calls: Sequence[Call] = ()
    texts: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Refusal:
    """is_busy: another process has a call of the same exchange open. Otherwise the budget lacks
    the amount; is_final: no open call could free some."""

    is_busy: bool
    is_final: bool = False


@dataclass(frozen=True)
class Settlement:
    """How a call ended. fields: of Call. texts: to store, by digest. exchange, cached: rows to
    write with it, where the exchange has ended."""

    budget_id: uuid.UUID
    call_id: uuid.UUID | None
    fields: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, bytes] = field(default_factory=dict)
    exchange: Exchange | None = None
    cached: CachedAnswer | None = None


def look_up(places: Sequence[Place]) -> list[Known]:
    keys = {key for _, key in places}
    budgets = {budget for budget, _ in places}
    exchanges = {
        (one.budget_id, one.key): one
        for one in Exchange.objects.filter(budget__in=budgets, key__in=keys)
    }
    open_keys = keys - {key for _, key in exchanges}
    cached = {one.key: one for one in CachedAnswer.objects.filter(key__in=open_keys)}
    calls: dict[Place, list[Call]] = {}
    rows = Call.objects.filter(budget__in=budgets, key__in=keys, state=SETTLED)
    for call in rows.order_by("number"):
        calls.setdefault((call.budget_id, call.key), []).append(call)
    texts = _read_texts(
        {one.text for one in exchanges.values()}
        | {one.text for one in cached.values()}
        | {one.text for several in calls.values() for one in several}
    )
    return [
        Known(exchanges.get(place), cached.get(place[1]), calls.get(place, ()), texts)
        for place in places
    ]


def _read_texts(digests: set[str]) -> dict[str, bytes]:
    rows = StoredText.objects.filter(digest__in=digests - {""})
    return {digest: bytes(content) for digest, content in rows.values_list("digest", "content")}


@dataclass(frozen=True)
class Opening:
    """A call that is about to be sent. prompt: its content, stored by digest."""

    call: Call
    prompt: bytes


@transaction.atomic
def open_calls(openings: Sequence[Opening]) -> list[Refusal | None]:
    """Reserve each call's worst case, in this order; None where it may be sent."""
    budgets = _locked_budgets(one.call.budget_id for one in openings)
    busy = _open_places(openings)
    results: list[Refusal | None] = []
    granted = []
    for opening in openings:
        call, budget = opening.call, budgets[opening.call.budget_id]
        place = (call.budget_id, call.key)
        if place in busy:
            results.append(Refusal(is_busy=True))
        elif budget.spent + budget.reserved + call.reserved > budget.amount:
            results.append(Refusal(is_busy=False, is_final=budget.reserved == 0))
        else:
            budget.reserved += call.reserved
            busy.add(place)
            granted.append(opening)
            results.append(None)
    _store_texts({one.call.prompt: one.prompt for one in granted})
    insert_rows([one.call for one in granted])
    _save_budgets(budgets.values())
    return results


def _locked_budgets(ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, Budget]:
    """In one order, so that two transactions never wait for each other."""
    rows = Budget.objects.select_for_update(no_key=True).filter(pk__in={*ids}).order_by("pk")
    return {one.pk: one for one in rows}


def _save_budgets(budgets: Iterable[Budget]) -> None:
    for budget in budgets:
        Budget.objects.filter(pk=budget.pk).update(spent=budget.spent, reserved=budget.reserved)


def _open_places(openings: Sequence[Opening]) -> set[Place]:
    rows = Call.objects.filter(
        budget__in={one.call.budget_id for one in openings},
        key__in={one.call.key for one in openings},
        state=RESERVED,
    )
    return {*rows.values_list("budget_id", "key")}


def _store_texts(texts: Mapping[str, bytes]) -> None:
    rows = [StoredText(digest=digest, content=texts[digest]) for digest in sorted(texts)]
    insert_rows(rows, ignore_conflicts=True)


@transaction.atomic
def settle_calls(settlements: Sequence[Settlement]) -> None:
    """Store the ends of calls, what they cost, and the ends of exchanges.

    A call that was settled as lost meanwhile, because its process seemed dead, gets its answer and
    its cost, which is not above the worst case.
    """
    budgets = _locked_budgets(one.budget_id for one in settlements)
    ended = [one for one in settlements if one.call_id is not None]
    rows = Call.objects.in_bulk([one.call_id for one in ended])
    _store_texts({key: text for one in settlements for key, text in one.texts.items()})
    changed = {}
    for settlement in ended:
        call = rows[settlement.call_id]
        _charge(budgets[call.budget_id], call, settlement.fields["cost"])
        for name, value in settlement.fields.items():
            setattr(call, name, value)
        changed[call.pk] = call
    _update_calls(changed.values())
    _save_budgets(budgets.values())
    exchanges = [one.exchange for one in settlements if one.exchange is not None]
    insert_rows(exchanges, ignore_conflicts=True)
    cached = {one.cached.key: one.cached for one in settlements if one.cached is not None}
    insert_rows([cached[key] for key in sorted(cached)], ignore_conflicts=True)


def _charge(budget: Budget, call: Call, cost: Decimal) -> None:
    if cost > call.reserved:
        raise ValueError("A call cost more than its worst case.")
    if call.state == RESERVED:
        budget.reserved -= call.reserved
        budget.spent += cost
    else:
        budget.spent += cost - call.cost
    call.state = SETTLED
    call.ended_at = timezone.now()


SETTLED_FIELDS = (
    *("state", "outcome", "status", "text", "model_returned", "reported_in", "reported_out"),
    *("own_out", "cost", "latency_ms", "flags", "reason", "ended_at"),
)


def _update_calls(calls: Iterable[Call]) -> None:
    columns = ("id", *SETTLED_FIELDS)
    rows = [{name: getattr(call, name) for name in columns} for call in calls]
    update_rows(Call, rows, SETTLED_FIELDS)


def settle_dead_processes(own: uuid.UUID | None, budget_id: uuid.UUID | None = None) -> int:
    """Settle the open calls of processes that were killed, as lost and at their worst case: the
    server may have answered. How many."""
    rows = Call.objects.filter(state=RESERVED)
    if own is not None:
        rows = rows.exclude(process=own)
    if budget_id is not None:
        rows = rows.filter(budget=budget_id)
    lost = 0
    for process in {*rows.values_list("process", flat=True)}:
        with try_lock(AdvisoryLock.MODEL_CALLS, str(process)) as is_dead:
            if is_dead:
                lost += _settle_as_lost(process)
    return lost


@transaction.atomic
def _settle_as_lost(process: uuid.UUID) -> int:
    ids = Call.objects.filter(process=process, state=RESERVED).values_list("budget_id", flat=True)
    budgets = _locked_budgets({*ids})
    calls = [*Call.objects.filter(process=process, state=RESERVED, budget__in=budgets)]
    for call in calls:
        _charge(budgets[call.budget_id], call, call.reserved)
        call.cost = call.reserved
        call.outcome = Outcome.LOST
        call.flags = [Flag.UNKNOWN_COST]
        call.reason = "The process that waited for the answer was stopped."
    _update_calls(calls)
    _save_budgets(budgets.values())
    return len(calls)
