"""What a query must have and must not have, by rules that need no model."""

from collections.abc import Iterable, Mapping, Sequence

from backend.benchmarks.stark_queries.leaks import find_leaks
from backend.runtime.normal_form import normalize
from backend.tracks.synthesis_tasks import Property, WrittenQuery

NAMES_ANSWER, LACKS_ENTITY = "names_answer", "lacks_entity"
LACKS_REQUIREMENT, NO_PROPERTY, REPEATED = "lacks_requirement", "no_property", "repeated"


def remove_leaks(properties: Iterable[Property], names: Sequence[str]) -> list[Property]:
    """Those whose text does not name the answer."""
    return [one for one in properties if not find_leaks(one.text, names)]


def find_fault(
    written: WrittenQuery,
    *,
    names: Sequence[str],
    entities: Iterable[str],
    hard: Mapping[str, str],
) -> tuple[str, str]:
    """Code and sentence; both empty where there is none.

    names: of the answer, which may not occur. entities: names that must occur. hard: requirements
    by id; the words that state one must occur in the query.
    """
    if leaks := find_leaks(written.query, names):
        return NAMES_ANSWER, f"The query contains '{leaks[0]}'."
    for name in entities:
        if not contains(written.query, name):
            return LACKS_ENTITY, f"The query lacks '{name}'."
    for id_, text in hard.items():
        if not contains(written.query, written.words.get(id_, "")):
            return LACKS_REQUIREMENT, f"The query does not state '{text}'."
    return "", ""


def contains(text: str, words: str) -> bool:
    """Whole words of the normal forms, without which nothing is contained."""
    form = normalize(words, None)
    return bool(form) and f" {form} " in f" {normalize(text, None)} "
