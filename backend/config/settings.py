"""Settings, read once from the environment. Defaults run from a checkout."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from celery.schedules import crontab

from backend.config import env, oidc
from backend.config.api_settings import *  # noqa: F403  Django reads settings of one module alone
from backend.config.limit_settings import *  # noqa: F403  Django reads settings of one module alone
from backend.config.limit_settings import TRUSTED_PROXIES

ROOT = Path(__file__).resolve().parents[2]
DATA = env.folder("DATA", ROOT / "var")
DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.secret_key()
ALLOWED_HOSTS = env.word_list("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
SITE_URL = env.text("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
VERSION = "0.1.0"  # as in pyproject.toml; a test compares them
# In the footer of every page and in its head; what is empty is left out.
CONTACT_EMAIL = env.text("CONTACT_EMAIL")
DOCUMENTATION_URL = env.text("DOCUMENTATION_URL")
SOURCE_URL = env.text("SOURCE_URL")
# Behind a proxy that ends TLS, requests arrive over http from pages of this https origin.
CSRF_TRUSTED_ORIGINS = env.word_list(
    "CSRF_TRUSTED_ORIGINS", [SITE_URL] if SITE_URL.startswith("https://") else []
)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "channels",
    "backend.common",
    "backend.accounts",  # before allauth, whose e-mail texts it replaces
    "allauth",
    "allauth.account",
    "allauth.headless",
    "backend.jobs",
    "backend.studies",
    "backend.llm",
    "backend.graphs",
    "backend.benchmarks",
    "annotation",
    "backend.evaluation",
    "backend.leaderboard",
    "backend.config",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "backend.common.middleware.NonStreamingGzipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    # Last: being synchronous, it keeps the whole chain in one thread (1.6 ms a request, not 2.3).
    "backend.common.middleware.SecurityHeaders",
]
CSRF_FAILURE_VIEW = "backend.common.error_views.csrf_failed"

APPEND_SLASH = False  # no address ends in one
ROOT_URLCONF = "backend.config.urls"
ASGI_APPLICATION = "backend.config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
            ]
        },
    }
]


# Runs of a statement in a connection before PostgreSQL prepares it; only `prepared_queries` does.
PREPARED_AFTER = 2


def database_from_url(url: str, *, pool: int) -> dict[str, Any]:
    """Django's settings for a postgresql:// address; ?host= may name the folder of a socket."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgresql", "postgres"}:
        raise env.SettingError("DATABASE_URL must begin with postgresql://.")
    query = dict(parse_qsl(parts.query))
    options: dict[str, Any] = {key: value for key, value in query.items() if key != "host"}
    keeps_connection = env.flag("DB_PREPARE", default=True)
    if keeps_connection:
        options["prepare_threshold"] = PREPARED_AFTER
    if pool:
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 20}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")) or "postgres",
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.get("host") or parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 0,
        # A pooler may give each statement another connection, which does not have the cursor.
        "DISABLE_SERVER_SIDE_CURSORS": not keeps_connection,
        "OPTIONS": options,
    }


DATABASE_URL = env.text("DATABASE_URL", "postgresql://postgres@/postgres?host=/nonexistent")
DB_POOL = env.number("DB_POOL", 16)
DATABASES = {"default": database_from_url(DATABASE_URL, pool=DB_POOL)}
REQUESTS_AT_ONCE = DB_POOL or 16
REDIS_URL = env.text("REDIS_URL", "redis://127.0.0.1:6379/0")


def with_scheme(url: str, scheme: str) -> str:
    """The same socket in the URL scheme of another client: redis-py, Kombu and Channels differ."""
    return scheme + url.removeprefix("unix://") if url.startswith("unix://") else url


CACHES = {
    "default": {
        "BACKEND": "backend.common.shared_cache.SharedRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "serendib",
        "OPTIONS": {"max_connections": 1_000},  # of a process; a command above it fails
    }
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": "serendib"},
    }
}

# Django prints errors only with DEBUG: without this, the fault behind an answer 500 is lost.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING"},
        "django.request": {"level": "ERROR"},  # an answer of 400 to 499 is no fault
    },
}

