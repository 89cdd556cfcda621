"""Writes the tables of docs/reference/tools.md: python -m tools.tool_reference."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from backend.evaluation.tools.base import AnyTool

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "tools.md"
MARK = "<!-- What follows is written by python -m tools.tool_reference. -->"


def render_page(page: str, tools: Mapping[str, "AnyTool"]) -> str:
    """The page with the tables of these tools; its text before the mark stays."""
    tables = (line for one in tools.values() for line in describe(one))
    return "\n".join([page.partition(MARK)[0] + MARK, "", *tables])


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

    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(render_page(page, load_tools()), encoding="utf-8")


if __name__ == "__main__":
    main()
