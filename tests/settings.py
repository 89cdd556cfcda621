"""The settings of tests: the project's own, with other values in the environment.

Where DATABASE_URL or REDIS_URL is not set, the first process of the run (under xdist the
controller; its workers inherit the addresses) starts a throw-away PostgreSQL and Valkey.
"""

import atexit
import os
import shutil
import tempfile
from importlib import import_module
from pathlib import Path

from tests.services import start_temporary_services

start_temporary_services()
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")
os.environ.setdefault("SECRET_KEY", "only-for-tests-and-long-enough-not-to-be-warned-about")
os.environ.setdefault("DB_POOL", "0")
os.environ.setdefault("SERENDIB_PLUGINS", "tests.plugins")
os.environ.setdefault("EMAIL_BACKEND", "django.core.mail.backends.locmem.EmailBackend")

from backend.config.settings import *  # noqa: E402, F403  after the environment is made

_PROJECT, _OIDC = import_module("backend.config.settings"), import_module("backend.config.oidc")
CACHES = {"default": {**_PROJECT.CACHES["default"], "KEY_PREFIX": f"serendib-test-{WORKER}"}}
# Installed without a provider; tests of sign-in start one and name it.
INSTALLED_APPS = [*_PROJECT.INSTALLED_APPS, *_OIDC.APPS]
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
# A queue in this process, so that a test can look at it and work it off when it wants to.
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = {}
# Each test client has middleware of its own, which would list every file of the build first.
WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Snapshots are found by their content, so that tests may share a folder; it goes with the run.
_FILES = Path(tempfile.mkdtemp(prefix="serendib-test-files-"))
atexit.register(shutil.rmtree, _FILES, ignore_errors=True)
SNAPSHOTS, UPLOADS = _FILES / "snapshots", _FILES / "uploads"
PREDICTIONS, EVALUATIONS = _FILES / "predictions", _FILES / "evaluations"
LITERATURE = _FILES / "literature"
JOB_CHECKPOINTS = _FILES / "jobs"
BOARD_EXPORTS = _FILES / "boards"
CYPHER = _FILES / "cypher"
FILE_UPLOAD_TEMP_DIR = UPLOADS
UPLOADS.mkdir()
