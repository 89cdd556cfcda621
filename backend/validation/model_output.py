"""JSON objects in the text of a language model: fences, preambles, thinking, broken and cut JSON.

Nothing is guessed: a last value that is cut off is dropped, an object with two values of one field
is refused, and whoever reads several objects decides what they mean together.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from json_repair import repair_json

MOST_CHARACTERS = 200_000
MOST_REPAIRED_CHARACTERS = 30_000
MOST_OBJECTS = 50
MOST_REPAIRS = 5  # each may read the whole text
MOST_DEPTH = 20
MOST_VALUES = 20_000
DANGLING_KEY_CHARACTERS = 500

Reading = Literal["json", "extracted", "repaired"]
Object = dict[str, object]

THINKING = re.compile(
    r"<(?P<end>/?)(?:think|thinking|thought|reasoning|reflection|scratchpad|analysis)>"
    r"|(?P<sign>◁/?)think▷",
    re.IGNORECASE,
)
FINAL_CHANNEL = "<|channel|>final<|message|>"
DANGLING_KEY = re.compile(r"""(?:,\s*)?(?:"(?:[^"\\]|\\.)*"|'[^'\\]*'|\w+)\s*:\s*$""")
DANGLING_NAME = re.compile(r"""(?<=[,{])\s*"(?:[^"\\]|\\.)*"$""")
DELIMITERS = re.compile(r"[,:\[{]")


class OutputUnreadable(ValueError):
    """code: empty, too_long, unfinished_thinking, repeated_field, broken_object or no_object."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class RepeatedField(OutputUnreadable):
    """Which of the values counts is not known."""

    def __init__(self) -> None:
        super().__init__("repeated_field", "An object has two values of one field.")


@dataclass(frozen=True, slots=True)
class FoundObject:
    """reading: whether the whole text is the object, it stands in other text, or was repaired."""

    value: Object
    reading: Reading


def read_objects(text: str) -> tuple[FoundObject, ...]:
    """The outermost objects in the order of the text. Raises OutputUnreadable if there is none."""
    if len(text) > MOST_CHARACTERS:
        message = f"The answer has {len(text):,} characters, more than {MOST_CHARACTERS:,}."
        raise OutputUnreadable("too_long", message)
    whole = _parse_whole(text)
    if whole is not None:
        return (FoundObject(whole, "json"),)
    rest = strip_thinking(text)
    objects = tuple(_find_objects(rest))
    if not objects and "{" in rest:
        raise OutputUnreadable("broken_object", "The JSON object is broken, or cut off too early.")
    if not objects:
        raise OutputUnreadable("no_object", "The answer has no JSON object.")
    return objects


def strip_thinking(text: str) -> str:
    """What follows and surrounds thinking blocks.

    An end without a beginning ends a block that the chat template began. Raises OutputUnreadable
    where nothing is left.
    """
    text = text.rpartition(FINAL_CHANNEL)[2]
    parts: list[str] = []
    at, is_thinking = 0, False
    for tag in THINKING.finditer(text):
        is_end = tag["end"] == "/" or tag["sign"] == "◁/"
        if not is_thinking:
            parts.append(text[at : tag.start()])
        if is_end and not is_thinking:
            parts.clear()
        at, is_thinking = tag.end(), not is_end
    if not is_thinking:
        parts.append(text[at:])
    rest = "".join(parts).strip("\ufeff \t\r\n")
    if not rest:
        if is_thinking:
            raise OutputUnreadable("unfinished_thinking", "The answer ends while it thinks.")
        raise OutputUnreadable("empty", "The answer is empty.")
    return rest


def _parse_whole(text: str) -> Object | None:
    try:
        value = DECODER.decode(text.strip("\ufeff \t\r\n"))
    except RepeatedField:
        raise
    except (ValueError, RecursionError):
        return None  # it may stand in other text, or be broken
    return value if isinstance(value, dict) and _is_small(value) else None


def _find_objects(text: str) -> Iterator[FoundObject]:
    at, repairs = text.find("{"), 0
    for _ in range(MOST_OBJECTS):
        if at < 0 or repairs == MOST_REPAIRS:
            return
        try:
            value, end = DECODER.raw_decode(text, at)
            reading: Reading = "extracted"
        except RepeatedField:
            raise
        except (ValueError, RecursionError):
            value, end = _repair_from(text, at)
            reading, repairs = "repaired", repairs + 1
        if isinstance(value, dict) and value and _is_small(value):
            yield FoundObject(value, reading)
        at = text.find("{", end)


def _repair_from(text: str, start: int) -> tuple[object, int]:
    """The object that begins at `start`, and where it ends.

    An object that no bracket closes is first read as JSON that was cut off: a bracket inside its
    last string would look like the end.
    """
    if end := _match_bracket(text, start, '"'):
        return _repair(text[start:end]), end
    cut = drop_incomplete_value(text[start:].rstrip("`\r\n\t "))
    closed = _close_brackets(cut)
    if closed is None:
        closed = _close_brackets(_sub_tail(DANGLING_NAME, cut))
    if closed is not None:
        return closed, len(text)
    if end := _match_bracket(text, start, ""):
        return _repair(text[start:end]), end
    return _repair(cut), len(text)


def _match_bracket(text: str, start: int, quote: str) -> int:
    depth, is_inside, at = 0, False, start
    while at < len(text):
        character = text[at]
        if is_inside and character == "\\":
            at += 1
        elif quote and character == quote:
            is_inside = not is_inside
        elif not is_inside:
            depth += (character == "{") - (character == "}")
            if depth == 0:
                return at + 1
        at += 1
    return 0


def _repair(segment: str) -> object:
    if len(segment) > MOST_REPAIRED_CHARACTERS or _depth_of(segment) > MOST_DEPTH:
        return None
    try:
        value: object = repair_json(segment, return_objects=True, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError, TypeError):
        return None
    if isinstance(value, dict) and _repeats_field(segment, value):
        raise RepeatedField
    return _join_surrogates(value) if _is_small(value) else None


def _close_brackets(segment: str) -> object:
    """What a cut object has so far; None if it is broken in other ways too."""
    opened: list[str] = []
    at = 0
    while at < len(segment):
        if segment[at] == '"':
            at = _string_end(segment, at)
        elif segment[at] in "{[":
            opened.append("}" if segment[at] == "{" else "]")
        elif segment[at] in "}]" and opened:
            opened.pop()
        at += 1
    try:
        value: object = DECODER.decode(segment.rstrip(", \r\n\t") + "".join(reversed(opened)))
    except RepeatedField:
        raise
    except (ValueError, RecursionError):
        return None
    return value


def _string_end(segment: str, start: int) -> int:
    """Of the quote that ends the string which begins at `start`; the length if none does."""
    at = start + 1
    while at < len(segment) and segment[at] != '"':
        at += 2 if segment[at] == "\\" else 1
    return at


def _join_surrogates(value: object) -> object:
    """The repair leaves the two halves of an escaped character apart."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_join_surrogates(name): _join_surrogates(one) for name, one in value.items()}
    return [_join_surrogates(one) for one in value] if isinstance(value, list) else value


