"""A tool of another package: how many types a graph has."""

from backend.evaluation.tools.base import Arguments, Tool, ToolResult
from backend.graphs.graph_access import OpenGraph


class NoArguments(Arguments):
    pass


class TypeTotal(ToolResult):
    types: int


def run(opened: OpenGraph, _arguments: NoArguments) -> TypeTotal:
    return TypeTotal(types=len(opened.snapshot.types))


TOOL = Tool(
    name="count_types",
    description="How many types the graph has.",
    arguments=NoArguments,
    result=TypeTotal,
    run=run,
)