CELERY_BROKER_URL = with_scheme(REDIS_URL, "redis+socket://")
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "global_keyprefix": "serendib-",
    # After a commit, a request waits at most a second for a broker that does not answer.
    "max_retries": 2,
    "interval_start": 0,
    "interval_step": 0.2,
    "interval_max": 0.2,
    "socket_connect_timeout": 1,
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = 1800
# A worker process for each queue, so that jobs of hours do not delay short tasks.
CELERY_TASK_DEFAULT_QUEUE = "quick"
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
SWEEP_SECONDS = 60
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "delete_idempotency_records": {
        "task": "common.delete_idempotency_records",
        "schedule": 24 * 3600,
    },
    # By two workers: evaluations can hold every slot of the first for minutes. One that waited so
    # long is not needed any more.
    **{
        f"sweep_jobs_{queue}": {
            "task": "jobs.sweep",
            "schedule": SWEEP_SECONDS,
            "options": {"queue": queue, "expires": SWEEP_SECONDS},
        }
        for queue in ("quick", "models")
    },
    "sweep_webhooks": {"task": "studies.sweep_webhooks", "schedule": 60},
    "clear_ended_sessions": {"task": "common.clear_ended_sessions", "schedule": 24 * 3600},
    "export_boards": {
        "task": "leaderboard.export_boards",
        "schedule": crontab(hour=2, minute=30),
        "options": {"queue": "studies", "expires": 12 * 3600},
    },
}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
    )
]
ACCOUNT_ADAPTER = "backend.accounts.adapter.InvitationOnlyAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 600
# A hospital has one address: limits are per account, with a high ceiling per address.
ACCOUNT_RATE_LIMITS = {
    "login": "300/m/ip",
    "login_failed": "5/5m/key",
    "request_login_code": "300/m/ip,5/5m/key",
    "reset_password": "300/m/ip,5/5m/key",
    "reset_password_from_key": "300/m/ip",
    "reauthenticate": "10/m/user",
}
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# Codes and resets for an unknown address get the same response as others, and send nothing.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_SESSION_REMEMBER = True
HEADLESS_ONLY = True
# Only with OIDC_SERVER_URL: importing the libraries of a provider takes part of a second.
OIDC_PROVIDER = oidc.read_provider()
SOCIALACCOUNT_PROVIDERS = oidc.provider_settings(OIDC_PROVIDER)
SOCIALACCOUNT_ADAPTER = "backend.accounts.oidc_provider.InvitedOnlyAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
if OIDC_PROVIDER is not None:
    INSTALLED_APPS += oidc.APPS
HEADLESS_CLIENTS = ("browser",)
HEADLESS_FRONTEND_URLS = {
    "account_reset_password_from_key": f"{SITE_URL}/reset-password#{{key}}",
    "socialaccount_login_error": f"{SITE_URL}/sign-in",
}

SESSION_ENGINE = "backend.accounts.sessions"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SITE_URL.startswith("https://")
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 1_000

# The study kind of a new study where none is named.
DEFAULT_STUDY_KIND = "ranking"

# Snapshots of graphs, and files that are being imported.
SNAPSHOTS = env.folder("SNAPSHOTS", DATA / "snapshots")
# Shared storage of snapshots (file://, s3://); empty: only SNAPSHOTS.
SNAPSHOT_STORE = env.text("SNAPSHOT_STORE")
# Indexes of collections of papers.
LITERATURE = env.folder("LITERATURE", DATA / "literature")
UPLOADS = env.folder("UPLOADS", DATA / "uploads")
# Files of predictions by their digest, and the components of each evaluation.
PREDICTIONS = env.folder("PREDICTIONS", DATA / "predictions")
EVALUATIONS = env.folder("EVALUATIONS", DATA / "evaluations")
BOARD_EXPORTS = env.folder("BOARD_EXPORTS", DATA / "boards")
# Checkpoints of jobs, readable by every worker that may resume one.
JOB_CHECKPOINTS = env.folder("JOB_CHECKPOINTS", DATA / "jobs")
# Uploads are written to UPLOADS from the first byte, so that no second disk fills up.
FILE_UPLOAD_TEMP_DIR = UPLOADS
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "backend.common.upload_handler.RemovingUploadHandler",
]
# asgi_app.py creates the folder: other commands do not need it.
SILENCED_SYSTEM_CHECKS = ["files.E001"]

# For development: webhooks to this machine, also by http.
WEBHOOKS_TO_LOOPBACK = env.flag("WEBHOOKS_TO_LOOPBACK", default=False)

# A worker renews the lease of its job this often.
JOB_HEARTBEAT_SECONDS = 10.0

# Keys of model endpoints are encrypted with this; with SECRET_KEY where it is empty.
ENDPOINT_KEYS_SECRET = env.text("ENDPOINT_KEYS_SECRET")

# Databases of the Cypher engine.
CYPHER = env.folder("CYPHER", DATA / "cypher")

EMAIL_BACKEND = env.text("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
EMAIL_FILE_PATH = env.text("EMAIL_FILE_PATH") or None
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.number("EMAIL_PORT", 25)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_TIMEOUT = 10
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=False)
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Serendib <serendib@localhost>")

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
BUNDLE = ROOT / "frontend" / "dist"
STATICFILES_DIRS = [("web", BUNDLE)] if BUNDLE.is_dir() else []
WHITENOISE_USE_FINDERS = True
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/web/assets/.+-[A-Za-z0-9_-]{8}\.[a-z0-9]+$"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
FIXTURES = ROOT / "fixtures"
