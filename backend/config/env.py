"""Typed readers of environment variables; an invalid value stops the start with one sentence."""

import os
from importlib.util import find_spec
from pathlib import Path


class SettingError(Exception):
    """An environment variable has an invalid value."""


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


def word_list(name: str, default: list[str]) -> list[str]:
    raw = os.environ.get(name, "")
    return [part.strip() for part in raw.split(",") if part.strip()] or default


def check_packages(name: str) -> None:
    """Raise SettingError for a package in the list that Python cannot find."""
    for package in word_list(name, []):
        try:
            is_found = find_spec(package) is not None
        except (ImportError, ValueError):
            is_found = False
        if not is_found:
            raise SettingError(
                f"{name} names the package {package!r}, which Python cannot find. Install it, or "
                "add its parent folder to PYTHONPATH."
            )


def folder(name: str, default: Path) -> Path:
    raw = os.environ.get(name, "")
    return Path(raw).expanduser().resolve() if raw else default


def secret_key() -> str:
    """The signing key. Embedded servers have their own; with a named database it is required."""
    key = text("SECRET_KEY")
    if not key and text("DATABASE_URL"):
        raise SettingError(
            "DATABASE_URL is set, so SECRET_KEY must be set too: any long random text, the same "
            "for every process, kept private."
        )
    return key or "only-for-commands-that-serve-nothing"
