"""Which identifiers the result of a query names.

Of maps and entities their `id`; where there are none, the columns named `id`; without such columns,
every text. So `COLLECT(DISTINCT {id: n.id, name: n.name})`, `RETURN n`, `RETURN n.id, n.name` and
`RETURN n.id AS drug` are read alike.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from backend.graphs.cypher.query_runner import QueryResult

ID = "id"
PATH = {"entities", "edges"}


def answers_of_result(result: QueryResult, most: int) -> tuple[str, ...] | None:
    """Sorted, each once; None if there are more. Values that cannot be an identifier are left out.

    Reading stops at the first beyond `most`.
    """
    identifiers = _collect(_ids_of_maps(result.rows), most)
    if identifiers == set():
        columns = [at for at, name in enumerate(result.columns) if is_id_column(name)]
        chosen = columns or range(len(result.columns))
        texts = (text for row in result.rows for at in chosen for text in _texts(row[at]))
        identifiers = _collect(texts, most)
    return None if identifiers is None else tuple(sorted(identifiers))


def returns_nothing(result: QueryResult) -> bool:
    """No rows, or nothing but nulls and empty lists, such as that of COLLECT."""
    return not any(_has_value(row) for row in result.rows)


def _has_value(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_value, value))
    return value is not None


def _collect(texts: Iterator[str], most: int) -> set[str] | None:
    identifiers: set[str] = set()
    for text in filter(str.strip, texts):
        identifiers.add(text)
        if len(identifiers) > most:
            return None
    return identifiers


def is_id_column(name: str) -> bool:
    """`id`, `n.id`, `n0_id`, in any case, in backquotes and in parentheses."""
    name = name.replace("`", "").strip()
    while name[:1] == "(" and name[-1:] == ")":
        name = name[1:-1].strip()
    return name.casefold().replace("_", ".").rpartition(".")[2] == ID


def _ids_of_maps(values: Sequence[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _ids_of_maps(value)
        elif isinstance(value, dict):
            id_ = value.get(ID)
            if isinstance(id_, str | int) and not isinstance(id_, bool):
                yield str(id_)
            elif value.keys() >= PATH:
                yield from _ids_of_maps(value["entities"])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value
