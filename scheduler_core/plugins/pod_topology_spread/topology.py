"""Which nodes count for which domain of a constraint.

Depends on the nodes and the pod's class only, so it is kept until a node
changes; counting pods is then one pass over a column.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.domain_totals import DomainTotals
from scheduler_core.framework.interface import IntArray
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.taints import first_untolerated
from scheduler_core.plugins.pod_topology_spread.constraints import Constraint, Constraints
from scheduler_core.snapshot.node_selection import has_labels_mask, required_node_affinity
from scheduler_core.snapshot.snapshot import Snapshot


class Domains(NamedTuple):
    """The domains of one constraint. A domain is the code of its label value; one entry more, the last, is nobody's."""

    constraint: Constraint
    # Shape (n,): the domain each node counts for, or the last entry.
    of_node: NDArray[np.intp]
    # Shape (domains + 1,): whether any node counts for it.
    exists: NDArray[np.bool_]
    # Domains that exist.
    number: int

    def matching_pods(self, snapshot: Snapshot, namespace: str, totals: DomainTotals) -> IntArray:
        """Shape (domains + 1,): matching pods per domain; the last entry is 0. Do not write to it."""
        selector = self.constraint.selector
        if selector.is_empty:
            return np.zeros(len(self.exists), dtype=np.int64)
        pods = snapshot.matching_pods(frozenset((namespace,)), selector, include_terminating=False)
        key = (namespace, selector, id(self.of_node))
        return totals.get(key, pods, self.of_node, len(self.exists), snapshot).by_domain


Topology = tuple[Domains, ...]


def topology_of(pod: PodInfo, constraints: Constraints, snapshot: Snapshot, *, require_all_keys: bool) -> Topology:
    """With `require_all_keys` a node that lacks the key of any constraint counts for none."""
    complete = np.ones(snapshot.n, dtype=np.bool_)
    if require_all_keys:
        complete = has_labels_mask(snapshot, [each.topology_key for each in constraints])
    return tuple(_domains(pod, each, snapshot, complete) for each in constraints)


def _domains(pod: PodInfo, constraint: Constraint, snapshot: Snapshot, complete: NDArray[np.bool_]) -> Domains:
    codes = snapshot.label_codes(constraint.topology_key)
    nobody = len(snapshot.label_values(constraint.topology_key))
    counts = complete & (codes >= 0) & _included(pod, constraint, snapshot)
    of_node = np.where(counts, codes, nobody).astype(np.intp)
    exists = np.zeros(nobody + 1, dtype=np.bool_)
    exists[of_node] = True
    exists[nobody] = False
    return Domains(constraint, of_node, exists, int(exists.sum()))


def _included(pod: PodInfo, constraint: Constraint, snapshot: Snapshot) -> NDArray[np.bool_]:
    """The two inclusion policies."""
    included = np.ones(snapshot.n, dtype=np.bool_)
    if constraint.honor_affinity:
        included &= required_node_affinity(pod.pod).mask(snapshot)
    if constraint.honor_taints:
        tolerations = pod.pod.spec.tolerations
        tolerated = [first_untolerated(taints, tolerations) is None for taints in snapshot.taint_classes]
        included &= np.array(tolerated, dtype=np.bool_)[snapshot.taint_class]
    return included
