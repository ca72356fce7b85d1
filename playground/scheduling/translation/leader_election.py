"""The `leaderElection` of a configuration, read without decoding the rest: every slice asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.configuration import LeaderElection, decode_leader_election

_DEFAULT = decode_leader_election({})


def leader_election(document: Mapping[str, Any]) -> LeaderElection:
    """Of a document that was found to be valid; the defaults where it says nothing."""
    written = document.get("leaderElection")
    return decode_leader_election(written) if written else _DEFAULT
