"""Fixtures of services for every test; see tests/services/."""

from __future__ import annotations

pytest_plugins = ["tests.services.fixtures"]
