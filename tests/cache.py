"""Redis, forgetful on demand."""

from functools import cache

import redis
from django.conf import settings


@cache
def redis_client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url)


def empty_cache() -> None:
    """Only keys of this worker's prefix are touched: cache.clear() would flush the server."""
    prefix = settings.CACHES["default"]["KEY_PREFIX"]
    client = redis_client(settings.REDIS_URL)
    keys = list(client.scan_iter(f"{prefix}:*", count=1000))
    if keys:
        client.delete(*keys)
