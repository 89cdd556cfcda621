"""English words that are common in claims and are no names of entities in lower case.

function_words.txt: words of grammar. claim_words.txt: verbs and nouns in which claims are put, or
that name no entity alone. Written from general knowledge, not from the annotated sentences.
"""

from pathlib import Path


def load_words(name: str) -> frozenset[str]:
    return frozenset(Path(__file__).with_name(name).read_text(encoding="utf-8").split())


FUNCTION_WORDS = load_words("function_words.txt")
ORDINARY_WORDS = FUNCTION_WORDS | load_words("claim_words.txt")
