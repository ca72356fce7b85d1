"""Builders for tests: a node or a pod in one line."""

from scheduler_core.testing.builders import NodeBuilder, PodBuilder, make_node, make_pod
from scheduler_core.testing.fake_clock import FakeClock

__all__ = ["FakeClock", "NodeBuilder", "PodBuilder", "make_node", "make_pod"]
