"""The demo graph's documents answer questions that are put in other words."""

import csv
import json

from backend.graphs.rows import Section
from backend.graphs.search.normal import normal
from backend.graphs.search.snippets import LENGTH, snippet_of
from backend.science.embedding import LocalEmbedder
from tests.bench.figures import ROOT
from tests.graphs.search.questions import QUESTIONS

FOLDER = ROOT / "fixtures" / "graph" / "documents"


def demo_documents() -> dict[str, str]:
    """Names and what an embedder reads of them."""
    found = {}
    for file in sorted(FOLDER.glob("*.csv")):
        with file.open(encoding="utf-8") as lines:
            for row in csv.DictReader(lines):
                sections = " ".join(part["text"] for part in json.loads(row["document"]))
                found[row["name"]] = normal(f"{row['name']} {sections}", longest=None)
    return found


def test_nine_of_ten_questions_have_their_document_among_the_first_three() -> None:
    found = demo_documents()
    names = list(found)
    embedder = LocalEmbedder.learnt_from(list(found.values()))
    asked = embedder.embed([normal(question) for question, _ in QUESTIONS])
    alike = asked @ embedder.embed(list(found.values())).T
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


def test_a_snippet_is_of_the_section_with_most_words_asked_for() -> None:
    found = snippet_of(SECTIONS, "stroke prevention of the heart")
    assert found is not None
    assert (found.title, found.source) == ("Uses", "b")
    assert found.text.startswith("Preventing heart attacks")
    assert len(found.text) <= LENGTH + 2


def test_without_a_word_in_common_the_first_section_is_shown() -> None:
    found = snippet_of(SECTIONS, "zzz")
    assert found is not None
    assert found.text == SECTIONS[0].text


def test_a_snippet_deep_in_a_text_says_that_something_is_left_out() -> None:
    text = "Nothing yet. " * 50 + "Then gout appears. " + "And more. " * 50
    found = snippet_of([Section("", text, "")], "gout")
    assert found is not None
    assert "gout" in found.text
    assert found.text.startswith("…") and found.text.endswith("…")
    assert found.text.strip("…") in text


def test_without_a_document_there_is_no_snippet() -> None:
    assert snippet_of([], "gout") is None
