"""Tokens of an uncased BERT: words and signs, each split greedily into the longest known pieces.

Source: Devlin et al. (2019), section 3, and the reference tokenizer: control characters are
dropped, letters lowercased and without accents, each CJK character and each sign a word of its
own. A word of more than 100 characters, or with an unknown piece, is one unknown token.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

UNKNOWN, FIRST, LAST = "[UNK]", "[CLS]", "[SEP]"
LONGEST_WORD = 100
CONTROLS = {"Cc", "Cf", "Co", "Cs"}  # not characters that Unicode has yet to assign
CONTINUED = "##"
# Ranges of ideographs, from the reference tokenizer.
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
ASCII_SIGNS = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@dataclass(frozen=True)
class WordPieces:
    vocabulary: Mapping[str, int]
    longest: int  # tokens of a text, with the first and the last

    def encode(self, text: str) -> list[int]:
        """Numbers of the tokens, between those of [CLS] and [SEP]; what is beyond is cut."""
        tokens: list[str] = []
        for word in split_words(text):
            tokens += self._split(word)
            if len(tokens) >= self.longest:
                break
        tokens = tokens[: self.longest - 2]
        return [self.vocabulary[token] for token in (FIRST, *tokens, LAST)]

    def _split(self, word: str) -> list[str]:
        if len(word) > LONGEST_WORD:
            return [UNKNOWN]
        pieces: list[str] = []
        start = 0
        while start < len(word):
            mark = CONTINUED if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self.vocabulary), start)
            if end == start:
                return [UNKNOWN]
            pieces.append(mark + word[start:end])
            start = end
        return pieces


def split_words(text: str) -> Iterator[str]:
    # Each character by itself: as a whole, Python writes the last sigma of a word otherwise.
    lowered = map(str.lower, unicodedata.normalize("NFD", "".join(clean(text))))
    plain = "".join(one for part in lowered for one in part if unicodedata.category(one) != "Mn")
    for word in plain.split():
        yield from split_signs(word)


def clean(text: str) -> Iterator[str]:
    """Without control characters; white space is a space; ideographs stand alone."""
    for char in text:
        if char in "\t\n\r" or unicodedata.category(char) == "Zs":
            yield " "
        elif is_ideograph(char):
            yield f" {char} "
        elif char not in "\0\ufffd" and unicodedata.category(char) not in CONTROLS:
            yield char


def is_ideograph(char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in IDEOGRAPHS)


def split_signs(word: str) -> Iterator[str]:
    """'il-6' is 'il', '-' and '6'."""
    start = 0
    for place, char in enumerate(word):
        if is_sign(char):
            if place > start:
                yield word[start:place]
            yield char
            start = place + 1
    if start < len(word):
        yield word[start:]


def is_sign(char: str) -> bool:
    return char in ASCII_SIGNS or unicodedata.category(char)[0] == "P"
