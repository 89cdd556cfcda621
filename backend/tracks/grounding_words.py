"""Words of claims and evidence: stems, kinds of relations, negations, doubts.

Lists of common English words, written once and tuned on nothing.
"""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache

from backend.runtime.normal_form import normalize

LEAST_STEM = 4
SUFFIX_TEXT = """
ational ations ation ating ative atory ators ator ated ates ate ings ing ions ion ors or ers er
ment ments ably able ally edly ed ies es ely ly y s e
"""
SUFFIXES = tuple(SUFFIX_TEXT.split())
STOPWORD_TEXT = """
a an the of in on at to for by with from as is are was were be been being and or but nor so if
than then that this these those it its they their them there which who whom whose what when
where while do does did done has have had having will would shall should can could may might
must also both either each any all some such other more most very much well thus therefore
hence however into onto over under between among via through during after before about within
up out per etc not no
"""
STOPWORDS = frozenset(STOPWORD_TEXT.split())
NEGATION = re.compile(
    r"\b(?:no|not|non|nor|neither|never|none|without|cannot|cant|doesnt|dont|didnt|isnt|arent|wasnt"
    r"|werent|fails?|failed|lacks?|lacked|lacking|absence|unable|unlikely|unaffected|unchanged"
    r"|unrelated|independent|little|hardly)\b"
)
DOUBT = re.compile(
    r"\b(?:may|might|could|possibly|perhaps|potentially|potential|putative|suggest\w*|hypothes\w*"
    r"|whether|speculat\w*|unclear|unknown|if|propos\w*|would|should|expected|postulat\w*)\b"
)
DISPUTE = re.compile(
    r"\b(?:false|falsely|untrue|incorrect\w*|wrong\w*|mistaken\w*|myth|refut\w*|disprov\w*|debunk\w*"
    r"|deny|denies|denied|disput\w*|contrary|nobody|no one|doubt\w*|controversial|contested)\b"
)
AUXILIARY_TEXT = "is are was were be been has have had can may might could will would does do did"
AUXILIARIES = frozenset(AUXILIARY_TEXT.split())


class Kind(StrEnum):
    """What a relation states. Several may hold; the opposite of UP is DOWN."""

    UP = "up"
    DOWN = "down"
    CAUSE = "cause"
    TREAT = "treat"
    LINK = "link"  # that there is some relation


KIND_WORDS: Mapping[Kind, str] = {
    Kind.UP: "activates increases stimulates upregulates induces promotes enhances elevates raises "
    "augments agonist potentiates boosts higher amplifies positively increased facilitates",
    Kind.DOWN: "inhibits decreases reduces suppresses blocks downregulates antagonist antagonizes "
    "attenuates lowers diminishes impairs silences represses prevents lower abolishes negatively "
    "blocker suppression reduction",
    Kind.CAUSE: "causes leads produces triggers provokes drives results underlies responsible",
    Kind.TREAT: "treats relieves alleviates ameliorates cures treatment therapy therapeutic heals "
    "improves manages",
    Kind.LINK: "associated linked related interacts binds affects involves targets modulates "
    "regulates correlates influences connected contributes changes acts mediates",
}
OTHER_VERBS = (
    "encodes expresses metabolizes shows demonstrates found reported requires plays participates "
    "phosphorylates transports converts catalyzes forms contains occurs depends responds localizes "
    "indicates supports suggests means makes known remains becomes includes carries exhibits "
    "develops protects cleaves resembles transcribes belongs degrades secretes releases spreads "
    "grows survives binds recruits signals accumulates reaches crosses kills enters"
)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Of a word in normal form: 'inhibits', 'inhibitor' and 'inhibition' are equal."""
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= LEAST_STEM:
            return word[: -len(suffix)]
    return word


KINDS: Mapping[str, Kind] = {
    stem(word): kind for kind, words in KIND_WORDS.items() for word in words.split()
}
VERB_STEMS = frozenset(KINDS) | frozenset(map(stem, OTHER_VERBS.split()))


def is_verb(word: str) -> bool:
    """A verb of relations, or one that helps another; nouns of the same stem count as well."""
    form = normalize(word)
    return form in AUXILIARIES or stem(form) in VERB_STEMS


def kinds_of(stems: Iterable[str]) -> frozenset[Kind]:
    return frozenset(KINDS[one] for one in stems if one in KINDS)


def content_stems(text: str) -> list[str]:
    """Of a text in normal form, in order, with repetitions."""
    return [stem(word) for word in text.split() if word not in STOPWORDS]


def are_opposite(first: frozenset[Kind], second: frozenset[Kind]) -> bool:
    """One is up and the other down, and neither is both."""
    up_down = {Kind.UP, Kind.DOWN}
    one, other = first & up_down, second & up_down
    return len(one) == 1 and len(other) == 1 and one != other


def is_negated(text: str) -> bool:
    """Of a text in normal form: two negations are none."""
    return len(NEGATION.findall(text)) % 2 == 1


def is_doubtful(text: str) -> bool:
    return DOUBT.search(text) is not None


def is_disputed(text: str) -> bool:
    """Of a text in normal form: it is about what others hold true, so that its verb states nothing,
    as in 'it is false that A inhibits B'."""
    return DISPUTE.search(text) is not None
