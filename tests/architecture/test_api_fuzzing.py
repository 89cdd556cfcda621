"""Random requests made from the OpenAPI schema: every answer is one that the schema documents.

Seeded and bounded. SERENDIB_FUZZ_SEED=1 sends other requests, and a failure prints the seed;
SERENDIB_FUZZ_EXAMPLES=50 looks longer: so many requests per operation and mode (valid and invalid
values), each sent by a visitor and by one persona of each answer in the table of rights.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import hypothesis
import pytest
import requests
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, Phase
from hypothesis.errors import Unsatisfiable
from rest_framework.test import APIClient
from schemathesis import Case, GenerationMode
from schemathesis.schemas import APIOperation

from tests.architecture.api_contract import find_violations, openapi_document, openapi_path
from tests.architecture.routes import ROUTES, V1, Route, World
from tests.cache import empty_cache

EXAMPLES = int(os.environ.get("SERENDIB_FUZZ_EXAMPLES", "2"))
SEED = int(os.environ.get("SERENDIB_FUZZ_SEED") or 20261122)
PERSONAS = ("visitor", "expert", "coordinator", "researcher", "administrator")
DOCUMENTED = list(
    {(one.method, one.template): one for one in ROUTES if one.template.startswith(V1)}.values()
)
Operation = APIOperation[Any, Any, Any, Any]
RandomCase = Case[Any]
# A part of an upload is random bytes.
schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")
BOUNDED = hypothesis.settings(
    max_examples=EXAMPLES,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@cache
def operations() -> dict[tuple[str, str], Operation]:
    schema = schemathesis.openapi.from_dict(openapi_document())
    results: Any = schema.get_all_operations()
    listed: list[Operation] = [result.ok() for result in results]
    return {(operation.method.lower(), operation.path): operation for operation in listed}


def send_case(case: RandomCase, path: str | None, client: APIClient) -> Any:
    """Send the generated request; with a path, to the resource of the world that it names."""
    request: Any = requests.Request(
        **case.as_transport_kwargs(base_url="http://testserver")
    ).prepare()
    query = request.path_url.partition("?")[2]
    headers = {name: value for name, value in request.headers.items() if name != "Cookie"}
    body: Any = request.body or b""
    payload: Any = body.encode() if isinstance(body, str) else body
    return client.generic(
        str(request.method),
        f"{path}?{query}" if path else request.path_url,
        data=payload,
        content_type=headers.pop("Content-Type", "application/octet-stream"),
        headers=headers,
    )


def select_senders(route: Route) -> list[str]:
    """A visitor, and of those whom the table answers alike, the last."""
    answered = {status: who for who, status in route.expected().items() if who in PERSONAS}
    return list(dict.fromkeys(["visitor", *answered.values()]))


def fuzz_route(world: World, route: Route, operation: Operation) -> set[str]:
    """The violations of generated requests. Each request is undone."""
    violations: set[str] = set()
    senders = select_senders(route)

    def check(case: RandomCase) -> None:
        # The path of every third request is random as well.
        path = None if len(str(case.path_parameters)) % 3 == 0 else world.path(route.template)
        for who in senders:
            empty_cache()
            client = APIClient(raise_request_exception=False)
            world.sign_in(who, client)
            with transaction.atomic():
                response = send_case(case, path, client)
                for violation in find_violations(route.method, route.template, response):
                    violations.add(f"{who}: {violation}")
                transaction.set_rollback(True)

    run_examples(check, operation, GenerationMode.POSITIVE)
    with suppress(Unsatisfiable):  # an operation without parameters has no invalid request
        run_examples(check, operation, GenerationMode.NEGATIVE)
    return violations


def run_examples(
    check: Callable[[RandomCase], None], operation: Operation, mode: GenerationMode
) -> None:
    strategy = operation.as_strategy(generation_mode=mode)
    hypothesis.seed(SEED)(BOUNDED(hypothesis.given(strategy)(check)))()


@pytest.mark.parametrize("route", DOCUMENTED, ids=lambda route: f"{route.method} {route.template}")
def test_no_random_request_gets_an_undocumented_answer(world: World, route: Route) -> None:
    operation = operations()[route.method, openapi_path(route.template)]
    assert fuzz_route(world, route, operation) == set(), f"SERENDIB_FUZZ_SEED={SEED}"
