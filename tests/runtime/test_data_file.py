"""Data files are validated when they are loaded."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import ValidationError

from backend.runtime.data_file import DataFile


@dataclass(frozen=True)
class Row:
    name: str
    aliases: tuple[str, ...] = ()


class Rows(DataFile):
    row: tuple[Row, ...]


def load(folder: Path, text: str) -> Rows:
    (folder / "rows.toml").write_text(text)
    return Rows.load(str(folder / "rows.py"))


def test_the_file_beside_a_module_is_loaded(tmp_path: Path) -> None:
    rows = load(tmp_path, '[[row]]\nname = "ä"\naliases = ["b"]\n[[row]]\nname = "c"')
    assert rows.row == (Row("ä", ("b",)), Row("c"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        '[[row]]\nnome = "a"',
        "[[row]]\nname = 1",
        '[[row]]\nname = "a"\nmore = "b"',
        '[[row]]\nname = "a"\n[[rows]]',
    ],
)
def test_a_missing_wrong_or_unknown_value_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValidationError):
        load(tmp_path, text)
