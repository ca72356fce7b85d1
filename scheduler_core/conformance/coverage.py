"""What the engine was compared with, and what it leaves out.

The cases are answers that kube-scheduler itself gave to made-up clusters; they
are run with the tests, which also keep the counts here true.
"""

from __future__ import annotations

import msgspec

KUBERNETES_VERSION = "v1.34.1"


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """One file of cases."""

    name: str
    # What a case of it is about.
    about: str
    cases: int


COMPARISONS: tuple[Comparison, ...] = (
    Comparison(name="resources", about="requests of all kinds against what nodes have left", cases=40),
    Comparison(name="strategy", about="LeastAllocated, MostAllocated and RequestedToCapacityRatio", cases=40),
    Comparison(name="nodeaffinity", about="node selectors and node affinity", cases=40),
    Comparison(name="taints", about="taints, tolerations and cordoned nodes", cases=40),
    Comparison(name="ports", about="host ports", cases=40),
    Comparison(name="spread", about="topology spread constraints of pods", cases=40),
    Comparison(name="defaultspread", about="topology spread by default constraints", cases=40),
    Comparison(name="podaffinity", about="affinity and anti-affinity between pods", cases=40),
    Comparison(name="images", about="images that are on nodes already", cases=40),
    Comparison(name="volumes", about="claims, volumes, their topology and their limits", cases=40),
    Comparison(name="preemption", about="who is evicted for whom, and why there", cases=90),
    Comparison(name="profiles", about="several profiles with plugins and weights of their own", cases=40),
    Comparison(name="dra", about="device claims by dynamic resource allocation", cases=60),
    Comparison(name="mixed", about="everything above at once", cases=40),
    Comparison(name="long", about="long sequences of pods on large clusters, with node sampling", cases=4),
    Comparison(name="hints", about="whether an event is worth another attempt of a pod", cases=400),
    Comparison(name="timeline", about="the queues over time: backoff, flushes, gates", cases=27),
    Comparison(name="config", about="KubeSchedulerConfiguration documents: effective plugins, or the error", cases=54),
)

# Where this is not kube-scheduler, in words for people.
NOT_MODELLED: tuple[str, ...] = (
    "Extenders prioritize one after the other, not side by side; a node that one passes without having been asked "
    "about it is always an error; the slow or failing API server of a cluster's settings does not concern bindings "
    "that an extender writes.",
    "Redirects of extenders and webhooks are not followed.",
    "Of an extender's answer at most 10,000 entries of a list or a map are read, and reasons of a thousand characters; "
    "a FitError text ends after 32 KiB.",
    "Kubernetes estimates what a CEL expression costs; here its steps, the growth of its values and its patterns are "
    "bounded, which refuses some others. Selectors of devices have the functions over texts but `format`, `quote` and "
    "`reverse`.",
    "A scheduler whose pod another one bound records the event, but not the condition that kubelets set right at once.",
    "Among nodes with the same highest total one is drawn by the cluster's own seed.",
    "Nodes are looked at together instead of by parallel workers; answers do not depend on it.",
    "SchedulerPopFromBackoffQ is off unless a cluster switches it on, so that backoff is seen.",
    "Metrics and client settings of a configuration are read and have no effect.",
    "Scoring volumes by storage capacity, which is off by default in v1.34, is left out.",
    "Dynamic resource allocation is without what is alpha in v1.34, and without drivers that prepare devices on nodes.",
    "One stand-in provisions for every storage driver: it uses up no capacity and resizes nothing.",
    "Claims and volumes in use have no protection finalizer: what is deleted is gone at once.",
    "Of admission hooks there are mutating ones only, asked for what is created and for what people change; "
    "policies take no parameters.",
    "Kubelets send no heartbeats: one that is told to stop is missed 50 seconds later; the out-of-service taint and "
    "zones full of dead nodes change nothing.",
    "Plugins written in CEL are the playground's own; of a pod's spec they see what scheduling looks at.",
    "Coscheduling, which is not kube-scheduler's own, was not compared with recordings; when another worker takes "
    "over, a group's backoff and the time of its last failure are forgotten.",
)
