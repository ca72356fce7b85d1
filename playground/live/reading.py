"""Reading the database from the event loop, in a few threads of our own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import close_old_connections

T = TypeVar("T")

# Also the number of connections to the database that all live clients of the process share.
READERS = 3

_readers = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="live")


async def read_database(function: Callable[..., T], *arguments: Any) -> T:
    """Call `function` in one of the reader threads."""

    def call() -> T:
        close_old_connections()
        try:
            return function(*arguments)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_readers, call)
