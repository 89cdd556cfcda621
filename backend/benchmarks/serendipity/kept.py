"""The last few of what takes long to make, kept in this process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Slot(Generic[Value]):
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.value: Value | None = None


class Kept(Generic[Value]):
    """Two that want the same wait for each other, so that it is made once; others do not wait."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._slots: OrderedDict[Hashable, Slot[Value]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """What `make` raises is raised, and nothing is kept."""
        with self._lock:
            slot = self._slots.setdefault(key, Slot())
            self._slots.move_to_end(key)
            while len(self._slots) > self.most:
                self._slots.popitem(last=False)
        with slot.lock:
            if slot.value is None:
                slot.value = make()
            return slot.value
