"""Where sentences end: answers refer to them by place."""

import pytest

from backend.runtime.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("  ", ["  "]),
        ("One", ["One"]),
        ("One. Two! Three?", ["One. ", "Two! ", "Three?"]),
        ("Drugs, e.g. Aspirin, act. So?", ["Drugs, e.g. Aspirin, act. ", "So?"]),
        ("Ito et al. Science. Next", ["Ito et al. Science. ", "Next"]),
        ("See Fig. 2 and Figs. 3A. Then", ["See Fig. 2 and Figs. 3A. ", "Then"]),
        ("Given i.v. Twice (cf. Table 1).", ["Given i.v. Twice (cf. Table 1)."]),
        ("In the U.S. Army. J. Smith", ["In the U.S. Army. ", "J. Smith"]),
        ("By 0.5 mg. Then", ["By 0.5 mg. ", "Then"]),
        ("Done. Fig. 2 shows Dr. Who. End", ["Done. ", "Fig. 2 shows Dr. Who. ", "End"]),
        ("P = .05. Of 2.6% in 1.5", ["P = .05. ", "Of 2.6% in 1.5"]),
        ("“Quoted.” (Next.) Last", ["“Quoted.” ", "(Next.) ", "Last"]),
        ("1. First\n2. Second\n\n", ["1. First\n", "2. Second\n\n"]),
        ("a.b. c", ["a.b. c"]),
        ("Ende.\n…\nMehr", ["Ende.\n…\n", "Mehr"]),
    ],
)
def test_sentences_joined_are_the_text(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences
    assert "".join(sentences) == text


def test_a_long_text_without_an_end_is_one_sentence() -> None:
    text = "(A.B" * 10_000
    assert split_sentences(text) == [text]
