"""`manage.py up` as Django lists it. (manage.py itself goes to the supervisor without loading Django.)"""

from __future__ import annotations

import sys
from argparse import REMAINDER, ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from playground.supervisor import command_line


class Command(BaseCommand):
    help = "Starts the whole playground on this machine: Valkey, Celery workers, web server."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("arguments", nargs=REMAINDER, help="see `manage.py up --help`")

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(command_line.main(options["arguments"]))
