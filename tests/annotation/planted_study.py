"""Studies of each kind by simulated raters, with planted raters and questions to be flagged."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from annotation.kinds.figures import Figure
from annotation.kinds.ranking.rater_statistics import rater_sections
from annotation.kinds.registry import get_kind_or_raise
from annotation.kinds.study_table import (
    CheckedStudyAnswer,
    Payload,
    StudyAnswer,
    StudyQuestion,
    StudyTable,
)
from annotation.quality_statistics import quality_sections

RATERS, ITEMS, GOLD, ABLEST = 20, 60, 12, 7
WEAKEST, BEST, BEFORE = 0.6, 0.98, 0.95
DRIFTING, STRAIGHT, IGNORANT = "r3", "r8", "r15"
BROKEN, MISLABELLED = "q11", "gold4"
START = datetime(2026, 3, 2, 8, tzinfo=UTC)
EXPECTED = {
    DRIFTING: {"drift"},
    STRAIGHT: {"straight_lining"},
    IGNORANT: {"ability", "gold_failed"},
    BROKEN: {"negative_discrimination"},
    MISLABELLED: {"disputed_key"},
}
VALUES = {
    "claims": ("supported", "contradicted", "not_enough"),
    "hypothesis_pairs": ("a", "b", "tie"),
    "ratings": ("5", "3", "1"),
    "ranking": ("A", "B", "C"),
}
CANDIDATES = ("A", "B", "C", "D", "E")
HYPOTHESES = [{"arm": name, "score": None, "model": ""} for name in ("one", "other")]


@dataclass(frozen=True)
class Design:
    """The abilities of honest raters, and the drifting rater's after the middle; a third knows
    nothing. planted: whether anybody or anything is."""

    kind: str
    planted: bool = True
    weakest: float = WEAKEST
    after: float = 1 / 3


def simulate(design: Design, seed: int) -> StudyTable:
    """Twenty raters answer all questions, each in an order of their own, with three choices.

    On the broken question the seven ablest others are in the minority; one known answer is not the
    truth.
    """
    rng = np.random.default_rng(seed)
    names = [f"q{number}" for number in range(ITEMS)] + [f"gold{number}" for number in range(GOLD)]
    truth = dict(zip(names, rng.integers(0, 3, len(names)).tolist(), strict=True))
    abilities = rng.permutation(np.linspace(design.weakest, BEST, RATERS))
    if design.planted:
        abilities[int(DRIFTING[1:])] = BEFORE
    planted = (DRIFTING, STRAIGHT, IGNORANT)
    honest = [at for at in range(RATERS) if f"r{at}" not in planted]
    able = set(sorted(honest, key=lambda at: abilities[at])[-ABLEST:])
    answers: list[StudyAnswer] = []
    for rater in range(RATERS):
        for at, place in enumerate(rng.permutation(len(names))):
            name = names[place]
            ability = _ability_at(f"r{rater}", at, abilities[rater], design)
            # Who does not know the answer guesses one of three.
            knows = bool(rng.random() < (3 * ability - 1) / 2)
            choice = truth[name] if knows else int(rng.integers(0, 3))
            is_straight = design.planted and f"r{rater}" == STRAIGHT
            if is_straight:
                choice = 0
            elif design.planted and name == BROKEN and f"r{rater}" not in planted:
                choice, knows = int(rater in able), True
            answer = _answer(rng, design.kind, name, choice, knows=knows, leaves=is_straight)
            answers.append(_submitted(f"r{rater}", name, at, *answer))
    answers.sort(key=lambda one: one.submitted_at)
    known = {name: truth[name] for name in names[ITEMS:]}
    if design.planted:
        known[MISLABELLED] = (known[MISLABELLED] + 1) % 3
    return _make_table(design.kind, answers, known, seed)


def flags(design: Design, seed: int) -> dict[str, set[str]]:
    """The names of flags by the rater or question that they are about, 'all' for the study."""
    table, kind = simulate(design, seed), get_kind_or_raise(design.kind)
    own = rater_sections(table) if design.kind == "ranking" else kind.statistics(table)
    result: dict[str, set[str]] = {}
    for section in (*own, *quality_sections(kind, table, own)):
        for one in section.figures:
            if one.is_flagged:
                result.setdefault(_subject(one), set()).add(one.name)
    return result


def missed_and_others(result: dict[str, set[str]]) -> tuple[set[str], set[str]]:
    """What was planted without its flag, and what was flagged without having been planted."""
    missed = {name for name, expected in EXPECTED.items() if not result.get(name, set()) & expected}
    return missed, result.keys() - EXPECTED.keys()


def _subject(figure: Figure) -> str:
    return figure.expert or figure.question or "all"


def _ability_at(rater: str, at: int, ability: float, design: Design) -> float:
    """The chance of the right choice in a rater's answer number `at`."""
    if design.planted and rater == IGNORANT:
        return 1 / 3
    is_late = at >= (ITEMS + GOLD) // 2
    return design.after if design.planted and rater == DRIFTING and is_late else ability


def _answer(
    rng: np.random.Generator, kind: str, name: str, choice: int, *, knows: bool, leaves: bool
) -> tuple[str, Payload]:
    """Outcome and payload; leaves: the order shown first as it is."""
    value = VALUES[kind][choice]
    if kind == "ranking":
        shown = _shown_order(name)
        is_kept = leaves or (knows and rng.random() < 0.3)
        order = shown if leaves else _order(rng, value, knows=knows)
        return "confirmed" if is_kept else "changed", {"ranking": [[one] for one in order]}
    if kind == "ratings":
        return "rated", {"levels": {"Quality": int(value)}, "unsure": {}, "comment": ""}
    field = "verdict" if kind == "claims" else "choice"
    return value, {field: value, "because": [], "comment": ""}


def _order(rng: np.random.Generator, first: str, *, knows: bool) -> list[str]:
    """The rest is in order up to one exchange; any order of who does not know."""
    if not knows:
        return [CANDIDATES[place] for place in rng.permutation(len(CANDIDATES))]
    rest = [one for one in CANDIDATES if one != first]
    at = int(rng.integers(0, len(rest) - 1))
    rest[at], rest[at + 1] = rest[at + 1], rest[at]
    return [first, *rest]


def _shown_order(name: str) -> list[str]:
    rng = np.random.default_rng(list(name.encode()))
    return [CANDIDATES[place] for place in rng.permutation(len(CANDIDATES))]


def _submitted(rater: str, name: str, at: int, outcome: str, payload: Payload) -> StudyAnswer:
    time = START + timedelta(minutes=at, seconds=int(rater[1:]))
    return StudyAnswer(name, rater, outcome, payload, time, {}, 1.0, 30.0)


def _make_table(
    kind: str, answers: Sequence[StudyAnswer], known: dict[str, int], seed: int
) -> StudyTable:
    names = dict.fromkeys(one.question for one in answers)
    question = cast(Any, SimpleNamespace(payload={"hypotheses": HYPOTHESES}))
    keys = {
        name: _answer(np.random.default_rng(0), kind, name, choice, knows=True, leaves=False)[1]
        for name, choice in known.items()
    }
    is_right = get_kind_or_raise(kind).is_right
    return StudyTable(
        questions={name: StudyQuestion(name, question, {}) for name in names},
        answers=[one for one in answers if one.question not in keys],
        repeats=(),
        is_open=False,
        seed=seed,
        checks=[
            CheckedStudyAnswer(one, is_right(one.payload, keys[one.question]))
            for one in answers
            if one.question in keys
        ],
        known=keys,
    )
