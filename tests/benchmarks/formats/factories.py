"""Records as SerenQA's files have them, and one as the paper prints it, with its faults."""

from __future__ import annotations

import json
from typing import Any

from backend.benchmarks.questionnaire import SourceFile

NASTY = "Platelet  degranulation \t“β”\u200b, =HYPERLINK(1)"
PATHS = [
    "P2--COMPILED_INTERACTS_WITH--NOS2:Protein--BELONGS_TO_PROTEIN--None:Peptide--ACTS_ON--P1",
    "P2--ACTS_ON--a--b:Protein--ACTS_ON--P1",
]


def node(nid: int, kind: str, identifier: str, type_: str, name: str, query: int) -> dict[str, Any]:
    return {
        "nid": nid,
        "node_type": kind,
        "id": identifier,
        "class": type_,
        "friendly_name": name,
        "question_node": query,
        "function": "none",
    }


def question(qid: int = 800, **changes: Any) -> dict[str, Any]:
    """Which proteins belong to a disease and to a complex: an intersection, by its shape 4.1."""
    created = {
        "qid": qid,
        "question": f"Which proteins are part of it {qid}? ",
        "answer": [answer("P1", "NOS3"), answer("P2", NASTY)],
        "function": "none",
        "commonness": 0.0,
        "num_node": 3,
        "num_edge": 2,
        "graph_query": {
            "nodes": [
                node(0, "class", "Protein", "Protein", "Protein", 1),
                node(1, "entity", "DOID:1", "Disease", "heart disease", 0),
                node(2, "entity", "5716", "Complex", "a complex, induced", 0),
            ],
            "edges": [edge(0, 1, "ASSOCIATED_WITH"), edge(0, 2, "IS_SUBUNIT_OF")],
        },
        "pattern_type": 9,
        "category": "genetic disease:None ",
        "cypher": 'MATCH (n0:Protein)\nMATCH (n1:Disease {name: "heart disease"})',
    }
    return {**created, **changes}


def answer(identifier: str, name: str) -> dict[str, Any]:
    return {"answer_type": "Entity", "answer_argument": identifier, "entity_name": name}


def edge(start: int, end: int, relation: str) -> dict[str, Any]:
    return {"start": start, "end": end, "relation": "Protein.X", "friendly_name": relation}


def split(hidden: list[str], known: list[str], **changes: Any) -> dict[str, Any]:
    created = {
        "serendipity_set": {"list": hidden, "description": None},
        "explore_queries": {"paths": PATHS, "questions": ["How are they linked?"]},
        "partition": "test",
        "exact_matches": {"list": known},
    }
    return {**created, **changes}


def partitions(qid: int = 800, **changes: Any) -> dict[str, Any]:
    created = {
        "qid": qid,
        "question": f"Which proteins are part of it {qid}? ",
        "llm": split(["P1"], ["P2"]),
        "sscore": split(["P2"], ["P1"]),
        "expert": split(["P1"], ["P2"]),
    }
    return {**created, **changes}


def source(content: object, name: str = "questions.json") -> SourceFile:
    return SourceFile(name, json.dumps(content, ensure_ascii=False).encode())


def printed() -> str:
    """An answer that is not closed, a comma too many, numbers and paths as they are."""
    return """{
  "qid": 800,
  "question": "Which proteins?",
  "answer": [
    {
      "answer_type": "Entity",
      "answer_argument": "P1",
      "entity_name": "NOS3",
    {
      "answer_type": "Entity",
      "answer_argument": "P2",
      "entity_name": "HSP90AA1",
    }
  ],
  "function": "none",
  "commonness": 0.0,
  "num_node": 2,
  "num_edge": 1,
  "graph_query": {
    "nodes": [
      {"nid": 0, "node_type": "class", "id": "Protein", "class": "Protein",
       "friendly_name": "Protein", "question_node": 1, "function": "none"},
      {"nid": 1, "node_type": "entity", "id": "5716", "class": "Complex",
       "friendly_name": "a complex, induced", "question_node": 0, "function": "none"}
    ],
    "edges": [
      {"start": 0, "end": 1, "relation": "Protein.Complex", "friendly_name": "IS_SUBUNIT_OF"}
    ]
  },
  "pattern_type": 9,
  "category": "genetic disease:autosomal genetic disease",
  "cypher": "MATCH (n0:Protein)\\nMATCH (n1:Complex {name: \\"a complex, induced\\"})"
}
"""
