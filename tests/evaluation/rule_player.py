"""A model of guided explorations that plays fixed rules."""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from tests.llm.scripted_server import Scripted

IDENTIFIER = re.compile(r'"id": "([^"]+)"')
DATA = re.compile(r"<data>\n(.*?)\n</data>", re.DOTALL)


@dataclass(frozen=True)
class RulePlayer:
    """Chooses by digests of what it reads, so that equal prompts have equal answers. It never
    stops; `slow_s` delays each answer."""

    slow_s: float = 0.0
    relations: int = 2
    nodes: int = 3

    def __call__(self, body: dict[str, Any], number: int) -> Scripted:
        return Scripted(text=json.dumps(self.answer(body)), delay_s=self.slow_s)

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        text = str(body["messages"][1]["content"])
        fields = schema_fields(body)
        if "relations" in fields:
            names = [json.loads(line)["name"] for line in DATA.findall(text)[-1].splitlines()]
            return {"reason": "Rule.", "relations": ranked(names)[: self.relations]}
        if "nodes" in fields:
            ids = [json.loads(line)["id"] for line in DATA.findall(text)[-1].splitlines()]
            chosen = ranked([*dict.fromkeys(ids)])[: self.nodes]
            return {"reason": "Rule.", "nodes": ["X:unknown", *chosen]}
        if "go_on" in fields:
            return {"reason": "Rule.", "go_on": "yes"}
        if "summary" in fields:  # names all that it was shown, as the prompt has it
            return {"summary": " ".join(dict.fromkeys(IDENTIFIER.findall(text)))}
        return {name: f"Text {digest(text)[:8]}." for name in fields}


def schema_fields(body: dict[str, Any]) -> list[str]:
    schema = body["response_format"]["json_schema"]["schema"]
    return [*schema["properties"]]


def ranked(names: list[str]) -> list[str]:
    return sorted(names, key=digest)


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
