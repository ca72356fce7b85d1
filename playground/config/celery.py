"""The Celery application. Apps name their tasks (`scheduling.bind`) and are found by `tasks.py`.

Queues: `scheduling-0` ... for scheduling cycles, each read by one single-process worker that keeps the
engines of its clusters warm; `default` for all other work, read by as many workers as are started.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

from celery import Celery
from celery.signals import celeryd_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.config.settings")

app = Celery("playground")
# In every thread: "current" is per thread, and requests are served in threads of their own.
app.set_default()
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def prepare_worker(**_: object) -> None:
    """Only in a worker: help with the periodic tasks."""
    # It connects itself to the worker's signals.
    import_module("playground.config.heartbeat")


@worker_ready.connect
def tell_ready(**_: object) -> None:
    """Tell whoever started the worker that it takes tasks now."""
    if path := os.environ.get("PLAYGROUND_READY_FILE"):
        Path(path).touch()
