"""Six calls that find out what an endpoint can do, since servers promise more than they do."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from pydantic import BaseModel, ConfigDict

from backend.accounts.models import User
from backend.llm.budgets import change_amount, open_budget, read_standing
from backend.llm.call_keys import call_key
from backend.llm.call_results import CallPlan, call_fields, judge, largest_cost, make_opening
from backend.llm.calls import Capabilities, Flag, JsonMode, ModelRequest, Outcome
from backend.llm.endpoints import read_capabilities, store_capabilities
from backend.llm.ledger import Settlement
from backend.llm.ledger_writer import LedgerWriter
from backend.llm.models import Budget, Endpoint
from backend.llm.replies import Reply
from backend.llm.structured_output import messages_for
from backend.llm.tokens import differs, estimate_prompt, estimate_tokens
from backend.llm.transport import Transport
from backend.tracks.model_tasks import Message

PROMPT_VERSION = "1"
MAX_TOKENS = 128
OVER_LIMIT = "It answered with {:,} tokens where the limit is {:,}. Runs end at such an answer."
RATIO_RANGE = (0.4, 2.5)  # outside it, a count is no count of tokens
PASSAGE = (
    "Aspirin inhibits the enzyme cyclooxygenase. The enzyme makes prostaglandins, which cause "
    "fever and pain. Low doses also lower the risk of a blood clot, because platelets need the "
    "enzyme to make thromboxane. Some people get a stomach ulcer from it. "
)


class ProbeAnswer(BaseModel):
    """Strict, so that an ignored schema is noticed: a model would not choose these names."""

    model_config = ConfigDict(extra="forbid", strict=True)

    relation_holds: bool
    evidence_sentences: int


QUESTION = Message(
    "user", f"{PASSAGE}\nDoes aspirin inhibit an enzyme, and how many sentences state why?"
)
REQUEST = ModelRequest(
    messages=[QUESTION],
    max_tokens=MAX_TOKENS,
    prompt_name="probe",
    prompt_version=PROMPT_VERSION,
    schema=ProbeAnswer.model_json_schema(),
    seed=1,
)
PLAIN = replace(REQUEST, schema=None, max_tokens=32)
# A second one of known length: a server that counts adds what the passage has.
LONGER = replace(PLAIN, messages=[Message("user", 4 * PASSAGE + QUESTION.content)])
CHECKS: Mapping[str, tuple[ModelRequest, JsonMode]] = {
    "schema_output": (REQUEST, JsonMode.SCHEMA),
    "object_output": (REQUEST, JsonMode.OBJECT),
    "tool_calls": (REQUEST, JsonMode.TOOL),
    "logprobs": (replace(PLAIN, logprobs=True), JsonMode.TEXT),
    "repeats": (PLAIN, JsonMode.TEXT),
    "counts_tokens": (LONGER, JsonMode.TEXT),
}


class Probe:
    """The replies of one endpoint, and what they show. Its calls are in the ledger, of a budget
    that covers their worst case, and more where answers exceed their limit. owner: who pays.
    notes: why a check failed, or that its answer was too long."""

    def __init__(
        self,
        endpoint: Endpoint,
        transport: Transport,
        ledger: LedgerWriter,
        owner: User | None = None,
    ) -> None:
        self._endpoint, self._transport, self._ledger = endpoint, transport, ledger
        self._owner = owner
        self._token_factor = read_capabilities(endpoint).token_ratio or 1.0
        self.notes: dict[str, str] = {}
        self.replies: dict[str, Reply] = {}
        self._is_over_limit = False

    async def run(self) -> Capabilities:
        budget = await self._ledger.run(lambda: open_probe_budget(self._endpoint, self._owner))
        for name in CHECKS:
            self.replies[name] = await self._send(name, budget)
        first, second = self.replies["logprobs"], self.replies["repeats"]
        ratio = self._token_ratio(second, self.replies["counts_tokens"])
        models = [one.model_returned for one in self.replies.values() if one.text]
        return Capabilities(
            schema_output=self._strict_json("schema_output"),
            object_output=self._strict_json("object_output"),
            tool_calls=self._strict_json("tool_calls"),
            logprobs=self._has_logprobs(first),
            repeats=self._repeats(first, second),
            counts_tokens=None if second.status != 200 else ratio is not None,
            token_ratio=ratio,
            model_returned=next(iter(models), ""),
            notes=self.notes,
        )

    async def _send(self, name: str, budget: Budget) -> Reply:
        """Where this is cancelled, the sweep of the ledger settles the open call as lost."""
        request, mode = CHECKS[name]
        plan = CallPlan(
            self._endpoint,
            replace(request, item_key=name),
            messages_for(request, mode),
            mode,
            budget.pk,
            self._ledger.process,
            call_key(self._endpoint, request),
            number=len(self.replies) + 1,
            token_ratio=self._token_factor,
        )
        opening = make_opening(plan)
        if self._is_over_limit:
            await self._ledger.run(lambda: cover_call(budget, opening.call.reserved))
        if await self._ledger.open(opening) is not None:
            raise RuntimeError("The budget of a probe covers all its calls.")
        reply = await self._transport.send(request, plan.messages, mode)
        judged = judge(plan, opening.call, reply)
        if Flag.OVER_LIMIT in judged.flags:
            self._is_over_limit = True
            self.notes[name] = OVER_LIMIT.format(judged.tokens[1], request.max_tokens)
        fields, texts = call_fields(judged)
        await self._ledger.settle(Settlement(budget.pk, opening.call.pk, fields, texts))
        return reply

    def _strict_json(self, name: str) -> bool | None:
        """None where the server did not answer."""
        reply, (_, mode) = self.replies[name], CHECKS[name]
        if reply.outcome != Outcome.ANSWERED:
            self.notes[name] = f"{reply.outcome}: {reply.reason}"
            return False if reply.status is not None and reply.status < 500 else None
        try:
            # The object mode promises JSON alone; the other two promise the schema.
            parsed = json.loads(reply.text)
            if mode != JsonMode.OBJECT:
                ProbeAnswer.model_validate(parsed)
        except (ValueError, RecursionError):
            self.notes[name] = f"It answered otherwise: {reply.text[:120]}"
            return False
        return isinstance(parsed, dict)

    def _has_logprobs(self, reply: Reply) -> bool | None:
        if reply.status != 200:
            self.notes["logprobs"] = reply.reason
            return False if reply.outcome == Outcome.REJECTED else None
        return any(isinstance(one, Mapping) and "logprob" in one for one in reply.logprobs or ())

    def _repeats(self, first: Reply, second: Reply) -> bool | None:
        if first.status != 200 or second.status != 200 or not first.text:
            return None
        return first.text == second.text

    def _token_ratio(self, shorter: Reply, longer: Reply) -> float | None:
        """None where the counts are missing, or do not grow with the text."""
        first, second, answered = shorter.tokens_in, longer.tokens_in, shorter.tokens_out
        if first is None or second is None or answered is None:
            self.notes["counts_tokens"] = "The answers have no counts of tokens."
            return None
        own_short, own_long = (estimate_prompt(one.messages) for one in (PLAIN, LONGER))
        ratio = (second - first) / (own_long - own_short)
        if not RATIO_RANGE[0] <= ratio <= RATIO_RANGE[1]:
            self.notes["counts_tokens"] = f"It counts {ratio:.1f} tokens where others count one."
            return None
        own_out = round(ratio * estimate_tokens(shorter.text))
        if differs(answered - shorter.hidden_tokens, own_out):
            self.notes["counts_tokens"] = "Its count of the answer differs by more than 20 %."
            return None
        return round(ratio, 3)


async def probe(endpoint: Endpoint, owner: User | None = None) -> Capabilities:
    """Makes six calls. owner: None for commands. Raises KeyMissing and EndpointAddressRefused."""
    transport = Transport(endpoint)
    try:
        async with LedgerWriter() as ledger:
            return await Probe(endpoint, transport, ledger, owner).run()
    finally:
        await transport.close()


def open_probe_budget(endpoint: Endpoint, owner: User | None) -> Budget:
    worst = [
        largest_cost(endpoint, request, messages_for(request, mode), mode)
        for request, mode in CHECKS.values()
    ]
    subject = f"probe:{endpoint.pk}:{uuid.uuid4()}"
    return open_budget(subject=subject, amount=sum(worst, Decimal(0)), owner=owner)


def cover_call(budget: Budget, worst: Decimal) -> None:
    """After an answer beyond its limit, which may have been charged what later calls need."""
    standing = read_standing(budget)
    if standing.free < worst:
        change_amount(budget, standing.amount + worst - standing.free)


def store_probe(endpoint: Endpoint, capabilities: Capabilities) -> None:
    store_capabilities(endpoint, capabilities)
