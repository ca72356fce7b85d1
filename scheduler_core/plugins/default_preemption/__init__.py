"""DefaultPreemption: when no node fits, which pods of lower priority could go.

eligibility   may this pod preempt at all
importance    which of two pods is worth more
budgets       which victims would break a PodDisruptionBudget
dry_run       per node: the fewest victims that make room
selection     which node's victims hurt least
extender_say  what HTTP extenders make of the candidates
plugin        the story, and the gate while victims are being deleted
"""

from scheduler_core.plugins.default_preemption.plugin import DefaultPreemption

__all__ = ["DefaultPreemption"]
