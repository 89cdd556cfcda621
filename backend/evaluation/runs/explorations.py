"""Checkpoints of guided explorations, and how they are read."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils import timezone

from backend.common.prepared_writes import insert_or_update_row
from backend.evaluation.announcements import announce_exploration
from backend.evaluation.models.explorations import Exploration
from backend.evaluation.models.runs import Run
from backend.llm.calls import ModelAnswer
from backend.tracks.serenqa_exploration.guided_state import GuidedState, read_state

STEP_MARK = "#"  # between the key of an item and that of a step, in the ledger


@dataclass
class Effort:
    """What the requests of one root took so far."""

    requests: int = 0
    calls: int = 0
    is_retried: bool = False
    is_cached: bool = False
    tokens_in: int = 0
    tokens_out: int = 0
    latency_ms: int = 0
    cost: Decimal = Decimal(0)

    def add(self, answer: ModelAnswer) -> None:
        self.requests += 1
        self.calls += answer.calls
        self.is_retried |= answer.is_retried
        self.is_cached |= answer.is_cached
        self.tokens_in += answer.tokens_in
        self.tokens_out += answer.tokens_out
        self.latency_ms += answer.latency_ms
        self.cost += answer.cost


EFFORT = ("requests", "calls", "is_retried", "tokens_in", "tokens_out", "latency_ms", "cost")


def step_key(item_key: str, step: str) -> str:
    return f"{item_key}{STEP_MARK}{step}"


def store_checkpoint(run: Run, item_key: str, state: GuidedState, effort: Effort) -> None:
    """What a resumed run goes on from. Safe to repeat."""
    row = Exploration(
        run=run,
        item_key=item_key,
        state=state.to_payload(),
        digest=state.digest,
        level=state.level,
        has_ended=state.has_ended,
        ending=state.ending or "",
        leaves=len(state.paths),
        updated_at=timezone.now(),
        **{name: getattr(effort, name) for name in EFFORT},
    )
    insert_or_update_row(row, ("run", "item_key"))
    announce_exploration(run.pk, item_key, effort.requests)


def clear_checkpoints(run: Run) -> None:
    """The explorations begin again; their calls are in the ledger, and none is paid for twice."""
    Exploration.objects.filter(run=run).delete()


def load_checkpoint(run: Run, item_key: str) -> tuple[GuidedState, Effort] | None:
    row = Exploration.objects.filter(run=run, item_key=item_key).first()
    if row is None:
        return None
    return read_state(row.state), Effort(**{name: getattr(row, name) for name in EFFORT})
