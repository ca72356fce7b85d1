"""Plugins written in CEL: a filter expression, a score expression, or both."""

from scheduler_core.plugins.cel.language import MAX_EXPRESSION_LENGTH, VARIABLES, Purpose
from scheduler_core.plugins.cel.plugin import (
    CelPlugin,
    CelPluginDefinition,
    DefinitionProblem,
    cel_plugin_entry,
    definition_problems,
)

__all__ = [
    "MAX_EXPRESSION_LENGTH",
    "VARIABLES",
    "CelPlugin",
    "CelPluginDefinition",
    "DefinitionProblem",
    "Purpose",
    "cel_plugin_entry",
    "definition_problems",
]
