"""Paths of at most three steps between two sets of entities: their number, and the best of them.

A path from s to t is a sequence of 1 to 3 edges, each traversed in either direction, through
distinct entities. Parallel edges make different paths. Between two sets, paths are those of every
pair (s, t) with s != t; a path may pass through other members of either set.

Weights of paths, from 0 to 1, greater is better (d = entries of an entity on both sides):

probability  the probability that a random walk from s takes exactly these steps:
             P(path) = product over the entities u that it leaves of 1 / d(u)
degree       the path degree product of Himmelstein and Baranzini (PLoS Computational Biology 11,
             2015, e1004259), as used in Himmelstein et al. (eLife 6, 2017, e26726):
             PDP(path) = product over steps (u, r, v) of (d_r(u) * d_r(v)) ** -w, w = 0.4
             where d_r counts the entries of that relation in that direction (of a symmetric
             relation, in both). The sum of PDP over the paths of a metapath is its degree-weighted
             path count.

Ties: fewer steps first, then by edge numbers.

Method: the first steps from S and the last steps into T are listed and sorted. Two steps are a
merge of both lists. Three steps scan the rows of whichever side has fewer entries through a bit
filter of the other, or search a row that is far longer than the other list. Complexity: O(d(S) log
d(S) + d(T) log d(T) + min(sum of d over N(S), over N(T))).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from backend.runtime.cancellation import CancellationToken
from backend.science.bidirectional_csr import BidirectionalCsr, Bytes, read_only
from backend.science.half_paths import (
    PASS_ALL,
    HalfPaths,
    Ints,
    count_entries,
    half_paths,
    reachable_filter,
)
from backend.science.path_accumulator import TOTAL, PathAccumulator, new_accumulator
from backend.science.path_answers import MAX_HOPS, Metapath, PathSearchResult, build_result
from backend.science.path_kernels import (
    ANY_TYPE,
    PENALTY,
    PROBABILITY,
    SearchRules,
    Types,
    join_ends,
    join_none,
    join_rows,
)

PathOrder = Literal["probability", "degree"]
DAMPING = 0.4
MIN_FILTERED_ENTRIES = 2000  # lists shorter than this are not filtered
ENTRIES_PER_SORTED = 8  # entries scanned in the time that sorting one entry takes
NO_BOUND = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class PathQuery:
    """A path search between entity numbers; `relations` and `metapath` restrict the steps.

    max_degree: entities between the ends with more entries are hidden: their paths are only
    counted.
    max_work: the most entries and paths to examine, after which the counts are lower bounds.
    shortest_only: only paths of the smallest number of steps for which any is not hidden.
    """

    sources: Sequence[int]
    targets: Sequence[int]
    hops: int = MAX_HOPS
    relations: frozenset[int] | None = None
    metapath: Metapath | None = None
    shortest_only: bool = False
    max_degree: int | None = None
    order: PathOrder = "probability"
    damping: float = DAMPING
    limit: int = 100
    max_metapaths: int = 200
    max_work: int = 200_000_000


def find_paths(
    links: BidirectionalCsr,
    types: Types,
    symmetric: Bytes,
    question: PathQuery,
    stop: CancellationToken | None = None,
) -> PathSearchResult:
    """Run a query. types [V] and symmetric [relations] (0 or 1) belong to the graph.

    Without sources, targets or relations the result is empty. Raises IndexError for an unknown
    entity and ValueError for a number of steps outside 1 to 3.
    """
    check_query(links, types, question)
    types = read_only(types)
    flag = (stop or CancellationToken()).flag
    allowed = allowed_codes(question, symmetric)
    sources, targets = select_ends(question, types)
    left, right = build_half_paths(links, question, sources, targets, allowed, flag)
    rules = build_rules(question, types, symmetric, allowed)
    tally = new_accumulator(question.limit)
    lengths = (question.hops,) if question.metapath else range(1, question.hops + 1)
    for hops in lengths:
        join(links, rules, left, right, targets, hops, tally, flag)
        if question.shortest_only and tally.counts[TOTAL]:
            break
    return build_result(rules, left, right, tally, question.max_metapaths, bool(flag[0]))


def build_half_paths(
    links: BidirectionalCsr,
    question: PathQuery,
    sources: Ints,
    targets: Ints,
    allowed: Bytes,
    flag: Bytes,
) -> tuple[HalfPaths, HalfPaths]:
    """First and last steps. The longer list is restricted to entities that the shorter one can
    reach, where computing that costs less than sorting the list.
    """
    owners = sources, targets
    codes = allowed[0], allowed[question.hops - 1 if question.metapath else 0]
    sizes = [count_entries(links, one) for one in owners]
    short = int(sizes[1] < sizes[0])
    result = {short: half_paths(links, owners[short], codes[short], last=bool(short), stop=flag)}
    node_filter, long = PASS_ALL, 1 - short
    cost = total_degree(links, result[short].distinct) if question.hops == MAX_HOPS else 0
    if sizes[long] > MIN_FILTERED_ENTRIES and cost < ENTRIES_PER_SORTED * sizes[long]:
        far = question.hops == MAX_HOPS
        node_filter = reachable_filter(links, owners[short], result[short], cost, far=far)
    result[long] = half_paths(
        links, owners[long], codes[long], last=bool(long), stop=flag, node_filter=node_filter
    )
    return result[0], result[1]


def compile_kernels(links: BidirectionalCsr, types: Types, symmetric: Bytes) -> None:
    """Compile the kernels for these array types, so that later searches do not pay for it."""
    if len(types):
        find_paths(links, types, symmetric, PathQuery([], []))


def join(
    links: BidirectionalCsr,
    rules: SearchRules,
    left: HalfPaths,
    right: HalfPaths,
    targets: Ints,
    hops: int,
    tally: PathAccumulator,
    flag: Bytes,
) -> None:
    """Count and collect the paths of one length."""
    if hops == 1:
        join_none(links, rules, left, right, targets, tally, flag)
    elif hops == 2:
        join_ends(links, rules, left, right, tally, flag)
    else:
        backwards = total_degree(links, right.distinct) < total_degree(links, left.distinct)
        join_rows(links, rules, left, right, backwards, tally, flag)


def total_degree(links: BidirectionalCsr, numbers: Ints) -> int:
    """Total number of entries of these entities."""
    both = ((side[numbers + 1] - side[numbers]).sum() for side in (links[0], links[4]))
    return int(sum(both))


def check_query(links: BidirectionalCsr, types: Types, question: PathQuery) -> None:
    if not 1 <= question.hops <= MAX_HOPS:
        raise ValueError(f"a path has 1 to {MAX_HOPS} steps, not {question.hops}")
    if min(question.limit, question.max_work, question.max_metapaths) < 0:
        raise ValueError("a limit cannot be below zero")
    if question.metapath and len(question.metapath.steps) != question.hops:
        raise ValueError("a metapath must have as many steps as `hops`")
    count = len(links.out_offsets) - 1
    if len(types) != count:
        raise ValueError(f"{count} types are expected, found {len(types)}")
    for number in (*question.sources, *question.targets):
        if not 0 <= number < count:
            raise IndexError(f"there is no entity {number} among {count}")


def select_ends(question: PathQuery, types: Types) -> tuple[Ints, Ints]:
    """Distinct sources and targets; with a metapath, those of its first and last type."""
    both = question.sources, question.targets
    ends = [np.array(sorted(set(one)), np.int32) for one in both]
    if question.metapath:
        end_types = question.metapath.types[0], question.metapath.types[-1]
        ends = [one[types[one] == kind] for one, kind in zip(ends, end_types, strict=True)]
    return ends[0], ends[1]


def allowed_codes(question: PathQuery, symmetric: Bytes) -> Bytes:
    """uint8 [3, 2 x relations]: which codes each step may have."""
    allowed = np.ones((MAX_HOPS, 2 * len(symmetric)), np.uint8)
    if question.relations is not None:
        selected = np.isin(np.arange(len(symmetric)), list(question.relations))
        allowed &= np.repeat(selected, 2).astype(np.uint8)
    if question.metapath:
        only = np.zeros_like(allowed)
        for row, (relation, along) in zip(only, question.metapath.steps, strict=False):
            row[2 * relation + (not along)] = 1
            row[2 * relation + along] |= symmetric[relation]
        allowed &= only
    return allowed


def build_rules(question: PathQuery, types: Types, symmetric: Bytes, allowed: Bytes) -> SearchRules:
    kinds = np.full(2, ANY_TYPE, np.int64)
    if question.metapath:
        between = question.metapath.types[1:-1]
        kinds[: len(between)] = between
    return SearchRules(
        allowed,
        kinds,
        types,
        symmetric,
        NO_BOUND if question.max_degree is None else question.max_degree,
        question.max_work,
        PROBABILITY if question.order == "probability" else PENALTY,
        question.damping,
    )
