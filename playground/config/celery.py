"""The Celery application. Apps name their tasks (`scheduling.bind`) and are found by `tasks.py`.

Queues: `scheduling-0` ... for scheduling cycles, each read by one single-process worker that keeps the
engines of its clusters warm; `default` for all other work, read by as many workers as are started.
"""

from __future__ import annotations

import os

from celery import Celery
from celery.signals import celeryd_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.config.settings")

app = Celery("playground")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def prepare_worker(**_: object) -> None:
    """A worker, not a client: it also helps to keep the periodic tasks going."""
    import playground.config.heartbeat  # noqa: F401  (connects itself to the worker's signals)
