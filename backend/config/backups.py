"""Backups: a folder with the database, the files it refers to, and a SHA-256 of each.

The database is dumped first, as one snapshot of it; files are stored before the row that refers to
them, so that every row of the dump has its files. The manifest is written last: a folder without
one is no backup.

Uploads of predictions that arrive in parts are left out, rows and files: their senders hold the
files, and begin again. What was submitted of them is a file of PREDICTIONS.
"""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo
from pydantic import BaseModel, ConfigDict, ValidationError

from backend.common.errors import DomainError
from backend.config.embedded.errors import ServiceError
from backend.config.embedded.postgres import binary_directory
from backend.evaluation.component_files import components_path
from backend.evaluation.models import Evaluation, PredictionUpload, Submission
from backend.evaluation.prediction_files import prediction_path
from backend.graphs.models import Version
from backend.graphs.snapshots.errors import translate_disk_full

FORMAT = 1
MANIFEST, DATABASE = "manifest.json", "database.dump"
# Settings that name a folder whose files cannot be computed again.
FOLDERS = ("SNAPSHOTS", "UPLOADS", "PREDICTIONS", "EVALUATIONS")
MIGRATED_APPS = frozenset({"auth", "contenttypes", "sites"})  # have rows without any use
BLOCK_BYTES = 1 << 20
DISK_FULL = "The disk is full, so the backup is not complete. Free some space, and start again."


class Manifest(BaseModel):
    """files: SHA-256 by path inside the backup, the dump of the database among them."""

    model_config = ConfigDict(extra="forbid")

    format: int
    created_at: str
    files: dict[str, str]


def make_backup(folder: Path) -> Manifest:
    """Raises DomainError if the folder exists or the dump fails, NoSpace on a full disk."""
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    for existing in (folder, unfinished):
        if existing.exists():
            message = f"{existing} exists. Remove it, or choose a new folder."
            raise DomainError(message, code="folder_exists")
    with translate_disk_full(DISK_FULL):
        unfinished.mkdir(parents=True, mode=0o700)
        left_out = f"--exclude-table-data={PredictionUpload._meta.db_table}"
        run_program("pg_dump", "--format=custom", left_out, f"--file={unfinished / DATABASE}")
        files = {DATABASE: hash_file(unfinished / DATABASE)}
        for name in FOLDERS:
            root = Path(getattr(settings, name))
            for path in stored_files(root):
                target = f"{name}/{path.relative_to(root).as_posix()}"
                if digest := copy_if_present(path, unfinished / target):
                    files[target] = digest
        manifest = Manifest(format=FORMAT, created_at=timezone.now().isoformat(), files=files)
        (unfinished / MANIFEST).write_text(manifest.model_dump_json(indent=1))
    unfinished.rename(folder)
    return manifest


def restore_backup(folder: Path) -> Manifest:
    """Restore into an empty database. Nothing is changed unless every checksum is right.

    Raises DomainError if the backup is damaged or the database has accounts.
    """
    manifest = read_manifest(folder)
    if damaged := [
        name for name, digest in manifest.files.items() if is_damaged(folder, name, digest)
    ]:
        listed = ", ".join(damaged[:5])
        message = f"{len(damaged):,} files of the backup are missing or damaged: {listed}."
        raise DomainError(message, code="backup_damaged")
    require_empty_database()
    with translate_disk_full(DISK_FULL):
        for name in manifest.files.keys() - {DATABASE}:
            setting, _, inside = name.partition("/")
            copy_file(folder / name, Path(getattr(settings, setting)) / inside)
    drop_empty_tables()
    options = ("--no-owner", "--no-acl", "--single-transaction")
    run_program("pg_restore", *options, "--exit-on-error", folder / DATABASE)
    connection.close()
    call_command("migrate", verbosity=0, interactive=False)
    return manifest


def read_manifest(folder: Path) -> Manifest:
    try:
        manifest = Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError) as error:
        message = f"{folder} is not a complete backup: {MANIFEST} cannot be read."
        raise DomainError(message, code="backup_damaged") from error
    roots = {DATABASE, *FOLDERS}
    unsafe = [name for name in manifest.files if not is_safe(name, roots)]
    if unsafe or manifest.format != FORMAT or DATABASE not in manifest.files:
        message = f"{folder} is a backup of another format, or its manifest was changed."
        raise DomainError(message, code="backup_damaged")
    return manifest


