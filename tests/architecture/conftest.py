"""One world for all tests of a module: each test undoes its own changes."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.architecture.routes import World, make_world


@pytest.fixture(scope="module")
def module_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """A world in a transaction that ends with the module. No test of it may have its own."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture
def world(module_world: World, db: None) -> World:
    """The world of the module, in a savepoint of this test."""
    return module_world
