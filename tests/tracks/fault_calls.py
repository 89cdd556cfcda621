"""The calls in the source that make a fault, with the texts that they give it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VALUE = "…"  # stands for what is put into a text
Texts = Sequence[str | None]  # of each branch; None for one that is computed
Makers = Mapping[str, Sequence[str]]  # names of parameters in order, by the name that calls use


@dataclass(frozen=True)
class FaultCall:
    """texts: by parameter, of those that are given. One that is the caller's own has none."""

    place: str
    texts: Mapping[str, Texts]


@dataclass(frozen=True)
class Module:
    path: Path
    tree: ast.Module

    @property
    def functions(self) -> Iterator[ast.FunctionDef]:
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef))


def read_modules(*folders: str) -> list[Module]:
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [Module(path, ast.parse(path.read_text(encoding="utf-8"))) for path in paths]


def find_makers(modules: Sequence[Module], parameter: str) -> Makers:
    """Functions and classes with such a parameter."""
    definitions = (
        node
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    )
    names = ((node.name, parameters(node)) for node in definitions if node.name != "__init__")
    return {name: known for name, known in names if parameter in known}


def parameters(node: ast.FunctionDef | ast.ClassDef) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [one.arg for one in (*node.args.args, *node.args.kwonlyargs) if one.arg != "self"]
    methods = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
    if "__init__" in methods:
        return parameters(methods["__init__"])
    fields = (one.target for one in node.body if isinstance(one, ast.AnnAssign))
    return [one.id for one in fields if isinstance(one, ast.Name)]


def find_calls(modules: Sequence[Module], makers: Makers) -> list[FaultCall]:
    return [
        call
        for module in modules
        for function in module.functions
        for node in own_nodes(function)
        if isinstance(node, ast.Call)
        if (call := read_call(node, makers, Scope(module, function))) is not None
    ]


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Without those of functions in it."""
    rest: list[ast.AST] = [*function.body]
    while rest:
        node = rest.pop()
        yield node
        if not isinstance(node, ast.FunctionDef):
            rest += ast.iter_child_nodes(node)


def read_call(node: ast.Call, makers: Makers, scope: Scope) -> FaultCall | None:
    """None for other calls, and where the texts are a mapping that another call made."""
    names = makers.get(name_of(node.func))
    if names is None or any(one.arg is None for one in node.keywords):
        return None
    given = dict(zip(names, node.args, strict=False))
    given |= {one.arg: one.value for one in node.keywords if one.arg is not None}
    place = f"{scope.module.path.relative_to(ROOT)}:{node.lineno}"
    return FaultCall(place, {name: scope.texts(value) for name, value in given.items()})


def name_of(called: ast.expr) -> str:
    """`RowFault`, `faults.add`: methods with the name of what they are called on."""
    if isinstance(called, ast.Attribute):
        return f"{name_of(called.value).rpartition('.')[2]}.{called.attr}"
    return called.id if isinstance(called, ast.Name) else ""


@dataclass(frozen=True)
class Scope:
    """What the names in a function stand for."""

    module: Module
    function: ast.FunctionDef

    def texts(self, node: ast.expr) -> Texts:
        """Empty for a parameter, and for a field of another fault."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [node.value]
        if isinstance(node, ast.JoinedStr):
            return ["".join(map(self.part, node.values))]
        if isinstance(node, ast.IfExp):
            return [*self.texts(node.body), *self.texts(node.orelse)]
        if isinstance(node, ast.Name):
            return self.texts_of_name(node.id)
        return [] if isinstance(node, ast.Attribute) else [None]

    def part(self, node: ast.expr) -> str:
        """Of an f-string: a text, or a name that stands for one text."""
        if isinstance(node, ast.Constant):
            return str(node.value)
        texts = self.texts(node.value) if isinstance(node, ast.FormattedValue) else []
        return texts[0] or VALUE if len(texts) == 1 else VALUE

    def texts_of_name(self, name: str) -> Texts:
        if name in parameters(self.function):
            return []
        nodes = [*own_nodes(self.function), *self.module.tree.body]
        values = [value for node in nodes for value in assigned(node, name)]
        return [text for value in values for text in self.texts(value)] or [None]


def assigned(node: ast.AST, name: str) -> Iterator[ast.expr]:
    """The expressions that a statement gives a name."""
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = [*zip(target.elts, node.value.elts, strict=True)]
        yield from (value for one, value in pairs if getattr(one, "id", "") == name)
