"""Paths of at most three steps between two sets of entities, counted and the best of them kept.

A path from s to t is a sequence of 1 to 3 edges, each walked along or against its direction,
through entities that are all different. Parallel edges make different paths. Between two sets,
paths are those of every pair (s, t) with s != t; a path may run through other members of either.

Ways of ordering paths, both from 0 to 1, the greater the better (d = entries of an entity on both
sides):

probability  the chance that a random walk from s takes exactly these steps:
             P(path) = product over the entities u that it leaves of 1 / d(u)
degree       the path degree product of Himmelstein and Baranzini (PLoS Computational Biology 11,
             2015, e1004259), as used in Himmelstein et al. (eLife 6, 2017, e26726):
             PDP(path) = product over steps (u, r, v) of (d_r(u) * d_r(v)) ** -w, w = 0.4
             where d_r counts the entries of that relation in that direction (of a symmetric
             relation, in both). The sum of PDP over a kind's paths is its degree-weighted count.

Equal weights: fewer steps first, then by the edges' numbers.

Method: the first steps from S and the last steps into T are listed and sorted; two steps are a
merge of both, three steps look through the rows of whichever side has fewer entries, through a
bit filter of the other, or search the row where it is far longer than the other list. Costs
O(d(S) log d(S) + d(T) log d(T) + min(sum of d over N(S), over N(T))).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from backend.science.ends import EVERY, Ends, Ints, count_entries, ends_of, reach_of
from backend.science.links import Bytes, Links, unwritable
from backend.science.path_answers import LONGEST, Answer, Metapath, answer_of
from backend.science.path_kernels import (
    ANY,
    PENALTY,
    PROBABILITY,
    Rules,
    Types,
    join_ends,
    join_none,
    join_rows,
)
from backend.science.stopping import Stop
from backend.science.tallies import FOUND, Tally, tally_for

Order = Literal["probability", "degree"]
DAMPING = 0.4
LONG = 2000  # entries of a list that is worth being made shorter
PER_SORTED = 8  # entries that are looked at in the time in which one is copied and sorted
NO_BOUND = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Question:
    """What is searched. Entities are numbers; `relations` and `metapath` limit the steps.

    hub: entities between the ends with more entries are hidden: their paths are counted only.
    work: the most entries and paths to look at, after which the counts are lower bounds.
    shortest: only the paths of the fewest steps for which there are any that are not hidden.
    """

    sources: Sequence[int]
    targets: Sequence[int]
    hops: int = LONGEST
    relations: frozenset[int] | None = None
    metapath: Metapath | None = None
    shortest: bool = False
    hub: int | None = None
    order: Order = "probability"
    damping: float = DAMPING
    limit: int = 100
    kinds: int = 200
    work: int = 200_000_000


def find_paths(
    links: Links, types: Types, symmetric: Bytes, question: Question, stop: Stop | None = None
) -> Answer:
    """Answer a question. types [V] and symmetric [relations] (0 or 1) belong to the links.

    Without sources or targets, or relations, there is nothing. Raises IndexError for an entity
    that is not there and ValueError for a question that asks for no or more than three steps.
    """
    check(links, types, question)
    types = unwritable(types)
    flag = (stop or Stop()).flag
    allowed = allowed_codes(question, symmetric)
    sources, targets = ends_wanted(question, types)
    left, right = both_ends(links, question, sources, targets, allowed, flag)
    rules = rules_of(question, types, symmetric, allowed)
    tally = tally_for(question.limit)
    for hops in lengths(question):
        join(links, rules, left, right, targets, hops, tally, flag)
        if question.shortest and tally.counts[FOUND]:
            break
    return answer_of(rules, left, right, tally, question.kinds, bool(flag[0]))


def both_ends(
    links: Links, question: Question, sources: Ints, targets: Ints, allowed: Bytes, flag: Bytes
) -> tuple[Ends, Ends]:
    """First and last steps. Of the longer list, only what the shorter one may lead to is kept,
    where finding that out costs less than sorting the list."""
    owners = sources, targets
    codes = allowed[0], allowed[question.hops - 1 if question.metapath else 0]
    sizes = [count_entries(links, one) for one in owners]
    short = int(sizes[1] < sizes[0])
    found = {short: ends_of(links, owners[short], codes[short], last=bool(short), stop=flag)}
    wanted, long = EVERY, 1 - short
    cost = entries(links, found[short].distinct) if question.hops == LONGEST else 0
    if sizes[long] > LONG and cost < PER_SORTED * sizes[long]:
        far = question.hops == LONGEST
        wanted = reach_of(links, owners[short], found[short], cost, far=far)
    found[long] = ends_of(
        links, owners[long], codes[long], last=bool(long), stop=flag, wanted=wanted
    )
    return found[0], found[1]


def prepare(links: Links, types: Types, symmetric: Bytes) -> None:
    """Compile all that a search over such arrays needs, so that none of its time goes there."""
    if len(types):
        find_paths(links, types, symmetric, Question([], []))


def join(
    links: Links,
    rules: Rules,
    left: Ends,
    right: Ends,
    targets: Ints,
    hops: int,
    tally: Tally,
    flag: Bytes,
) -> None:
    """Count and keep the paths of one length."""
    if hops == 1:
        join_none(links, rules, left, right, targets, tally, flag)
    elif hops == 2:
        join_ends(links, rules, left, right, tally, flag)
    else:
        backwards = entries(links, right.distinct) < entries(links, left.distinct)
        join_rows(links, rules, left, right, backwards, tally, flag)


def entries(links: Links, numbers: Ints) -> int:
    """The entries of all of them."""
    both = ((side[numbers + 1] - side[numbers]).sum() for side in (links[0], links[4]))
    return int(sum(both))


def check(links: Links, types: Types, question: Question) -> None:
    if not 1 <= question.hops <= LONGEST:
        raise ValueError(f"a path has 1 to {LONGEST} steps, not {question.hops}")
    if min(question.limit, question.work, question.kinds) < 0:
        raise ValueError("a limit cannot be below zero")
    if question.metapath and len(question.metapath.steps) != question.hops:
        raise ValueError("a kind of path must have as many steps as are asked for")
    count = len(links.out_offsets) - 1
    if len(types) != count:
        raise ValueError(f"{count} types are expected, and there are {len(types)}")
    for number in (*question.sources, *question.targets):
        if not 0 <= number < count:
            raise IndexError(f"there is no entity {number} among {count}")


def lengths(question: Question) -> Iterable[int]:
    return (question.hops,) if question.metapath else range(1, question.hops + 1)


def ends_wanted(question: Question, types: Types) -> tuple[Ints, Ints]:
    """Sources and targets, once each; of a kind of path, those of its first and last type."""
    both = question.sources, question.targets
    found = [np.array(sorted(set(one)), np.int32) for one in both]
    if question.metapath:
        wanted = question.metapath.types[0], question.metapath.types[-1]
        found = [one[types[one] == kind] for one, kind in zip(found, wanted, strict=True)]
    return found[0], found[1]


def allowed_codes(question: Question, symmetric: Bytes) -> Bytes:
    """uint8 [3, 2 x relations]: which codes each step may have."""
    allowed = np.ones((LONGEST, 2 * len(symmetric)), np.uint8)
    if question.relations is not None:
        wanted = np.isin(np.arange(len(symmetric)), list(question.relations))
        allowed &= np.repeat(wanted, 2).astype(np.uint8)
    if question.metapath:
        only = np.zeros_like(allowed)
        for row, (relation, along) in zip(only, question.metapath.steps, strict=False):
            row[2 * relation + (not along)] = 1
            row[2 * relation + along] |= symmetric[relation]
        allowed &= only
    return allowed


def rules_of(question: Question, types: Types, symmetric: Bytes, allowed: Bytes) -> Rules:
    kinds = np.full(2, ANY, np.int64)
    if question.metapath:
        between = question.metapath.types[1:-1]
        kinds[: len(between)] = between
    return Rules(
        allowed,
        kinds,
        types,
        symmetric,
        NO_BOUND if question.hub is None else question.hub,
        question.work,
        PROBABILITY if question.order == "probability" else PENALTY,
        question.damping,
    )
