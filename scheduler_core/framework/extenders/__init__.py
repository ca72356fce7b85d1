"""HTTP extenders: services asked beside the plugins of every profile.

interface   what an extender is, who makes the calls, where manifests come from
wire        request bodies and answers, as kube-scheduler v1.34 writes and reads them
extender    one extender: may it be asked about this pod, and what did it say
extenders   all of them in a scheduling cycle: Filter, Prioritize, Preempt, and the record of their calls

Nothing here opens a connection: an `ExtenderCaller` is handed in.
"""

from scheduler_core.framework.extenders.extender import Extender, ExtenderError, binder_of, is_interested
from scheduler_core.framework.extenders.extenders import EXTENDER, Extenders, ExtenderVictims, Passed
from scheduler_core.framework.extenders.interface import (
    ExtenderAnswer,
    ExtenderCaller,
    ExtenderSpec,
    ExtenderUnreachable,
    ManifestSource,
)

__all__ = [
    "EXTENDER",
    "Extender",
    "ExtenderAnswer",
    "ExtenderCaller",
    "ExtenderError",
    "ExtenderSpec",
    "ExtenderUnreachable",
    "ExtenderVictims",
    "Extenders",
    "ManifestSource",
    "Passed",
    "binder_of",
    "is_interested",
]
