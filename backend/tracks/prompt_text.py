"""Text of unknown origin as part of a prompt: marked as data, cut by stated rules, in sentences.

A data block is JSON between <data> and </data>. Nothing inside can end the block, a message or a
string: `<` is escaped (so are the control tokens of chat templates, which begin with it), the
bracketed ones (`[INST]`), and every character that is not printable.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CONTROL_TOKEN = re.compile(r"\[(?=/?[A-Z_]{3,}\])")
CUT_MARK = " …"


def data_block(value: object) -> str:
    return f"<data>\n{to_json(value)}\n</data>"


def data_lines(values: Iterable[object]) -> str:
    """A block with one JSON value a line."""
    return "\n".join(["<data>", *map(to_json, values), "</data>"])


def to_json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    text = CONTROL_TOKEN.sub(r"\\u005b", text.replace("<", "\\u003c"))
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else escape(one) for one in text)


def escape(character: str) -> str:
    """As JSON escapes it: beyond the first 65,536 as a pair of surrogates."""
    return json.dumps(character)[1:-1]


def cut_text(text: str, most: int) -> str:
    """At most so many characters: up to the last space of the second half, then an ellipsis."""
    if len(text) <= most:
        return text
    head = text[: max(most - len(CUT_MARK), 0)]
    space = head.rfind(" ", len(head) // 2)
    return (head[:space] if space > 0 else head).rstrip() + CUT_MARK


def link_chain(entities: Sequence[tuple[str, str]], phrases: Sequence[str]) -> str:
    """`“aspirin” (Drug) treats “headache” (Disease); “headache” (Disease) is caused by “flu” (…).`

    entities: names and types; phrases: of the edges between them, in the direction of the chain.
    Names stand in typographic quotes, which no name can close: those inside it become plain.
    """
    named = [f"{quote_name(name)} ({type_})" for name, type_ in entities]
    clauses = [
        f"{first} {phrase} {second}"
        for first, phrase, second in zip(named, phrases, named[1:], strict=False)
    ]
    return f"{'; '.join(clauses)}." if clauses else ""


def quote_name(name: str) -> str:
    return "“{}”".format(name.translate({0x201C: '"', 0x201D: '"'}))


@dataclass(frozen=True, slots=True)
class RelationKind:
    """A relationship type of the graph with one pair of labels."""

    name: str
    source: str
    target: str
    phrase: str = ""
    is_symmetric: bool = False


def describe_schema(
    labels: Sequence[str],
    relations: Sequence[RelationKind],
    node_properties: Sequence[str],
    edge_properties: Sequence[str],
) -> str:
    """The graph that a query is written for: labels, their properties, and every kind of edge."""
    lines = [
        f"Node labels: {', '.join(sorted(labels))}.",
        f"Properties of every node: {', '.join(node_properties)}.",
        f"Properties of every edge: {', '.join(edge_properties)}.",
        "Edges:",
    ]
    ordered = sorted(relations, key=lambda one: (one.name, one.source, one.target))
    return "\n".join([*lines, *map(describe_relation, ordered)])


def describe_relation(kind: RelationKind) -> str:
    arrow = "-" if kind.is_symmetric else "->"
    pattern = f"(:{kind.source})-[:{kind.name}]{arrow}(:{kind.target})"
    notes = [f"{kind.source} {kind.phrase} {kind.target}"] if kind.phrase else []
    notes += ["no direction"] if kind.is_symmetric else []
    return f"{pattern}  {'; '.join(notes)}".rstrip()
