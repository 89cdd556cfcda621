"""How sure a judge is, from the logarithms of its tokens' probabilities."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Tokens = Sequence[Mapping[str, Any]]
SCORE_TOKEN = re.compile(r'[\s":]*([1-5])[\s",}]*')


@dataclass(frozen=True, slots=True)
class ExpectedScore:
    """value: the mean of the scores among the likeliest tokens, by their probabilities, which are
    scaled to 1. probability: of the score that was written, scaled alike. mass: of all scores
    before scaling; what is missing to 1 are tokens that are no score."""

    value: float
    probability: float
    mass: float


def read_expected_score(tokens: Tokens | None, score: int) -> ExpectedScore | None:
    """None where the tokens are not those of the answer, or the written score has no token."""
    place = find_value(tokens or (), rf'"score"\s*:\s*"?(?={score})')
    if place is None:
        return None
    token = place[0]
    masses: dict[int, float] = {}
    for text, probability in token_probabilities([token, *list_alternatives(token)]).items():
        if match := SCORE_TOKEN.fullmatch(text):
            masses[int(match[1])] = max(masses.get(int(match[1]), 0.0), probability)
    mass = math.fsum(masses.values())
    if score not in masses or not mass > 0:
        return None
    expected = math.fsum(number * part for number, part in masses.items()) / mass
    return ExpectedScore(expected, masses[score] / mass, min(mass, 1.0))


def read_choice_probability(tokens: Tokens | None, choice: str) -> float | None:
    """Of the whole word and the quote that ends it, given what was written before."""
    place = find_value(tokens or (), rf'"choice"\s*:\s*"(?={re.escape(choice)}")', choice + '"')
    probabilities = [token_probability(one) for one in place or ()]
    known = [one for one in probabilities if one is not None]
    if not known or len(known) < len(probabilities):
        return None
    return math.prod(known)


def find_value(tokens: Tokens, before: str, value: str = "1") -> Tokens | None:
    """The tokens that have a character of the value, of the last place where it stands."""
    text = "".join(str(one.get("token", "")) for one in tokens)
    matches = [*re.finditer(before, text)]
    if not matches:
        return None
    start = matches[-1].end()
    return [*_overlapping(tokens, start, start + len(value))]


def _overlapping(tokens: Tokens, start: int, end: int) -> Iterator[Mapping[str, Any]]:
    first = 0
    for one in tokens:
        last = first + len(str(one.get("token", "")))
        if first < end and last > start:
            yield one
        first = last


def list_alternatives(token: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The likeliest tokens at its place, if stated; often it is among them."""
    listed = token.get("top_logprobs")
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, Mapping):
            yield one


def token_probabilities(tokens: Tokens) -> Mapping[str, float]:
    """By text, the largest where one is listed twice; without those that state none."""
    known: dict[str, float] = {}
    for one in tokens:
        text, probability = str(one.get("token", "")), token_probability(one)
        if probability is not None:
            known[text] = max(probability, known.get(text, 0.0))
    return known


def token_probability(token: Mapping[str, Any]) -> float | None:
    logprob = token.get("logprob")
    if isinstance(logprob, bool) or not isinstance(logprob, int | float) or math.isnan(logprob):
        return None
    return min(math.exp(min(logprob, 0.0)), 1.0)
