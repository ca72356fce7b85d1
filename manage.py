#!/usr/bin/env python3
"""Django's command line; `up` goes to the supervisor at once, which must stay small and needs no Django."""

from __future__ import annotations

import os
import sys


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.config.settings")
    if sys.argv[1:2] == ["up"]:
        from playground.supervisor.command_line import main as up

        return up(sys.argv[2:])
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
