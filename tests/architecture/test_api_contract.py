"""The check of answers against the OpenAPI schema finds what an answer gets wrong."""

import pytest
from django.http import HttpResponse, HttpResponseBase, JsonResponse

from backend.common.problems import problem_body
from tests.architecture.api_contract import find_violations, openapi_document, openapi_path
from tests.architecture.routes import ROUTES, V1

TEMPLATE = "api/v1/question-sets"
PROBLEM = "application/problem+json"


def test_an_answer_as_documented_has_no_violation() -> None:
    assert find_violations("get", TEMPLATE, JsonResponse({"results": []})) == []


def test_a_problem_may_carry_members_of_its_own() -> None:
    body = {**problem_body(503, "busy", "Try again in a moment."), "retry_seconds": 3}
    response = JsonResponse(body, status=503, content_type=PROBLEM)
    assert find_violations("get", TEMPLATE, response) == []


@pytest.mark.parametrize(
    ("response", "violation"),
    [
        (JsonResponse({}, status=418), "Status 418 is not documented."),
        (JsonResponse({}), "required property"),
        (JsonResponse({"results": [], "more": 1}), "Additional properties are not allowed"),
        (JsonResponse({"results": None}), "is not of type"),
        (HttpResponse(b"<p>", content_type="text/html"), "text/html is not documented"),
        (HttpResponse(b""), "The body is empty"),
        (JsonResponse({"code": "busy"}, status=503, content_type=PROBLEM), "required property"),
        (JsonResponse({"code": "busy"}, status=503), "application/json is not documented"),
    ],
)
def test_a_planted_violation_is_found(response: HttpResponseBase, violation: str) -> None:
    violations = find_violations("get", TEMPLATE, response)
    assert any(violation in one for one in violations), violations


def test_an_operation_without_a_schema_is_a_violation() -> None:
    assert find_violations("delete", TEMPLATE, JsonResponse({})) == [
        "The schema has no such operation."
    ]


def test_the_schema_documents_the_routes_of_the_table_and_no_others() -> None:
    documented = {
        (method, path)
        for path, operations in openapi_document()["paths"].items()
        for method in operations
    }
    assert documented == {
        (route.method, openapi_path(route.template))
        for route in ROUTES
        if route.template.startswith(V1)
    }
