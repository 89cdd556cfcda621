"""One pass over the roots of a guided exploration: many at once, each from level to level.

A root waits for all answers of its phase; meanwhile requests of other roots are made. Its state is
stored after each phase, and every answer is in the ledger, so a resumed run repeats no paid call.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from backend.common.errors import DomainError
from backend.evaluation.models.runs import Run
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.explorations import (
    Effort,
    load_checkpoint,
    step_key,
    store_checkpoint,
)
from backend.evaluation.runs.guided_examples import GuidedExamples
from backend.evaluation.runs.item_pass import (
    WAITING_FOR_EACH_CALL,
    ItemAnswer,
    PassEnd,
)
from backend.evaluation.runs.model_loop import ModelLoop
from backend.evaluation.runs.request_loop import POLL_S, FaultCount
from backend.evaluation.runs.requests import make_request
from backend.evaluation.runs.run_items import RunItem
from backend.evaluation.runs.run_settings import RunSettings
from backend.evaluation.runs.walked_graph import SnapshotWalk
from backend.llm.calls import ModelAnswer, ModelRequest, Outcome
from backend.llm.models import Budget
from backend.llm.session import RetryRules
from backend.tracks.model_tasks import NO_CONTEXT, StepwiseTask
from backend.tracks.serenqa_exploration.guided_search import GuidedSearch, StepAnswer, begin
from backend.tracks.serenqa_exploration.guided_state import GuidedState
from backend.tracks.serenqa_exploration.step_prompts import TASKS, make_item
from backend.tracks.serenqa_roots import RootItem


@dataclass
class OpenRoot:
    """missing: steps of the phase without an answer. is_stored: the state, as it is here."""

    one: RunItem
    search: GuidedSearch
    effort: Effort
    is_stored: bool = False
    missing: set[str] = field(default_factory=set)
    answers: dict[str, StepAnswer] = field(default_factory=dict)


@dataclass
class GuidedPass:
    """As ItemPass. allow: gets the requests of each phase before the first of them is made."""

    run: Run
    task: StepwiseTask[RootItem]
    budget: Budget
    should_go_on: Callable[[int], bool]
    rules: RetryRules | None = None
    allow: Callable[[Sequence[ModelRequest]], None] | None = None
    answers: dict[str, ItemAnswer] = field(default_factory=dict)
    requests: list[ModelRequest] = field(default_factory=list)
    fault: DomainError | None = None
    _open: dict[str, OpenRoot] = field(default_factory=dict)
    _ready: deque[tuple[str, ModelRequest]] = field(default_factory=deque)
    _faults: FaultCount = field(default_factory=FaultCount)
    _checked_at: float = 0.0

    @cached_property
    def settings(self) -> RunSettings:
        return RunSettings.model_validate(self.run.settings)

    @cached_property
    def walk(self) -> SnapshotWalk:
        snapshot = ContextRequest(self.run.release, self.settings).snapshot
        return SnapshotWalk(snapshot, is_scored=not self.settings.without_weights)

    @cached_property
    def examples(self) -> GuidedExamples:
        return GuidedExamples(self.run.release, self.walk)

    def request_all(self, items: Sequence[RunItem]) -> PassEnd:
        following = iter(items)
        window = WAITING_FOR_EACH_CALL * self.run.endpoint.max_in_flight
        end = PassEnd.COMPLETE
        self._open.clear()
        self._ready.clear()
        with ModelLoop(self.budget, self.rules) as loop:
            while True:
                if end == PassEnd.COMPLETE:
                    end = self._checked_end()
                has_begun = False
                try:
                    if end == PassEnd.COMPLETE:
                        has_begun = self._begin_next(loop, following, window)
                    else:
                        loop.stop_calls()
                    if loop.pending:
                        self._take(loop, 0.0 if has_begun else POLL_S)
                    elif not has_begun:
                        return end
                except DomainError as error:  # also a price, key or address that it lost
                    self.fault, end = error, PassEnd.REFUSED
                    continue
                end = PassEnd.ENDPOINT_FAILS if self._faults.has_failed else end

    def _begin_next(self, loop: ModelLoop, following: Iterator[RunItem], window: int) -> bool:
        """A request, or a root once no open one has another: whether there was one. One at a time,
        so that a pause and faults act in between."""
        if loop.pending >= window:
            return False
        if self._ready:
            key, request = self._ready.popleft()
            loop.begin(key, self.run.endpoint, request)
        elif (one := next(following, None)) is not None:
            self._begin_root(one)
        else:
            return False
        return True

    def _begin_root(self, one: RunItem) -> None:
        stored = load_checkpoint(self.run, one.key)
        state, effort = stored or (
            begin(self.walk, one.item, self.walk.find_number(one.item.root)),
            Effort(),
        )
        search = GuidedSearch(self.walk, self.settings.guided, one.item, state)
        root = OpenRoot(one, search, effort, is_stored=stored is not None)
        self._open[one.key] = root
        self._advance(root)

    def _advance(self, root: OpenRoot) -> None:
        """To the next phase that needs answers, or to the end of the root."""
        search = root.search
        while not search.state.has_ended and not (steps := search.next_requests()):
            search = self._with_state(root, search.accept({}))
        if search.state.has_ended:
            self._end_root(root)
            return
        example = self.examples.example_for(root.one.item)
        requests = [
            make_request(
                TASKS[step.phase],
                make_item(search, step, example),
                step_key(root.one.key, step.key),
                NO_CONTEXT,
                endpoint=self.run.endpoint,
                temperature=self.settings.temperature,
            )
            for step in steps
        ]
        root.missing, root.answers = {step.key for step in steps}, {}
        if self.allow is not None:
            self.allow(requests)
            self.requests += requests
        self._ready += [(one.item_key, one) for one in requests]

    def _with_state(self, root: OpenRoot, state: GuidedState) -> GuidedSearch:
        root.search = GuidedSearch(self.walk, self.settings.guided, root.one.item, state)
        store_checkpoint(self.run, root.one.key, state, root.effort)
        root.is_stored = True
        return root.search

    def _end_root(self, root: OpenRoot) -> None:
        del self._open[root.one.key]
        if not root.is_stored:
            store_checkpoint(self.run, root.one.key, root.search.state, root.effort)
        prediction = self.task.predict(root.one.item, root.search.state)
        self.answers[root.one.key] = item_answer(root.effort, Outcome.ANSWERED, prediction)

    def _take(self, loop: ModelLoop, timeout_s: float) -> None:
        ended = loop.next_answer(timeout_s)
        if ended is not None:
            self._accept(*ended, is_fault=self._faults.add(ended[1]))

    def _accept(self, key: str, answer: ModelAnswer, *, is_fault: bool) -> None:
        item_key, _, step = key.partition("#")
        root = self._open.get(item_key)
        if root is None:  # another request of the root has failed
            return
        root.effort.add(answer)
        if is_fault:
            self._fail_root(root, answer)
            return
        root.answers[step] = read_step(answer)
        root.missing.discard(step)
        if not root.missing:
            self._with_state(root, root.search.accept(root.answers))
            self._advance(root)

    def _fail_root(self, root: OpenRoot, answer: ModelAnswer) -> None:
        """Until the next attempt, which goes on from the last phase that is stored."""
        del self._open[root.one.key]
        prefix = step_key(root.one.key, "")
        self._ready = deque(one for one in self._ready if not one[0].startswith(prefix))
        failed = item_answer(root.effort, answer.outcome, None, answer.reason)
        self.answers[root.one.key] = failed

    def _checked_end(self) -> PassEnd:
        now = time.monotonic()
        if now - self._checked_at < POLL_S:
            return PassEnd.COMPLETE
        self._checked_at = now
        return PassEnd.COMPLETE if self.should_go_on(len(self.answers)) else PassEnd.STOPPED


def read_step(answer: ModelAnswer) -> StepAnswer:
    """A final answer that predicts nothing is a fault of the step, and the search goes on."""
    if answer.is_answered and isinstance(answer.value, StepAnswer):
        return answer.value
    return StepAnswer(fault=f"{answer.outcome}: {answer.reason}"[:300])


def item_answer(
    effort: Effort, outcome: Outcome, prediction: object, reason: str = ""
) -> ItemAnswer:
    return ItemAnswer(
        outcome=outcome,
        prediction=prediction,
        is_retried=effort.is_retried,
        is_cached=effort.is_cached,
        calls=effort.calls,
        reason=reason,
        cost=effort.cost,
        tokens_in=effort.tokens_in,
        tokens_out=effort.tokens_out,
        latency_ms=effort.latency_ms,
    )
