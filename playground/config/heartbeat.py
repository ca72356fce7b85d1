"""The clockwork that sends periodic tasks.

Each worker has a thread that wakes every half second and sends what is due;
a key in the cache, set by whoever comes first and gone when the task is due
again, keeps it to one task a beat however many workers there are. So there is
no beat process to run, and none to miss while any worker lives.
A task that no worker took before the next beat expires instead of piling up.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping

from celery import Celery
from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings
from django.core.cache import cache

logger = logging.getLogger(__name__)

WAKE_SECONDS = 0.5

_stopping = threading.Event()


def send_due(app: Celery, beats: Mapping[str, float]) -> list[str]:
    """Send each task whose beat nobody has sent yet; answers their names."""
    sent = []
    for name, seconds in beats.items():
        if cache.add(f"heartbeat:{name}", 1, timeout=None if seconds <= 0 else max(seconds, 1)):
            app.send_task(name, expires=max(seconds, 1), ignore_result=True)
            sent.append(name)
    return sent


def run(app: Celery, stopping: threading.Event) -> None:
    """Until told to stop. A broker that is away is waited for, as the worker itself does."""
    failing = False
    while not stopping.wait(WAKE_SECONDS):
        try:
            send_due(app, settings.PLAYGROUND_HEARTBEAT)
            failing = False
        except Exception as error:  # noqa: BLE001  (redis, kombu and socket errors have no common base)
            if not failing:
                logger.warning("heartbeat: %s: %s; going on when the broker is back", type(error).__name__, error)
            failing = True


@worker_ready.connect
def start(sender: object, **_: object) -> None:
    app: Celery = sender.app  # type: ignore[attr-defined]
    _stopping.clear()
    threading.Thread(target=run, args=(app, _stopping), name="heartbeat", daemon=True).start()


@worker_shutting_down.connect
def stop(**_: object) -> None:
    _stopping.set()
