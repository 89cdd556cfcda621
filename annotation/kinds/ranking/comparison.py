"""How an expert's first choice compares with the others', in one sentence."""

from collections import Counter
from collections.abc import Sequence

from annotation.kinds.base import Payload
from annotation.kinds.ranking.schema import RankingItem


def compare_first_choices(item: RankingItem, own: Payload | None, others: Sequence[Payload]) -> str:
    """Candidates that are tied for the first place count as one choice."""
    counts = Counter(_first_choice(item, one) for one in others)
    [(most, most_count), *_] = counts.most_common()
    common = f"{most_count} of {len(others)} others put {most} first"
    if own is None:
        return f"{common}."
    first = _first_choice(item, own)
    if counts[first] == most_count:
        return f"{most_count} of {len(others)} others put {first} first, as you did."
    same = f"{counts[first]} put {first} first, as you did"
    return f"{common}; {same if counts[first] else f'you put {first} first'}."


def _first_choice(item: RankingItem, answer: Payload) -> str:
    top = set(answer["ranking"][0])
    return " and ".join(one.name for one in item.candidates if one.id in top)
