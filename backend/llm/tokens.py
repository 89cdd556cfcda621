"""Counts of tokens without the model's tokenizer: an estimate, and an upper bound."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from backend.llm.call_keys import json_text
from backend.tracks.model_tasks import Message

# What tokenizers that were trained on text and code do: a word begins with its space, long words
# and numbers are cut, signs stand alone.
MAX_PIECE = 6
PIECE = re.compile(rf"[ ]?[A-Za-z]{{1,{MAX_PIECE}}}|[ ]?\d{{1,3}}|\s+|[^\sA-Za-z\d]")
# Beyond ASCII: digits and spaces, of which one piece has several; signs of four bytes.
OTHER_RUN = re.compile(r"(?![\x00-\x7f])[\d\s]")
LONG_SIGN = re.compile("[\U00010000-\U0010ffff]")
# Of the frame around a message, and around the answer.
TOKENS_OF_A_MESSAGE, TOKENS_OF_AN_ANSWER = 4, 3
MOST_FRAME_TOKENS = 64  # of templates with instructions of their own, each message
LARGEST_ERROR, SLACK_TOKENS = 0.20, 16


def estimate_tokens(text: str) -> int:
    """Within about 20 % for English with JSON; more for other scripts, where two bytes count as a
    token. A prompt with papers has ten thousand pieces: they are counted without a loop."""
    if text.isascii():
        return len(PIECE.findall(text))
    if OTHER_RUN.search(text):
        return sum(map(_tokens_of_piece, PIECE.findall(text)))
    return len(PIECE.findall(text)) + len(LONG_SIGN.findall(text))


def _tokens_of_piece(piece: str) -> int:
    if piece.isascii():
        return 1
    return max(1, len(piece.encode("utf-8", "surrogatepass")) // 2)


def estimate_prompt(messages: Iterable[Message]) -> int:
    texts = sum(estimate_tokens(one.content) + TOKENS_OF_A_MESSAGE for one in messages)
    return texts + TOKENS_OF_AN_ANSWER


def estimate_options(extra: Mapping[str, Any]) -> int:
    """The schema or tools, which are part of what the model reads."""
    return estimate_tokens(json_text(extra)) if extra else 0


def most_prompt_tokens(messages: Iterable[Message], extra: Mapping[str, Any] | None) -> int:
    """An upper bound: a token stands for at least one byte."""
    frames = sum(
        len(one.content.encode("utf-8", "surrogatepass")) + MOST_FRAME_TOKENS for one in messages
    )
    return frames + MOST_FRAME_TOKENS + (2 * len(json_text(extra)) if extra else 0)


def differs(reported: int, own: int) -> bool:
    """By more than 20 %, and by more than what short texts vary. Less than half is wrong for the
    shortest text: otherwise an answer in a word could be counted as none."""
    tolerance = max(LARGEST_ERROR * max(reported, own), SLACK_TOKENS)
    return abs(reported - own) > tolerance or 2 * reported < own


def is_prompt_count(reported: int, bare: int, whole: int) -> bool:
    """Whether a count is of the messages alone, of these with the schema, or between:
    servers that enforce a schema by a grammar have no tokens of it. bare, whole: own counts."""
    is_between = (1 - LARGEST_ERROR) * bare <= reported <= whole
    return is_between or not differs(reported, whole)
