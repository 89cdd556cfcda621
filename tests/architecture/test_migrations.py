"""Migrations are up to date, and none depends on an app of a higher package."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader

# From the lowest package to the highest; a table may refer only to its own or an earlier one.
APPS = [
    "common",
    "accounts",
    "jobs",
    "studies",
    "llm",
    "graphs",
    "benchmarks",
    "annotation",
    "evaluation",
    "leaderboard",
]


def app_dependencies() -> set[tuple[str, str]]:
    loader = MigrationLoader(None)
    return {
        (app, needed)
        for (app, _), migration in loader.disk_migrations.items()
        for needed, _ in migration.dependencies
        if app in APPS and needed in APPS and app != needed
    }


def test_every_package_with_tables_is_in_the_list() -> None:
    ours = ("backend.", "annotation")
    with_models = {
        config.label
        for config in apps.get_app_configs()
        if config.name.startswith(ours) and list(config.get_models())
    }
    assert with_models <= set(APPS)


def test_no_migration_needs_a_package_below_its_own() -> None:
    needs = app_dependencies()
    assert needs
    upwards = {(a, b) for a, b in needs if APPS.index(a) < APPS.index(b)}
    assert upwards == {("studies", "annotation")}  # its tables were created there and moved


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
