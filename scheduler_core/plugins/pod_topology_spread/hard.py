"""Filter by `DoNotSchedule` constraints.

The counts per domain are taken once in PreFilter. Preemption asks again with
some pods gone: `pod_changed` keeps the counts true without counting anew.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.framework.domain_totals import DomainTotals
from scheduler_core.framework.interface import ALL_FIT, CodeArray, IntArray, Rows, Verdicts
from scheduler_core.framework.status import unresolvable, unschedulable
from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.plugins.pod_topology_spread.topology import Domains, Topology
from scheduler_core.snapshot.snapshot import Snapshot

TOO_SKEWED = unschedulable("node(s) didn't match pod topology spread constraints")
NO_LABEL = unresolvable("node(s) didn't match pod topology spread constraints (missing required label)")

_STATUSES = (TOO_SKEWED, NO_LABEL)
_TOO_SKEWED_CODE, _NO_LABEL_CODE = 1, 2


class HardSpread:
    """The counts of one cycle."""

    def __init__(self, pod: PodInfo, topology: Topology, counts: list[IntArray], *, owned: bool) -> None:
        self._pod = pod
        self._topology = topology
        # By constraint, shape (domains + 1,).
        self._counts = counts
        # Whether the counts may be written to.
        self._owned = owned

    def clone(self) -> HardSpread:
        return HardSpread(self._pod, self._topology, [counts.copy() for counts in self._counts], owned=True)

    def verdicts(self, snapshot: Snapshot, rows: Rows) -> Verdicts:
        codes: CodeArray | None = None
        for domains, counts in zip(self._topology, self._counts, strict=True):
            answers = self._answers(domains, counts)
            if not answers.any():
                continue
            found = answers[snapshot.label_codes(domains.constraint.topology_key)[rows]]
            codes = found if codes is None else np.where(codes == 0, found, codes)
        return ALL_FIT if codes is None else Verdicts(codes, _STATUSES)

    def remedies(self, snapshot: Snapshot, row: int) -> list[str]:
        """For a node that has all of the topology keys."""
        found = []
        for domains, counts in zip(self._topology, self._counts, strict=True):
            constraint = domains.constraint
            key, domain = constraint.topology_key, int(snapshot.label_codes(constraint.topology_key)[row])
            excess = int(counts[domain]) - self._highest(domains, counts)
            if excess > 0:
                found.append(
                    f"{excess} fewer matching pods in {key}={snapshot.label_values(key)[domain]}, or more elsewhere "
                    f"(it has {counts[domain]}, the emptiest domain {_emptiest(domains, counts)}, "
                    f"maxSkew is {constraint.max_skew})"
                )
        return found

    def _highest(self, domains: Domains, counts: IntArray) -> int:
        """The most matching pods a domain may have to take this one, too."""
        constraint = domains.constraint
        own = 1 if constraint.selector.matches(self._pod.labels) else 0
        return constraint.max_skew - own + _emptiest(domains, counts)

    def _answers(self, domains: Domains, counts: IntArray) -> CodeArray:
        """Shape (domains + 1,): the code for each domain; the last entry is for nodes without the label."""
        answers = (counts > self._highest(domains, counts)).astype(np.int16)
        answers[-1] = _NO_LABEL_CODE
        return answers

    def pod_changed(self, pod: PodInfo, row: int, change: int) -> None:
        """A pod came to (+1) or went from (-1) the node at `row`."""
        if pod.namespace != self._pod.namespace:
            return
        if not self._owned:
            self._counts = [counts.copy() for counts in self._counts]
            self._owned = True
        for domains, counts in zip(self._topology, self._counts, strict=True):
            domain = domains.of_node[row]
            if domain < len(counts) - 1 and domains.constraint.selector.matches(pod.labels):
                counts[domain] += change


def hard_spread(pod: PodInfo, topology: Topology, snapshot: Snapshot, totals: DomainTotals) -> HardSpread:
    counts = [domains.matching_pods(snapshot, pod.namespace, totals) for domains in topology]
    return HardSpread(pod, topology, counts, owned=False)


def _emptiest(domains: Domains, counts: IntArray) -> int:
    """The number of pods in the emptiest domain."""
    if domains.number == 0 or domains.number < domains.constraint.min_domains:
        return 0
    if domains.number == len(counts) - 1:
        return int(counts[:-1].min())
    return int(counts[domains.exists].min())
