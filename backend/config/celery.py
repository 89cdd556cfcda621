"""The Celery application: tasks of every package."""

import gc
import os
import signal

from celery import Celery
from celery.signals import beat_embedded_init, worker_init, worker_process_init

from backend.config.embedded.process import death_signal_setup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
# Django's checks load every page of the API, which was half the time of a worker's start.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")
app = Celery("serendib")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()  # without it, only the importing thread would know the broker
app.autodiscover_tasks()


@worker_init.connect
def import_job_kinds(**_: object) -> None:
    """Before the processes of the pool fork: each would spend four seconds on its first job."""
    from backend.jobs.registry import load_kinds  # Django is set up by now

    load_kinds()
    gc.freeze()  # else the first collection of each process copies all of it


@worker_init.connect
def end_pool_with_worker(**_: object) -> None:
    """Let the kernel end the pool processes of a worker that is killed, also before they began."""
    worker, prepare = os.getpid(), death_signal_setup(signal.SIGKILL)

    def begin(**_: object) -> None:
        if os.getpid() != worker:  # with --pool solo the worker itself is the pool
            prepare()

    for begun in (worker_process_init, beat_embedded_init):
        begun.connect(begin, weak=False)
