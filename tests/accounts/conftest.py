"""Limits are counted in Valkey: each test counts under a name of its own."""

import uuid
from typing import Any

import pytest
from django.conf import settings as django_settings
from pytest_django import Settings


@pytest.fixture(autouse=True)
def own_cache(settings: Settings) -> None:
    caches: dict[str, Any] = django_settings.CACHES
    settings.CACHES = {"default": {**caches["default"], "KEY_PREFIX": f"test-{uuid.uuid4()}"}}
