"""The demo graph's documents answer questions that are put in other words."""

import csv
import json

from backend.graphs.search.normalization import normalize
from backend.graphs.search.snippets import SNIPPET_LENGTH, best_snippet
from backend.graphs.search.text_embedding import LocalEmbedder
from backend.graphs.source_records import Section
from tests.bench.figures import ROOT
from tests.graphs.search.questions import QUESTIONS

FOLDER = ROOT / "fixtures" / "graph" / "documents"


def demo_documents() -> dict[str, str]:
    """Names and what an embedder reads of them."""
    result = {}
    for file in sorted(FOLDER.glob("*.csv")):
        with file.open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                sections = " ".join(part["text"] for part in json.loads(row["document"]))
                result[row["name"]] = normalize(f"{row['name']} {sections}", longest=None)
    return result


def test_nine_of_ten_questions_have_their_document_among_the_first_three() -> None:
    result = demo_documents()
    names = list(result)
    embedder = LocalEmbedder.fit(list(result.values()))
    query = embedder.embed([normalize(question) for question, _ in QUESTIONS])
    alike = query @ embedder.embed(list(result.values())).T
    first_three = [{names[place] for place in row.argsort()[::-1][:3]} for row in alike]
    answered = [
        bool(first & right) for first, (_, right) in zip(first_three, QUESTIONS, strict=True)
    ]
    assert sum(answered) >= 0.9 * len(QUESTIONS)


SECTIONS = (
    Section("What it is", "A salicylate, used for more than a century.", "a record"),
    Section(
        "Uses", "Preventing heart attacks and strokes. " + "Other words stand here. " * 30, "b"
    ),
)


def test_a_snippet_is_from_the_section_with_most_query_words() -> None:
    result = best_snippet(SECTIONS, "stroke prevention of the heart")
    assert result is not None
    assert (result.title, result.source) == ("Uses", "b")
    assert result.text.startswith("Preventing heart attacks")
    assert len(result.text) <= SNIPPET_LENGTH + 2


def test_without_a_word_in_common_the_first_section_is_shown() -> None:
    result = best_snippet(SECTIONS, "zzz")
    assert result is not None
    assert result.text == SECTIONS[0].text


def test_a_snippet_marks_omitted_text() -> None:
    text = "Nothing yet. " * 50 + "Then gout appears. " + "And more. " * 50
    result = best_snippet([Section("", text, "")], "gout")
    assert result is not None
    assert "gout" in result.text
    assert result.text.startswith("…") and result.text.endswith("…")
    assert result.text.strip("…") in text


def test_without_a_document_there_is_no_snippet() -> None:
    assert best_snippet([], "gout") is None
