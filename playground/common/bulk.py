"""Many rows in one go, for the tables every scheduled pod writes to.

`bulk_create` builds one long statement anew for every batch and costs some
75 us a row; here the statement of a table is made once and the driver runs it
for all rows, which costs a third of that. The keys the database gives are not
read back: use `bulk_create` where they matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db import connection, models

# Fields whose values go to the driver as they are, and those for which only a plain str does.
_PLAIN = frozenset(
    {
        models.BigIntegerField,
        models.BooleanField,
        models.FloatField,
        models.ForeignKey,
        models.IntegerField,
        models.OneToOneField,
        models.PositiveBigIntegerField,
        models.PositiveIntegerField,
    }
)
_TEXT = frozenset({models.CharField, models.TextField})


def rows_insert(rows: Sequence[models.Model]) -> None:
    """New rows of one table. The database's constraints hold; defaults are the model's."""
    if rows:
        _run(_insert_sql(type(rows[0])), rows, _columns(type(rows[0])))


def rows_upsert(rows: Sequence[models.Model], *, unique: tuple[str, ...], update: tuple[str, ...]) -> None:
    """New rows, or the `update` fields of rows that have the same `unique` fields already."""
    if rows:
        model = type(rows[0])
        _run(_upsert_sql(model, unique, update), rows, _columns(model))


def rows_update(rows: Sequence[models.Model], *, update: tuple[str, ...]) -> None:
    """The `update` fields of rows that are there, by primary key."""
    if rows:
        model = type(rows[0])
        _run(_update_sql(model, update), rows, (*_fields(model, update), model._meta.pk))


def _run(sql: str, rows: Sequence[models.Model], fields: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.executemany(sql, [[_value(row, field) for field in fields] for row in rows])


def _value(row: models.Model, field: Any) -> Any:
    value = row.__dict__[field.attname]
    kind = type(field)
    if kind in _PLAIN or (kind in _TEXT and type(value) is str):
        return value
    return field.get_db_prep_save(value, connection)


@cache
def _columns(model: type[models.Model]) -> tuple[Any, ...]:
    """All but a key that the database gives."""
    return tuple(field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField))


def _fields(model: type[models.Model], names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(model._meta.get_field(name) for name in names)


@cache
def _insert_sql(model: type[models.Model]) -> str:
    fields = _columns(model)
    marks = ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {_quoted(model._meta.db_table)} ({_list(fields)}) VALUES ({marks})"  # noqa: S608 (own names)


@cache
def _upsert_sql(model: type[models.Model], unique: tuple[str, ...], update: tuple[str, ...]) -> str:
    sets = ", ".join(f"{_name(field)} = EXCLUDED.{_name(field)}" for field in _fields(model, update))
    return f"{_insert_sql(model)} ON CONFLICT ({_list(_fields(model, unique))}) DO UPDATE SET {sets}"


@cache
def _update_sql(model: type[models.Model], update: tuple[str, ...]) -> str:
    sets = ", ".join(f"{_name(field)} = %s" for field in _fields(model, update))
    return f"UPDATE {_quoted(model._meta.db_table)} SET {sets} WHERE {_name(model._meta.pk)} = %s"  # noqa: S608


def _list(fields: Sequence[Any]) -> str:
    return ", ".join(_name(field) for field in fields)


def _name(field: Any) -> str:
    return _quoted(field.column)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
