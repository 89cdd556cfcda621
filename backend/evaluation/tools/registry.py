"""The tools of this installation, by name."""

from collections.abc import Mapping
from functools import cache

from backend.evaluation.tools.base import AnyTool
from backend.runtime.discovery import discover_modules

PACKAGE, GROUP = __name__.rpartition(".")[0], "graph_tools"


@cache
def load_tools() -> Mapping[str, AnyTool]:
    tools: list[AnyTool] = [
        module.TOOL for module in discover_modules(PACKAGE, group=GROUP, entry="tool")
    ]
    return {tool.name: tool for tool in tools}
