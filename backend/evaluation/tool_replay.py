"""The calls of a session run again on the same graph, to see whether each result is the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from backend.evaluation.models import ToolCall, ToolSession
from backend.evaluation.tool_calls import NOT_STORED, read_result, run_tool
from backend.evaluation.tool_sessions import open_session_graph

Comparison = Literal["same", "differs", "ended_by_time", "not_compared"]


@dataclass(frozen=True)
class ReplayedCall:
    """ended_by_time: the result differs, and a time limit had ended the search.

    not_compared: the call was interrupted, or its arguments could not be stored.
    """

    number: int
    tool: str
    comparison: Comparison
    digest: str
    digest_now: str


def replay_session(session: ToolSession) -> Iterator[ReplayedCall]:
    graph = open_session_graph(session)
    for call in session.call_rows.order_by("number").iterator(chunk_size=200):
        if call.error_code in (ToolCall.INTERRUPTED, *NOT_STORED):
            yield ReplayedCall(call.number, call.tool, "not_compared", call.digest, "")
            continue
        outcome = run_tool(graph, call.tool, call.arguments)
        comparison = compare(call, outcome.digest, outcome.result or {})
        yield ReplayedCall(call.number, call.tool, comparison, call.digest, outcome.digest)


def compare(call: ToolCall, digest: str, result: object) -> Comparison:
    if call.digest == digest:
        return "same"
    results = (read_result(call) or {}, result)
    by_time = any(isinstance(one, dict) and one.get("capped_by") == "time" for one in results)
    return "ended_by_time" if by_time else "differs"
