"""Whether the cluster has a group's minResources free, and in which words it has not.

The nodes' free amounts are added up as if the cluster were one large node; the
group's own pods do not count as users. What is missing is told as Go prints a
ResourceList (`resource gap: map[cpu:{{2000 -3} {<nil>}  DecimalSI}]`): each
amount as a number, the power of ten it is to be multiplied with, and the format
of the quantity as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.objects.pod_info import PodInfo
from scheduler_core.objects.quantity import NANO, Quantity
from scheduler_core.snapshot.snapshot import Snapshot

PODS = "pods"
CPU = "cpu"

_WRITTEN = re.compile(
    r"[+-]?\d*(?:\.(?P<fraction>\d*))?(?:(?P<binary>[KMGTPE]i)|(?P<suffix>[numkMGTPE]?))(?:[eE](?P<exponent>[+-]?\d+))?"
)
_POWERS = {"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
# Powers of ten in which nodes count: cpu in thousandths, anything else whole.
_NODE_POWERS = {CPU: -3}


def resource_gap(
    snapshot: Snapshot, min_resources: Mapping[str, Quantity], min_member: int, own_pods: Iterable[tuple[PodInfo, str]]
) -> str:
    """What is missing; "" where nothing is. `own_pods` are the group's pods that are on nodes, with their node."""
    own = list(own_pods)
    wanted = {**min_resources, PODS: Quantity(str(min_member), min_member * NANO)}
    gaps = {name: _gap(snapshot, name, wanted[name], own) for name in sorted(wanted)}
    told = " ".join(f"{name}:{gap}" for name, gap in gaps.items() if gap)
    return f"resource gap: map[{told}]" if told else ""


def _gap(snapshot: Snapshot, name: str, wanted: Quantity, own: Sequence[tuple[PodInfo, str]]) -> str:
    """It is enough when the nodes up to any one of them have enough together."""
    free = _free(snapshot, name, own)
    unit = 10 ** (9 + _NODE_POWERS.get(name, 0))
    together = np.cumsum(free)
    if not len(free):
        return _in_go(wanted, wanted.nano) if wanted.nano > 0 else ""
    if int(together.max()) * unit >= wanted.nano:
        return ""
    counted = _NODE_POWERS.get(name, 0) if free.any() else None
    return _in_go(wanted, wanted.nano - int(together[-1]) * unit, counted)


def _free(snapshot: Snapshot, name: str, own: Sequence[tuple[PodInfo, str]]) -> NDArray[np.int64]:
    """Per node, in the order of rows; overcommitted nodes have less than nothing."""
    if name == PODS:
        free = (snapshot.allowed_pods - snapshot.pod_count).astype(np.int64)
    else:
        index = snapshot.resource_index(name)
        free = snapshot.allocatable[index] - snapshot.requested[index]
    for pod, node_name in own:
        record = snapshot.record_of(node_name)
        if record is not None:
            free[record.row] += 1 if name == PODS else pod.requests.get(name, 0)
    return free


def _in_go(written: Quantity, nano: int, counted: int | None = None) -> str:
    """The amount as Go prints the struct of a quantity; `counted`: the power of ten of what was subtracted from it."""
    power, kind = _power_and_format(written.text)
    if counted is not None:
        power = min(power, counted)
    return f"{{{{{nano // 10 ** (9 + power)} {power}}} {{<nil>}}  {kind}}}"


def _power_and_format(text: str) -> tuple[int, str]:
    match = _WRITTEN.fullmatch(text)
    assert match is not None, f"{text!r} was read as a quantity before"
    digits = len(match["fraction"] or "")
    if match["binary"]:
        return 0, "BinarySI"
    if match["exponent"]:
        return max(int(match["exponent"]) - digits, -9), "DecimalExponent"
    return max(_POWERS[match["suffix"]] - digits, -9), "DecimalSI"
