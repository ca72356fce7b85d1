"""Plugins written in CEL: a filter expression, a score expression, or both."""

from scheduler_core.plugins.cel.examples import CEL_EXAMPLES, CelExample
from scheduler_core.plugins.cel.language import Purpose
from scheduler_core.plugins.cel.plugin import (
    CelPlugin,
    CelPluginDefinition,
    DefinitionProblem,
    cel_plugin_entry,
    definition_problems,
)
from scheduler_core.plugins.cel.preview import CelFailure, CelNodePreview, preview
from scheduler_core.plugins.cel.shape import MAX_EXPRESSION_LENGTH
from scheduler_core.plugins.cel.variables import VARIABLES

__all__ = [
    "CEL_EXAMPLES",
    "MAX_EXPRESSION_LENGTH",
    "VARIABLES",
    "CelExample",
    "CelFailure",
    "CelNodePreview",
    "CelPlugin",
    "CelPluginDefinition",
    "DefinitionProblem",
    "Purpose",
    "cel_plugin_entry",
    "definition_problems",
    "preview",
]
