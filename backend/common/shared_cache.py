"""Django's cache in Redis, whose connections all threads of a process share.

Django makes a cache, with connections of its own, for every thread; the server has a new thread
for every request, so each request that used the cache would connect first.
"""

from threading import Lock
from typing import Any

from django.core.cache.backends import redis as django_redis

_lock = Lock()
_clients: dict[tuple[str, ...], Any] = {}


class SharedRedisCache(django_redis.RedisCache):
    _servers: list[str]
    _options: dict[str, Any]

    @property
    def _cache(self) -> Any:
        return _shared_client(self._servers, self._options)


def _shared_client(servers: list[str], options: dict[str, Any]) -> Any:
    key = (*servers, repr(sorted(options.items())))
    with _lock:
        if key not in _clients:
            _clients[key] = _CacheClient(servers, **options)
        return _clients[key]


class _CacheClient(django_redis.RedisCacheClient):
    _client: Any
    _get_connection_pool: Any

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **options)
        self._redis_clients: dict[Any, Any] = {}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """Clients of redis-py may be shared by threads and forked processes: each command takes a
        connection of the pool."""
        pool = self._get_connection_pool(write)
        if pool not in self._redis_clients:
            self._redis_clients[pool] = self._client(connection_pool=pool)
        return self._redis_clients[pool]
