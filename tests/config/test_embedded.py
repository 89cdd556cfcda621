"""The embedded servers, really started: where they can live, and what they keep to themselves."""

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from backend.config.embedded import run_as_user as identities
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.lock_file import DataLock
from backend.config.embedded.paths import DataPaths
from backend.config.embedded.process import start_time
from backend.config.embedded.run_as_user import Identity
from backend.config.embedded.services import Services
from tests.e2e.stack import Stack
from tests.thorough import thorough

ROOT = Path(__file__).resolve().parents[2]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another identity")


@contextmanager
def started(data: Path) -> Iterator[Services]:
    services = Services(data, kind="command", durable=False)
    assert services.lock.try_acquire()
    try:
        services.start()
        services.wait()
        yield services
    finally:
        services.stop()


def answer(services: Services) -> int:
    with psycopg.connect(services.postgres.url) as database:
        row = database.execute("SELECT 6 * 7").fetchone()
    return int(row[0]) if row else 0


def test_a_path_too_long_for_a_socket_is_no_hindrance(tmp_path: Path) -> None:
    data = tmp_path / ("long" * 30) / "data"
    with started(data) as services:
        assert len(os.fsencode(data)) > 108
        assert len(os.fsencode(services.sockets / ".s.PGSQL.5432")) <= 107
        assert answer(services) == 42


def test_sockets_and_secrets_are_for_their_owner_only(tmp_path: Path) -> None:
    with started(tmp_path / "data") as services:
        key = services.folders.read_or_create_secret_key()
        sockets = services.sockets
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
        assert stat.S_IMODE((services.folders.data / "secret_key").stat().st_mode) == 0o600
        assert services.folders.read_or_create_secret_key() == key
        assert len(key) >= 50
    assert not sockets.exists()


@as_root
def test_root_in_a_folder_that_others_cannot_enter(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with started(closed / "data") as services:
        assert answer(services) == 42
        assert stat.S_IMODE(closed.stat().st_mode) == 0o700, (
            "a folder's rights are not ours to change"
        )


@as_root
def test_root_without_user_namespaces_becomes_nobody_or_says_why_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
        program, data, only_a_shell = Path("/bin/true"), Path(folder), Path(programs)
        data.chmod(0o755)
        only_a_shell.chmod(0o755)
        (only_a_shell / "sh").symlink_to("/bin/sh")
        monkeypatch.setenv("PATH", programs)
        nobody = identities.choose_identity(program=program, data=data)
        assert nobody.uid != 0
        assert nobody.wrapper == ()
        data.chmod(0o700)
        with pytest.raises(ServiceError, match="may not run as root"):
            identities.choose_identity(program=program, data=data)


def test_a_server_left_by_a_dead_holder_is_ended_before_the_next(tmp_path: Path) -> None:
    with started(tmp_path / "data") as services:
        orphan = services.children[1]
        born = start_time(orphan.pid)
        services.lock.release()  # as the kernel does when the holder dies
        with started(tmp_path / "data") as successor:
            orphan.process.wait(10)
            assert start_time(orphan.pid) != born
            assert answer(successor) == 42


def test_a_stale_pid_file_that_names_a_stranger_does_not_stop_the_start(tmp_path: Path) -> None:
    with started(tmp_path / "data"):
        pass
    stranger = f"{os.getpid()}\n{tmp_path}\n0\n5432\n\n\n\nready\n"
    (tmp_path / "data" / "postgres" / "postmaster.pid").write_text(stranger)
    with started(tmp_path / "data") as services:
        assert answer(services) == 42


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    folders = DataPaths(tmp_path)
    first, second = DataLock(folders), DataLock(folders)
    assert first.try_acquire()
    assert not second.try_acquire()
    first.release()
    assert second.try_acquire()
    second.release()


def test_another_account_holding_the_sockets_name_is_not_trusted(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.mkdir()
    trap = DataPaths(tmp_path).socket_directory(Identity())
    trap.rmdir()
    trap.symlink_to(target)
    try:
        given = DataPaths(tmp_path).socket_directory(Identity())
        assert given != trap
        assert stat.S_IMODE(given.stat().st_mode) == 0o700
        given.rmdir()
    finally:
        trap.unlink()


def manage(data: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    stored = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**stored, "DATA": str(data), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@thorough
def test_with_named_servers_nothing_is_embedded_and_no_demo_is_loaded(tmp_path: Path) -> None:
    code = "from backend.accounts.models import User; print(User.objects.count())"
    with started(tmp_path / "named") as named:
        servers = {"DATABASE_URL": named.postgres.url, "REDIS_URL": named.valkey.url}
        with Stack(tmp_path / "data", SECRET_KEY="given", **servers) as stack:
            assert stack.manage("shell", "-v0", "-c", code).strip() == "0"
            created = {path.name for path in stack.data.iterdir()}
    assert not created & {"postgres", "valkey", "secret_key", "state.json"}


def test_a_named_database_needs_a_key_of_its_own(tmp_path: Path) -> None:
    servers = {"DATABASE_URL": "postgresql://nowhere/none", "REDIS_URL": "redis://nowhere"}
    refused = manage(tmp_path, "migrate", **servers)
    assert refused.returncode == 1
    assert refused.stderr.startswith("DATABASE_URL is set, so SECRET_KEY must be set too")
    assert len(refused.stderr.splitlines()) == 1


def test_one_named_server_without_the_other_is_refused(tmp_path: Path) -> None:
    refused = manage(tmp_path, "migrate", DATABASE_URL="postgresql://nowhere/none")
    assert refused.returncode == 1
    assert refused.stderr == (
        "Only DATABASE_URL is set. Set both DATABASE_URL and REDIS_URL, or none.\n"
    )


@pytest.mark.parametrize("command", ["help", "migrate", "up"])
def test_a_plugin_that_cannot_be_found_is_one_sentence(tmp_path: Path, command: str) -> None:
    data = tmp_path / "untouched"
    refused = manage(data, command, SERENDIB_PLUGINS="tests.plugins,no_such.plugin")
    assert refused.returncode == 1
    assert refused.stderr == (
        "SERENDIB_PLUGINS names the package 'no_such.plugin', which Python cannot find. "
        "Install it, or add its parent folder to PYTHONPATH.\n"
    )
    assert not data.exists()


def test_a_command_names_the_directory_on_which_it_starts_servers(tmp_path: Path) -> None:
    listed = manage(tmp_path, "showmigrations", "accounts")
    assert listed.returncode == 0, listed.stderr
    assert listed.stderr.splitlines()[0] == f"Starting PostgreSQL and Valkey on {tmp_path} …"


def test_a_command_that_needs_no_server_starts_none(tmp_path: Path) -> None:
    data = tmp_path / "untouched"
    helped = manage(data, "up", "--help")
    assert helped.returncode == 0, helped.stderr
    assert not data.exists()
