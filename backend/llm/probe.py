"""Six calls that find out what an endpoint can do, since servers promise more than they do."""

import json
from collections.abc import Mapping
from dataclasses import replace

from pydantic import BaseModel, ConfigDict

from backend.llm.calls import Capabilities, JsonMode, ModelRequest, Outcome
from backend.llm.endpoints import store_capabilities
from backend.llm.models import Endpoint
from backend.llm.structured_output import messages_for
from backend.llm.tokens import differs, estimate_prompt, estimate_tokens
from backend.llm.transport import Reply, Transport
from backend.tracks.model_tasks import Message

PROMPT_VERSION = "1"
MAX_TOKENS = 128
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


class Probe:
    """The replies of one endpoint, and what they show. notes: why a check failed."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.notes: dict[str, str] = {}
        self.replies: list[Reply] = []

    async def run(self) -> Capabilities:
        schema = await self._strict_json(JsonMode.SCHEMA, "schema_output")
        json_object = await self._strict_json(JsonMode.OBJECT, "object_output")
        tool = await self._strict_json(JsonMode.TOOL, "tool_calls")
        first = await self._send(replace(PLAIN, logprobs=True), JsonMode.TEXT)
        second = await self._send(PLAIN, JsonMode.TEXT)
        longer = await self._send(LONGER, JsonMode.TEXT)
        ratio = self._token_ratio(second, longer)
        return Capabilities(
            schema_output=schema,
            object_output=json_object,
            tool_calls=tool,
            logprobs=self._has_logprobs(first),
            repeats=self._repeats(first, second),
            counts_tokens=None if second.status != 200 else ratio is not None,
            token_ratio=ratio,
            model_returned=next((one.model_returned for one in self.replies if one.text), ""),
            notes=self.notes,
        )

    async def _send(self, request: ModelRequest, mode: JsonMode) -> Reply:
        reply = await self._transport.send(request, messages_for(request, mode), mode)
        self.replies.append(reply)
        return reply

    async def _strict_json(self, mode: JsonMode, name: str) -> bool | None:
        """None where the server did not answer."""
        reply = await self._send(REQUEST, mode)
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
        own_short, own_long = (estimate_prompt(one.messages, None) for one in (PLAIN, LONGER))
        ratio = (second - first) / (own_long - own_short)
        if not RATIO_RANGE[0] <= ratio <= RATIO_RANGE[1]:
            self.notes["counts_tokens"] = f"It counts {ratio:.1f} tokens where others count one."
            return None
        own_out = round(ratio * estimate_tokens(shorter.text))
        if differs(answered - shorter.hidden_tokens, own_out):
            self.notes["counts_tokens"] = "Its count of the answer differs by more than 20 %."
            return None
        return round(ratio, 3)


async def probe(endpoint: Endpoint) -> Capabilities:
    """Makes six calls. Raises KeyMissing and EndpointAddressRefused."""
    transport = Transport(endpoint)
    try:
        return await Probe(transport).run()
    finally:
        await transport.close()


def store_probe(endpoint: Endpoint, capabilities: Capabilities) -> None:
    store_capabilities(endpoint, capabilities)
