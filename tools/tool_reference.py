"""Writes docs/reference/tools.md from the tools themselves: python -m tools.tool_reference."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backend.evaluation.tools.base import AnyTool

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "tools.md"
INTRODUCTION = """\
# Tools

Programs walk the graph of a release by typed tools, over REST and over the Model Context Protocol (MCP). [Let an agent walk a release's graph](../how-to/let-an-agent-walk.md) has an example. This page is written from the tools themselves (`python -m tools.tool_reference`).

## Which graph

Where a release has masked graphs, tools walk one of those and never the whole graph: the one that the items are about, or the one of the `method` that the session names. Otherwise they walk the release's graph, for those who may read it. An edge that was cut is in no result: search, degrees, counts, neighbours and paths are computed on the masked graph. Documents are those of the whole graph, as everywhere on a masked graph: a text that states a cut edge still states it.

## Sessions and calls

| route | what it does |
| --- | --- |
| `GET /api/v1/releases/{slug}/tools` | the tools with the JSON schemas of their arguments and results |
| `POST /api/v1/releases/{slug}/tool-sessions` | open a session; `method` of the masked graph and `model`, a model of yours, are optional |
| `GET /api/v1/tool-sessions`, `GET /api/v1/tool-sessions/{id}` | your sessions, one session |
| `POST /api/v1/tool-sessions/{id}/calls` | call a tool: `{"tool": …, "arguments": {…}}` |
| `GET /api/v1/tool-sessions/{id}/calls`, `…/calls/{number}` | the calls in their order, one call with its result |
| `POST /api/v1/tool-sessions/{id}/close` | take no more calls; naming the session in a submission does so too |
| `POST /mcp` | the same tools over MCP, with `open_session` and `close_session`; each takes `session`, or the header `Serendib-Session` stands for it |

A token of either scope is enough. Researchers and the organisers of the release open sessions; a session is read by its owner and the organisers. Every call of an open session is logged before it runs: number, tool, arguments, SHA-256 of the result as canonical JSON, milliseconds, the code of an error, and the result unless it is larger than 64 KiB compressed. Arguments above 16 KiB are refused. [Settings](settings.md) limit the calls of a session and of a day (code `tool_limit`, status 429). Errors are problems over REST, and results marked as errors over MCP, with the same codes.

An entity is named by its identifier in the graph, its CURIE, or its identifier in the release's files.
"""


def render_page(tools: Mapping[str, "AnyTool"]) -> str:
    return "\n".join([INTRODUCTION, *(line for one in tools.values() for line in describe(one))])


def describe(tool: "AnyTool") -> Iterator[str]:
    yield f"## `{tool.name}`\n"
    yield f"{tool.description}\n"
    schema = tool.argument_schema()
    required = schema.get("required", [])
    yield "| argument | type | default | |\n| --- | --- | --- | --- |"
    for name, one in schema.get("properties", {}).items():
        default = "required" if name in required else f"`{one.get('default')}`"
        yield f"| `{name}` | {type_text(one)} | {default} | {one.get('description', '')} |"
    yield "\n| result | |\n| --- | --- |"
    result = tool.result_schema()
    for name, one in result["properties"].items():
        yield f"| `{name}` | {one.get('description', '') or type_text(one)} |"
    yield ""
    for name, shape in result.get("$defs", {}).items():
        members = ", ".join(f"`{one}`" for one in shape["properties"])
        yield f"- `{name}`: {members}"
    yield ""


def type_text(schema: Mapping[str, Any]) -> str:
    """Type and bounds: 'integer, 1 to 50'."""
    options = [one for one in schema.get("anyOf", ()) if one.get("type") != "null"]
    if options:
        return type_text(options[0])
    if "$ref" in schema:
        return f"`{schema['$ref'].rpartition('/')[2]}`"
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    kind = str(schema.get("type", "any"))
    if kind == "array":
        most = f", at most {schema['maxItems']}" if "maxItems" in schema else ""
        return f"list of {type_text(schema['items'])}{most}"
    low, high = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMaximum" in schema:
        high = schema["exclusiveMaximum"] - 1
    return f"{kind}, {low} to {high}" if low is not None and high is not None else kind


def main() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    django.setup(set_prefix=False)
    from backend.evaluation.tools.registry import load_tools

    PAGE.write_text(render_page(load_tools()), encoding="utf-8")


if __name__ == "__main__":
    main()
