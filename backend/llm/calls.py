"""What callers and the ledger share: outcomes, ways to request JSON, requests and answers.

Nothing here needs Django.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from backend.tracks.model_tasks import Message


class Outcome(StrEnum):
    """Of a call, and of the exchange that it belongs to."""

    ANSWERED = "answered"
    UNREADABLE = "unreadable"  # neither the schema nor the plain text could be read
    TRUNCATED = "truncated"
    EMPTY = "empty"
    FILTERED = "filtered"
    UNSUPPORTED = "unsupported"  # the endpoint refuses this way to request JSON
    REJECTED = "rejected"  # another 4xx
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    TIMED_OUT = "timed_out"
    BROKEN = "broken"  # the connection, or the answer of the server, ended too early
    LOST = "lost"  # the process that waited for the answer was killed


TEMPORARY = frozenset(
    {Outcome.RATE_LIMITED, Outcome.SERVER_ERROR, Outcome.TIMED_OUT, Outcome.BROKEN, Outcome.LOST}
)
# The server may have made an answer that nobody received: the worst case counts as spent.
REASON_LENGTH = 300  # characters of a reason that are stored
OF_UNKNOWN_COST = frozenset({Outcome.TIMED_OUT, Outcome.BROKEN, Outcome.LOST})


class Flag(StrEnum):
    TOKEN_COUNT = "token_count"  # noqa: S105  differs from the own count by more than 20 %
    MODEL_NAME = "model_name"
    REPAIRED = "repaired"  # the JSON was completed or cleaned before it could be read
    PLAIN_TEXT = "plain_text"
    UNKNOWN_COST = "unknown_cost"
    OVER_LIMIT = "over_limit"  # longer than max_tokens, at more than the worst case
    CUT_CONTEXT = "cut_context"  # parts were left out, so that the endpoint can read the rest
    CUT_TEXTS = "cut_texts"  # texts were longer than the prompt of the task takes


class JsonMode(StrEnum):
    """Ways to request JSON, the strictest first."""

    SCHEMA = "schema"
    TOOL = "tool"
    OBJECT = "object"
    TEXT = "text"


JSON_MODES = tuple(JsonMode)


class Capabilities(BaseModel):
    """What the probe found out; None where a check could not be made.

    token_ratio: tokens by the endpoint's count for each of the own count.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", protected_namespaces=())

    schema_output: bool | None = None
    object_output: bool | None = None
    tool_calls: bool | None = None
    logprobs: bool | None = None
    repeats: bool | None = None
    counts_tokens: bool | None = None
    token_ratio: float | None = None
    model_returned: str = ""
    notes: Mapping[str, str] = {}

    def first_mode(self) -> JsonMode:
        """The strictest one that works; SCHEMA where nothing is known."""
        by_probe = {
            JsonMode.SCHEMA: self.schema_output,
            JsonMode.TOOL: self.tool_calls,
            JsonMode.OBJECT: self.object_output,
        }
        return next((mode for mode, works in by_probe.items() if works is not False), JsonMode.TEXT)


@dataclass(frozen=True)
class ModelRequest:
    """One item of a task. Equal requests have equal cache keys.

    item_key: of the ledger, such as the id of the item; part of no cache key.
    schema: JSON Schema of the answer; None requests text.
    read: from the text to the value and how it was found ("json", "extracted", "repaired",
        "plain_text"); raises ValueError (as pydantic does). None leaves the text as it is.
    sample: distinguishes repeated samples of one request.
    flags: that each of its calls has; part of no cache key.
    whole_digest: of messages and schema as they were before they were fitted to the endpoint, by
        `digest_of_parts`; "" where they were not.
    """

    messages: Sequence[Message]
    max_tokens: int
    prompt_name: str
    prompt_version: str
    item_key: str = ""
    schema: Mapping[str, Any] | None = None
    schema_name: str = "answer"
    read: Callable[[str], tuple[Any, str]] | None = None
    temperature: float = 0.0
    top_p: float | None = None
    seed: int | None = None
    sample: int = 0
    logprobs: bool = False
    flags: frozenset[Flag] = frozenset()
    whole_digest: str = ""


@dataclass(frozen=True)
class ModelAnswer:
    """How an exchange ended. value: what was read from the answer; None unless it was answered.

    calls: made for it so far, in this process or before. is_retried: more than one call reached
    the model, so that the answer was selected by failures. cost: of all these calls. status: of
    the last reply over HTTP in this process.
    """

    outcome: Outcome
    value: Any = None
    text: str = ""
    model_returned: str = ""
    status: int | None = None
    json_mode: JsonMode | None = None
    calls: int = 0
    is_cached: bool = False
    is_retried: bool = False
    cost: Decimal = Decimal(0)
    tokens_in: int = 0
    tokens_out: int = 0
    latency_ms: int = 0
    flags: frozenset[Flag] = frozenset()
    logprobs: Sequence[Mapping[str, Any]] | None = None
    reason: str = ""
    key: str = ""

    @property
    def is_answered(self) -> bool:
        return self.outcome == Outcome.ANSWERED
