"""Migrations follow the rooms: they are up to date, and none needs a room below its own."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

# From the lowest room to the highest; a table may point only at its own or an earlier one.
ROOMS = ["common", "accounts", "graphs", "benchmarks", "annotation", "leaderboard"]


def room_dependencies() -> set[tuple[str, str]]:
    loader = MigrationLoader(None)
    return {
        (app, needed)
        for (app, _), migration in loader.disk_migrations.items()
        for needed, _ in migration.dependencies
        if app in ROOMS and needed in ROOMS and app != needed
    }


def test_every_room_with_tables_is_in_the_list() -> None:
    ours = ("backend.", "annotation")
    with_models = {
        config.label
        for config in apps.get_app_configs()
        if config.name.startswith(ours) and list(config.get_models())
    }
    assert with_models <= set(ROOMS)


def test_no_migration_needs_a_room_below_its_own() -> None:
    needs = room_dependencies()
    assert needs
    assert [(a, b) for a, b in needs if ROOMS.index(a) < ROOMS.index(b)] == []


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
