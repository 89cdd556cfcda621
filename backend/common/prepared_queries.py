"""Querysets that are compiled to SQL once in a process, for what the requests of experts read.

To compile a queryset with subqueries takes the processor many times as long as to run its SQL.
"""

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

M = TypeVar("M", bound=Model)
Parameter = tuple[str | None, object]  # its name, or the value that it always has


class PreparedQuery(Generic[M]):
    """A queryset of model instances, without prefetches, whose values vary and whose SQL does not.

    build: makes the queryset from values by name. examples: such values, each unlike all others
    in the SQL; where one is found there, `fetch` puts its own value.
    """

    def __init__(self, build: Callable[..., QuerySet[M]], **examples: object) -> None:
        self._build, self._examples = build, examples
        self._compiled: tuple[SQLCompiler, str, list[Parameter]] | None = None

    def fetch(self, **values: object) -> list[M]:
        compiler, sql, parameters = self._compiled or self._compile()
        if compiler.query.select_for_update and not connection.in_atomic_block:
            raise TransactionManagementError("select_for_update is used outside a transaction.")
        bound = [fixed if name is None else values[name] for name, fixed in parameters]
        query = SimpleNamespace(get_compiler=lambda using: _BoundCompiler(compiler, sql, bound))
        source: Any = SimpleNamespace(db=connection.alias, query=query, _known_related_objects={})
        return list(ModelIterable(source))

    def fetch_one(self, **values: object) -> M | None:
        return next(iter(self.fetch(**values)), None)

    def _compile(self) -> tuple[SQLCompiler, str, list[Parameter]]:
        compiler = self._build(**self._examples).query.get_compiler(connection.alias)
        sql, fixed = compiler.as_sql()
        parameters = [(self._name_of(one), one) for one in fixed]
        if missing := self._examples.keys() - {name for name, _ in parameters}:
            raise ValueError(f"The SQL has no value of {missing}.")
        self._compiled = compiler, sql, parameters
        return self._compiled

    def _name_of(self, value: object) -> str | None:
        return next((name for name, one in self._examples.items() if one == value), None)


class _BoundCompiler(SQLCompiler):
    """Runs the SQL that another compiler made, with these values."""

    def __init__(self, compiled: SQLCompiler, sql: str, values: Sequence[object]) -> None:
        self.__dict__.update(compiled.__dict__, connection=connection)
        self._bound = sql, tuple(values)

    def as_sql(self, *args: object, **options: object) -> tuple[str, tuple[Any, ...]]:
        return self._bound


def set_prefetched(instance: Model, name: str, rows: Sequence[M], model: type[M]) -> None:
    """As if the related rows had been prefetched for the instance."""
    fetched: Any = model._default_manager.all()
    fetched._result_cache, fetched._prefetch_done = list(rows), True
    instance.__dict__.setdefault("_prefetched_objects_cache", {})[name] = fetched
