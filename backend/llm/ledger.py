"""The ledger's transactions, each for many calls at once: reserve, settle, recover.

A call is committed with its reservation before it is sent; its answer, its cost, the end of its
exchange and the cache are committed together. So a killed process leaves either both or neither.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone
from psycopg import sql

from backend.common.advisory_locks import AdvisoryLock, try_lock
from backend.llm.bulk_rows import Rows, Statement, change, execute, insertion
from backend.llm.calls import Flag, Outcome
from backend.llm.models import Budget, CachedAnswer, Call, Exchange, StoredText

RESERVED, SETTLED = Call.State.RESERVED, Call.State.SETTLED
Request = tuple[uuid.UUID, str]  # budget, and the key that equal requests share


@dataclass(frozen=True)
class Refusal:
    """is_busy: another process has an equal call open, or has ended it since it was looked up.
    Otherwise the budget lacks the amount; is_final: no open call could free some."""

    is_busy: bool
    is_final: bool = False


@dataclass(frozen=True)
class Settlement:
    """How a call ended. fields: of Call; none where it was not sent, and leaves no row. texts: to
    store, by digest. exchange, cached: rows to write with it, where the exchange has ended."""

    budget_id: uuid.UUID
    call_id: uuid.UUID | None
    fields: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, bytes] = field(default_factory=dict)
    exchange: Exchange | None = None
    cached: CachedAnswer | None = None


@dataclass(frozen=True)
class Opening:
    """A call that is about to be sent. prompt: its content, stored by digest."""

    call: Call
    prompt: bytes


@dataclass(frozen=True)
class OpenCall:
    """A row that is reserved, or has the identifier of a call that is opened again."""

    id: uuid.UUID
    budget_id: uuid.UUID
    key: str
    process: uuid.UUID
    state: str
    reserved: Decimal


@transaction.atomic
def open_calls(openings: Sequence[Opening]) -> list[Refusal | None]:
    """Reserve each call's worst case, in this order; None where it may be sent.

    Safe to repeat: a call that is in the ledger, because the confirmation of its commit was lost,
    is granted without a second reservation. Another open call of its own process for the same
    request was given up, and is settled as lost.
    """
    budgets, [rows, ended] = _locked_budgets(
        (one.call.budget_id for one in openings), _open(openings), _ended(openings)
    )
    known = [OpenCall(*row) for row in rows]
    committed = {one.id for one in known}
    reserved = {(one.budget_id, one.key): one for one in known if one.state == RESERVED}
    busy: set[Request] = {(budget, key) for budget, key in ended}
    results: list[Refusal | None] = []
    granted, given_up = [], []
    for opening in openings:
        call, budget = opening.call, budgets[opening.call.budget_id]
        request = (call.budget_id, call.key)
        other = reserved.get(request)
        if call.pk in committed:
            results.append(None)
        elif request in busy or (other is not None and other.process != call.process):
            results.append(Refusal(is_busy=True))
        else:
            if other is not None:
                given_up.append(_lose(budget, other))
                del reserved[request]
            refusal = _reserve(budget, call)
            results.append(refusal)
            if refusal is None:
                busy.add(request)
                granted.append(opening)
    if granted or given_up:
        execute(
            *change(Call, given_up, SETTLED_FIELDS),
            *_storing({one.call.prompt: one.prompt for one in granted}),
            *insertion([one.call for one in granted]),
            *_saving(budgets),
        )
    return results


def _reserve(budget: Budget, call: Call) -> Refusal | None:
    if budget.spent + budget.reserved + call.reserved > budget.amount:
        return Refusal(is_busy=False, is_final=budget.reserved == 0)
    budget.reserved += call.reserved
    return None


def _lose(budget: Budget, row: OpenCall) -> Call:
    call = Call(id=row.id, budget_id=row.budget_id, state=RESERVED, reserved=row.reserved)
    _settle_lost(budget, call, "The call was given up before it was answered.")
    return call


def _locked_budgets(
    ids: Iterable[uuid.UUID], *readings: Statement
) -> tuple[dict[uuid.UUID, Budget], list[Rows]]:
    """With what is then read. In one order, so that two transactions never wait for each other."""
    reading = (
        "SELECT id, amount, spent, reserved FROM llm_budget WHERE id = ANY(%s)"
        " ORDER BY id FOR NO KEY UPDATE"
    )
    budgets, *rows = execute(Statement(reading, [[*{*ids}]]), *readings)
    names = ("id", "amount", "spent", "reserved")
    return {row[0]: Budget(**dict(zip(names, row, strict=True))) for row in budgets}, rows


def _saving(budgets: Mapping[uuid.UUID, Budget]) -> list[Statement]:
    return change(Budget, [*budgets.values()], ("spent", "reserved"))


def _compose(query: str, names: Iterable[str]) -> str:
    """Done once for each statement: it takes as long as to send it."""
    return sql.SQL(query).format(sql.SQL(", ").join(map(sql.Identifier, names))).as_string()


OPEN_SQL = _compose(
    "SELECT {} FROM llm_call"
    " WHERE (budget_id = ANY(%s) AND key = ANY(%s) AND state = %s) OR id = ANY(%s)",
    [one.name for one in fields(OpenCall)],
)
CHARGED_FIELDS = ("id", "budget_id", "state", "reserved", "cost")
CHARGED_SQL = _compose("SELECT {} FROM llm_call WHERE id = ANY(%s)", CHARGED_FIELDS)


def _open(openings: Sequence[Opening]) -> Statement:
    """Reads which of the requests have an open call, and which of the calls are in the ledger."""
    calls = [one.call for one in openings]
    budgets = {one.budget_id for one in calls}
    keys, ids = [one.key for one in calls], [one.pk for one in calls]
    return Statement(OPEN_SQL, [[*budgets], keys, RESERVED, ids])


def _ended(openings: Sequence[Opening]) -> Statement:
    """Reads which of the requests have an answer, of a process that was faster: looking up and
    opening are two transactions."""
    reading = (
        "SELECT budget_id, key FROM llm_exchange WHERE budget_id = ANY(%s) AND key = ANY(%s)"
        " UNION SELECT budget.id, cached.key FROM llm_cachedanswer cached, llm_budget budget"
        " WHERE cached.key = ANY(%s) AND budget.id = ANY(%s)"
    )
    budgets = [*{one.call.budget_id for one in openings}]
    keys = [one.call.key for one in openings]
    return Statement(reading, [budgets, keys, keys, budgets])


def _storing(texts: Mapping[str, bytes]) -> list[Statement]:
    rows = [StoredText(digest=digest, content=texts[digest]) for digest in sorted(texts)]
    return insertion(rows, ignore_conflicts=True)


@transaction.atomic
def settle_calls(settlements: Sequence[Settlement]) -> list[Decimal]:
    """Store the ends of calls, what they cost, and the ends of exchanges. Gives what each was
    charged, which is less than its cost where the budget has no more.

    A call that was settled as lost meanwhile, because its process seemed dead, gets its answer and
    its cost.
    """
    ended = [one for one in settlements if one.call_id is not None]
    budgets, [rows] = _locked_budgets(
        (one.budget_id for one in settlements), _reserved([one.call_id for one in ended])
    )
    calls = {row[0]: Call(**dict(zip(CHARGED_FIELDS, row, strict=True))) for row in rows}
    charged: dict[uuid.UUID | None, Decimal] = {}
    for settlement in ended:
        if settlement.call_id not in calls and not settlement.fields:
            continue  # removed already, and the confirmation was lost
        call = calls[settlement.call_id]
        for name, value in settlement.fields.items():
            if name != "cost":
                setattr(call, name, value)
        _charge(budgets[call.budget_id], call, settlement.fields.get("cost", Decimal(0)))
        charged[call.pk] = call.cost
    cached = {one.cached.key: one.cached for one in settlements if one.cached is not None}
    costs = [charged.get(one.call_id, Decimal(0)) for one in settlements]
    exchanges = [
        _with_cost(one.exchange, one.fields.get("cost", Decimal(0)) - cost)
        for one, cost in zip(settlements, costs, strict=True)
        if one.exchange is not None
    ]
    execute(
        *_storing({key: text for one in settlements for key, text in one.texts.items()}),
        *change(Call, [*calls.values()], SETTLED_FIELDS),
        *_removal([one.call_id for one in ended if not one.fields]),
        *_saving(budgets),
        *insertion(exchanges, ignore_conflicts=True),
        *insertion([cached[key] for key in sorted(cached)], ignore_conflicts=True),
    )
    return costs


def _with_cost(exchange: Exchange, not_charged: Decimal) -> Exchange:
    """A copy, as the transaction may be repeated."""
    if not not_charged:
        return exchange
    exchange = copy(exchange)
    exchange.cost -= not_charged
    return exchange


def _removal(calls: Sequence[uuid.UUID | None]) -> list[Statement]:
    return [Statement("DELETE FROM llm_call WHERE id = ANY(%s)", [calls])] if calls else []


def _reserved(calls: Sequence[uuid.UUID | None]) -> Statement:
    return Statement(CHARGED_SQL, [calls])


def _charge(budget: Budget, call: Call, cost: Decimal) -> None:
    """What an answer beyond its limit costs above the worst case is charged as far as the budget
    has it."""
    if cost > call.reserved and Flag.OVER_LIMIT not in call.flags:
        raise ValueError("A call cost more than its worst case.")
    if call.state == RESERVED:
        budget.reserved -= call.reserved
    else:
        budget.spent -= call.cost
    call.cost = min(cost, budget.amount - budget.spent - budget.reserved)
    budget.spent += call.cost
    call.state = SETTLED
    call.ended_at = timezone.now()


SETTLED_FIELDS = (
    *("state", "outcome", "status", "text", "model_returned", "reported_in", "reported_out"),
    *("own_out", "cost", "latency_ms", "flags", "reason", "ended_at"),
)


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
    is_open = Call.objects.filter(process=process, state=RESERVED)
    ids = {*is_open.values_list("budget_id", flat=True)}
    budgets, _ = _locked_budgets(ids)
    calls = [*is_open.filter(budget__in=budgets)]
    for call in calls:
        reason = "The process that waited for the answer was stopped."
        _settle_lost(budgets[call.budget_id], call, reason)
    if calls:
        execute(*change(Call, calls, SETTLED_FIELDS), *_saving(budgets))
    return len(calls)


def _settle_lost(budget: Budget, call: Call, reason: str) -> None:
    _charge(budget, call, call.reserved)
    for name, value in lost_fields(call, reason).items():
        setattr(call, name, value)


def lost_fields(call: Call, reason: str) -> Mapping[str, Any]:
    """Of a call whose answer nobody has received: the server may have made it."""
    return {
        "outcome": Outcome.LOST,
        "cost": call.reserved,
        "flags": [Flag.UNKNOWN_COST],
        "reason": reason,
    }
