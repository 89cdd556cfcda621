"""Faults of files and requests: the place, what is wrong, and what was expected instead."""

from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_FAULTS_LISTED = 200


@dataclass(frozen=True)
class Fault:
    """One faulty place: its path, what is wrong, and what was expected instead."""

    place: str
    message: str
    code: str = "invalid"
    expected: str = ""


def printable(text: str, longest: int = 60) -> str:
    """Escape unprintable characters and shorten long text."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode()
        for char in cut
    )


@dataclass
class FaultList:
    """All faults are counted; the first MAX_FAULTS_LISTED are listed."""

    listed: list[Fault] = field(default_factory=list)
    total: int = 0

    @classmethod
    def of(cls, faults: Iterable[Fault]) -> "FaultList":
        result = cls()
        for fault in faults:
            result.add(fault.place, fault.message, fault.expected, fault.code)
        return result

    def add(self, place: str, message: str, expected: str = "", code: str = "invalid") -> None:
        self.total += 1
        if len(self.listed) < MAX_FAULTS_LISTED:
            self.listed.append(Fault(place, message, code, expected))
