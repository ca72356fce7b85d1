"""Events about many like objects, without one row for each.

Kubernetes' recorder writes the first ten of a kind one by one and the rest as
one counted event, "(combined from similar events): ...". So does a controller
here, within one reconcile.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.objects.event_record import EventRecord
from scheduler_core.objects.manifest import Manifest

WRITTEN_OUT = 10
COMBINED = "(combined from similar events): "


def events(
    regarding: Manifest,
    reason: str,
    messages: Sequence[str],
    *,
    source: str,
    warning: bool = False,
) -> list[EventRecord]:
    def record(message: str, count: int = 1) -> EventRecord:
        return EventRecord(
            regarding=regarding,
            event_type="Warning" if warning else "Normal",
            reason=reason,
            message=message,
            source=source,
            count=count,
        )

    written = [record(message) for message in messages[:WRITTEN_OUT]]
    rest = messages[WRITTEN_OUT:]
    return [*written, record(COMBINED + rest[-1], len(rest))] if rest else written
