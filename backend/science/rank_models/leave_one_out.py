"""How much a consensus depends on each rater."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from backend.science.agreement import tau_b
from backend.science.optional_statistic import Statistic
from backend.science.rank_models.choices import RatedQuestion
from backend.science.rankings import Groups, mid_ranks, same_order
from backend.science.rns.partitions import partition_agreement, partition_from_ranking

Consensus = Callable[[Sequence[Groups], Sequence[str]], Groups]


@dataclass(frozen=True)
class WithoutRater:
    """The consensus of the others, compared with that of all raters.

    tau_b: of the two orders. top_overlap: share of the top b that is in both.
    """

    rater: str
    groups: Groups
    same_order: bool
    tau_b: Statistic
    top_overlap: float


@dataclass(frozen=True)
class ConsensusStability:
    """The consensus of all raters, and without each in turn, in order of name.

    same_top: share of raters without whom the top b is the same. n is the number of raters;
    undefined with fewer than two, `too_few_rankings`, and then `without` is empty.
    """

    groups: Groups
    without: tuple[WithoutRater, ...]
    same_top: Statistic


def leave_raters_out(
    question: RatedQuestion, consensus: Consensus, *, size: int | None = None
) -> ConsensusStability:
    """Stability of a consensus, such as `borda_consensus`, when any one rater is left out.

    All rankings of the rater are left out. The top b by `partition_from_ranking`, so a tie at the
    border goes to the first in the order of ids. Raises what these raise.
    """
    ids, raters = question.ids, sorted(set(question.raters))
    complete = consensus(question.rankings, ids)
    if len(raters) < 2:
        return ConsensusStability(complete, (), Statistic(None, len(raters), "too_few_rankings"))
    pairs = list(zip(question.raters, question.rankings, strict=True))
    without = tuple(
        _compare(
            rater,
            complete,
            consensus([one for name, one in pairs if name != rater], ids),
            ids,
            size,
        )
        for rater in raters
    )
    same = sum(one.top_overlap == 1 for one in without)
    return ConsensusStability(complete, without, Statistic(same / len(raters), len(raters)))


def _compare(
    rater: str, complete: Groups, others: Groups, ids: Sequence[str], size: int | None
) -> WithoutRater:
    one, other = (
        partition_from_ranking(groups, ids, size).serendipity for groups in (complete, others)
    )
    return WithoutRater(
        rater,
        others,
        same_order(complete, others),
        tau_b(mid_ranks(complete, ids), mid_ranks(others, ids)),
        partition_agreement(len(ids), one, other).overlap,
    )
