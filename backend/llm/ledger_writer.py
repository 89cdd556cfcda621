"""One thread that writes the ledger for an event loop, with many calls in each transaction.

While a transaction runs, further calls collect for the next one; so the number of transactions
does not grow with the number of calls in flight, and the event loop never waits for the database.
"""

import asyncio
import logging
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from itertools import count
from typing import Any, Self

from django.db import InterfaceError, OperationalError, connection

from backend.common.advisory_locks import AdvisoryLock
from backend.llm.ledger import Opening, Refusal, Settlement, open_calls, settle_calls
from backend.llm.ledger_lookup import Known, Place, look_up

MOST_IN_TRANSACTION = 1_000
ATTEMPTS, PAUSE_S, LONGEST_PAUSE_S = 6, 0.5, 10.0
# Classes of SQLSTATE that pass: connections, conflicts of transactions, resources, an operator's
# shutdown, the system. An error of the connection itself has none.
PASSING = frozenset({"08", "40", "53", "57", "58"})
QUERY_CANCELED = "57014"  # a time limit of statements would cancel the same one again
logger = logging.getLogger(__name__)


class Work(IntEnum):
    """In the order in which it is done: settled money may be reserved again."""

    SETTLE = 0
    LOOK_UP = 1
    OPEN = 2
    FUNCTION = 3


@dataclass(frozen=True)
class _Item:
    work: Work
    argument: Any
    future: "asyncio.Future[Any]"


def _run_functions(functions: Sequence[Callable[[], Any]]) -> list[Any]:
    return [function() for function in functions]


FUNCTIONS: dict[Work, Callable[[Any], Sequence[Any] | None]] = {
    Work.SETTLE: settle_calls,
    Work.LOOK_UP: look_up,
    Work.OPEN: open_calls,
    Work.FUNCTION: _run_functions,
}


def _is_away(error: Exception) -> bool:
    """Rather than that it refuses what is written."""
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or (state[:2] in PASSING and state != QUERY_CANCELED)


class LedgerWriter:
    """To be entered in the event loop whose calls it writes. process: names this one in the
    ledger; its advisory lock is held while the thread lives, so that others see when it is dead."""

    def __init__(self) -> None:
        self.process = uuid.uuid4()
        self._items: list[_Item] = []
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="model-ledger", daemon=True)

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        await self.run(lambda: None)  # the lock is held from here on
        return self

    async def __aexit__(self, *_: object) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        await asyncio.to_thread(self._thread.join)

    async def look_up(self, place: Place) -> Known:
        known: Known = await self._submit(Work.LOOK_UP, place)
        return known

    async def open(self, opening: Opening) -> Refusal | None:
        refusal: Refusal | None = await self._submit(Work.OPEN, opening)
        return refusal

    async def settle(self, settlement: Settlement) -> Decimal:
        """What was charged."""
        charged: Decimal = await self._submit(Work.SETTLE, settlement)
        return charged

    async def run(self, function: Callable[[], Any]) -> Any:
        """In the thread, with its connection."""
        return await self._submit(Work.FUNCTION, function)

    async def _submit(self, work: Work, argument: Any) -> Any:
        future: asyncio.Future[Any] = self._loop.create_future()
        with self._changed:
            if self._is_closed:
                raise RuntimeError("The ledger is closed.")
            self._items.append(_Item(work, argument, future))
            self._changed.notify()
        return await future

    def _work(self) -> None:
        try:
            while items := self._take():
                for work in Work:
                    if batch := [one for one in items if one.work == work]:
                        self._do(work, batch)
        finally:
            self._release()

    def _take(self) -> list[_Item]:
        """Empty once it is closed and everything is written."""
        with self._changed:
            self._changed.wait_for(lambda: self._items or self._is_closed)
            taken = self._items[:MOST_IN_TRANSACTION]
            del self._items[:MOST_IN_TRANSACTION]
            return taken

    def _do(self, work: Work, items: Sequence[_Item]) -> None:
        arguments = [one.argument for one in items]
        try:
            results = self._attempt(FUNCTIONS[work], arguments) or [None] * len(items)
        except Exception as error:  # noqa: BLE001  whoever waits raises it
            if len(items) > 1 and work != Work.FUNCTION:
                for one in items:  # what is wrong with one fails no other
                    self._do(work, [one])
            else:
                self._answer([(one.future, None, error) for one in items])
        else:
            rows = zip(items, results, strict=True)
            self._answer([(one.future, result, None) for one, result in rows])

    def _attempt(self, function: Callable[[Any], Sequence[Any] | None], arguments: Any) -> Any:
        """Again for as long as the database is away: an answer that was paid for must not be lost,
        nor those of the calls in flight, which an error would cancel."""
        for attempt in count(1):
            try:
                self._hold_lock()
                return function(arguments)
            except (OperationalError, InterfaceError) as error:
                connection.close()
                is_away = _is_away(error)
                if attempt >= ATTEMPTS and not is_away:
                    raise
                if attempt == ATTEMPTS:
                    logger.warning("The ledger of models waits for the database: %s", error)
                time.sleep(min(PAUSE_S * attempt, LONGEST_PAUSE_S))
        raise AssertionError("unreachable")

    def _hold_lock(self) -> None:
        if connection.connection is not None:
            return
        with connection.cursor() as cursor:
            lock = (AdvisoryLock.MODEL_CALLS.value, str(self.process))
            cursor.execute("SELECT pg_advisory_lock(%s, hashtext(%s))", lock)

    def _release(self) -> None:
        """The connection may go back to a pool, so the lock is given up first."""
        if connection.connection is not None and not connection.needs_rollback:
            with connection.cursor() as cursor:
                lock = (AdvisoryLock.MODEL_CALLS.value, str(self.process))
                cursor.execute("SELECT pg_advisory_unlock(%s, hashtext(%s))", lock)
        connection.close()

    def _answer(self, rows: Sequence[tuple[Any, Any, Exception | None]]) -> None:
        def resolve() -> None:
            for future, result, error in rows:
                if future.done():  # whoever waited was cancelled
                    continue
                if error is None:
                    future.set_result(result)
                else:
                    future.set_exception(error)

        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(resolve)
