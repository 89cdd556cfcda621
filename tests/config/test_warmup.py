"""The warm-up of a web process: what it loads, and that nothing of it can stop the server."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest
from django.test import Client

from backend.config import warmup
from backend.leaderboard import site_summary


def step(name: str, run: Callable[[], object] = lambda: None) -> Callable[[], object]:
    run.__name__ = name
    return run


def fail() -> None:
    raise OSError("no database")


def test_a_failed_step_ends_neither_the_others_nor_the_server() -> None:
    steps = (step("broken", fail), step("after"))
    assert warmup.warm_up(steps) == ["after"]


def test_no_step_begins_after_the_limit() -> None:
    assert warmup.warm_up((step("late"),), limit_s=0.0) == []


@pytest.mark.django_db(transaction=True)
def test_an_empty_database_is_warmed_up_for_the_front_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_summary, "_latest", None)
    expected = [one.__name__ for one in warmup.STEPS]
    assert warmup.warm_up() == expected
    computed = site_summary._latest
    assert computed is not None
    Client().get("/")
    assert site_summary._latest is computed


MODULES = """
import sys
import backend.config.asgi
from backend.config import warmup
warmup.warm_up((warmup.import_urls, warmup.study_kinds))
import backend.accounts.sessions  # by the middleware of the server
before = set(sys.modules)
from django.test import Client
from django.conf import settings
settings.ALLOWED_HOSTS = ["testserver"]
Client().get("/api/v1/study-kinds")
print(sorted(name for name in set(sys.modules) - before if name.split(".")[0] in PACKAGES))
""".replace("PACKAGES", '{"annotation", "backend", "scipy", "numba"}')


def test_the_first_request_after_it_imports_nothing_heavy() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", MODULES],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "[]"
