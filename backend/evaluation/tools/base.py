"""What a tool is: typed arguments and a typed result over one graph."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from backend.graphs.graph_access import OpenGraph

NAME = re.compile(r"[a-z][a-z_]{1,39}")


class Arguments(BaseModel):
    """Unknown arguments are refused: a misspelt limit would silently be another one."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ToolResult(BaseModel):
    """Every list and text in it has a bound."""

    model_config = ConfigDict(frozen=True)


ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)
ResultT = TypeVar("ResultT", bound=ToolResult)


@dataclass(frozen=True)
class Tool(Generic[ArgumentsT, ResultT]):
    """run: raises DomainError for what the graph lacks. The same graph gives the same result."""

    name: str
    description: str
    arguments: type[ArgumentsT]
    result: type[ResultT]
    run: Callable[[OpenGraph, ArgumentsT], ResultT]

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no name of a tool")

    def argument_schema(self) -> dict[str, Any]:
        return self.arguments.model_json_schema()

    def result_schema(self) -> dict[str, Any]:
        return self.result.model_json_schema(mode="serialization")


AnyTool = Tool[Any, Any]
