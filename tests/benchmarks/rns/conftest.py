"""The graph and the questions that these tests begin from."""

import pytest

from backend.benchmarks.models import QuestionSet
from backend.graphs.models import Version
from tests.benchmarks.rns.factories import make_set, make_version


@pytest.fixture
def version() -> Version:
    return make_version()


@pytest.fixture
def questions(version: Version) -> QuestionSet:
    return make_set(version, split="dev")
