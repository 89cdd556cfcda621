"""Which names a text may mean, given how both are written.

Many gene symbols are words: ACHE, KIT, REST. They are names in upper case alone.
"""

from backend.graphs.mentions.ordinary_words import ORDINARY_WORDS

MAX_ABBREVIATION = 6  # letters; longer ones are hardly words
MAX_SHOUTED_WORD = 4
MIN_WORDS_OF_HEADING = 4


def is_abbreviation(name: str) -> bool:
    """Letters alone, at most six, with an upper-case one after the first: ACHE, mTOR, hERG."""
    return len(name) <= MAX_ABBREVIATION and name.isalpha() and not is_lower_after_first(name)


def is_lower_after_first(text: str) -> bool:
    return text[1:] == text[1:].lower() and len(text) > 1


def is_heading(text: str) -> bool:
    """Whether a text is in upper case as a whole, so that upper case means nothing."""
    return text == text.upper() and len(text.split()) >= MIN_WORDS_OF_HEADING


def fits_case(name: str, surface: str, *, in_heading: bool) -> bool:
    """Whether a text may mean a name that it matches in normal form.

    An abbreviation needs upper case after its first letter ('Kit' begins a sentence), a short word
    must not have it ('ARM' is no arm), and an ordinary word such as 'all' is only a name if it is
    written like one.
    """
    if is_abbreviation(name):
        if in_heading:
            return surface.lower() not in ORDINARY_WORDS
        return surface == name or not is_lower_after_first(surface)
    if surface.lower() in ORDINARY_WORDS:
        return surface == name != surface.lower()
    is_shouted = surface.isalpha() and surface.isupper() and len(surface) <= MAX_SHOUTED_WORD
    return in_heading or not is_shouted or name.isupper()
