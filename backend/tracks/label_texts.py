"""Which of a few labels a text names: by spelling, or in a sentence that does not deny it."""

import re
from collections.abc import Sequence

LONGEST_TEXT = 4_000
SENTENCE_END = re.compile(r"(?<=[.!?;\u3002\uff01\uff1f\n])\s*")
NEGATION = re.compile(
    r"\b(?:no|not|non|nor|neither|never|without|cannot|unlikely|false|wrong|incorrect|excluded?"
    r"|rather|instead|except|unless|either|might|may|could|perhaps|if|whether|pas|ne|ni|jamais|sans"
    r"|nicht|kein\w*|ohne|nie|nunca|não|sin|sem|jamás|ninguna?|не|нет|ни|без)\b|n['\u2019]t\b"
    r"|[不没沒非未无無]|ない|ません|아니|없",
    re.IGNORECASE,
)


def fold_label(text: str) -> str:
    return "".join(one for one in text.casefold() if one.isalnum())


def match_label(text: str, labels: Sequence[str]) -> str | None:
    """The label itself, or the only one that differs in case, spaces and signs alone."""
    if text in labels:
        return text
    same = [label for label in labels if fold_label(label) == fold_label(text)]
    return same[0] if len(same) == 1 else None


def find_only_label(text: str, labels: Sequence[str]) -> str | None:
    """The one label that a text names, if no sentence that names it denies, doubts or questions.

    Conservative: a negation, a condition or a question mark anywhere in such a sentence leaves the
    text without a reading, whatever it is about.
    """
    if len(text) > LONGEST_TEXT:
        return None
    patterns = {label: label_pattern(label) for label in labels if fold_label(label)}
    named = [label for label, pattern in patterns.items() if pattern.search(text)]
    longest = [one for one in named if not is_inside_others(one, named, patterns, text)]
    if len(longest) != 1:
        return None
    pattern = patterns[longest[0]]
    sentences = [one for one in SENTENCE_END.split(text) if pattern.search(one)]
    clear = all(is_assertion(pattern.sub(" ", one)) for one in sentences)
    return longest[0] if sentences and clear else None


def is_assertion(sentence: str) -> bool:
    return not NEGATION.search(sentence) and not sentence.rstrip().endswith(("?", "\uff1f"))


def label_pattern(label: str) -> re.Pattern[str]:
    """The label's words with any separators between them, not inside longer words."""
    words = [re.escape(word) for word in re.findall(r"\w+", label.replace("_", " "))]
    separated = r"[\s_\-]*".join(words) or re.escape(label)
    return re.compile(rf"(?<![\w\-]){separated}(?![\w\-])", re.IGNORECASE)


def is_inside_others(
    label: str, named: Sequence[str], patterns: dict[str, re.Pattern[str]], text: str
) -> bool:
    """Whether the text names the label only as a part of longer ones."""
    rest = text
    for other in named:
        if len(fold_label(other)) > len(fold_label(label)):
            rest = patterns[other].sub(" ", rest)
    return not patterns[label].search(rest)
