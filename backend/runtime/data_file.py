"""Data of the product: TOML files, each beside the module that reads it and of the same name."""

import tomllib
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict


class DataFile(BaseModel):
    """The tables of a file. Unknown tables and keys are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def load(cls, module_file: str) -> Self:
        """Raises pydantic's ValidationError."""
        text = Path(module_file).with_suffix(".toml").read_text(encoding="utf-8")
        return cls.model_validate(tomllib.loads(text))
