"""The Celery application: tasks of every room, one queue."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
app = Celery("serendib")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()  # without it, only the thread that imported this would know the broker
app.autodiscover_tasks()
