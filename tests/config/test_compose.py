"""compose.yaml, read as a container engine would; where one is, it reads it too."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from backend.config.processes import (
    LONG_CONCURRENCY,
    MODELS_CONCURRENCY,
    QUICK_CONCURRENCY,
    STUDIES_CONCURRENCY,
)
from tests.queue_worker import QUEUES

ROOT = Path(__file__).resolve().parents[2]
WORKERS = {
    "quick": ("worker", QUICK_CONCURRENCY),
    "studies": ("worker-studies", STUDIES_CONCURRENCY),
    "long": ("worker-long", LONG_CONCURRENCY),
    "models": ("worker-models", MODELS_CONCURRENCY),
}
STARTED = ("web", *(name for name, _ in WORKERS.values()))
OURS = (*STARTED, "beat", "migrate")


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    result: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    return result


def test_the_services_are_those_of_the_architecture(services: dict[str, Any]) -> None:
    assert set(services) == {*OURS, "postgres", "redis", "model"}


def test_the_local_model_starts_by_its_profile_alone_and_without_secrets(
    services: dict[str, Any],
) -> None:
    model = services["model"]
    assert model["profiles"] == ["model"]
    assert "environment" not in model and "ports" not in model
    stages = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if " AS " in line]
    assert model["build"]["target"] in {stage.split()[-1] for stage in stages}


def test_plugins_are_named_to_every_process_and_queues_have_the_slots_of_an_embedded_start(
    services: dict[str, Any],
) -> None:
    assert {services[name]["environment"]["SERENDIB_PLUGINS"] for name in OURS} == {
        "${SERENDIB_PLUGINS:-}"
    }
    assert set(WORKERS) == set(QUEUES)
    for queue, (name, slots) in WORKERS.items():
        command = services[name]["command"]
        assert command[command.index("--queues") + 1] == queue
        assert command[command.index("--concurrency") + 1] == str(slots)


def test_web_worker_beat_and_migrate_share_one_image_that_is_built_once(
    services: dict[str, Any],
) -> None:
    assert {services[name]["image"] for name in OURS} == {"serendib"}
    assert [name for name in OURS if "build" in services[name]] == ["migrate"]


@pytest.mark.parametrize("name", OURS)
def test_each_of_ours_is_told_where_the_servers_are_and_has_no_secret_of_its_own(
    services: dict[str, Any], name: str
) -> None:
    environment = services[name]["environment"]
    assert environment["DATABASE_URL"].endswith("@postgres:5432/serendib")
    assert environment["REDIS_URL"] == "redis://redis:6379/0"
    assert environment["SECRET_KEY"] == "${SECRET_KEY:?set SECRET_KEY}"
    assert "${POSTGRES_PASSWORD:?" in environment["DATABASE_URL"]


@pytest.mark.parametrize("name", ["postgres", "redis", *STARTED])
def test_what_others_wait_for_says_whether_it_is_well(services: dict[str, Any], name: str) -> None:
    assert services[name]["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}


@pytest.mark.parametrize("name", [*STARTED, "beat"])
def test_nothing_of_ours_starts_before_the_tables_are_made(
    services: dict[str, Any], name: str
) -> None:
    waits = {other: message["condition"] for other, message in services[name]["depends_on"].items()}
    assert waits == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }


def test_the_database_brings_pgvector_and_only_the_web_is_reachable(
    services: dict[str, Any],
) -> None:
    assert services["postgres"]["image"].startswith("pgvector/pgvector:pg")
    assert [name for name in services if "ports" in services[name]] == ["web"]
    assert services["web"]["ports"][0].startswith("${BIND:-127.0.0.1}:")


def test_the_image_holds_every_path_that_its_recipe_copies() -> None:
    words = [line.split() for line in (ROOT / "Dockerfile").read_text().splitlines()]
    copied = {
        path.rstrip("/")
        for line in words
        if line and line[0] == "COPY" and not line[1].startswith("--from")
        for path in line[1:-1]
    }
    assert copied
    assert [path for path in copied if not (ROOT / path).exists()] == []
    stored = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    assert {path.split("/")[0] for path in copied} <= stored


def test_docker_compose_accepts_it() -> None:
    docker = shutil.which("docker")
    if (
        docker is None
        or subprocess.run([docker, "compose", "version"], capture_output=True).returncode
    ):
        pytest.skip("docker compose is not installed here")
    read = subprocess.run(
        [docker, "compose", "config", "--quiet"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "SECRET_KEY": "given", "POSTGRES_PASSWORD": "given"},
        capture_output=True,
        text=True,
    )
    assert read.returncode == 0, read.stderr
