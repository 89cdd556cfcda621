"""The encoder against loops over plain numbers, its tokens, and its files."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping

import numpy as np
import pytest

from backend.science.sentence_encoder.encoder import SentenceEncoder
from backend.science.sentence_encoder.safetensors import read_arrays
from backend.science.sentence_encoder.wordpiece import WordPieces

PIECES = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "liver", "fail", "##ure", "il", "-", "6", "'", "crohn"),
    *("s", "un", "##wan", "##ted", "肝", "臓", "a"),
]
VOCABULARY = {piece: number for number, piece in enumerate(PIECES)}
WORDS = WordPieces(VOCABULARY, 12)
WIDTH, INNER, HEADS, LAYERS = 6, 8, 2, 2
Matrix = list[list[float]]


def tokens(text: str) -> list[str]:
    return [PIECES[number] for number in WORDS.encode(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Liver failure", "liver fail ##ure"),
        ("IL-6", "il - 6"),
        ("Crohn's", "crohn ' s"),
        ("unwanted", "un ##wan ##ted"),
        ("unwantedx", "[UNK]"),
        ("LÍVER\u0000\u200b\tFail", "liver fail"),
        ("肝臓", "肝 臓"),
        ("a" * 101, "[UNK]"),
        ("", ""),
        ("a " * 50, " ".join("a" * 10)),
    ],
)
def test_words_are_split_into_the_longest_known_pieces(text: str, expected: str) -> None:
    assert tokens(text) == ["[CLS]", *expected.split(), "[SEP]"]


def random_weights() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(PIECES), WIDTH),
        "embeddings.position_embeddings.weight": (16, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms, dense = ["embeddings.LayerNorm"], dict[str, tuple[int, int]]()
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            dense[f"{name}.attention.{part}"] = (WIDTH, WIDTH)
        dense[f"{name}.intermediate.dense"] = (INNER, WIDTH)
        dense[f"{name}.output.dense"] = (WIDTH, INNER)
    for name in norms:
        shapes |= {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}
    for name, shape in dense.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


class SlowEncoder:
    """The formulas, number by number."""

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        self.weights = {name: array.astype(float).tolist() for name, array in weights.items()}

    def norm(self, row: list[float], name: str) -> list[float]:
        mean = sum(row) / len(row)
        variance = sum((one - mean) ** 2 for one in row) / len(row)
        scale, shift = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return [
            (one - mean) / math.sqrt(variance + 1e-12) * a + b
            for one, a, b in zip(row, scale, shift, strict=True)
        ]

    def dense(self, row: list[float], name: str) -> list[float]:
        matrix, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return [
            sum(a * b for a, b in zip(line, row, strict=True)) + c
            for line, c in zip(matrix, bias, strict=True)
        ]

    def attend(self, rows: Matrix, name: str) -> Matrix:
        query, key, value = (
            [self.dense(row, f"{name}.attention.self.{part}") for row in rows]
            for part in ("query", "key", "value")
        )
        size = WIDTH // HEADS
        result: Matrix = [[0.0] * WIDTH for _ in rows]
        for head in range(HEADS):
            places = range(head * size, head * size + size)
            for i in range(len(rows)):
                scores = [
                    sum(query[i][p] * key[j][p] for p in places) / math.sqrt(size)
                    for j in range(len(rows))
                ]
                powers = [math.exp(score) for score in scores]
                for j, power in enumerate(powers):
                    for p in places:
                        result[i][p] += power / sum(powers) * value[j][p]
        return result

    def layer(self, rows: Matrix, name: str) -> Matrix:
        attended = self.attend(rows, name)
        after = []
        for row, extra in zip(rows, attended, strict=True):
            added = self.dense(extra, f"{name}.attention.output.dense")
            row = self.norm(add(row, added), f"{name}.attention.output.LayerNorm")
            inner = self.dense(row, f"{name}.intermediate.dense")
            inner = [0.5 * one * (1 + math.erf(one / math.sqrt(2))) for one in inner]
            outer = self.dense(inner, f"{name}.output.dense")
            after.append(self.norm(add(row, outer), f"{name}.output.LayerNorm"))
        return after

    def vector(self, ids: list[int]) -> list[float]:
        names = [f"embeddings.{part}_embeddings.weight" for part in ("word", "position")]
        word, position = (self.weights[name] for name in names)
        kind = self.weights["embeddings.token_type_embeddings.weight"][0]
        rows = [
            self.norm(add(add(word[id_], position[at]), kind), "embeddings.LayerNorm")
            for at, id_ in enumerate(ids)
        ]
        for layer in range(LAYERS):
            rows = self.layer(rows, f"encoder.layer.{layer}")
        mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        length = math.sqrt(sum(one * one for one in mean))
        return [one / length for one in mean]


def add(one: list[float], other: list[float]) -> list[float]:
    return [a + b for a, b in zip(one, other, strict=True)]


def test_vectors_are_those_of_loops_over_plain_numbers() -> None:
    weights = random_weights()
    encoder, slow = SentenceEncoder(WORDS, weights, LAYERS, HEADS), SlowEncoder(weights)
    texts = ["liver failure", "IL-6", "", "crohn's unwanted liver a a a"]
    for text, vector in zip(texts, encoder.embed(texts), strict=True):
        assert vector == pytest.approx(slow.vector(WORDS.encode(text)), abs=2e-5)


def test_the_vector_of_a_text_does_not_depend_on_the_others() -> None:
    encoder = SentenceEncoder(WORDS, random_weights(), LAYERS, HEADS)
    together = encoder.embed(["liver", "a a a a a a", "il-6"])
    alone = [encoder.embed([text])[0] for text in ("liver", "a a a a a a", "il-6")]
    assert (together == np.stack(alone)).all()


def safetensors(header: object, body: bytes) -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def test_arrays_of_a_file_are_read_by_name() -> None:
    values = np.arange(6, dtype="<f4")
    header = {
        "__metadata__": {"format": "pt"},
        "numbers": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]},
        "b": {"dtype": "F32", "shape": [2, 2], "data_offsets": [8, 24]},
    }
    arrays = read_arrays(safetensors(header, values.tobytes()))
    assert list(arrays) == ["b"]
    assert arrays["b"].tolist() == [[2, 3], [4, 5]]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 8,
        struct.pack("<Q", 100) + b"{}",
        safetensors({"a": {"dtype": "F32", "shape": [9], "data_offsets": [0, 36]}}, b"\0" * 8),
        safetensors({"a": {"dtype": "F32", "shape": [9], "data_offsets": [0, 8]}}, b"\0" * 8),
        safetensors({"a": {"dtype": "F32", "shape": 2, "data_offsets": [0, 8]}}, b"\0" * 8),
    ],
)
def test_a_malformed_file_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_arrays(content)
