"""What accounts must know of studies, which a room below owns and tells through this door."""

from dataclasses import dataclass
from typing import Literal, Protocol
from uuid import UUID

from backend.accounts.models import Invitation, User


@dataclass(frozen=True)
class StudyName:
    id: UUID
    name: str


@dataclass(frozen=True)
class Membership:
    """A study that somebody takes part in, and as what."""

    id: UUID
    name: str
    roles: list[Literal["expert", "coordinator"]]


class Studies(Protocol):
    def memberships_of(self, user: User) -> list[Membership]: ...

    def study_of(self, invitation: Invitation) -> StudyName | None: ...


class NoStudies:
    """An installation without the room that has studies."""

    def memberships_of(self, user: User) -> list[Membership]:
        return []

    def study_of(self, invitation: Invitation) -> StudyName | None:
        return None


_studies: Studies = NoStudies()


def register(studies: Studies) -> Studies:
    """Called once, when the application that has studies is ready; returns what it replaces."""
    global _studies
    earlier, _studies = _studies, studies
    return earlier


def memberships_of(user: User) -> list[Membership]:
    return _studies.memberships_of(user)


def study_of(invitation: Invitation) -> StudyName | None:
    return _studies.study_of(invitation)
