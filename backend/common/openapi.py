"""Problems in the OpenAPI schema.

A view names the problems of its own (`operation("jobs_cancel", JobSerializer, 409)`). What can
happen to every request of a shape is added to each operation here: unreadable requests, missing
sign-in, missing CSRF token, bodies that are too large or of another type, invalid values, a busy or
restarting server.
"""

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import F, OpenApiResponse, extend_schema
from rest_framework import serializers

from backend.common.serializers import shadowing_field


class FaultSerializer(serializers.Serializer[object]):
    place = serializers.CharField()
    message = serializers.CharField()
    code = serializers.CharField()
    expected = serializers.CharField()


class ProblemSerializer(serializers.Serializer[object]):
    """application/problem+json; some codes add members of their own."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField()
    detail = serializers.CharField()
    errors = shadowing_field(FaultSerializer(many=True))


def problems(*statuses: int) -> dict[tuple[int, str], OpenApiResponse]:
    return {
        (status, "application/problem+json"): OpenApiResponse(ProblemSerializer)
        for status in statuses
    }


def operation(
    operation_id: str, answer: Any = None, *statuses: int, status: int = 200, **options: Any
) -> Callable[[F], F]:
    """Document a view's method. statuses: its problems, besides those that are added to all.

    answer: the serializer, or responses by status.
    """
    responses = answer if isinstance(answer, dict) else {status: answer}
    return extend_schema(
        operation_id=operation_id, responses={**responses, **problems(*statuses)}, **options
    )


UNSAFE_METHODS = {"post", "put", "patch", "delete"}


def document_common_problems(result: dict[str, Any], **_context: object) -> dict[str, Any]:
    """A postprocessing hook of drf-spectacular: complete the statuses of each operation."""
    used: set[int] = set()
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            for status in common_problem_statuses(path, method, operation):
                reference = {"$ref": f"#/components/responses/{response_name(status)}"}
                operation["responses"].setdefault(str(status), reference)
                used.add(status)
            operation["responses"] = dict(sorted(operation["responses"].items()))
    result["components"]["responses"] = {
        response_name(status): problem_response(status) for status in sorted(used)
    }
    return result


def common_problem_statuses(path: str, method: str, operation: dict[str, Any]) -> Iterator[int]:
    yield HTTPStatus.BAD_REQUEST
    yield HTTPStatus.SERVICE_UNAVAILABLE
    if {} not in operation.get("security", [{}]):
        yield HTTPStatus.UNAUTHORIZED
    if any("token" in scheme for one in operation.get("security", []) for scheme in one):
        yield HTTPStatus.TOO_MANY_REQUESTS  # each API token has a rate
    if method in UNSAFE_METHODS:
        yield HTTPStatus.FORBIDDEN
    if "{" in path or has_cursor(operation):
        yield HTTPStatus.NOT_FOUND
    if "requestBody" in operation:
        yield HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        yield HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    if "requestBody" in operation or has_query(operation):
        yield HTTPStatus.UNPROCESSABLE_ENTITY


def has_query(operation: dict[str, Any]) -> bool:
    return any(parameter["in"] == "query" for parameter in operation.get("parameters", []))


def has_cursor(operation: dict[str, Any]) -> bool:
    return any(parameter["name"] == "cursor" for parameter in operation.get("parameters", []))


def response_name(status: int) -> str:
    return HTTPStatus(status).phrase.replace(" ", "")


def problem_response(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    content = {"application/problem+json": {"schema": schema}}
    return {"description": HTTPStatus(status).phrase, "content": content}


BLANK = {"type": "string", "maxLength": 0}


def correct_alternatives(result: Any, **_context: object) -> Any:
    """A postprocessing hook: `oneOf` only where exactly one alternative can be valid.

    Any JSON value includes null, and a pattern may accept the empty string.
    """
    if isinstance(result, list):
        return [correct_alternatives(value) for value in result]
    if not isinstance(result, dict):
        return result
    schema = dict(result)
    alternatives = schema.get("oneOf")
    if alternatives == [{}, {"type": "null"}]:
        del schema["oneOf"]
    elif isinstance(alternatives, list) and BLANK in alternatives:
        schema["anyOf"] = schema.pop("oneOf")
    return {key: correct_alternatives(value) for key, value in schema.items()}
