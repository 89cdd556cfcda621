from pathlib import Path

import pytest

from backend.benchmarks.models import Model, Release
from backend.benchmarks.registered_models import register_model
from tests.client.installed_client import InstalledClient, install_client
from tests.client.server import Program
from tests.evaluation.releases import open_pairs
from tests.personas import Person
from tools.client_wheel import build_wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> InstalledClient:
    return install_client(wheel, tmp_path_factory.mktemp("installed") / "venv")


@pytest.fixture
def release(db: None, tmp_path: Path) -> Release:
    return open_pairs(tmp_path)


@pytest.fixture
def model(researcher: Person) -> Model:
    return register_model(actor=researcher.user, name="My model")


@pytest.fixture
def program(researcher: Person, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(researcher, capsys)
