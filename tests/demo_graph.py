"""The demo graph, imported once for a module: an import with its indexes takes seconds."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from backend.graphs.demo import load_demo_graph
from backend.graphs.models import Version


@pytest.fixture(scope="module")
def demo_graph_module(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[int]:
    """In a transaction that ends with the module."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield load_demo_graph()[0].pk
        transaction.set_rollback(True)


@pytest.fixture
def demo_graph(demo_graph_module: int, db: None) -> Version:
    """None of the tests of its module may have transactions."""
    return Version.objects.get(pk=demo_graph_module)
