from http import HTTPStatus

from backend.common.errors import DomainError
from backend.validation.faults import Fault


class InvalidQuery(DomainError):
    """The query is invalid; its line and column are given if known."""

    code = "cypher_wrong"

    def __init__(self, detail: str, *, line: int | None = None, column: int | None = None) -> None:
        place = "query" if line is None else f"query, line {line}, column {column}"
        super().__init__(
            detail,
            faults=[Fault(place, detail, self.code)],
            data={"line": line, "column": column},
        )


class ForbiddenQuery(InvalidQuery):
    """The query contains a statement that does more than read the graph."""

    code = "cypher_refused"


class QueryLimitExceeded(DomainError):
    """The query was stopped at its time or memory limit."""

    code = "cypher_stopped"


class ResultTooLarge(DomainError):
    """The first row alone exceeds the size limit of a result."""

    code = "cypher_answer_too_large"


class QueryCancelled(DomainError):
    code = "cypher_cancelled"
    status = HTTPStatus.CONFLICT


class EngineBusy(DomainError):
    """The limit of concurrent queries is reached."""

    code = "cypher_busy"
    status = HTTPStatus.SERVICE_UNAVAILABLE


class GraphTooLarge(DomainError):
    """The graph exceeds the size limit of the engine."""

    code = "cypher_graph_too_large"


class DatabaseNotOpened(DomainError):
    """A process of the engine could not open its database: no fault of a query."""

    code = "cypher_not_opened"
    status = HTTPStatus.INTERNAL_SERVER_ERROR


class DatabaseNotBuilt(DomainError):
    """The engine's database of a graph could not be built; nothing is left behind."""

    code = "cypher_not_built"
    status = HTTPStatus.INTERNAL_SERVER_ERROR
