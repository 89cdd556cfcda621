"""The entry point for ASGI servers: sets Django up before any module with models is imported."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
django.setup(set_prefix=False)

from backend.config.asgi_app import application  # noqa: E402  needs Django set up

__all__ = ["application"]
