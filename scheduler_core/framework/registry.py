"""The table of plugins that profiles may name: name -> class and type of its arguments.

There is one explicit table per program (`scheduler_core.plugins` has the one of
the default plugins); nothing registers itself by being imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from scheduler_core.framework.interface import Plugin


class RegistryEntry(NamedTuple):
    plugin: type[Plugin]
    # `args()` gives the defaults; `msgspec.convert(..., args)` decodes `pluginConfig`.
    args: type[msgspec.Struct]
    # Whether the shape of its answers is looked at in every cycle; the engine's own plugins are tested instead.
    is_checked: bool = True


Registry = Mapping[str, RegistryEntry]
