"""A key in any spelling that readers of JSON, however often they read, would end with."""

import json
import re
from itertools import accumulate, repeat

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from backend.llm.key_removal import KeyRemoval

KEY = "sk/live+5d1f\\7a90c2=="
PRINTABLE = st.characters(min_codepoint=33, max_codepoint=126)
KEYS = st.text(PRINTABLE, min_size=8, max_size=24).filter(lambda key: "\\" not in key)
AROUND = st.text(st.characters(exclude_characters='\\"', exclude_categories=["Cs"]), max_size=6)


def spell(text: str, draw: st.DataObject, levels: int) -> str:
    """As inner JSON of outer JSON, each character with or without an escape at each level."""
    for _ in range(levels):
        text = "".join(draw.draw(st.sampled_from(spellings(one))) for one in text)
    return text


def spellings(character: str) -> list[str]:
    number = f"\\u{ord(character):04x}"
    escaped = [number, number[:2] + number[2:].upper()]
    if character in '\\"/':
        escaped.append(f"\\{character}")
    return escaped if character in '\\"' or ord(character) < 32 else [character, *escaped]


def read(text: str) -> str:
    answer: str = json.loads(f'"{text}"', strict=False)
    return answer


@given(st.data(), KEYS, AROUND, AROUND, st.integers(0, 4))
def test_no_reading_of_what_is_left_has_the_key(
    data: st.DataObject, key: str, before: str, after: str, levels: int
) -> None:
    assume((before + key).index(key) == len(before))  # of zeros, the first ones are cut
    content = before + spell(key, data, levels) + after
    left = KeyRemoval(key).clean_text(content)
    assert left == f"{before}[key]{after}"
    for text in accumulate(repeat(left, levels), lambda one, _: read(one)):
        assert key not in text


@pytest.mark.parametrize("levels", range(1, 4))
@pytest.mark.parametrize("number", ["\\u005c", "\\u005C"])
def test_a_backslash_is_found_by_its_number(number: str, levels: int) -> None:
    written = f"(é \\n) {KEY} (é \\n)"
    for _ in range(levels):
        written = written.replace("\\", number)
    assert re.fullmatch(r"(\(é \S*n\)) \[key\] \1", KeyRemoval(KEY).clean_text(written))


def test_every_occurrence_is_cut_and_the_rest_stays() -> None:
    escaped = KEY.replace("\\", "\\u005c").replace("/", "\\u005cu002f")
    content = f"{KEY}, {escaped}{escaped}; 7a90c2 \\u005c \\/"
    assert KeyRemoval(KEY).clean_text(content) == "[key], [key][key]; 7a90c2 \\u005c \\/"
