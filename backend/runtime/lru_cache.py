"""A thread-safe cache of the most recently used values of this process."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class CacheEntry(Generic[Value]):
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.value: Value | None = None


class LruCache(Generic[Value]):
    """Concurrent requests for one key share one computation; those for other keys do not wait."""

    def __init__(self, most: int) -> None:
        self.max_size = most
        self._slots: OrderedDict[Hashable, CacheEntry[Value]] = OrderedDict()
        self._lock = threading.Lock()

    def get_or_create(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The cached value, or that of `make`, whose exceptions propagate and cache nothing."""
        with self._lock:
            slot = self._slots.setdefault(key, CacheEntry())
            self._slots.move_to_end(key)
            while len(self._slots) > self.max_size:
                self._slots.popitem(last=False)
        with slot.lock:
            if slot.value is None:
                slot.value = make()
            return slot.value
