"""Made-up files of the truthhypo track: pairs of entities with labels, and predictions."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

HEADER = "x_id\ty_id\tx_type\ty_type\trel_type\trelation\tquestion\n"
TYPES = ("Chemical & Gene", "Disease & Gene", "Gene & Gene")
LABELS = ("no_relation", "positive_correlate", "negative_correlate")


def label_of(number: int) -> str:
    """Half of the pairs have no relation."""
    return LABELS[0] if number % 2 else LABELS[1 + number // 2 % 2]


def key_of(number: int) -> tuple[str, str]:
    return f"Chemical|C{number}", f"Gene|{number}"


def write_source(folder: Path, pairs: int = 60) -> Path:
    path = folder / "edges_test.tsv"
    rows = (
        "\t".join(
            [
                *key_of(number),
                "Chemical",
                "Gene",
                TYPES[number % 3],
                label_of(number),
                f"How are {number} and its gene related?",
            ]
        )
        for number in range(pairs)
    )
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows))
    return path


def prediction_lines(numbers: Iterable[int], wrong: Sequence[int] = ()) -> str:
    lines = []
    for number in numbers:
        x_id, y_id = key_of(number)
        true = label_of(number)
        label = LABELS[(LABELS.index(true) + 1) % 3] if number in wrong else true
        lines.append(json.dumps({"x_id": x_id, "y_id": y_id, "label": label}))
    return "".join(f"{line}\n" for line in lines)


def pair_of(body: dict[str, Any]) -> str:
    """The identifier of the pair's first entity, as the prompt has it."""
    text = " ".join(str(one["content"]) for one in body["messages"])
    return next(word for word in text.replace('"', " ").split() if word.startswith("Chemical|"))
