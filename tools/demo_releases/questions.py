"""Questions about the demo graph, with the answers that their patterns have."""

import csv
import io

from tools.demo_releases.patterns import PatternQueries
from tools.demo_releases.tables import RELEASES, GraphTables

FILE = RELEASES / "stark-prime" / "questions.csv"
FIELDS = ("id", "query", "answer_ids", "pattern")


def read_questions() -> list[dict[str, str]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def answer_questions(graph: GraphTables) -> str:
    """The file with `answer_ids` as its patterns have them now."""
    queries, lines = PatternQueries(graph), io.StringIO()
    writer = csv.DictWriter(lines, FIELDS, lineterminator="\n")
    writer.writeheader()
    for row in read_questions():
        answers = queries.find_answers(row["pattern"])
        listed = ", ".join(f"'{id_}'" for id_ in answers)
        writer.writerow({**row, "answer_ids": f"[{listed}]"})
    return lines.getvalue()