def drop_incomplete_value(segment: str) -> str:
    """Without a string, number or word at the end that may have gone on, and without its key."""
    quote = '"' if '"' in segment else "'"
    opened = _open_string(segment, quote)
    if opened >= 0:
        segment = segment[:opened]
    elif segment and segment[-1] not in "}]\"'":
        last = max((one.end() for one in DELIMITERS.finditer(segment)), default=0)
        segment = segment[:last]
    return _sub_tail(DANGLING_KEY, segment.rstrip())


def _sub_tail(pattern: re.Pattern[str], segment: str) -> str:
    """Without what the pattern matches in the last characters: in all, it would be slow."""
    start = max(len(segment) - DANGLING_KEY_CHARACTERS, 0)
    return segment[:start] + pattern.sub("", segment[start:])


def _open_string(segment: str, quote: str) -> int:
    """Where a string begins that does not end; -1 if all end."""
    opened, at = -1, 0
    while at < len(segment):
        if opened >= 0 and segment[at] == "\\":
            at += 1
        elif segment[at] == quote:
            opened = -1 if opened >= 0 else at
        at += 1
    return opened


def _depth_of(segment: str) -> int:
    """The deepest nesting of brackets, those in strings included."""
    depth = deepest = 0
    for character in segment:
        depth += (character in "{[") - (character in "}]")
        deepest = max(deepest, depth)
    return deepest


def _repeats_field(segment: str, value: Object) -> bool:
    """Whether a plain field may have been given twice, of which a repair takes one in silence."""
    plain = [name for name, one in value.items() if not isinstance(one, dict | list) and name]
    return any(
        len(re.findall(rf"""(?:^|[{{,\s])["']?{re.escape(name)}["']?\s*:""", segment)) > 1
        for name in plain[:MOST_OBJECTS]
    )


def _is_small(value: object) -> bool:
    """Within the limits of depth and number of values."""
    level, depth, total = [value], 0, 0
    while level:
        depth, total = depth + 1, total + len(level)
        if depth > MOST_DEPTH or total > MOST_VALUES:
            return False
        level = [inner for one in level for inner in _inner_values(one)]
    return True


def _inner_values(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value.values()]
    return value if isinstance(value, list) else []


def _build_object(pairs: list[tuple[str, object]]) -> Object:
    built = dict(pairs)
    if len(built) < len(pairs) and any(built[name] != value for name, value in pairs):
        raise RepeatedField
    return built


def _refuse_constant(word: str) -> object:
    raise ValueError(f"{word} is not a JSON number")


DECODER = json.JSONDecoder(object_pairs_hook=_build_object, parse_constant=_refuse_constant)
