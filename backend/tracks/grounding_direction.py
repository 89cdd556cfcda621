"""Who acts on whom in a claim, a phrase or a sentence, and whether its verb is denied.

Words are in normal form; each mention of an entity is one word, of which others see the number.
A verb is active ('A inhibits B'), or passive where its object comes first ('B is inhibited by A',
'inhibition of B by A', 'the B inhibitor A'). Lists of English words, tuned on nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from backend.tracks.grounding_words import (
    NEGATION,
    STOPWORDS,
    VERB_STEMS,
    are_opposite,
    kinds_of,
    stem,
)

ENTITY = "\x01"  # with the number of the entity
BE = frozenset(["is", "are", "was", "were", "be", "been", "being"])
BETWEEN_VERB = frozenset(
    [
        "not",
        "never",
        "also",
        "often",
        "only",
        "always",
        "no",
        "longer",
        "be",
        "been",
        "being",
        "or",
        "and",
    ]
)
IRREGULAR = frozenset(
    ["known", "shown", "found", "driven", "led", "bound", "made", "given", "taken", "broken"]
)
AGENTS = ("or", "ors", "ist", "ists", "blocker", "blockers", "inducer", "enhancer", "transporter")
NOUNS = (*AGENTS, "ion", "ions", "ment", "ity", "ance", "ence", "therapy")
CONTRASTS = frozenset(["but", "whereas", "while", "however", "although", "though", "yet"])
JOINED = frozenset(["to", "or", "nor", "and", "that"])  # a negation before holds after them
FROM_FIRST = frozenset(map(stem, ("results", "follows", "arises")))  # 'B results from A'
# Relations in which the order of the ends means nothing.
SYMMETRIC_TEXT = "associated linked related interacts binds correlates connected resembles"
SYMMETRIC = frozenset(map(stem, SYMMETRIC_TEXT.split()))
AFTER = 4  # words after a verb among which its 'by' is
BEFORE = 12  # words before a verb among which its negation is


class Voice(StrEnum):
    ACTIVE = "active"
    PASSIVE = "passive"


@dataclass(frozen=True)
class Words:
    """The words of a text, entities as ENTITY and their number."""

    words: Sequence[str]

    @cached_property
    def verbs(self) -> list[int]:
        """Places of words that state a relation; without one, of those with the form of a verb."""
        places = [at for at, one in enumerate(self.words) if self._is_content(one)]
        known = [at for at in places if stem(self.words[at]) in VERB_STEMS]
        return known or [at for at in places if re.search(r"[^s]s$|ed$", self.words[at])]

    @cached_property
    def main_verb(self) -> int | None:
        """The first that is no noun, else the first."""
        plain = (at for at in self.verbs if not self._is_noun(at))
        return next(plain, self.verbs[0] if self.verbs else None)

    @staticmethod
    def _is_content(word: str) -> bool:
        return not word.startswith(ENTITY) and word not in STOPWORDS and not NEGATION.match(word)

    def _is_plain_verb(self, at: int) -> bool:
        return self.stem_at(at) in VERB_STEMS and not self._is_noun(at)

    def _is_noun(self, at: int) -> bool:
        return self.words[at].endswith(NOUNS)

    def stem_at(self, at: int) -> str:
        return stem(self.words[at])

    def matching(self, sought_stem: str) -> list[int]:
        """Verbs of the same stem, else of the same kind, else of the opposite kind."""
        kinds = kinds_of([sought_stem])
        own = [(at, kinds_of([self.stem_at(at)])) for at in self.verbs]
        same = [at for at in self.verbs if self.stem_at(at) == sought_stem]
        alike = [at for at, kind in own if kind & kinds]
        return same or alike or [at for at, kind in own if are_opposite(kinds, kind)]

    def ends(self, at: int, pair: Sequence[str] | None = None) -> tuple[int | None, int | None]:
        """Places of the nearest entity before a verb, and of the nearest other one after it."""
        places = [
            place
            for place, one in enumerate(self.words)
            if (one.startswith(ENTITY) if pair is None else one in pair)
        ]
        before = max((one for one in places if one < at), default=None)
        after = (
            one
            for one in places
            if one > at and (before is None or self.words[one] != self.words[before])
        )
        return before, next(after, None)

    def voice(self, at: int, before: int | None, after: int | None) -> Voice:
        """Of the verb at a place between two entities; without them, of a phrase."""
        following = self.words[at + 1 : after if after is not None else len(self.words)]
        word, near = self.words[at], following[:AFTER]
        is_agent = word.endswith(AGENTS) and before == at - 1 and "of" not in following[:1]
        is_source = stem(word) in FROM_FIRST and "from" in following[:1]
        if (
            (is_participle_form(word) and (self._follows_be(at) or "by" in near))
            or (self._is_noun(at) and "by" in following)
            or (is_agent and after is not None)
            or is_source
        ):
            return Voice.PASSIVE
        return Voice.ACTIVE

    def _follows_be(self, at: int) -> bool:
        for one in reversed(self.words[:at]):
            if one in BE:
                return True
            if one not in BETWEEN_VERB and not one.endswith("ly") and stem(one) not in VERB_STEMS:
                return False
        return False

    def agent_first(self, at: int, pair: Sequence[str]) -> bool | None:
        """Whether the first of two entities acts on the other by this verb; None: not stated."""
        before, after = self.ends(at, pair)
        if after is None or len(pair) < 2:
            return None
        if before is not None:
            is_first = self.words[before] == pair[0]
            return is_first == (self.voice(at, before, after) == Voice.ACTIVE)
        last = next(
            (
                place
                for place in range(after + 1, len(self.words))
                if self.words[place] in pair and self.words[place] != self.words[after]
            ),
            None,
        )
        if last is None or "of" not in self.words[at + 1 : after]:
            return None
        is_first, between = self.words[after] == pair[0], self.words[after + 1 : last]
        if "on" in between:  # 'effect of A on B'
            return is_first
        if BE.union(("by", "with")).intersection(between):  # 'inhibition of B by A'
            return not is_first
        return None

    def distance(self, at: int, pair: Sequence[str]) -> tuple[int, int]:
        """Words to the next of these entities after a place, then to the last one before it."""
        before, after = self.ends(at, pair)
        far = len(self.words)
        return (far if after is None else after - at), (far if before is None else at - before)

    def noun_voice(self, noun: str) -> Voice | None:
        """Of a word that is in no list of verbs, by its stem: 'B is a side effect of A' and 'B is
        broken down by A' are passive."""
        at = next((at for at in range(len(self.words)) if self.stem_at(at) == noun), None)
        if at is None:
            return None
        has_be = BE.intersection(self.words[max(at - AFTER, 0) : at])
        is_participle = any(is_participle_form(one) for one in self.words[max(at - 1, 0) : at + 1])
        is_passive = has_be and (is_participle or "of" in self.words[at + 1 : at + 3])
        return Voice.PASSIVE if is_passive else Voice.ACTIVE

    def is_denied(self, at: int, ends: Sequence[str] = ()) -> bool:
        """Whether a negation is before the verb or directly after it, or directly before one of
        these entities. Two negations are none."""
        places = {*self._denials_before(at), *self._denials_from(at + 1, 1)}
        for place, one in enumerate(self.words):
            if one in ends:
                places.update(self._denials_from(place - 1, -1))
        words = [self.words[place] for place in places]
        return (len(words) - ("neither" in words and "nor" in words)) % 2 == 1

    def _denials_before(self, at: int) -> list[int]:
        """Up to a contrast or another verb, which has its own negation."""
        denials: list[int] = []
        for place in range(at, max(at - BEFORE, 0) - 1, -1):
            word = self.words[place]
            following = self.words[place + 1] if place < at else ""
            if NEGATION.fullmatch(word):
                if following != "only":
                    denials.append(place)
            elif word in CONTRASTS or (
                place < at and following not in JOINED and self._is_plain_verb(place)
            ):
                break
        return denials

    def _denials_from(self, at: int, step: int) -> list[int]:
        """Among small words next to a place."""
        denials: list[int] = []
        while 0 <= at < len(self.words):
            word = self.words[at]
            if NEGATION.fullmatch(word):
                if "only" not in self.words[at + 1 : at + 2]:
                    denials.append(at)
            elif word not in STOPWORDS or word in CONTRASTS:
                break
            at += step
        return denials


def mask_names(form: str, names: Sequence[Sequence[str]]) -> Words:
    """Of a text in normal form between spaces: the longest names first."""
    numbered = [(name, number) for number, several in enumerate(names) for name in several]
    for name, number in sorted(numbered, key=lambda one: -len(one[0])):
        form = form.replace(f" {name} ", f" {ENTITY}{number} ")
    return Words(form.split())


def is_participle_form(word: str) -> bool:
    return word.endswith("ed") or word in IRREGULAR


def is_directed(verb: str) -> bool:
    """Whether the order of the ends matters to a verb with this stem."""
    return verb not in SYMMETRIC
