"""The rules of each kind that its shape does not say."""

from __future__ import annotations

from typing import Any

from playground.clusters.kinds import Kind
from playground.common.errors import Cause


def validate(kind: Kind, manifest: dict[str, Any]) -> list[Cause]:
    return []
