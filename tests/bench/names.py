"""Seeded names of biomedical looks, and what people might type to find them.

A word is one of the demo graph's, a coined one or a number, the first ones of each kind far more
often than the last ones, so that words have all lengths and frequencies.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from tests.bench.figures import ROOT

SEED = 20_261_121
COINED = 250_000
SYLLABLES = (
    "ab ac al am an ar as at az ba be bi bo bu ca ce ci cla co cu da de di do dra du el en er es "
    "fa fe fi flu fo ga ge gli glu ha he hy ib ic il im in is ix ka ke ki ky la le li lo lu ma me "
    "mi mo mu my na ne ni no nu ol on or os ox pa pe phe pi po pra pro qui ra re ri ro ru sa se si "
    "so sta su ta te ti to tra tu ul um va ve vi vo xa xe za ze zi zo zu"
)
LENGTHS = (0.2, 0.27, 0.23, 0.15, 0.1, 0.05)  # shares of names of one word, two, and so on
TYPES = ("Drug", "Disease", "Gene", "Protein", "Pathway", "Phenotype", "Side effect", "Anatomy")
KINDS = ("identifier", "name", "prefix", "words", "typo")
Words = NDArray[np.object_]


@dataclass(frozen=True)
class Names:
    """Entities by their count; two in five have a synonym."""

    entities: int

    @cached_property
    def texts(self) -> list[str]:
        """The name of each entity, then the synonyms."""
        rng = np.random.default_rng(SEED)
        total = self.entities + 2 * self.entities // 5
        lengths = 1 + rng.choice(len(LENGTHS), total, p=LENGTHS)
        words = iter(drawn(rng, int(lengths.sum())).tolist())
        return [" ".join(next(words) for _ in range(length)) for length in lengths.tolist()]

    def synonym_of(self, number: int) -> str:
        group, place = divmod(number, 5)
        return self.texts[self.entities + 2 * group + place] if place < 2 else ""

    def write(self, folder: Path) -> None:
        """The files of a graph in which each entity has an edge."""
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "entities.csv").open("w", newline="") as file:
            self.write_entities(file)
        with (folder / "edges.csv").open("w", newline="") as file:
            self.write_edges(file)

    def write_entities(self, file: TextIO) -> None:
        rows = csv.writer(file)
        rows.writerow(["id", "name", "type", "synonyms"])
        for number in range(self.entities):
            kind = TYPES[number % len(TYPES)]
            synonym = self.synonym_of(number).replace("|", " ")
            rows.writerow([identifier(number), self.texts[number], kind, synonym])

    def write_edges(self, file: TextIO) -> None:
        rows = csv.writer(file)
        rows.writerow(["source", "relation", "target"])
        sources = np.random.default_rng(SEED).integers(0, self.entities, self.entities)
        for number, source in enumerate(sources.tolist()):
            rows.writerow([identifier(source), "is_near", identifier(number)])

    def questions(self, kind: str, count: int) -> list[str]:
        """What is typed; each at its own place of its name or synonym."""
        rng = np.random.default_rng([SEED, KINDS.index(kind)])
        result = (self.question(kind, rng) for _ in range(100 * count))
        query = (text for text in result if any(map(str.isalnum, text)))
        return list(islice(query, count))

    def question(self, kind: str, chance: np.random.Generator) -> str:
        """Nothing, where this name does not lend itself to it."""
        number = int(chance.integers(0, len(self.texts)))
        text = self.texts[number]
        if kind == "identifier":
            return identifier(number % self.entities)
        if kind == "prefix":
            return text[: int(chance.integers(1, 13))].strip()
        if kind == "words":
            return some_words(text.split(), chance)
        return mistyped(text.split(), chance) if kind == "typo" else text


def identifier(number: int) -> str:
    return f"SYN:{number:08}"


def drawn(chance: np.random.Generator, count: int) -> Words:
    kinds = chance.random(count)
    coined = falling(chance, np.array(list(coined_words(chance)), object), count, 0.6)
    words = np.where(kinds < 0.6, falling(chance, known_words(), count, 0.9), coined)
    numbers = kinds > 0.94
    words[numbers] = [str(number) for number in chance.integers(1, 3_000, int(numbers.sum()))]
    return words


def falling(chance: np.random.Generator, words: Words, count: int, power: float) -> Words:
    """Words drawn with the weight of their place to the power given."""
    weights = 1 / np.arange(1, len(words) + 1) ** power
    result: Words = words[chance.choice(len(words), count, p=weights / weights.sum())]
    return result


def known_words() -> Words:
    with (ROOT / "fixtures" / "graph" / "entities.csv").open(encoding="utf-8") as file:
        names = [row["name"].lower() for row in csv.DictReader(file)]
    return np.array(sorted({word for name in names for word in name.split()}), object)


def coined_words(chance: np.random.Generator) -> Iterator[str]:
    syllables = np.array(SYLLABLES.split())
    for size in chance.integers(2, 6, COINED).tolist():
        yield "".join(syllables[chance.integers(0, len(syllables), size)])


def some_words(words: list[str], chance: np.random.Generator) -> str:
    """Two to four of them in any order, the last one not yet whole."""
    if len(words) < 2:
        return ""
    order = chance.permutation(len(words))[: int(chance.integers(2, 5))]
    *whole, last = [words[place] for place in order.tolist()]
    return " ".join([*whole, last[: int(chance.integers(1, len(last) + 1))]])


def mistyped(words: list[str], chance: np.random.Generator) -> str:
    """With one slip in the longest word."""
    longest = max(range(len(words)), key=lambda place: len(words[place]))
    word = words[longest]
    if len(word) < 5:
        return ""
    at = int(chance.integers(1, len(word) - 1))
    before, character, after = word[:at], word[at], word[at + 1 :]
    slips = (before + after, f"{before}q{character}{after}", f"{before}x{after}")
    slip = (*slips, f"{before}{after[:1]}{character}{after[1:]}")[int(chance.integers(4))]
    return " ".join([*words[:longest], slip, *words[longest + 1 :]])
