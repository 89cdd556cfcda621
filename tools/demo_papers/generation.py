"""Papers of the demo: the confirmed ones of real.csv, and made-up ones about edges of its graph.

The same files give the same papers.
"""

import csv
import json
import random
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GRAPH = ROOT / "fixtures" / "graph"
PAPERS = ROOT / "fixtures" / "demo" / "papers"
TEMPLATES = Path(__file__).with_name("templates.toml")
TOTAL, SEED = 300, 16
FIRST_YEAR, LAST_YEAR = 1990, 2024
UNDATED_SHARE, YEAR_ONLY_SHARE = 0.1, 0.3
REAL_NOTE = "This text is a summary of ours, not the paper's abstract."
SYNTHETIC_NOTE = "Made up for the demo. This paper does not exist."
SYNTHETIC_END = "This study was made up for the demo and has no results."
Paper = Mapping[str, str]


def make_papers() -> list[Paper]:
    real = [*read_real_papers()]
    return [*real, *make_synthetic_papers(TOTAL - len(real))]


def read_real_papers() -> Iterator[Paper]:
    with (PAPERS / "real.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield {
                "id": row["pmid"],
                "date": row["date"],
                "title": row["title"],
                "abstract": row["summary"],
                "note": REAL_NOTE,
            }


def make_synthetic_papers(count: int) -> Iterator[Paper]:
    draw = random.Random(SEED)  # noqa: S311  nothing secret is drawn
    templates = tomllib.loads(TEMPLATES.read_text(encoding="utf-8"))
    names = read_names()
    with (GRAPH / "edges.csv").open(encoding="utf-8", newline="") as file:
        edges = [row for row in csv.DictReader(file) if row["relation"] in templates]
    for number, edge in enumerate(draw.sample(edges, count), start=1):
        template = templates[edge["relation"]]
        words = {
            "source": names[edge["source"]],
            "target": names[edge["target"]],
            "count": str(draw.randrange(20, 400)),
            "months": str(draw.randrange(3, 36)),
        }
        title = draw.choice(template["titles"]).format_map(words)
        text = draw.choice(template["texts"]).format_map(words)
        yield {
            "id": f"SYN:{number}",
            "date": draw_date(draw),
            "title": title[:1].upper() + title[1:],
            "abstract": f"{text} {SYNTHETIC_END}",
            "note": SYNTHETIC_NOTE,
        }


def read_names() -> dict[str, str]:
    with (GRAPH / "entities.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row["name"] for row in csv.DictReader(file)}


def draw_date(draw: random.Random) -> str:
    """Some papers have none, and some only a year, as in real collections."""
    share, year = draw.random(), draw.randrange(FIRST_YEAR, LAST_YEAR + 1)
    month, day = draw.randrange(1, 13), draw.randrange(1, 29)
    if share < UNDATED_SHARE:
        return ""
    return str(year) if share < UNDATED_SHARE + YEAR_ONLY_SHARE else f"{year}-{month:02d}-{day:02d}"


def main(arguments: Sequence[str]) -> int:
    lines = "".join(json.dumps(paper, ensure_ascii=False) + "\n" for paper in make_papers())
    path = PAPERS / "papers.jsonl"
    if "--check" in arguments:
        if path.read_text(encoding="utf-8") == lines:
            return 0
        sys.stderr.write(f"{path.name} is not what the generator makes.\n")
        return 1
    path.write_text(lines, encoding="utf-8")
    return 0
