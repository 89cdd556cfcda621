"""Faults of the records of an archive, with their lines."""

from collections.abc import Iterable

from backend.validation.faults import Fault
from backend.validation.row_files.faults import RowFault, RowFaultList


class ArchiveFaults:
    """Adds faults to those of the file; what must be in it once is known by its key."""

    def __init__(self, faults: RowFaultList) -> None:
        self._faults = faults
        self._once: set[tuple[object, ...]] = set()

    @property
    def total(self) -> int:
        return self._faults.total

    def add(self, line: int, place: str, message: str, expected: str) -> None:
        self._faults.add(RowFault(line, place, "invalid", message, expected))

    def add_all(self, line: int, faults: Iterable[Fault], where: str = "") -> None:
        for one in faults:
            place = f"{where}.{one.place}" if where else one.place
            self._faults.add(RowFault(line, place, one.code, one.message, one.expected))

    def is_new(self, line: int, place: str, *key: object) -> bool:
        """Whether nothing before it has this key."""
        if key in self._once:
            self.add(line, place, "This is in the file already.", "each once")
            return False
        self._once.add(key)
        return True
