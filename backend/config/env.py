"""Typed readers of the environment; a wrong value stops the start with one clear sentence."""

import os
from pathlib import Path


class SettingError(Exception):
    """An environment variable holds something that cannot be used."""


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def flag(name: str, *, default: bool) -> bool:
    raw = os.environ.get(name, "").strip().lower()
    if raw in {"", None}:
        return default
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off"}:
        return False
    raise SettingError(f"{name} must be yes or no, not {raw!r}.")


def number(name: str, default: int) -> int:
    raw = os.environ.get(name, "").strip()
    if not raw:
        return default
    try:
        return int(raw)
    except ValueError as error:
        raise SettingError(f"{name} must be a whole number, not {raw!r}.") from error


def words(name: str, default: list[str]) -> list[str]:
    """A comma-separated list."""
    raw = os.environ.get(name, "")
    return [part.strip() for part in raw.split(",") if part.strip()] or default


def folder(name: str, default: Path) -> Path:
    raw = os.environ.get(name, "")
    return Path(raw).expanduser().resolve() if raw else default


def secret_key() -> str:
    """The signing key. Embedded servers bring one; beside a named database it must be given."""
    key = text("SECRET_KEY")
    if not key and text("DATABASE_URL"):
        raise SettingError(
            "DATABASE_URL is set, so SECRET_KEY must be set too: any long random text, the same "
            "for every process, kept private."
        )
    return key or "only-for-commands-that-serve-nothing"
