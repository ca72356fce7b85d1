"""InterPodAffinity: pods that want to be near each other, or far apart.

A term selects pods and names a topology key; nodes with the same value of that
label are one *domain*. Affinity wants such a pod in the node's domain,
anti-affinity wants none. Both are symmetric in part: required anti-affinity of
existing pods keeps a new pod away, and all other terms of existing pods (but
required anti-affinity) count in its score.

Nothing here walks over pods: the snapshot counts, per node, the pods a selector
matches and the pods that have a term; those columns are summed up by domain.

    topology.py     pods per domain
    matching.py     which pods, and which terms of existing pods, match
    required.py     Filter's counts, kept true during preemption
    preferred.py    Score
    plugin.py       the extension points and the events
"""

from scheduler_core.plugins.inter_pod_affinity.plugin import InterPodAffinity

__all__ = ["InterPodAffinity"]
