"""Querysets that are compiled to SQL once in a process, for what the requests of experts read.

To compile a queryset with subqueries takes the processor many times as long as to run its SQL.
PostgreSQL plans these statements once in a connection, which takes it as long again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

M = TypeVar("M", bound=Model)
Parameter = tuple[str | None, object]  # its name, or the value that it always has
Row = tuple[Any, ...]


class PreparedQuery(Generic[M]):
    """A queryset of model instances, without prefetches, whose values vary and whose SQL does not.

    build: makes the queryset from values by name. lock: a lock that querysets cannot express.
    examples: such values, each unlike all others in the SQL; where one is found there, `fetch`
    puts its own value.
    """

    def __init__(
        self, build: Callable[..., QuerySet[M]], *, lock: str = "", **examples: object
    ) -> None:
        self._build, self._lock, self._examples = build, lock, examples
        self._compiled: _Compiled | None = None

    def fetch(self, **values: object) -> list[M]:
        compiled = self._compiled or self._compile()
        if compiled.is_locking and not connection.in_atomic_block:
            raise TransactionManagementError("A row is locked outside a transaction.")
        bound = [fixed if name is None else values[name] for name, fixed in compiled.parameters]
        return compiled.instances(fetch_prepared(compiled.sql, bound))

    def fetch_one(self, **values: object) -> M | None:
        return next(iter(self.fetch(**values)), None)

    def _compile(self) -> "_Compiled":
        compiler = self._build(**self._examples).query.get_compiler(DEFAULT_DB_ALIAS)
        sql, fixed = compiler.as_sql()
        parameters = [(self._name_of(one), one) for one in fixed]
        if missing := self._examples.keys() - {name for name, _ in parameters}:
            raise ValueError(f"The SQL has no value of {missing}.")
        self._compiled = _Compiled.of(compiler, sql, parameters, self._lock)
        return self._compiled

    def _name_of(self, value: object) -> str | None:
        return next((name for name, one in self._examples.items() if one == value), None)


@dataclass(frozen=True)
class _Compiled:
    """A statement, and how instances are made from its rows, as Django's ModelIterable does."""

    sql: str
    parameters: Sequence[Parameter]
    is_locking: bool
    model: type[Any]
    columns: slice
    fields: Sequence[str]
    annotations: Sequence[tuple[str, int]]
    related: Sequence[Any]
    converters: Sequence[tuple[int, Sequence[Callable[..., Any]], Any]]

    @classmethod
    def of(
        cls, compiler: SQLCompiler, sql: str, parameters: Sequence[Parameter], lock: str
    ) -> "_Compiled":
        select, info = compiler.select, compiler.klass_info
        assert info is not None
        populators: Any = get_related_populators  # the stubs are of a later Django
        converters = compiler.get_converters([column[0] for column in select])
        columns = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
        return cls(
            sql=f"{sql} {lock}" if lock else sql,
            parameters=parameters,
            is_locking=bool(lock or compiler.query.select_for_update),
            model=info["model"],
            columns=columns,
            fields=[column[0].target.attname for column in select[columns]],
            annotations=list((compiler.annotation_col_map or {}).items()),
            related=populators(info, select, DEFAULT_DB_ALIAS),
            converters=[(at, *one) for at, one in converters.items()],
        )

    def instances(self, rows: Sequence[Row]) -> list[Any]:
        result, database = [], connections[DEFAULT_DB_ALIAS]
        for row in map(list, rows):
            for column, converters, expression in self.converters:
                for converter in converters:
                    row[column] = converter(row[column], expression, database)
            instance = self.model.from_db(DEFAULT_DB_ALIAS, self.fields, row[self.columns])
            for populator in self.related:
                populator.populate(row, instance)
            for name, column in self.annotations:
                setattr(instance, name, row[column])
            result.append(instance)
        return result


def fetch_prepared(sql: str, values: Sequence[object]) -> list[Row]:
    """The rows of a statement that PostgreSQL prepares when a connection has run it before."""
    with _open_cursor() as cursor:
        cursor.execute(sql, values)
        rows: list[Row] = cursor.fetchall()
        return rows


def _open_cursor() -> Any:
    database: Any = connections[DEFAULT_DB_ALIAS]  # the stubs know no prepared statements
    if database.queries_logged:  # the log shows values, which a prepared statement has apart
        return database.cursor()
    database.ensure_connection()
    new_cursor: Any = ServerBindingCursor
    return database._prepare_cursor(new_cursor(database.connection))


def set_prefetched(instance: Model, name: str, rows: Sequence[M], model: type[M]) -> None:
    """As if the related rows had been prefetched for the instance."""
    fetched: Any = model._default_manager.all()
    fetched._result_cache, fetched._prefetch_done = list(rows), True
    instance.__dict__.setdefault("_prefetched_objects_cache", {})[name] = fetched
