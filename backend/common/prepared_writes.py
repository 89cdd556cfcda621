"""Rows that are written by SQL compiled once in a process, for what the requests of experts write.

As `Model.save`, of all fields, without signals.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import AutoField, Model
from psycopg.sql import SQL, Composable, Composed, Identifier, Placeholder

from backend.common.prepared_queries import fetch_prepared

Fields = Sequence[Any]  # of Django; the stubs' Field has parameters, Django's has none


def insert_row(row: Model) -> None:
    sql, fields = _insertion(type(row))
    [(row.pk,)] = fetch_prepared(sql, _values(row, fields, is_new=True))
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def update_row(row: Model) -> None:
    """Raises DatabaseError if it is no longer there."""
    sql, fields = _update(type(row))
    if not fetch_prepared(sql, [*_values(row, fields, is_new=False), row.pk]):
        raise DatabaseError(f"There is no {row._meta.verbose_name} {row.pk} to update.")


def store_row(row: Model) -> None:
    if row._state.adding:
        insert_row(row)
    else:
        update_row(row)


def insert_or_update_row(row: Model, unique: Sequence[str]) -> None:
    """In one statement: a row that has the same values of these fields, which a constraint lets no
    two rows have, gets all other values of this one, but its own key."""
    sql, fields = _insertion_or_update(type(row), tuple(unique))
    [(row.pk,)] = fetch_prepared(sql, _values(row, fields, is_new=True))
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def store_row_with(row: Model, child: Model, parent: str) -> None:
    """Store the row and insert a child, whose field `parent` refers to it, in one statement.

    Raises DatabaseError if the row is no longer there; then nothing is inserted.
    """
    is_new = row._state.adding
    sql, fields, child_fields = _storing_with(type(row), type(child), parent, is_new)
    own = [*_values(row, fields, is_new=is_new), *(() if is_new else (row.pk,))]
    [(key, child.pk)] = fetch_prepared(sql, [*own, *_values(child, child_fields, is_new=True)])
    row.pk = key
    setattr(child, parent, row)
    for one in (row, child):
        one._state.adding, one._state.db = False, DEFAULT_DB_ALIAS


def _values(row: Model, fields: Fields, *, is_new: bool) -> list[object]:
    database = connections[DEFAULT_DB_ALIAS]
    return [field.get_db_prep_save(field.pre_save(row, is_new), database) for field in fields]


@cache
def _insertion(model: type[Model]) -> tuple[str, Fields]:
    sql, fields = _compose_insertion(model)
    return sql.as_string(), fields


@cache
def _update(model: type[Model]) -> tuple[str, Fields]:
    sql, fields = _compose_update(model)
    return sql.as_string(), fields


@cache
def _insertion_or_update(model: type[Model], unique: tuple[str, ...]) -> tuple[str, Fields]:
    insertion, fields = _compose_insertion(model, unique)
    return insertion.as_string(), fields


@cache
def _storing_with(
    model: type[Model], child: type[Model], parent: str, is_new: bool
) -> tuple[str, Fields, Fields]:
    """The statement, and the fields of both rows whose values it takes, in this order.

    Without a row to refer to, the reference is null, which the child's table refuses.
    """
    storing, fields = _compose_insertion(model) if is_new else _compose_update(model)
    reference = child._meta.get_field(parent)
    (_, own_key), (table, key) = _names(model), _names(child)
    every = _inserted_fields(child)
    stored = SQL("(SELECT {} FROM stored)").format(own_key)
    places: list[Composable] = [stored if one is reference else Placeholder() for one in every]
    sql = SQL("WITH stored AS ({}) INSERT INTO {} ({}) VALUES ({}) RETURNING {}, {}").format(
        storing, table, _columns(every), _listed(places), _column(reference), key
    )
    return sql.as_string(), fields, [one for one in every if one is not reference]


def _compose_insertion(model: type[Model], unique: Sequence[str] = ()) -> tuple[Composed, Fields]:
    """unique: fields by which a row is changed instead, where there is one."""
    fields = _inserted_fields(model)
    table, key = _names(model)
    places = _listed([Placeholder() for _ in fields])
    conflict = _compose_conflict(fields, unique) if unique else Composed([])
    insertion = SQL("INSERT INTO {} ({}) VALUES ({}) {} RETURNING {}")
    return insertion.format(table, _columns(fields), places, conflict, key), fields


def _compose_conflict(fields: Fields, unique: Sequence[str]) -> Composed:
    changes = [
        SQL("{0} = EXCLUDED.{0}").format(_column(one))
        for one in fields
        if not (one.primary_key or one.name in unique)
    ]
    same = _columns([one for one in fields if one.name in unique])
    return SQL("ON CONFLICT ({}) DO UPDATE SET {}").format(same, _listed(changes))


def _compose_update(model: type[Model]) -> tuple[Composed, Fields]:
    fields = [one for one in model._meta.local_concrete_fields if not one.primary_key]
    changes = _listed([SQL("{} = %s").format(_column(one)) for one in fields])
    table, key = _names(model)
    update = SQL("UPDATE {} SET {} WHERE {} = %s RETURNING {}")
    return update.format(table, changes, key, key), fields


def _inserted_fields(model: type[Model]) -> Fields:
    return [one for one in model._meta.local_concrete_fields if not isinstance(one, AutoField)]


def _names(model: type[Model]) -> tuple[Identifier, Identifier]:
    return Identifier(model._meta.db_table), _column(model._meta.pk)


def _columns(fields: Fields) -> Composed:
    return _listed([_column(one) for one in fields])


def _column(field: Any) -> Identifier:
    return Identifier(field.column)


def _listed(parts: Sequence[Composable]) -> Composed:
    return SQL(", ").join(parts)
