"""The Celery application: tasks of every room, one queue."""

import os
import signal

from celery import Celery
from celery.signals import beat_embedded_init, worker_process_init

from backend.config.embedded.process import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
app = Celery("serendib")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()  # without it, only the thread that imported this would know the broker
app.autodiscover_tasks()


@worker_process_init.connect
@beat_embedded_init.connect
def end_with_the_worker(**_: object) -> None:
    """A killed worker leaves no process behind: the kernel ends those that it forked."""
    die_with_parent(signal.SIGKILL)
