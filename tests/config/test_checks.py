"""An old server is named before anything is made on it."""

import os
import subprocess
import sys

import pytest
from django.core.management import get_commands, load_command_class

from backend.config import checks

OWN_PACKAGES = ("backend.", "annotation")


@pytest.mark.django_db
def test_the_server_of_these_tests_has_a_fitting_pgvector() -> None:
    assert checks.check_pgvector(["default"]) == []


@pytest.mark.parametrize(
    ("version", "message_part"),
    [("", "has no pgvector;"), ("0.7.4", "has pgvector 0.7.4;"), ("0.10.0", ""), ("1.0", "")],
)
def test_a_server_without_a_fitting_pgvector_is_told_what_is_missing(
    version: str, message_part: str
) -> None:
    result = checks.version_errors([("default", version)])
    assert [message_part in message.msg for message in result] == ([True] if message_part else [])


def test_no_command_loads_the_pages_before_it_starts() -> None:
    own = {name: app for name, app in get_commands().items() if str(app).startswith(OWN_PACKAGES)}
    assert {"up", "submit", "load_demo", "invite"} <= own.keys()
    commands = [load_command_class(str(app), name) for name, app in own.items()]
    assert all(not command.requires_system_checks for command in commands)


def test_a_worker_starts_without_the_pages() -> None:
    started = (
        "import sys; from backend.config.celery import app; app.loader.import_default_modules();"
        "print('annotation.tasks' in sys.modules, 'backend.config.urls' in sys.modules)"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "backend.config.settings"}
    printed = subprocess.check_output([sys.executable, "-c", started], env=environment, text=True)
    assert printed.split() == ["True", "False"]
