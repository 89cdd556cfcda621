"""What can go wrong with a Cypher query, each with a sentence for the reader."""

from __future__ import annotations

from http import HTTPStatus

from backend.common.errors import DomainError, Fault


class QueryWrong(DomainError):
    """The query is not one that can be asked of this graph; the place is given where known."""

    code = "cypher_wrong"

    def __init__(self, detail: str, *, line: int | None = None, column: int | None = None) -> None:
        place = "query" if line is None else f"query, line {line}, column {column}"
        super().__init__(
            detail,
            faults=[Fault(place, detail, self.code)],
            data={"line": line, "column": column},
        )


class QueryRefused(QueryWrong):
    """A statement that does more than read the graph."""

    code = "cypher_refused"


class QueryStopped(DomainError):
    """The query needed more time or memory than it may have."""

    code = "cypher_stopped"


class AnswerTooLarge(DomainError):
    """Not even the first row of the answer can be sent."""

    code = "cypher_answer_too_large"


class QueryCancelled(DomainError):
    code = "cypher_cancelled"
    status = HTTPStatus.CONFLICT


class EngineBusy(DomainError):
    """As many queries run as may; another one may be asked in a moment."""

    code = "cypher_busy"
    status = HTTPStatus.SERVICE_UNAVAILABLE


class GraphTooLarge(DomainError):
    """The graph has more edges or entities than the engine is given."""

    code = "cypher_graph_too_large"


class DatabaseNotBuilt(DomainError):
    """The engine's copy of a graph could not be made; nothing of it is left behind."""

    code = "cypher_not_built"
    status = HTTPStatus.INTERNAL_SERVER_ERROR


class DatabaseBeingBuilt(DomainError):
    """The engine's copy of a graph is not there yet; somebody makes it."""

    code = "cypher_being_built"
    status = HTTPStatus.SERVICE_UNAVAILABLE
