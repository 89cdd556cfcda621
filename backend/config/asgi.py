"""What an ASGI server loads: Django is set up here, before anything that has models is imported."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
django.setup(set_prefix=False)

from backend.config.application import application  # noqa: E402  needs Django set up

__all__ = ["application"]