def is_safe(name: str, roots: set[str]) -> bool:
    parts = Path(name).parts
    return bool(parts) and parts[0] in roots and ".." not in parts


def require_empty_database() -> None:
    """Rows that a migration makes are no data of anybody."""
    present = set(connection.introspection.table_names())
    own = {one._meta.db_table: one for one in apps.get_models(include_auto_created=True)}
    is_used = any(
        own[name]._default_manager.exists()
        for name in present & own.keys()
        if own[name]._meta.app_label not in MIGRATED_APPS
    )
    if is_used or present - own.keys() - {MigrationRecorder.Migration._meta.db_table}:
        message = "This database is in use. Restore into an empty one: name a new folder by DATA."
        raise DomainError(message, code="database_not_empty")


def drop_empty_tables() -> None:
    """Of a version that may be newer than the backup: its migrations are applied afterwards."""
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")


def find_missing_files() -> list[str]:
    """What the database refers to and the folders do not have."""
    snapshots = Path(settings.SNAPSHOTS)
    referenced = {
        **{path: f"result {path.stem}" for path in map(components_path, keys(Evaluation, "key"))},
        **{
            path: f"predictions {path.name}"
            for path in map(prediction_path, keys(Submission, "file_digest"))
        },
    }
    if not settings.SNAPSHOT_STORE:
        published = Version.objects.exclude(ready_at=None).values_list("snapshot", flat=True)
        referenced |= {snapshots / name: f"snapshot {name}" for name in published}
    return [name for path, name in referenced.items() if not path.exists()]


def keys(model: type[Evaluation] | type[Submission], field: str) -> set[str]:
    return set(model.objects.values_list(field, flat=True))


def stored_files(root: Path) -> Iterator[Path]:
    """Files under a folder without those that are still being written: their names have a dot."""
    for base, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(base) / name for name in sorted(names) if not name.startswith("."))


def copy_if_present(path: Path, target: Path) -> str | None:
    """None if the file was removed meanwhile: no row of the dump refers to it any more."""
    try:
        return copy_file(path, target)
    except FileNotFoundError:
        return None


def copy_file(path: Path, target: Path) -> str:
    """The SHA-256 of what was copied."""
    with path.open("rb") as stream:
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f".{target.name}.restored")
        with unfinished.open("wb") as into:
            digest = copy_stream(stream, into)
            into.flush()
            os.fsync(into.fileno())
        shutil.copystat(path, unfinished)
        unfinished.replace(target)
    return digest


def is_damaged(folder: Path, name: str, digest: str) -> bool:
    try:
        return hash_file(folder / name) != digest
    except OSError:
        return True


def hash_file(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def copy_stream(stream: IO[bytes], into: IO[bytes]) -> str:
    """The SHA-256 of what was copied."""
    digest = hashlib.sha256()
    while block := stream.read(BLOCK_BYTES):
        digest.update(block)
        into.write(block)
    return digest.hexdigest()


def run_program(name: str, *options: object) -> None:
    """Run a program of PostgreSQL on Django's database. The password is no argument of it."""
    known = {option.keyword.decode() for option in Conninfo.get_defaults()} - {"password"}
    parameters: dict[str, Any] = connection.get_connection_params()
    chosen = {key: value for key, value in parameters.items() if key in known and value}
    environment = {**os.environ, "PGPASSWORD": str(parameters.get("password") or "")}
    command = [find_program(name), *map(str, options), f"--dbname={make_conninfo(**chosen)}"]
    try:
        subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip().splitlines() or ["no reason was printed"])[-1]
        raise DomainError(f"{name} failed: {reason}", code="database_tool_failed") from error


def find_program(name: str) -> str:
    """That of the embedded PostgreSQL, which is never older than a server; else of the system."""
    try:
        return str(binary_directory() / name)
    except ServiceError:
        program = shutil.which(name)
    if program is None:
        message = f"{name} is not installed. Install PostgreSQL's client programs."
        raise DomainError(message, code="database_tool_missing")
    return program
