"""A small graph of PrimeKG's vocabulary, and models that write and verify queries by fixed rules.

A documented entity has a sentence with a number from 0 to 2, its mark. The scripted writer states
the mark of the gold answer as its hard property, and the scripted verifier passes the candidates
that have it: the answers are known.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from backend.graphs.source_records import NodeRow, Section
from tests.benchmarks.stark_queries.factories import DOCUMENTED
from tests.llm.scripted_server import Scripted

BLOCK = re.compile(r"<data>\n(.*?)\n?</data>", re.DOTALL)
MARK = re.compile(r"mark number \d")


def marked(node: NodeRow) -> NodeRow:
    if node.type not in DOCUMENTED:
        return node
    number = int(node.id.rpartition(":")[2])
    text = f"It has mark number {number % 3}. It is known since long ago."
    return NodeRow(
        node.id,
        node.type,
        node.name,
        xrefs=node.xrefs,
        document=(Section("Summary", text, "made up"),),
    )


def blocks(body: dict[str, Any]) -> list[list[Any]]:
    """The values of each data block of a request."""
    matches = BLOCK.findall(body["messages"][1]["content"])
    return [[json.loads(line) for line in block.splitlines() if line] for block in matches]


def task_of(body: dict[str, Any]) -> str:
    system = body["messages"][0]["content"]
    heads = {
        "You read what": "properties",
        "You write search": "query",
        "You rewrite search": "rewriting",
        "You check whether": "verification",
    }
    return next(name for head, name in heads.items() if system.startswith(head))


def synthesize(body: dict[str, Any], number: int) -> Scripted:
    rules = {
        "properties": state_properties,
        "query": lambda it: write(it, "Find"),
        "rewriting": lambda it: write(it, "In my case, which one would you name:"),
        "verification": verify,
    }
    return Scripted(text=json.dumps(rules[task_of(body)](blocks(body))))


def state_properties(parts: list[list[Any]]) -> dict[str, Any]:
    _, _, sentences = parts
    mark = MARK.search(sentences[0]["text"])
    assert mark is not None
    hard = {"sentence": "S1", "kind": "hard", "text": f"has {mark[0]}"}
    soft = {"sentence": "S2", "kind": "soft", "text": "is known since long ago"}
    return {"properties": [hard, soft]}


def write(parts: list[list[Any]], head: str) -> dict[str, Any]:
    entities, hard = parts[-3], parts[-2]
    phrases = [one["text"] for one in hard]
    query = f"{head} what is linked to {' and '.join(entities)} and {' and '.join(phrases)}."
    return {"query": query, "used": [{"requirement": it["id"], "words": it["text"]} for it in hard]}


def verify(parts: list[list[Any]]) -> dict[str, Any]:
    _, sentences, requirements = parts
    text = " ".join(sentences)
    marks = [(it["id"], MARK.search(it["text"])) for it in requirements]
    return {
        "verdicts": [
            {"requirement": id_, "is_met": mark is not None and mark[0] in text}
            for id_, mark in marks
        ]
    }


def requests_of(log: list[Any], task: str) -> Iterator[dict[str, Any]]:
    return (one.body for one in log if task_of(one.body) == task)
