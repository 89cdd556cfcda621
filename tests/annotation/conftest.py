from collections.abc import Iterator
from typing import Any

import pytest
from celery import current_app

from tests.annotation.personas import Cast, make_cast


@pytest.fixture(autouse=True)
def in_this_process(settings: Any) -> Iterator[None]:
    """Tasks run where they are queued, and messages leave nothing behind in Redis."""
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    current_app.loader.import_default_modules()
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def committed_cast(transactional_db: None) -> Cast:
    """For tests with several connections: what one commits, the others see."""
    return make_cast()
