"""Kubernetes' timestamps (RFC 3339, whole seconds, UTC) and cluster time (seconds since the epoch)."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache


@lru_cache(maxsize=1024)
def _format_second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def format_time(at: float) -> str:
    return _format_second(int(at // 1))


@lru_cache(maxsize=8192)
def parse_time(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
