"""Reading many tables as of one moment.

Whoever follows the feed starts from the objects as they were at one version.
On PostgreSQL that is a repeatable-read transaction; on SQLite a deferred one,
begun by hand, since the configured transactions take the write lock at once
and a reader must not stop the writers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import BigIntegerField, Func

T = TypeVar("T")


class OctetLength(Func):
    """Bytes of a text; `Length` counts characters."""

    function = "OCTET_LENGTH"
    output_field = BigIntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        return self.as_sql(compiler, connection, template="LENGTH(CAST(%(expressions)s AS BLOB))", **context)


# Well under the number of parameters any supported database takes in one statement.
CHUNK = 500


@contextmanager
def consistent_read() -> Iterator[None]:
    """All queries inside see the database as of the first one. Read only; free inside a transaction."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        yield from _deferred_transaction()
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def _deferred_transaction() -> Iterator[None]:
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def chunks(items: Iterable[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    """`items` in lists of at most `size`."""
    batch: list[T] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
