"""KubeSchedulerConfiguration: from a document to profiles whose plugins are known, or an error that names the field.

document    what may be written, field by field
strict      decoding that knows no unknown field
defaults    the default plugins, and merging a profile's changes into them
arguments   pluginConfig
validation  what types cannot say
effective   which plugins run at which extension point, in which order
decode      all of it in order
"""

from scheduler_core.configuration.decode import decode_configuration, decode_leader_election, default_configuration
from scheduler_core.configuration.errors import ConfigurationError, FieldProblem
from scheduler_core.configuration.model import Configuration, Extender, LeaderElection, Profile

__all__ = [
    "Configuration",
    "ConfigurationError",
    "Extender",
    "FieldProblem",
    "LeaderElection",
    "Profile",
    "decode_configuration",
    "decode_leader_election",
    "default_configuration",
]
