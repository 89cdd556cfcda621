import pytest

from tests.annotation.personas import Cast, make_cast


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def committed_cast(transactional_db: None) -> Cast:
    """For tests with several connections: what one commits, the others see."""
    return make_cast()
