"""A password hasher that lets something happen while one certain password is being stored."""

from collections.abc import Callable
from typing import ClassVar

from django.contrib.auth.hashers import MD5PasswordHasher
from pytest_django import Settings


class ObservedHasher(MD5PasswordHasher):
    """Calls a function, once, after it has hashed the observed password."""

    password: ClassVar[str] = ""
    actions: ClassVar[list[Callable[[], object]]] = []

    def encode(self, password: str, salt: str) -> str:
        result = super().encode(password, salt)
        if password == self.password and self.actions:
            self.actions.pop()()
        return result


def when_hashed(settings: Settings, password: str, action: Callable[[], object]) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.{ObservedHasher.__name__}"]
    ObservedHasher.password, ObservedHasher.actions = password, [action]
