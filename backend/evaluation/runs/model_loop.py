"""Calls of models in an event loop of their own thread; the caller keeps the database."""

import asyncio
import threading
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Self

from backend.llm.calls import ModelAnswer, ModelRequest
from backend.llm.client import ModelSession
from backend.llm.models import Budget, Endpoint
from backend.llm.session import CallsStopped, RetryRules

Answered = tuple[str, "Future[ModelAnswer]"]  # by the key that the caller gave


class ModelLoop:
    """A session of the client. Leaving it cancels the calls in flight, which the ledger then has
    as lost; `pending` is 0 where all have ended."""

    def __init__(self, budget: Budget, rules: RetryRules | None = None) -> None:
        self._session = ModelSession(budget, rules=rules)
        self._answers: SimpleQueue[Answered] = SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._is_ready: Future[None] = Future()
        self._stop = asyncio.Event()
        self._tasks: set[asyncio.Task[ModelAnswer]] = set()
        self._thread = threading.Thread(target=self._run, name="model calls", daemon=True)
        self.pending = 0
        self.is_stopped = False

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_ready.result()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def begin(self, key: str, endpoint: Endpoint, request: ModelRequest) -> None:
        self.pending += 1
        future = asyncio.run_coroutine_threadsafe(self._complete(endpoint, request), self._loop)
        future.add_done_callback(lambda ended: self._answers.put((key, ended)))

    def next_answer(self, timeout_s: float) -> tuple[str, ModelAnswer] | None:
        """None where none ended in this time, or one was stopped. Raises what the session did."""
        try:
            key, future = self._answers.get(timeout=timeout_s)
        except Empty:
            if not self._thread.is_alive():
                raise RuntimeError("The thread of the calls has ended.") from None
            return None
        self.pending -= 1
        try:
            return key, future.result()
        except CallsStopped:
            return None

    def stop_calls(self) -> None:
        """Make no new calls; `pending` is 0 once those in flight have ended."""
        self.is_stopped = True
        self._session.stop_calls()

    async def _complete(self, endpoint: Endpoint, request: ModelRequest) -> ModelAnswer:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            return await self._session.complete(endpoint, request)
        finally:
            self._tasks.discard(task)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            try:
                runner.run(self._serve())
            except BaseException as error:
                if self._is_ready.done():
                    raise
                self._is_ready.set_exception(error)

    async def _serve(self) -> None:
        async with self._session:
            self._is_ready.set_result(None)
            await self._stop.wait()
            tasks = [*self._tasks]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
