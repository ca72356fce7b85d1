"""Builders for tests: a node or a pod in one line."""

from scheduler_core.testing.builders import NodeBuilder, PodBuilder, make_node, make_pod
from scheduler_core.testing.fake_clock import FakeClock
from scheduler_core.testing.plugin_contract import check_plugin

__all__ = ["FakeClock", "NodeBuilder", "PodBuilder", "check_plugin", "make_node", "make_pod"]
