"""Whether a query contains what its answer is called.

Names, synonyms and identifiers are looked for by whole words of their normal forms: 'aspirin-like'
contains 'Aspirin', 'aspirins' does not. An abbreviation such as the gene symbols WAS, SET and REST
is often a word as well: it is contained only where an upper-case letter follows the first, by the
rule by which names are linked in texts. Of an identifier such as 'DRUGBANK:DB00945' the part after
the prefix is one as well, unless it has digits alone: any number would be a leak. A name of a
single letter or digit, or without any, is none.
"""

import re
from collections.abc import Iterable, Iterator

from backend.graphs.mentions.letter_case import fits_case, is_abbreviation
from backend.runtime.normal_form import normalize

MIN_LENGTH = 2  # of a normal form
WORD = re.compile(r"[^\W_]+")


def names_of_answer(
    name: str, synonyms: Iterable[str], identifiers: Iterable[str]
) -> Iterator[str]:
    yield name
    yield from synonyms
    for identifier in identifiers:
        yield identifier
        _, has_prefix, local = identifier.partition(":")
        if has_prefix and not local.isdecimal():
            yield local


def find_leaks(text: str, names: Iterable[str]) -> list[str]:
    """Those of the names that the text contains, each once."""
    words = f" {normalize(text, None)} "
    forms = {name: normalize(name, None) for name in names}
    return [
        name
        for name, form in forms.items()
        if len(form) >= MIN_LENGTH
        and f" {form} " in words
        and (not is_abbreviation(name) or is_written_as_symbol(text, name, form))
    ]


def is_written_as_symbol(text: str, name: str, form: str) -> bool:
    return any(
        normalize(surface, None) == form and fits_case(name, surface, in_heading=False)
        for surface in WORD.findall(text)
    )
