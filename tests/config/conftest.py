from pathlib import Path

import pytest

from tests.prepared_data import named_run_folder, prepare_data


@pytest.fixture(scope="session")
def prepared_data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a first start, for copies: one for all processes of the run."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if hasattr(request.config, "workerinput") else own
    return prepare_data(named_run_folder() or shared)
