"""RFC 3339 timestamps as seconds since the epoch."""

from __future__ import annotations

from datetime import UTC, datetime


def parse_timestamp(text: str | None) -> float | None:
    """Seconds since the epoch, or None where there is no timestamp. Raises ValueError."""
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def format_timestamp(seconds: float) -> str:
    """As Kubernetes writes it, to the second."""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
