"""Which of the entities with a name a mention means."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from backend.graphs.mentions.letter_case import fits_case
from backend.graphs.mentions.linked_mentions import LinkedMention, LinkMethod
from backend.graphs.mentions.name_table import NameTable, OwnedName
from backend.graphs.mentions.spans import WORD_PATTERN, Span
from backend.runtime.normal_form import APOSTROPHES

MIN_FORM = 2
MIN_REJOINED_FORM = 6  # characters
LISTED = ",()[]"
WITHOUT_APOSTROPHES = str.maketrans("", "", APOSTROPHES)
Level = tuple[bool, bool, bool]


@dataclass(frozen=True, slots=True)
class Match:
    """A name that fits a span. Smaller is better."""

    level: Level  # in another number or spelling, a synonym, in other case
    entity: int
    text: str

    @property
    def order(self) -> tuple[Level, int]:
        return (self.level, self.entity)


def match_span(span: Span, names: Sequence[OwnedName], *, in_heading: bool) -> list[Match]:
    """The best match of each entity, best first.

    The same number and spelling come before others, then the entity's own name before a synonym,
    then the same case before another (the case of the first letter does not count), then the entity
    with more edges. The snapshot orders entities so, and those of equal edges by identifier.
    """
    fitting = (
        Match(
            (
                span.is_inflected or one.is_respelt,
                one.is_synonym,
                not same_case(one.text, span.surface),
            ),
            one.entity,
            one.text,
        )
        for one in names
        if is_name_of(span, one.text, in_heading=in_heading)
    )
    best: dict[int, Match] = {}
    for match in sorted(fitting, key=lambda it: it.order):
        best.setdefault(match.entity, match)
    return list(best.values())


def is_name_of(span: Span, name: str, *, in_heading: bool) -> bool:
    if len(span.form) < MIN_FORM or span.form.isdecimal():
        return False
    if len(name.split()) != len(span.surface.split()) and not may_be_rejoined(span):
        return False
    if drops_short_part(name, span.surface) and not same_case(name, span.surface):
        return False
    if any(mark in span.surface and mark not in name for mark in LISTED):
        return False  # 'fever, pain' is a list
    return fits_case(name, span.surface, in_heading=in_heading)


def may_be_rejoined(span: Span) -> bool:
    """Whether spaces may differ: 'IL 6' is IL6, and 'all I' is not alli."""
    is_symbol = span.surface[0].isupper() and any(one.isdigit() for one in span.form)
    return is_symbol or len(span.form) >= MIN_REJOINED_FORM


def drops_short_part(name: str, surface: str) -> bool:
    """'Retin-A' is not 'retina': without the hyphen its A must be in upper case."""
    ours, theirs = (words_of(one) for one in (name, surface))
    return len(ours) != len(theirs) and any(len(one) == 1 and one.isalpha() for one in ours)


def words_of(text: str) -> list[str]:
    return WORD_PATTERN.findall(text.translate(WITHOUT_APOSTROPHES))


def same_case(name: str, surface: str) -> bool:
    ours, theirs = ["".join(filter(str.isalnum, one)) for one in (name, surface)]
    return ours[:1].lower() + ours[1:] == theirs[:1].lower() + theirs[1:]


def choose_entity(
    table: NameTable, text: str, span: Span, matches: Sequence[Match], *, edits: int = 0
) -> LinkedMention:
    """The best match; no entity if another one of the same type matches as well."""
    snapshot, best = table.snapshot, matches[0]
    summary = snapshot.entity_summary(best.entity)
    others = [snapshot.entity_summary(one.entity) for one in matches[1:]]
    rivals = [
        other
        for match, other in zip(matches[1:], others, strict=True)
        if match.level == best.level and other.type == summary.type
    ]
    method: LinkMethod = "typo" if edits else "synonym" if best.level[1] else "exact"
    mention = LinkedMention(
        span.start,
        span.end,
        text[span.start : span.end],
        summary.id,
        summary.name,
        summary.type,
        method,
        1 - edits / max(len(span.form), edits),
        tuple(other.id for other in others),
    )
    if not rivals:
        return mention
    ids = (summary.id, *mention.alternatives)
    return replace(mention, identifier=None, name=best.text, alternatives=ids)


def without_overlaps(mentions: Iterable[LinkedMention]) -> Iterator[LinkedMention]:
    """The longest first; of equal ones the best score, then the first."""
    taken: set[int] = set()
    for one in sorted(mentions, key=lambda it: (it.start - it.end, -it.score, it.start)):
        places = range(one.start, one.end)
        if taken.isdisjoint(places):
            taken.update(places)
            yield one
