"""How this app answers: as `playground.clusters` does."""

from __future__ import annotations

from playground.clusters.answers import PROBLEM, an_object, described, json_answer

__all__ = ["PROBLEM", "an_object", "described", "json_answer"]
