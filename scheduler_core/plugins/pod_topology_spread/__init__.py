"""PodTopologySpread: keep matching pods evenly spread over zones, hosts, or any other label.

A constraint counts, per value of a topology key (a *domain*), the pods its
selector matches. `DoNotSchedule` filters: a node is rejected where its domain
would be more than `maxSkew` above the emptiest one. `ScheduleAnyway` scores.
A pod without constraints gets the default ones, with a selector deduced from
the Services and the controller that select it.

    constraints.py    what a pod asks for, compiled
    defaults.py       the deduced selector
    topology.py       which nodes count for which domain
    hard.py           Filter's counts, kept true during preemption
    soft.py           Score
    plugin.py         the extension points and the events
"""

from scheduler_core.plugins.pod_topology_spread.plugin import PodTopologySpread

__all__ = ["PodTopologySpread"]
