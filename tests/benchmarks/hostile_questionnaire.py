"""A questionnaire with every trap that SerenQA's files have, and some more, made by hand."""

import json
from collections.abc import Callable
from typing import Any

from backend.benchmarks.questionnaire import SourceFile

LINK = "https://www.uniprot.org/uniprotkb/P42685/entry"
NAMES = [
    "Uridine-5'-Diphosphate",
    '4-[3-(1,3-dioxo-2-yl)-"propyl"]-N.N',
    "TG(22:1(13Z)/20:2(11Z,14Z))",
    "Platelet degranulation ",
    " leading and trailing\t",
    "β-Carotin, Ångström e\u0301 \uff46\uff55\uff4c\uff4c \u200b",
    "=HYPERLINK(1)",
    "+1",
    "-2",
    "@SUM",
    "\ttab first",
    "\rreturn first",
    "\nline first",
    "'quoted'",
    "''",
    "two\r\nlines",
    "\uff1dfull width",
    '"',
    ";,",
    "\\N",
    "<b>&amp;</b>",
    "\u202eright to left",
    "😀",
]


def candidate(name: str, rank: int, link: str = LINK) -> dict[str, Any]:
    return {"entity_name": name, "llm_rank": rank, "entity_link": link}


def resource(name: str, link: str) -> dict[str, Any]:
    return {"entity_name": name, "entity_link": link}


def question(number: int, qid: int, names: list[str], **changes: object) -> dict[str, Any]:
    created = {
        "question_number": number,
        "qid": qid,
        "text": f"Which of these is tied to “question {number}”? ",
        "category": "disease:None",
        "llm_ranking": [candidate(name, rank) for rank, name in enumerate(names, 1)],
        "resource": [],
    }
    return {**created, **changes}


def questions() -> list[dict[str, Any]]:
    """Questions of two to eight candidates that use every nasty name, the first with id 0."""
    resources = [resource(name, "") for name in NAMES[:3]]
    tied = [candidate(name, rank) for name, rank in zip(NAMES, (2, 1, 2, 7), strict=False)]
    chunks = [NAMES[0:8], NAMES[8:10], NAMES[10:14], NAMES[14:19], NAMES[19:]]
    created = [question(place, place - 1, chunk) for place, chunk in enumerate(chunks, 1)]
    created[1]["resource"] = resources
    return [*created, question(6, 5, [], llm_ranking=tied, category="")]


def source(name: str, content: object) -> SourceFile:
    return SourceFile(name, json.dumps(content, ensure_ascii=False).encode())


def files() -> list[SourceFile]:
    """Two batches and a catalogue whose totals disagree with the second."""
    created = questions()
    catalogue = [
        {"batch_id": 1, "batch_name": "First = one", "total": 4, "categories": {}},
        {"batch_id": 12, "batch_name": "Zwölf ", "total": 9, "categories": {}},
        {"batch_id": 3, "batch_name": "Not here", "total": 9, "categories": {}},
    ]
    return [
        source("batch12.json", created[4:]),
        source("batch1.json", created[:4]),
        source("batches.json", catalogue),
    ]


def changed(change: Callable[[list[dict[str, Any]]], object]) -> list[SourceFile]:
    """One file of all the questions after a change."""
    created = questions()
    change(created)
    return [source("batch1.json", created)]
